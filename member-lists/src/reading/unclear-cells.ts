import type { Field } from '../columns/fields.ts';
import { groupNamesIn } from '../values/group-names.ts';
import { hasPart } from '../values/names.ts';
import { parsePaid } from '../values/words.ts';
import type { ListReading } from './list-reading.ts';

/** The trimmed text of a cell of a row; empty without a column. */
export type CellOf = (column: number | null) => string;

/** The field for which no one has said which column has it, if the row has different values in these columns. */
export function unclearField({ columns, openColumns }: ListReading, cell: CellOf): Field | undefined {
  for (const [field, candidates] of Object.entries(openColumns) as [Field, readonly number[]][]) {
    const values = candidates.map((column) => cell(column).toLowerCase());
    if (values.some((value) => value !== values[0])) return field;
    const [name, part] = [cell(columns.displayName), cell(columns.firstName ?? columns.lastName)];
    // A single column may have the full name, or the part of it that no other column has.
    const isSingle = field === 'displayName' && candidates.length === 1;
    if (isSingle && name !== '' && part !== '' && !hasPart(name, part)) return field;
  }
  return undefined;
}

/** A cell of which it is not clear to which groups the member belongs. */
export function unclearGroupsCell(
  { columns, nameColumns, groupColumns, groupSeparator }: ListReading,
  cell: CellOf,
  groupNames: ReadonlySet<string> | undefined,
): string | undefined {
  const isUnclear = (text: string) => groupNamesIn(text, groupSeparator, groupNames) === undefined;
  const isNoMark = (text: string) => text !== '' && parsePaid(text) === undefined;
  return (
    [columns.groups, ...nameColumns].map(cell).find(isUnclear) ??
    groupColumns.map(({ column }) => cell(column)).find(isNoMark)
  );
}
