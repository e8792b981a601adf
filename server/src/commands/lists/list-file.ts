import {
  areHeadings,
  delimiterOf,
  distinctHeadings,
  InvalidCsv,
  type ListReading,
  ListSurvey,
  type MemberDraft,
  type RepeatedRows,
  type Row,
  readDraft,
  readRows,
  restoreCell,
  type TextEncoding,
  withoutTitle,
} from '@gatehouse/member-lists';
import { CommandFailure } from '../../app/failure.ts';
import { openTextFile, partsOfFile, type TextFile } from './text-file.ts';

/** The number of characters that the delimiter is detected from. */
const headLength = 65_536;

/** A CSV file of members, of which all rows have been looked at. */
export interface SurveyedFile extends TextFile {
  readonly delimiter: string;
  /** As they are written. */
  readonly headings: readonly string[];
  readonly survey: ListSurvey;
  /** Whether cells are used unchanged, including an apostrophe that keeps spreadsheets from running a formula. */
  readonly isRaw: boolean;
  /** The time when it was opened. */
  readonly now: Date;
}

/** A CSV file of members, with how it is read. */
export interface ListFile extends SurveyedFile {
  readonly reading: ListReading;
  /** The names of the groups of the site. */
  readonly groupNames?: ReadonlySet<string>;
}

export interface ListFileOptions {
  readonly isRaw?: boolean;
  /** The encoding, if someone has chosen it. */
  readonly encoding?: TextEncoding | undefined;
  /** Called for each row below the headings. */
  readonly onRow?: (row: Row) => void;
}

/** Looks at all rows of a file of any size. @throws {CommandFailure} when it is not a list of members */
export async function openListFile(path: string, options: ListFileOptions = {}): Promise<SurveyedFile> {
  const { isRaw = false, encoding, onRow } = options;
  const file = await openTextFile(path, encoding);
  const delimiter = delimiterOf(await headOf(file));
  let headings: string[] | undefined;
  let survey: ListSurvey | undefined;
  for await (const row of rowsOf(file, delimiter)) {
    if (survey) {
      survey.add(row);
      onRow?.(row);
    } else {
      if (!areHeadings(row.cells)) throw withoutHeadings(path, row.line);
      headings = row.cells.map((heading) => (isRaw ? heading : restoreCell(heading)).trim());
      survey = new ListSurvey(distinctHeadings(headings));
    }
  }
  if (!survey || !headings) {
    throw new CommandFailure(
      'empty_file',
      `${path} is empty. The first row must name the columns, including email.`,
    );
  }
  return { ...file, delimiter, headings, survey, isRaw, now: new Date() };
}

/**
 * Reads the rows one by one; the file can have any size.
 * @param repeated all rows of the file, to merge those of one person
 * @throws {CommandFailure} when it is not valid CSV
 */
export async function* readDrafts(
  file: ListFile,
  repeated?: RepeatedRows,
): AsyncGenerator<MemberDraft, void, undefined> {
  const { delimiter, headings, reading, isRaw, now, groupNames } = file;
  const context = { headingCount: headings.length, isRaw, now, ...(groupNames && { groupNames }) };
  let first = true;
  for await (const row of rowsOf(file, delimiter)) {
    if (!first) {
      const draft = readDraft(row, reading, context);
      yield repeated ? repeated.resolve(draft) : draft;
    }
    first = false;
  }
}

async function* rowsOf(file: TextFile, delimiter: string): AsyncGenerator<Row, void, undefined> {
  try {
    yield* withoutTitle(readRows(partsOfFile(file), delimiter));
  } catch (error) {
    if (!(error instanceof InvalidCsv)) throw error;
    throw new CommandFailure(
      'invalid_csv',
      `${file.path} is not valid CSV. ${error.message} Correct it and try again.`,
    );
  }
}

/** Otherwise the first person would be taken for headings, and be missing. */
function withoutHeadings(path: string, line: number): CommandFailure {
  return new CommandFailure(
    'no_headings',
    `Row ${line} of ${path} has an email address where the headings should be. Add a row above it that names the columns, such as "email" and "displayName".`,
  );
}

async function headOf(file: TextFile): Promise<string> {
  let head = '';
  for await (const part of partsOfFile(file)) {
    head += part;
    if (head.length >= headLength) break;
  }
  return head;
}
