import { type Columns, type Field, fields } from '../columns/fields.ts';
import { simplified, withoutRemark } from '../columns/headings.ts';
import type { StateColumn } from '../columns/stateful-columns.ts';
import type { KnownExport } from './known-export.ts';

/** The columns of a list that is a known export. */
export interface KnownColumns {
  /** Without `email` if no heading says which it is. */
  readonly columns: Partial<Columns>;
  /** Columns that could name groups. */
  readonly nameColumns: readonly number[];
  /** Columns that could be named after a group. */
  readonly markColumns: readonly number[];
  readonly endedColumns: readonly number[];
  readonly furtherEndColumns: readonly number[];
  readonly stateColumns: readonly StateColumn[];
}

/** Finds the columns of a known export; all of it is empty without one. */
export function knownColumns(known: KnownExport | undefined, headings: readonly string[]): KnownColumns {
  const keys = headings.map(keyOf);
  const columnsNamed = (names: readonly string[] = []) =>
    names.flatMap((name) => [...keys.keys()].filter((column) => isNamed(keys[column]!, keyOf(name))));
  return {
    columns: known ? fieldColumns(known, columnsNamed) : {},
    nameColumns: columnsNamed(known?.groupHeadings),
    markColumns: columnsNamed(known?.markHeadings),
    endedColumns: columnsNamed(known?.endedHeadings),
    furtherEndColumns: columnsNamed(known?.furtherEndHeadings),
    stateColumns: (known?.states ?? []).flatMap(({ heading, ...state }) =>
      columnsNamed([heading]).map((column) => ({ column, ...state })),
    ),
  };
}

/** The headings about the state that all lists of an export have, and that a list does not have. */
export function missingStateHeadings(
  { states = [], signatures }: KnownExport,
  headings: readonly string[],
): string[] {
  const present = new Set(headings.map(keyOf));
  const isInAll = (heading: string) => signatures.every((each) => each.includes(heading));
  return states
    .map(({ heading }) => heading)
    .filter((heading) => isInAll(heading) && !present.has(keyOf(heading)));
}

/** The form in which the headings of known exports are compared. */
export function keyOf(heading: string): string {
  return simplified(withoutRemark(heading));
}

function fieldColumns(
  { columns }: KnownExport,
  columnsNamed: (names?: readonly string[]) => number[],
): Partial<Columns> {
  const found: Partial<Record<Field, number | null>> = {};
  for (const field of fields) {
    const [column] = columnsNamed(columns[field]);
    if (column !== undefined || field !== 'email') found[field] = column ?? null;
  }
  return found;
}

/** Whether a heading is the named one; `*` at the beginning of a name stands for any other beginning. */
function isNamed(key: string, name: string): boolean {
  if (!name.startsWith('*')) return key === name;
  return key.length >= name.length && key.endsWith(name.slice(1));
}
