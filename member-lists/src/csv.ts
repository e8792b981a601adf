import Papa from 'papaparse';
import { escapeCell, isEscaped } from './formula-cells.ts';

/** Maximum number of characters of a row, which limits a quote that is never closed. */
const maxRowLength = 1_000_000;
/** The number of characters from which the delimiter is detected. */
const headLength = 65_536;
const headRows = 20;
const delimiters = [',', ';', '\t', '|'];

/** A row of a CSV file that is not empty. */
export interface Row {
  /** The row number in a spreadsheet, from 1; empty rows count too. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A text that is not valid CSV, with the first invalid row. */
export class InvalidCsv extends Error {
  readonly code: 'quote_not_closed' | 'text_after_quote';
  readonly line: number;

  constructor(code: InvalidCsv['code'], line: number) {
    super(
      code === 'quote_not_closed'
        ? `Row ${line} has a quote that is never closed.`
        : `Row ${line} has text after a closing quote.`,
    );
    this.name = 'InvalidCsv';
    this.code = code;
    this.line = line;
  }
}

/** The delimiter of the cells, detected from the first rows. Defaults to a comma. */
export function delimiterOf(text: string): string {
  const { meta } = Papa.parse<string[]>(text.slice(0, headLength), {
    delimitersToGuess: delimiters,
    preview: headRows,
    skipEmptyLines: 'greedy',
  });
  return meta.delimiter || ',';
}

/**
 * Reads CSV (RFC 4180) in parts of any size. Rows end with CR LF, LF or CR, and a byte order mark at the beginning is
 * removed. At most one part and one row are in memory.
 * @throws InvalidCsv
 */
export async function* readRows(
  parts: AsyncIterable<string> | Iterable<string>,
  delimiter: string,
): AsyncGenerator<Row, void, undefined> {
  let parser: Parser | undefined;
  let head = '';
  for await (const part of parts) {
    head = parser ? '' : head + part;
    // The line break is detected from the first rows.
    if (!parser && head.length < headLength) continue;
    const isFirst = parser === undefined;
    parser ??= new Parser(head, delimiter);
    yield* parser.read(isFirst ? head : part, false);
  }
  yield* (parser ?? new Parser(head, delimiter)).read(parser ? '' : head, true);
}

/** A text in parts, so that the reader can do other work in between. */
export function* partsOf(text: string, length = 1_000_000): Generator<string, void, undefined> {
  for (let start = 0; start < text.length; start += length) yield text.slice(start, start + length);
}

class Parser {
  readonly #delimiter: string;
  readonly #newline: string;
  /** Whether rows end with CR LF: then the last cell ends with a CR, because rows are split at the LF. */
  readonly #hasCarriageReturns: boolean;
  #line = 0;
  /** The last row, which may continue in the next part. */
  #rest = '';

  constructor(head: string, delimiter: string) {
    this.#delimiter = delimiter;
    this.#newline = head.includes('\n') || !head.includes('\r') ? '\n' : '\r';
    this.#hasCarriageReturns = head.includes('\r\n');
  }

  /** The rows that are complete with this part; with the last part, all rows. */
  *read(part: string, isLast: boolean): Generator<Row, void, undefined> {
    const isFirst = this.#line === 0 && this.#rest === '';
    const text = this.#rest + (isFirst ? part.replace(/^\uFEFF/, '') : part);
    const rows = this.#parse(text);
    const complete = isLast ? rows : rows.slice(0, -1);
    this.#rest = isLast ? '' : text.slice(complete.at(-1)?.end ?? 0);
    for (const { cells, error } of complete) {
      this.#line += 1;
      if (error) throw new InvalidCsv(error, this.#line);
      if (cells.some((cell) => cell.trim() !== '')) yield { line: this.#line, cells };
    }
    if (this.#rest.length > maxRowLength) throw new InvalidCsv('quote_not_closed', this.#line + 1);
  }

  /** Every row of a text, with its end. */
  #parse(text: string): { cells: string[]; end: number; error: InvalidCsv['code'] | undefined }[] {
    const rows: { cells: string[]; end: number; error: InvalidCsv['code'] | undefined }[] = [];
    // The parser removes one byte order mark from the beginning of every text.
    Papa.parse<string[]>(`\uFEFF${text}`, {
      delimiter: this.#delimiter,
      newline: this.#newline as '\n' | '\r',
      step: ({ data, errors: [error], meta }) => {
        if (this.#hasCarriageReturns && data.at(-1)?.endsWith('\r')) data.push(data.pop()!.slice(0, -1));
        rows.push({
          cells: data,
          end: meta.cursor,
          error: error && (error.code === 'MissingQuotes' ? 'quote_not_closed' : 'text_after_quote'),
        });
      },
    });
    return rows;
  }
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
  // Every spreadsheet keeps an apostrophe within quotes.
  return Papa.unparse([cells], { quotes: isEscaped, delimiter });
}
