import { type FailedRow, FailedRows, type MemberList } from '@gatehouse/member-lists';
import { toCsv } from '../../../format/csv.ts';

/** The source of drafts, for the file of failed rows. */
export interface Source {
  /** The name of the file, without its extension. */
  readonly name: string;
  readonly headings: readonly string[];
  readonly delimiter: string;
}

/** The source of pasted drafts: their cells are the email address and the name. */
export const pastedSource: Source = { name: 'members', headings: ['email', 'displayName'], delimiter: ',' };

/**
 * The source of a file of members. The failed rows get headings even if the file had none, because the first failed
 * row may have no address.
 */
export function fileSource(fileName: string, list: MemberList): Source {
  return {
    name: fileName.replace(/\.[^.]*$/, ''),
    headings: list.survey.headings,
    delimiter: list.delimiter,
  };
}

/** A file with the failed rows, to be corrected and imported again. */
export function failedRowsFile(
  { name, headings, delimiter }: Source,
  failed: readonly FailedRow[],
): { file: Blob; name: string } {
  const rows = new FailedRows(headings);
  const file = toCsv(
    rows.headings(),
    failed.map((row) => rows.row(row)),
    { delimiter },
  );
  return { file, name: `${name.replace(/-failed$/, '')}-failed.csv` };
}
