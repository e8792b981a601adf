import { maxListRows } from '@gatehouse/contract/limits';
import {
  areHeadings,
  columnName,
  decodeText,
  delimiterOf,
  distinctHeadings,
  InvalidCsv,
  type ListAnswers,
  ListSurvey,
  type ProposedReading,
  partsOf,
  type Row,
  readRows,
  restoreCell,
  type SiteOfList,
  withoutTitle,
} from '@gatehouse/member-lists';
import { CollectionUnreadable } from '../../domain/sources/workspaces/workspace.ts';
import { type ListedPerson, ListPeopleReader, type ListPeopleReading } from './list-people.ts';

/** A list with its columns. */
export interface ListTable {
  /** The headings, each different; without headings "Column 1", "Column 2", … */
  readonly headings: readonly string[];
  /** The rows below the headings. */
  rows(): AsyncIterable<ListRow>;
  /** Looks at all rows to find out how to read them. */
  propose(answers: ListAnswers, site: SiteOfList): Promise<ProposedReading>;
  /** The people in the rows. */
  people(reading: ListPeopleReading): AsyncIterable<ListedPerson>;
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
  const table = new TextTable(text, isBeginning);
  await table.open();
  return table;
};

/** A list whose text is in memory. */
class TextTable implements ListTable {
  headings: readonly string[] = [];
  readonly #text: string;
  readonly #delimiter: string;
  readonly #isBeginning: boolean;
  #hasHeadings = true;

  constructor(text: string, isBeginning: boolean) {
    this.#text = text;
    this.#delimiter = delimiterOf(text);
    this.#isBeginning = isBeginning;
  }

  /** Reads the headings. @throws {CollectionUnreadable} */
  async open(): Promise<void> {
    const { value: first } = await this.#all().next();
    if (!first) throw this.#isBeginning ? emptyBeginning() : emptyList();
    if (first.values.length > maxColumns) {
      throw new CollectionUnreadable(
        'too_large',
        `The list has more than ${maxColumns} columns. Remove those that are not needed.`,
      );
    }
    this.#hasHeadings = areHeadings(first.values);
    this.headings = this.#hasHeadings
      ? distinctHeadings(first.values, maxHeadingLength)
      : first.values.map((_, index) => columnName(index));
  }

  async *rows(): AsyncGenerator<ListRow, void, undefined> {
    const rows = this.#all();
    if (this.#hasHeadings) await rows.next();
    yield* rows;
  }

  async propose(answers: ListAnswers, site: SiteOfList): Promise<ProposedReading> {
    const survey = new ListSurvey(this.headings);
    try {
      for await (const { line, values } of this.rows()) survey.add({ line, cells: values });
    } catch (error) {
      // A preview shows the rows before; whoever reads the people fails at the same place.
      if (!(error instanceof CollectionUnreadable)) throw error;
    }
    return survey.propose(answers, site);
  }

  async *people(reading: ListPeopleReading): AsyncGenerator<ListedPerson, void, undefined> {
    const reader = new ListPeopleReader(reading);
    for await (const row of this.rows()) {
      const person = reader.read(row);
      if (person) yield person;
    }
  }

  close(): void {}

  #all(): AsyncGenerator<ListRow, void, undefined> {
    const limits = { maxRows: maxListRows, isBeginning: this.#isBeginning };
    return complete(withoutTitle(readRows(partsOf(this.#text), this.#delimiter, limits)));
  }
}

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

const maxHeadingLength = 200;
const maxColumns = 500;
const webPage = /^\s*<(?:!doctype|html|head|\?xml)\b/i;

function notAList(): CollectionUnreadable {
  return new CollectionUnreadable(
    'rejected',
    'The URL leads to a web page or another file, not to a list as CSV or TSV. In Google Sheets, choose File, ' +
      'Share, Publish to web, then the sheet and CSV, and use the URL that it shows.',
  );
}
