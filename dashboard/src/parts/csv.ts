import { unparse } from 'papaparse';

/** How a cell begins that a spreadsheet may run. What comes behind is left open: a cell can hold line breaks. */
export const formulaStart = /^[=+\-@\t\r\n\u2028\u2029]/;

/**
 * Makes a CSV file (RFC 4180) of rows, which may be longer than there are fields. A cell that a spreadsheet would run as
 * a formula gets an apostrophe before it.
 */
export function toCsv(
  fields: readonly string[],
  rows: readonly (readonly string[])[],
  delimiter = ',',
): Blob {
  const text = unparse(
    [fields, ...rows].map((row) => [...row]),
    { escapeFormulae: formulaStart, newline: '\r\n', delimiter },
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
