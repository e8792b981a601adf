import { distinctHeadings } from '../columns/headings.ts';
import { areHeadings, withoutTitle } from '../columns/title-rows.ts';
import { delimiterOf, partsOf, type Row, readRows } from '../csv/csv.ts';
import { restoreCell } from '../csv/formula-cells.ts';
import { inTurns } from '../csv/next-turn.ts';
import type { ListReading } from './list-reading.ts';
import { type MemberDraft, type RowContext, readDraft } from './member-draft.ts';
import { ListSurvey } from './survey.ts';

/** A list that fits into memory. */
export interface MemberList {
  readonly rows: readonly Row[];
  readonly delimiter: string;
  /** Whether the first row contains headings. */
  readonly hasHeadings: boolean;
  readonly survey: ListSurvey;
}

/**
 * Reads a list and looks at all its rows.
 * @param maxRows empty ones included
 * @throws InvalidCsv
 */
export async function readMemberList(text: string, maxRows?: number): Promise<MemberList> {
  const delimiter = delimiterOf(text);
  const rows = await Array.fromAsync(
    withoutTitle(readRows(partsOf(text), delimiter, maxRows === undefined ? {} : { maxRows })),
  );
  const first = rows[0]?.cells ?? [];
  return surveyed(rows, delimiter, rows.length > 0 && areHeadings(first));
}

/** The same list, with or without headings in its first row. */
export function withHeadings({ rows, delimiter }: MemberList, hasHeadings: boolean): Promise<MemberList> {
  return surveyed(rows, delimiter, hasHeadings);
}

/** The members in the rows of a list. */
export function draftsOf(
  { rows, hasHeadings }: MemberList,
  reading: ListReading,
  context: Omit<RowContext, 'headingCount'>,
): MemberDraft[] {
  const headingCount = hasHeadings ? rows[0]?.cells.length : undefined;
  const each = { ...context, headingCount };
  return rows.slice(hasHeadings ? 1 : 0).map((row) => readDraft(row, reading, each));
}

async function surveyed(rows: readonly Row[], delimiter: string, hasHeadings: boolean): Promise<MemberList> {
  const [first] = rows;
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  const headings = hasHeadings
    ? first!.cells.map((heading) => restoreCell(heading).trim())
    : Array.from({ length: width }, () => '');
  const survey = new ListSurvey(distinctHeadings(headings));
  for await (const row of inTurns(rows.slice(hasHeadings ? 1 : 0))) survey.add(row);
  return { rows, delimiter, hasHeadings, survey };
}
