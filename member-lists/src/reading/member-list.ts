import { normalizeEmail } from '@gatehouse/contract/email-address';
import { type Columns, findColumns } from '../columns/find-columns.ts';
import { delimiterOf, partsOf, type Row, readRows } from '../csv/csv.ts';
import { restoreCell } from '../csv/formula-cells.ts';
import { type MemberDraft, readDraft } from './member-draft.ts';

/** A list that fits into memory, with its format. */
export interface MemberList {
  readonly rows: readonly Row[];
  readonly delimiter: string;
  /** Whether the first row contains headings. */
  readonly hasHeadings: boolean;
  readonly columns: Columns;
}

/**
 * Reads a list and finds its columns by the headings, or else the column of the addresses by its content.
 * @param maxRows empty ones included
 * @throws InvalidCsv
 */
export async function readMemberList(text: string, maxRows?: number): Promise<MemberList> {
  const delimiter = delimiterOf(text);
  const rows = await Array.fromAsync(
    readRows(partsOf(text), delimiter, maxRows === undefined ? {} : { maxRows }),
  );
  const [first = [], second = []] = rows.slice(0, 2).map(({ cells }) => cells);
  const hasHeadings = rows.length > 0 && !first.some(isAddress);
  const column = (hasHeadings ? second : first).findIndex(isAddress);
  const { columns } = findColumns(hasHeadings ? first.map(restoreCell) : []);
  const email = columns.email ?? (column === -1 ? null : column);
  return { rows, delimiter, hasHeadings, columns: { ...columns, email } };
}

/** The members in the rows of a list. */
export function draftsOf({ rows, hasHeadings, columns }: MemberList, now: Date): MemberDraft[] {
  const headingCount = hasHeadings ? rows[0]?.cells.length : undefined;
  return rows.slice(hasHeadings ? 1 : 0).map((row) => readDraft(row, { columns, headingCount, now }));
}

/** The headings of a list; if it has none, generated ones. */
export function headingsOf({ rows, hasHeadings, columns }: MemberList): readonly string[] {
  if (hasHeadings) return rows[0]!.cells.map((heading) => restoreCell(heading).trim());
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  const names = new Map(Object.entries(columns).map(([field, column]) => [column, field]));
  return Array.from({ length: width }, (_, column) => names.get(column) ?? `column${column + 1}`);
}

function isAddress(cell: string): boolean {
  return normalizeEmail(restoreCell(cell)) !== null;
}
