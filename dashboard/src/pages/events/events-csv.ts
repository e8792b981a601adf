import type { Event, EventFilter, Gatehouse } from '@gatehouse/client';
import { maxPageSize } from '@gatehouse/contract/limits';
import { toCsv } from '../../format/csv.ts';

const fields = [
  'occurredAt',
  'type',
  'actorType',
  'actorId',
  'actorName',
  'ipAddress',
  'requestId',
  'eventId',
  'data',
];

/** All matching events as a CSV file. @throws the reason of the signal when it aborts */
export async function eventsToCsv(
  gatehouse: Gatehouse,
  filter: EventFilter,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<Blob> {
  const rows: string[][] = [];
  const list = gatehouse.events.list({ ...filter, limit: maxPageSize }, { signal });
  for await (const { data } of list.pages()) {
    rows.push(...data.map(toRow));
    onProgress(rows.length);
  }
  return toCsv(fields, rows);
}

function toRow({ occurredAt, type, actor, ipAddress, requestId, id, data }: Event): string[] {
  const actorCells = [actor.type, actor.id ?? '', actor.name ?? ''];
  return [occurredAt, type, ...actorCells, ipAddress ?? '', requestId ?? '', id, JSON.stringify(data)];
}
