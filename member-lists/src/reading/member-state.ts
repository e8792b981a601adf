import type { StateColumn } from '../columns/stateful-columns.ts';
import { isUnknownCell } from '../text/unknown-cells.ts';
import { parseEnd } from '../values/times.ts';
import { foldWord, meaningOf, type StatusMeaning, statusMeanings } from '../values/word-meanings.ts';
import { parsePaid } from '../values/words.ts';
import type { ListReading } from './list-reading.ts';

/**
 * The state of a member: the strictest of what the field `status` and the further columns say. A cell whose value is not
 * known says nothing, whatever stands for all other words.
 */
export function stateOf(
  status: StatusMeaning | undefined,
  reading: ListReading,
  cell: (column: number) => string,
  now: Date,
): StatusMeaning | undefined {
  const said = [status];
  for (const each of reading.stateColumns) {
    const text = cell(each.column);
    if (isUnknownCell(text) || isOver(text, each, reading, now)) continue;
    said.push(meaningIn(each, text));
  }
  return statusMeanings.findLast((meaning) => said.includes(meaning));
}

/** A spreadsheet writes flags in its language, so that any word for yes or no is `true` or `false`. */
function meaningIn({ words }: StateColumn, text: string): StatusMeaning | undefined {
  const meaning = meaningOf<StatusMeaning>(words, text);
  if (meaning) return meaning;
  const flag = parsePaid(text);
  if (flag !== undefined) return meaningOf<StatusMeaning>(words, String(flag));
  const [, byEnding] =
    Object.entries(words).find(
      ([word]) => word.length > 1 && word.startsWith('*') && foldWord(text).endsWith(word.slice(1)),
    ) ?? [];
  return byEnding;
}

/** Whether the time until which a state lasts is over. A text that is not a time is not. */
function isOver(text: string, { isUntil = false }: StateColumn, reading: ListReading, now: Date): boolean {
  const end = isUntil ? parseEnd(text, reading) : undefined;
  return typeof end === 'string' && end <= now.toISOString();
}
