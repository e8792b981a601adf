import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { csvRow, type FailedRow, FailedRows, failureColumns } from '@gatehouse/member-lists';
import { CommandFailure, WrongUsage } from '../failure.ts';
import type { ListFile } from '../list-file.ts';

/** The file of failed rows, to be corrected and imported again. */
export class FailedFile {
  readonly #path: string;
  readonly #list: ListFile;
  readonly #rows: FailedRows;
  readonly #file: number;
  #bytes: number;

  /**
   * @param bytes the length that an earlier run has written, or 0
   * @throws {WrongUsage | CommandFailure} if the file would overwrite something else
   */
  constructor(path: string, list: ListFile, bytes: number) {
    requireOwnFile(path, list);
    this.#path = path;
    this.#list = list;
    this.#rows = new FailedRows(list.headings, list.isRaw);
    this.#file = openSync(path, bytes > 0 ? 'r+' : 'w', 0o600);
    ftruncateSync(this.#file, bytes);
    this.#bytes = bytes;
    // Programs that write another encoding than UTF-8 read it only with a byte order mark.
    const hasMark = list.hasMark || list.encoding !== 'utf-8';
    if (bytes === 0) this.#write(this.#rows.headings(), hasMark ? '\uFEFF' : '');
  }

  /** Whether a file has at least the length that an earlier run wrote. */
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

  append(row: FailedRow): void {
    this.#write(this.#rows.row(row));
  }

  close(): void {
    closeSync(this.#file);
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }

  #write(cells: readonly string[], before = ''): void {
    const line = `${before}${csvRow(cells, this.#list)}\n`;
    this.#bytes += writeSync(this.#file, line, this.#bytes);
  }
}

function requireOwnFile(path: string, list: ListFile): void {
  if (!existsSync(path)) return;
  if (realpathSync(path) === realpathSync(list.path)) {
    throw new WrongUsage('The file of --failed is the imported file. Choose another file.');
  }
  const content = readFileSync(path, 'utf8');
  if (content !== '' && !content.split(/\r?\n/, 1)[0]!.includes(failureColumns[0])) {
    throw new CommandFailure(
      'file_exists',
      `${path} exists and is not a file of failed rows. Choose another file for --failed.`,
    );
  }
}
