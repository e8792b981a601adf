import { csvRow } from '@gatehouse/member-lists';
import { AppendedFile } from './appended-file.ts';

const columns = ['row', 'email', 'result', 'changes', 'groups', 'message'] as const;

/** What was done with a row. */
export type ResultRow = Readonly<Record<(typeof columns)[number], string>>;

/** A CSV file for spreadsheets with what was done with each row of an import. */
export class ResultFile {
  readonly #file: AppendedFile;

  /** @param bytes the length that an earlier run has written, or 0 */
  constructor(path: string, listPath: string, bytes: number) {
    const mark = csvRow(columns);
    this.#file = new AppendedFile({ path, option: '--result', mark, kind: 'results' }, listPath, bytes);
    if (bytes === 0) this.#file.append(`\uFEFF${mark}\n`);
  }

  get bytes(): number {
    return this.#file.bytes;
  }

  append(row: ResultRow): void {
    this.#file.append(`${csvRow(columns.map((column) => row[column]))}\n`);
  }

  close(): void {
    this.#file.close();
  }
}
