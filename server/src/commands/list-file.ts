import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import {
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
  unusedHeadings,
} from '@gatehouse/member-lists';
import { type Mapping, readingBy } from './column-mapping.ts';
import { CommandFailure } from './failure.ts';

/** The length of the part that the delimiter is detected from. */
const headBytes = 65_536;

/** A CSV file of members, as its first row describes it. */
export interface ListFile {
  readonly path: string;
  readonly delimiter: string;
  readonly startsWithMark: boolean;
  readonly headings: readonly string[];
  readonly reading: ListReading;
  /** Unknown headings. */
  readonly unknown: readonly string[];
  /** Whether cells are used unchanged, including an apostrophe that keeps spreadsheets from running a formula. */
  readonly isRaw: boolean;
  /** The time when it was opened. */
  readonly now: Date;
}

/** Looks at all rows of a file. @throws {CommandFailure} when it is not a list of members */
export async function openListFile(path: string, mapping: Mapping, isRaw = false): Promise<ListFile> {
  const head = await readHead(path);
  const delimiter = delimiterOf(head);
  let headings: string[] | undefined;
  let survey: ListSurvey | undefined;
  for await (const row of rowsOf(path, delimiter)) {
    if (survey) survey.add(row);
    else {
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
  const reading = readingBy(survey, mapping);
  return {
    path,
    delimiter,
    startsWithMark: head.startsWith('\uFEFF'),
    headings,
    reading,
    unknown: unusedHeadings(headings, reading),
    isRaw,
    now: new Date(),
  };
}

/**
 * Reads the rows one by one; the file can have any size.
 * @param repeated all rows of the file, to unite those of one person
 * @throws {CommandFailure} when it is not valid CSV
 */
export async function* readDrafts(
  file: ListFile,
  repeated?: RepeatedRows,
): AsyncGenerator<MemberDraft, void, undefined> {
  const { path, delimiter, headings, reading, isRaw, now } = file;
  let first = true;
  for await (const row of rowsOf(path, delimiter)) {
    if (!first) {
      const draft = readDraft(row, reading, { headingCount: headings.length, isRaw, now });
      yield repeated ? repeated.resolve(draft) : draft;
    }
    first = false;
  }
}

/** The SHA-256 of a file. @throws {CommandFailure} when its text is not UTF-8 */
export async function fingerprintOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk as Buffer);
      decoder.decode(chunk as Buffer, { stream: true });
    }
    decoder.decode();
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    throw new CommandFailure('not_utf8', `${path} is not UTF-8 text. Save it as "CSV UTF-8" and try again.`);
  }
  return hash.digest('hex');
}

/** @throws {CommandFailure} when the text of a file is not UTF-8 */
export async function requireUtf8(path: string): Promise<void> {
  await fingerprintOf(path);
}

async function* rowsOf(path: string, delimiter: string): AsyncGenerator<Row, void, undefined> {
  try {
    yield* readRows(createReadStream(path, { encoding: 'utf8' }), delimiter);
  } catch (error) {
    if (!(error instanceof InvalidCsv)) throw error;
    throw new CommandFailure(
      'invalid_csv',
      `${path} is not valid CSV. ${error.message} Correct it and try again.`,
    );
  }
}

async function readHead(path: string): Promise<string> {
  const file = await open(path);
  try {
    // The file is read several times, which is impossible with a pipe.
    if (!(await file.stat()).isFile()) {
      throw new CommandFailure(
        'not_a_file',
        `${path} is not a regular file. Write its content to a file first.`,
      );
    }
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const head = buffer.subarray(0, bytesRead);
    if (head.includes(0)) {
      throw new CommandFailure(
        'not_utf8',
        `${path} is not CSV in UTF-8. Save it as "CSV UTF-8" and try again.`,
      );
    }
    return head.toString('utf8');
  } finally {
    await file.close();
  }
}
