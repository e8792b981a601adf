import type { Columns, Field } from './fields.ts';
import type { Match } from './heading-meanings.ts';
import { isIgnored } from './headings.ts';
import type { NamePair } from './name-pair.ts';

/** What the rows say about columns. */
export interface ListContent {
  /** The number of cells that a field could use: addresses, times or all that are not empty. */
  count(field: Field, column: number): number;
  /** Whether the cells are what a column of this field has. */
  fits(field: Field, column: number, match: Match): boolean;
  /** The first of these columns that has the values of all of them in each row; undefined if there is none. */
  firstComplete(field: Field, columns: readonly number[]): number | undefined;
  namePair(full: number, part: number): NamePair | undefined;
}

/** The columns that are being found. */
export interface ColumnSearch {
  readonly headings: readonly string[];
  readonly chosen: Partial<Columns>;
  readonly content: ListContent | undefined;
  readonly columns: Record<Field, number | null>;
  readonly ambiguous: Map<Field, readonly number[]>;
}

/** Whether a field has no column yet, and may have one. */
export function isOpen({ columns, chosen }: ColumnSearch, field: Field): boolean {
  return columns[field] === null && chosen[field] !== null;
}

/** The columns that no field has yet. */
export function freeColumns({ headings, columns }: ColumnSearch): number[] {
  const taken = new Set(Object.values(columns));
  return [...headings.keys()].filter((column) => !taken.has(column) && !isIgnored(headings[column]!));
}

/**
 * Chooses the column of a field among those that its headings and cells allow: one that has nearly all of the values,
 * or as many as all others. If there is none, the first one is used and the choice stays open.
 */
export function choose(search: ColumnSearch, field: Field, candidates: readonly number[]): void {
  const { content, columns, ambiguous } = search;
  if (candidates.length === 0) return;
  const counts = candidates.map((column) => content?.count(field, column) ?? 1);
  const highest = Math.max(...counts);
  const filled = candidates.filter((_, index) => counts[index]! * 10 > highest || highest === 0);
  const complete = filled.length === 1 ? filled[0] : content?.firstComplete(field, filled);
  columns[field] = complete ?? filled[0]!;
  if (complete === undefined) ambiguous.set(field, filled);
}
