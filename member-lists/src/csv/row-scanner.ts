import { maxListCellLength, maxListCells, maxListRowLength } from '@gatehouse/contract/limits';
import { InvalidCsv } from './invalid-csv.ts';

const quote = '"';

/** What separates the cells and the rows of a text. */
export interface Separators {
  readonly delimiter: string;
  readonly newline: '\n' | '\r';
  /** Whether rows end with CR LF: then the last cell ends with a CR, because rows are split at the LF. */
  readonly hasCarriageReturns: boolean;
}

/**
 * Splits a text into rows (RFC 4180). It takes a few steps for each character at most, whatever the text is, and stops
 * at the first row that is not valid or too large.
 */
export class RowScanner {
  readonly #text: string;
  readonly #separators: Separators;
  readonly #isLast: boolean;
  /** The spaces that may follow a closing quote. */
  readonly #spaces: RegExp;
  #line: number;
  #end = 0;
  #endOfCell = 0;
  // The next ones from the current place on, so that a search up to the end of the text is not repeated.
  #nextDelimiter = -1;
  #nextNewline = -1;

  /**
   * @param line the number of rows before the text
   * @param isLast whether nothing follows the text, so that its last row needs no line break
   */
  constructor(text: string, separators: Separators, line: number, isLast: boolean) {
    this.#text = text;
    this.#separators = separators;
    this.#line = line;
    this.#isLast = isLast;
    this.#spaces = new RegExp(`[^\\S${separators.delimiter}${separators.newline}]*`, 'y');
  }

  /** The number of rows up to here, empty ones included. */
  get line(): number {
    return this.#line;
  }

  /** What follows the rows up to here. */
  get rest(): string {
    return this.#text.slice(this.#end);
  }

  /**
   * The cells of the next row that is not empty; undefined if no other row is complete.
   * @throws {InvalidCsv} also at a row after `maxRows`
   */
  next(maxRows: number): string[] | undefined {
    while (this.#end < this.#text.length) {
      if (this.#line >= maxRows) throw this.#error('too_many_rows');
      const cells = this.#skipBlank() ? [] : this.#readRow();
      if (!cells) return undefined;
      this.#line += 1;
      if (cells.some((cell) => cell.trim() !== '')) return cells;
    }
    return undefined;
  }

  /** Skips a row without any character, of which a text may have millions. */
  #skipBlank(): boolean {
    const { newline, hasCarriageReturns } = this.#separators;
    const end = hasCarriageReturns && this.#text[this.#end] === '\r' ? this.#end + 1 : this.#end;
    if (this.#text[end] !== newline) return false;
    this.#end = end + 1;
    return true;
  }

  /** Undefined if the row is not complete. */
  #readRow(): string[] | undefined {
    const { newline } = this.#separators;
    const cells: string[] = [];
    for (let at = this.#end; ; at = this.#endOfCell + 1) {
      const cell = this.#text[at] === quote ? this.#readQuoted(at) : this.#readPlain(at);
      const end = this.#endOfCell;
      if (end - this.#end > maxListRowLength) throw this.#error('row_too_long');
      if (cell === undefined) return undefined;
      cells.push(cell);
      if (cells.length > maxListCells) throw this.#error('too_many_cells');
      if (end < this.#text.length && this.#text[end] !== newline) continue;
      this.#end = Math.min(end + 1, this.#text.length);
      return cells;
    }
  }

  #readPlain(start: number): string | undefined {
    const { delimiter, newline, hasCarriageReturns } = this.#separators;
    if (this.#nextDelimiter < start) this.#nextDelimiter = this.#find(delimiter, start);
    if (this.#nextNewline < start) this.#nextNewline = this.#find(newline, start);
    const end = Math.min(this.#nextDelimiter, this.#nextNewline);
    this.#endOfCell = end;
    if (end - start > maxListCellLength) throw this.#error('cell_too_long');
    if (end === this.#text.length && !this.#isLast) return undefined;
    const cell = this.#text.slice(start, end);
    const isLastOfRow = this.#text[end] !== delimiter;
    return isLastOfRow && hasCarriageReturns && cell.endsWith('\r') ? cell.slice(0, -1) : cell;
  }

  #readQuoted(start: number): string | undefined {
    const { delimiter, newline } = this.#separators;
    const { length } = this.#text;
    const closing = this.#closingQuote(start + 1);
    this.#endOfCell = length;
    if (closing === undefined) {
      if (this.#isLast || length - start > maxListCellLength) throw this.#error('quote_not_closed');
      return undefined;
    }
    if (closing - start > maxListCellLength) throw this.#error('cell_too_long');
    const end = this.#skipSpaces(closing + 1);
    this.#endOfCell = end;
    if (end === length && !this.#isLast) return undefined;
    if (end < length && this.#text[end] !== delimiter && this.#text[end] !== newline) {
      throw this.#error('text_after_quote');
    }
    return this.#text.slice(start + 1, closing).replaceAll('""', quote);
  }

  /** The quote that ends a cell: two of them stand for one in its text. Undefined if it is not in the text. */
  #closingQuote(start: number): number | undefined {
    for (let from = start; ; ) {
      const found = this.#find(quote, from);
      if (found === this.#text.length) return undefined;
      if (this.#text[found + 1] !== quote) return found;
      from = found + 2;
    }
  }

  #skipSpaces(start: number): number {
    this.#spaces.lastIndex = start;
    this.#spaces.test(this.#text);
    return this.#spaces.lastIndex;
  }

  /** The end of the text if it is not found. */
  #find(character: string, start: number): number {
    const found = this.#text.indexOf(character, start);
    return found === -1 ? this.#text.length : found;
  }

  #error(code: InvalidCsv['code']): InvalidCsv {
    return new InvalidCsv(code, this.#line + 1);
  }
}
