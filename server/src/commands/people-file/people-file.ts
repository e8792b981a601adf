import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { isNeutralised, longestRawValue, type MemberStatus, restoreCell } from '@gatehouse/contract';
import { CsvError, type Info, type Options, parse } from 'csv-parse';
import { displayNameProblem, invalidEmailMessage } from '../../members/member.ts';
import { CommandFailure } from '../failure.ts';
import { parsePaid, parseStatus, splitGroupNames } from './cells.ts';
import { type Columns, findColumns, type Mapping, type PersonField, personFields } from './columns.ts';

/** In characters; a quote that is never closed ends here. */
const longestRow = 1_000_000;
/** So much is read to tell the separator. */
const headBytes = 65_536;
const separators = [',', ';', '\t'];

/** A CSV file of people, as its first row describes it. */
export interface PeopleFile {
  readonly path: string;
  readonly separator: string;
  readonly startsWithMark: boolean;
  readonly headings: readonly string[];
  readonly columns: Columns;
  /** Whether each cell is taken as it stands, with the apostrophe that keeps spreadsheets from running it. */
  readonly isRaw: boolean;
}

/** One person as a file tells of it. An empty cell tells nothing and is undefined. */
export interface PersonRow {
  /** Where in the file, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly email: string;
  readonly displayName: string | undefined;
  readonly paid: boolean | undefined;
  readonly status: MemberStatus | undefined;
  readonly groups: readonly string[];
  /** Why the row cannot be used. */
  readonly problem?: RowProblem;
  /** Whether an apostrophe was taken away from a value. */
  readonly wasNeutralised: boolean;
}

export interface RowProblem {
  readonly code: string;
  readonly message: string;
}

/** Reads the head of a file. @throws CommandFailure when it is no file of people */
export async function openPeopleFile(path: string, mapping: Mapping, isRaw = false): Promise<PeopleFile> {
  const head = await readHead(path);
  const startsWithMark = head.startsWith('\uFEFF');
  const separator = separatorOf(head.replace('\uFEFF', ''));
  for await (const { record } of records(path, separator)) {
    const headings = record.map((heading) => heading.trim());
    return { path, separator, startsWithMark, headings, columns: findColumns(headings, mapping), isRaw };
  }
  throw new CommandFailure(
    'empty_file',
    `${path} is empty. Its first row names the columns, one of them email.`,
  );
}

/** Reads the people one by one; the file may be of any size. @throws CommandFailure for what is no CSV */
export async function* readPeople(file: PeopleFile): AsyncGenerator<PersonRow, void, undefined> {
  let first = true;
  for await (const { record, info } of records(file.path, file.separator)) {
    if (first) first = false;
    else yield toPersonRow(file, record, info.lines);
  }
}

/** The SHA-256 of a file. @throws CommandFailure when its text is not UTF-8 */
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

/** @throws CommandFailure when the text of a file is not UTF-8 */
export async function requireUtf8(path: string): Promise<void> {
  await fingerprintOf(path);
}

function toPersonRow(
  { headings, columns, isRaw }: PeopleFile,
  cells: readonly string[],
  line: number,
): PersonRow {
  const raw = (field: PersonField) => cells[columns.places[field] ?? -1] ?? '';
  const value = (field: PersonField) => (isRaw ? raw(field) : restoreCell(raw(field)));
  const given = (field: PersonField) => (value(field).trim() === '' ? undefined : value(field));

  const [paid, status] = [given('paid'), given('status')];
  const problem = problemOf(headings, cells, {
    email: value('email'),
    displayName: value('displayName'),
    paid,
    status,
  });
  return {
    line,
    cells,
    email: value('email'),
    displayName: given('displayName'),
    paid: paid === undefined ? undefined : parsePaid(paid),
    status: status === undefined ? undefined : parseStatus(status),
    groups: splitGroupNames(value('groups')),
    wasNeutralised: !isRaw && personFields.some((field) => isNeutralised(raw(field))),
    ...(problem === undefined ? {} : { problem }),
  };
}

function problemOf(
  headings: readonly string[],
  cells: readonly string[],
  { email, displayName, paid, status }: Record<Exclude<PersonField, 'groups'>, string | undefined>,
): RowProblem | undefined {
  if (cells.slice(headings.length).some((cell) => cell.trim() !== '')) {
    return {
      code: 'invalid_row',
      message: `The row has ${cells.length} cells under ${headings.length} headings. Put quotes around a cell with a separator in it.`,
    };
  }
  // The service measures what is shorter, and refuses a whole request for what is longer.
  if ((email?.length ?? 0) > longestRawValue) return { code: 'invalid_email', message: invalidEmailMessage };
  if ((displayName?.length ?? 0) > longestRawValue) {
    return { code: 'invalid_display_name', message: displayNameProblem(displayName!)! };
  }
  if (paid !== undefined && parsePaid(paid) === undefined) {
    return { code: 'invalid_paid', message: 'Write paid as true, false, yes, no, 1 or 0.' };
  }
  if (status !== undefined && parseStatus(status) === undefined) {
    return { code: 'invalid_status', message: 'Write status as active or blocked.' };
  }
  return undefined;
}

async function* records(
  path: string,
  separator: string,
): AsyncGenerator<{ record: string[]; info: Info }, void, undefined> {
  const options: Options = {
    delimiter: separator,
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    // What a spreadsheet leaves behind of rows that were emptied.
    skip_records_with_empty_values: true,
    max_record_size: longestRow,
  };
  const parser = parse(options);
  pipeline(createReadStream(path), parser, () => {});
  try {
    for await (const record of parser) yield record as { record: string[]; info: Info };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CommandFailure('invalid_csv', `${path} is no sound CSV: ${describe(error)}`);
  }
}

function describe({ code, message, ...context }: CsvError): string {
  const line = (context as { lines?: number }).lines;
  if (code === 'CSV_MAX_RECORD_SIZE' || code === 'CSV_QUOTE_NOT_CLOSED') {
    return `a quote is opened near line ${line} and never closed. Mend it and try again.`;
  }
  return `${message.replace(/^[^:]*: /, '')} (near line ${line}). Mend it and try again.`;
}

async function readHead(path: string): Promise<string> {
  const file = await open(path);
  try {
    // It is read several times, which a pipe does not allow.
    if (!(await file.stat()).isFile()) {
      throw new CommandFailure('not_a_file', `${path} is no ordinary file. Write its content to one first.`);
    }
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const head = buffer.subarray(0, bytesRead);
    if (head.includes(0)) {
      throw new CommandFailure(
        'not_utf8',
        `${path} is no CSV in UTF-8. Save it as "CSV UTF-8" and try again.`,
      );
    }
    return head.toString('utf8');
  } finally {
    await file.close();
  }
}

/** The separator that comes most often in the first line, outside quotes. */
function separatorOf(head: string): string {
  const firstLine = head
    .trimStart()
    .replaceAll(/"(?:[^"]|"")*"/g, '')
    .split(/[\r\n]/, 1)[0]!;
  const counts = separators.map((separator) => firstLine.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))]!;
}
