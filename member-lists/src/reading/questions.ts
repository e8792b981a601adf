import type { GroupColumns } from '../columns/group-columns.ts';
import type { RowsContent } from '../columns/list-content.ts';
import { type FoundSeparator, findSeparator } from '../values/group-separators.ts';
import { foldWord, meaningOf } from '../values/word-meanings.ts';
import { suggestedMeaning } from '../values/words.ts';
import type { DateOrder } from '../values/written-times.ts';
import type { ListAnswers, ListQuestion, ListReading, OpenStatusWord, SiteOfList } from './list-reading.ts';

const maxExamples = 3;

/** The order of the dates of a list; null if no date needs one, or if it is not known. */
export interface FoundDateOrder {
  readonly order: DateOrder | null;
  /** Dates that need the order. */
  readonly examples: readonly string[];
}

/** Finds out whether the day or the month comes first in the dates of columns. */
export function findDateOrder({ columns }: RowsContent, used: readonly (number | null)[]): FoundDateOrder {
  const dates = used.flatMap((column) => (column === null ? [] : [columns[column]!.dates]));
  const isDayFirst = dates.some(({ dayFirst }) => dayFirst);
  const isMonthFirst = dates.some(({ monthFirst }) => monthFirst);
  const examples = dates.flatMap(({ swappable }) => swappable).slice(0, maxExamples);
  if (isDayFirst === isMonthFirst) return { order: null, examples };
  return { order: isDayFirst ? 'dayFirst' : 'monthFirst', examples };
}

export function dateQuestion({ dateOrder }: ListReading, { examples }: FoundDateOrder): ListQuestion[] {
  return dateOrder === null && examples.length > 0 ? [{ type: 'dateOrder', examples }] : [];
}

/** Finds out what separates the groups in the cells of columns. */
export function findSeparatorOf(
  { columns }: RowsContent,
  used: readonly (number | null)[],
  { groupNames }: SiteOfList,
): FoundSeparator {
  const contents = used.flatMap((column) => (column === null ? [] : [columns[column]!]));
  return findSeparator(
    contents.flatMap(({ examples }) => examples),
    new Set(contents.flatMap(({ separators }) => [...separators])),
    groupNames,
  );
}

export function separatorQuestion(
  { groupSeparator }: ListReading,
  { possible, examples }: FoundSeparator,
): ListQuestion[] {
  return groupSeparator === null ? [{ type: 'groupSeparator', separators: possible, examples }] : [];
}

/** What do the words in the column of states mean that have no meaning yet? */
export function statusQuestion(
  { columns: { status }, statusWords }: ListReading,
  { columns }: RowsContent,
): ListQuestion[] {
  const open = new Map<string, OpenStatusWord>();
  for (const [word, rows] of (status === null ? undefined : columns[status]!.words) ?? []) {
    if (meaningOf(statusWords, word) !== undefined) continue;
    const known = open.get(foldWord(word)) ?? { word, rows: 0, suggestion: suggestedMeaning(word) };
    open.set(foldWord(word), { ...known, rows: known.rows + rows });
  }
  return open.size === 0 ? [] : [{ type: 'statusWords', words: [...open.values()] }];
}

/** The offer to use further columns as groups, unless someone has said which. */
export function groupsQuestion(
  answers: ListAnswers,
  { nameColumns, markColumns }: GroupColumns,
): ListQuestion[] {
  const hasNames = answers.nameColumns !== undefined || answers.columns?.groups !== undefined;
  const offer = {
    nameColumns: hasNames ? [] : nameColumns,
    markColumns: answers.groupColumns === undefined ? markColumns : [],
  };
  const isEmpty = offer.nameColumns.length + offer.markColumns.length === 0;
  return isEmpty ? [] : [{ type: 'groups', ...offer }];
}
