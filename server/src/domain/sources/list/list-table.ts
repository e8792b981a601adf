import { normalizeEmail } from '@gatehouse/contract/email-address';
import { maxListRows } from '@gatehouse/contract/limits';
import {
  decodeText,
  delimiterOf,
  InvalidCsv,
  partsOf,
  type Row,
  readRows,
  restoreCell,
} from '@gatehouse/member-lists';
import { CollectionUnreadable } from '../workspace.ts';

/** A list with its columns. */
export interface ListTable {
  /** The headings, each different; without headings "Column 1", "Column 2", … */
  readonly headings: readonly string[];
  /**
   * The rows below the headings, which can be read once.
   * @param columns the indexes of the columns to read, in the order of the values; all by default
   */
  rows(columns?: readonly number[]): AsyncIterable<ListRow>;
  /** Called when no more rows will be read. */
  close(): void;
}

export interface ListRow {
  /** The row number in a spreadsheet, from 1. */
  readonly line: number;
  readonly values: readonly string[];
}

/** The bytes of a list, or of its beginning. */
export interface ListBytes {
  /** In several parts, because a thread that serves or writes should not join them. */
  readonly parts: readonly Uint8Array[];
  /** Whether more follows, so that the last row may not be complete. */
  readonly isBeginning: boolean;
}

/** Reads CSV or TSV of any usual encoding, in this thread or another one. @throws {CollectionUnreadable} */
export type ReadTable = (list: ListBytes) => Promise<ListTable>;

/** Reads a list in this thread. @throws {CollectionUnreadable} */
export const readTable: ReadTable = async ({ parts, isBeginning }) => {
  const text = decodeText(Buffer.concat(parts), isBeginning);
  if (text === null || webPage.test(text)) throw notAList();
  const delimiter = delimiterOf(text);
  const rows = complete(readRows(partsOf(text), delimiter, { maxRows: maxListRows, isBeginning }));
  const { value: first } = await rows.next();
  if (!first) throw isBeginning ? emptyBeginning() : emptyList();
  if (first.values.length > maxColumns) {
    throw new CollectionUnreadable(
      'too_large',
      `The list has more than ${maxColumns} columns. Remove those that are not needed.`,
    );
  }
  const hasHeadings = !first.values.some((value) => normalizeEmail(value) !== null);
  const headings = hasHeadings ? distinct(first.values) : first.values.map((_, index) => columnName(index));
  return {
    headings,
    rows: async function* (columns = [...headings.keys()]) {
      const chosen = ({ line, values }: ListRow) => ({
        line,
        values: columns.map((column) => values[column] ?? ''),
      });
      if (!hasHeadings) yield chosen(first);
      for await (const row of rows) yield chosen(row);
    },
    close: () => {},
  };
};

function emptyList(): CollectionUnreadable {
  return new CollectionUnreadable(
    'incomplete',
    'The list is empty, without headings. Add a row with headings.',
  );
}

function emptyBeginning(): CollectionUnreadable {
  return new CollectionUnreadable(
    'too_large',
    'The list begins with a megabyte without a complete row. Remove empty rows at its beginning, or very long ones.',
  );
}

async function* complete(rows: AsyncIterable<Row>): AsyncGenerator<ListRow, void, undefined> {
  try {
    for await (const { line, cells } of rows) {
      yield { line, values: cells.map((cell) => restoreCell(cell).trim()) };
    }
  } catch (error) {
    if (!(error instanceof InvalidCsv)) throw error;
    throw unreadable(error);
  }
}

/** A quote that is open may hide the rest of a list, and what is too large is never read in part. */
function unreadable({ code, message }: InvalidCsv): CollectionUnreadable {
  if (code === 'quote_not_closed' || code === 'text_after_quote') {
    return new CollectionUnreadable('incomplete', `${message} Correct it in the list.`);
  }
  if (code !== 'too_many_rows') {
    return new CollectionUnreadable('too_large', `${message} Shorten it in the list.`);
  }
  const rows = maxListRows.toLocaleString('en-US');
  return new CollectionUnreadable(
    'too_large',
    `The list has more than ${rows} rows, empty ones included. Remove those that are empty or not needed, or split it ` +
      'into several lists.',
  );
}

/** Headings as keys: an empty one gets a name, and a repeated one a number. */
function distinct(headings: readonly string[]): string[] {
  const taken = new Set<string>();
  return headings.map((heading, index) => {
    const name = heading === '' ? columnName(index) : heading.slice(0, maxHeadingLength);
    let key = name;
    for (let number = 2; taken.has(key); number += 1) key = `${name} (${number})`;
    taken.add(key);
    return key;
  });
}

const maxHeadingLength = 200;
const maxColumns = 500;
const webPage = /^\s*<(?:!doctype|html|head|\?xml)\b/i;

function columnName(index: number): string {
  return `Column ${index + 1}`;
}

export function notAList(): CollectionUnreadable {
  return new CollectionUnreadable(
    'rejected',
    'The address leads to a web page or another file, not to a list as CSV or TSV. In Google Sheets, choose File, ' +
      'Share, Publish to web, then the sheet and CSV, and use the address that it shows.',
  );
}
