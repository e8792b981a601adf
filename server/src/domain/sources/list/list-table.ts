import { normalizeEmail } from '@gatehouse/contract/email-address';
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
  /** The rows below the headings, with their values in the order of the headings. */
  rows(): AsyncIterable<ListRow>;
}

export interface ListRow {
  /** The row number in a spreadsheet, from 1. */
  readonly line: number;
  readonly values: readonly string[];
}

/** Reads CSV or TSV of any usual encoding. @throws {CollectionUnreadable} */
export async function readTable(bytes: Uint8Array): Promise<ListTable> {
  const text = decodeText(bytes);
  if (text === null || webPage.test(text)) throw notAList();
  const delimiter = delimiterOf(text);
  const rows = () => complete(readRows(partsOf(text), delimiter));
  const { value: first } = await rows()[Symbol.asyncIterator]().next();
  if (!first) {
    throw new CollectionUnreadable(
      'incomplete',
      'The list is empty, without headings. Add a row with headings.',
    );
  }
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
    rows: async function* () {
      for await (const row of rows()) if (!hasHeadings || row.line !== first.line) yield row;
    },
  };
}

async function* complete(rows: AsyncIterable<Row>): AsyncGenerator<ListRow, void, undefined> {
  try {
    for await (const { line, cells } of rows) {
      yield { line, values: cells.map((cell) => restoreCell(cell).trim()) };
    }
  } catch (error) {
    if (!(error instanceof InvalidCsv)) throw error;
    throw new CollectionUnreadable('incomplete', `${error.message} Correct it in the list.`);
  }
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
