import { endOfDay, startOfDay } from '@gatehouse/contract/time-zones';
import { parseDateTime } from '@gatehouse/contract/times';
import type { ListReading } from '../reading/list-reading.ts';

/** What a list says about its times. */
export type TimeReading = Pick<ListReading, 'dateOrder' | 'timeZone' | 'clockTimeZone'>;

const dayForm = /^\d{4}-\d\d-\d\d$/;

/** A time, or the start of a day. Undefined if the cell is neither. */
export function parseTime(cell: string, { timeZone }: TimeReading): string | undefined {
  const text = cell.trim();
  return dayForm.test(text) ? startOfDay(text, timeZone) : parseDateTime(text);
}

/** Like `parseTime`, but a day means its end. */
export function parseEnd(cell: string, { timeZone }: TimeReading): string | undefined {
  const text = cell.trim();
  return dayForm.test(text) ? endOfDay(text, timeZone) : parseDateTime(text);
}
