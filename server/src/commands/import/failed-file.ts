import {
  closeSync,
  createReadStream,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { neutraliseCell, restoreCell } from '@gatehouse/contract';
import { type Info, type Options, parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { CommandFailure, WrongUsage } from '../failure.ts';
import { failureColumns } from '../people-file/columns.ts';
import type { PeopleFile, PersonRow } from '../people-file/people-file.ts';
import type { RowFailure } from './outcome.ts';

/**
 * The rows that failed, with the columns they came with, their line and why: to be mended and imported again. They come
 * in the order in which they were sent; `sort` puts them in the order of the imported file.
 */
export class FailedFile {
  readonly #path: string;
  readonly #people: PeopleFile;
  readonly #file: number;
  /** The columns of the input, less those of an earlier file of failed rows. */
  readonly #kept: readonly number[];
  #bytes: number;

  /**
   * @param bytes what an earlier run has written, or 0
   * @throws WrongUsage, CommandFailure rather than overwrite something else
   */
  constructor(path: string, people: PeopleFile, bytes: number) {
    refuseOthers(path, people);
    this.#path = path;
    this.#people = people;
    this.#kept = [...people.headings.keys()].filter((place) => !isFailureColumn(people.headings[place]!));
    this.#file = openSync(path, bytes > 0 ? 'r+' : 'w', 0o600);
    ftruncateSync(this.#file, bytes);
    this.#bytes = bytes;
    if (bytes > 0) return;
    const headings = this.#kept.map((place) => people.headings[place]!);
    this.#write((people.startsWithMark ? '\uFEFF' : '') + this.#line([...headings, ...failureColumns]));
  }

  /** Whether a file has at least what an earlier run wrote to it. */
  static has(path: string, bytes: number): boolean {
    if (!existsSync(path)) return bytes === 0;
    const file = openSync(path, 'r');
    const { size } = fstatSync(file);
    closeSync(file);
    return size >= bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  append({ line, cells }: PersonRow, { code, message }: RowFailure): void {
    const safe = this.#people.isRaw ? cells : cells.map((cell) => neutraliseCell(restoreCell(cell)));
    const kept = this.#kept.map((place) => safe[place] ?? '');
    // Cells beyond the headings come last, so that the row is not lost and not taken for mended either.
    this.#write(
      this.#line([...kept, String(line), code, message, ...safe.slice(this.#people.headings.length)]),
    );
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Puts the rows in the order of the imported file. It takes some bytes of memory for each. */
  async sort(): Promise<void> {
    const rows = await this.#findRows();
    if (rows.every(({ line }, place) => place === 0 || line >= rows[place - 1]!.line)) return;
    rows.sort((a, b) => a.line - b.line);
    const sorted = `${this.#path}.sorting-${process.pid}`;
    const [from, to] = [openSync(this.#path, 'r'), openSync(sorted, 'w', 0o600)];
    for (const { start, end } of rows) {
      const bytes = Buffer.alloc(end - start);
      readSync(from, bytes, 0, bytes.length, start);
      writeSync(to, bytes);
    }
    closeSync(from);
    closeSync(to);
    renameSync(sorted, this.#path);
  }

  /** Where in the file each row is, in bytes, and which line it was; the headings count as line 0. */
  async #findRows(): Promise<{ line: number; start: number; end: number }[]> {
    const options: Options = {
      delimiter: this.#people.separator,
      bom: true,
      relax_column_count: true,
      info: true,
    };
    const rows: { line: number; start: number; end: number }[] = [];
    const records = createReadStream(this.#path).pipe(parse(options));
    for await (const { record, info } of records as AsyncIterable<{ record: string[]; info: Info }>) {
      const line = rows.length === 0 ? 0 : Number(record[this.#kept.length]);
      rows.push({ line, start: rows.at(-1)?.end ?? 0, end: info.bytes });
    }
    return rows;
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }

  #line(cells: readonly string[]): string {
    return stringify([cells], { delimiter: this.#people.separator });
  }

  #write(text: string): void {
    this.#bytes += writeSync(this.#file, text, this.#bytes);
  }
}

function refuseOthers(path: string, people: PeopleFile): void {
  if (!existsSync(path)) return;
  if (realpathSync(path) === realpathSync(people.path)) {
    throw new WrongUsage('Give --failed another file than the one that is imported.');
  }
  const content = readFileSync(path, 'utf8');
  if (content !== '' && !content.split(/\r?\n/, 1)[0]!.includes(failureColumns[0])) {
    throw new CommandFailure(
      'file_exists',
      `${path} exists and is no file of failed rows. Give --failed another name.`,
    );
  }
}

function isFailureColumn(heading: string): boolean {
  return (failureColumns as readonly string[]).includes(heading);
}
