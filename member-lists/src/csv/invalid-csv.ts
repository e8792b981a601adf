import { maxListCellLength, maxListCells, maxListRowLength } from '@gatehouse/contract/limits';

const problems = {
  quote_not_closed: 'has a quote that is never closed',
  text_after_quote: 'has text after a closing quote',
  too_many_cells: `has more than ${inEnglish(maxListCells)} cells`,
  cell_too_long: `has a cell with more than ${inEnglish(maxListCellLength)} characters`,
  row_too_long: `has more than ${inEnglish(maxListRowLength)} characters`,
  too_many_rows: 'is one too many. Remove rows that are empty or not needed, or split the list',
};

/** A text that is not valid CSV or too large, with the first row that cannot be read. */
export class InvalidCsv extends Error {
  readonly code: keyof typeof problems;
  readonly line: number;

  constructor(code: InvalidCsv['code'], line: number) {
    super(`Row ${code === 'too_many_rows' ? inEnglish(line) : line} ${problems[code]}.`);
    this.name = 'InvalidCsv';
    this.code = code;
    this.line = line;
  }
}

function inEnglish(count: number): string {
  return count.toLocaleString('en-US');
}
