import { maxListRowLength } from '@gatehouse/contract/limits';
import { escapeCell, isEscaped } from './formula-cells.ts';
import { InvalidCsv } from './invalid-csv.ts';
import { nextTurn } from './next-turn.ts';
import { RowScanner, type Separators } from './row-scanner.ts';

/** The number of characters from which the delimiter is detected. */
const headLength = 65_536;
const headRows = 10;
/** On average; with fewer, most rows are not split. */
const minCells = 1.99;
const delimiters = [',', ';', '\t', '|'];
const defaultDelimiter = ',';
/** A first line such as `sep=;`, in which Excel reads and other programs write the delimiter. */
const separatorLine = /^"?sep=([,;|:\t]|\\t)"?[,;|:\t]*(?:\r\n|\r|\n|$)/i;
/** Short enough for a few milliseconds of work. */
const partLength = 262_144;

/** A row of a CSV file that is not empty. */
export interface Row {
  /** The row number in a spreadsheet, from 1; empty rows count too. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** How much of a list is read. */
export interface ReadingLimits {
  /** Empty rows count too. */
  readonly maxRows?: number;
  /** Whether the text is only the beginning of a list, so that its last row may not be complete. */
  readonly isBeginning?: boolean;
}

/**
 * The delimiter of the cells, detected from the first rows: the one that splits most of them into the same number of
 * cells. Defaults to a comma.
 */
export function delimiterOf(text: string): string {
  const head = withoutMark(text.slice(0, headLength + 1));
  const line = separatorLine.exec(head);
  if (line) return line[1] === '\\t' ? '\t' : line[1]!;
  let best = { delimiter: defaultDelimiter, cells: 0, differences: Number.POSITIVE_INFINITY };
  for (const delimiter of delimiters) {
    const widths = widthsOf(head, delimiter);
    const cells = widths.reduce((sum, width) => sum + width, 0) / widths.length;
    const differences = widths
      .slice(1)
      .reduce((sum, width, index) => sum + Math.abs(width - widths[index]!), 0);
    const isBetter =
      differences < best.differences || (differences === best.differences && cells > best.cells);
    if (cells >= minCells && isBetter) best = { delimiter, cells, differences };
  }
  return best.delimiter;
}

/** The number of cells in each of the first rows; none if the delimiter cannot be that of the text. */
function widthsOf(head: string, delimiter: string): number[] {
  const scanner = new RowScanner(head, separatorsOf(head, delimiter), 0, true);
  const widths: number[] = [];
  try {
    while (widths.length < headRows) {
      const cells = scanner.next(Number.POSITIVE_INFINITY);
      if (!cells) break;
      widths.push(cells.length);
    }
  } catch (error) {
    if (!(error instanceof InvalidCsv)) throw error;
    // Otherwise only the last row is not complete.
    if (error.code === 'text_after_quote') return [];
  }
  return widths;
}

/**
 * Reads CSV (RFC 4180) in parts of any size. Rows end with CR LF, LF or CR, and a byte order mark at the beginning is
 * removed. At most one part and one row are in memory, and other work can be done after each part.
 * @throws {InvalidCsv}
 */
export async function* readRows(
  parts: AsyncIterable<string> | Iterable<string>,
  delimiter: string,
  { maxRows = Number.POSITIVE_INFINITY, isBeginning = false }: ReadingLimits = {},
): AsyncGenerator<Row, void, undefined> {
  let separators: Separators | undefined;
  let text = '';
  let line = 0;
  for await (const part of parts) {
    text += part;
    // The line break is detected from the first rows.
    if (!separators && text.length < headLength) continue;
    if (!separators) {
      separators = separatorsOf(text, delimiter);
      ({ text, line } = withoutPreface(text));
    }
    const scanner = new RowScanner(text, separators, line, false);
    yield* rowsIn(scanner, maxRows);
    ({ line, rest: text } = scanner);
    if (text.length > maxListRowLength) throw new InvalidCsv('row_too_long', line + 1);
    await nextTurn();
  }
  if (!separators) {
    separators = separatorsOf(text, delimiter);
    ({ text, line } = withoutPreface(text));
  }
  yield* rowsIn(new RowScanner(text, separators, line, !isBeginning), maxRows);
}

function* rowsIn(scanner: RowScanner, maxRows: number): Generator<Row, void, undefined> {
  for (;;) {
    const cells = scanner.next(maxRows);
    if (!cells) return;
    yield { line: scanner.line, cells };
  }
}

function separatorsOf(head: string, delimiter: string): Separators {
  return {
    delimiter,
    newline: head.includes('\n') || !head.includes('\r') ? '\n' : '\r',
    hasCarriageReturns: head.includes('\r\n'),
  };
}

/** The rows of a text, without what only says how to read them; its line counts. */
function withoutPreface(text: string): { text: string; line: number } {
  const rest = withoutMark(text);
  const [line = ''] = separatorLine.exec(rest) ?? [];
  return { text: rest.slice(line.length), line: line === '' ? 0 : 1 };
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** A text in parts, so that the reader can do other work in between. */
export function* partsOf(text: string, length = partLength): Generator<string, void, undefined> {
  for (let start = 0; start < text.length; start += length) yield text.slice(start, start + length);
}

export interface WritingOptions {
  readonly delimiter?: string;
  /** Whether cells that a spreadsheet would run as formulas are left unchanged. */
  readonly isRaw?: boolean;
}

/**
 * One row of a CSV file (RFC 4180), without the line break. No cell can run as a formula; reading restores the values.
 */
export function csvRow(
  values: readonly string[],
  { delimiter = ',', isRaw = false }: WritingOptions = {},
): string {
  const cells = isRaw ? [...values] : values.map(escapeCell);
  return cells.map((cell) => (needsQuotes(cell, delimiter) ? quoted(cell) : cell)).join(delimiter);
}

function needsQuotes(cell: string, delimiter: string): boolean {
  // Every spreadsheet keeps an apostrophe within quotes.
  return /["\r\n\uFEFF]|^ | $/.test(cell) || cell.includes(delimiter) || isEscaped(cell);
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
