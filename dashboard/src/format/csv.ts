import { csvRow, type WritingOptions } from '@gatehouse/member-lists/csv';

/** Creates a CSV file. Rows may have more cells than there are headings. No cell can run as a formula. */
export function toCsv(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  options: WritingOptions = {},
): Blob {
  const lines = [headings, ...rows].map((row) => `${csvRow(row, options)}\r\n`);
  // The byte order mark tells spreadsheet programs that the file is UTF-8.
  return new Blob(['\ufeff', ...lines], { type: 'text/csv;charset=utf-8' });
}

/** Downloads a file. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
