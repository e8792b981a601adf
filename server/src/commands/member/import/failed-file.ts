import { csvRow, type FailedRow, FailedRows, failureColumns } from '@gatehouse/member-lists';
import type { ListFile } from '../../lists/list-file.ts';
import { AppendedFile } from './appended-file.ts';

/** The file of failed rows, to be corrected and imported again. */
export class FailedFile {
  readonly #list: ListFile;
  readonly #rows: FailedRows;
  readonly #file: AppendedFile;

  /** @param bytes the length that an earlier run has written, or 0 */
  constructor(path: string, list: ListFile, bytes: number) {
    const target = { path, option: '--failed', mark: failureColumns[0], kind: 'failed rows' };
    this.#list = list;
    this.#rows = new FailedRows(list.headings, list.isRaw);
    this.#file = new AppendedFile(target, list.path, bytes);
    // Programs that write another encoding than UTF-8 read it only with a byte order mark.
    const hasMark = list.hasMark || list.encoding !== 'utf-8';
    if (bytes === 0) this.#write(this.#rows.headings(), hasMark ? '\uFEFF' : '');
  }

  get bytes(): number {
    return this.#file.bytes;
  }

  append(row: FailedRow): void {
    this.#write(this.#rows.row(row));
  }

  close(): void {
    this.#file.close();
  }

  remove(): void {
    this.#file.remove();
  }

  #write(cells: readonly string[], before = ''): void {
    this.#file.append(`${before}${csvRow(cells, this.#list)}\n`);
  }
}
