import { isNeutralised, neutraliseCell } from '@gatehouse/contract/csv-cells';
import { unparse } from 'papaparse';

/**
 * Makes a CSV file (RFC 4180) of rows, which may be longer than there are fields. No cell can be run as a formula;
 * `restoreCell` gives the texts back.
 */
export function toCsv(
  fields: readonly string[],
  rows: readonly (readonly string[])[],
  delimiter = ',',
): Blob {
  const text = unparse(
    [fields, ...rows].map((row) => row.map(neutraliseCell)),
    // Between quotes an apostrophe stays where it is in every spreadsheet.
    { quotes: isNeutralised, newline: '\r\n', delimiter },
  );
  // The mark at the beginning tells spreadsheets that it is UTF-8.
  return new Blob(['\ufeff', text, '\r\n'], { type: 'text/csv;charset=utf-8' });
}

/** Has the browser save a file. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
