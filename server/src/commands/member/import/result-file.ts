import { csvRow, type ResultRow, resultColumns } from '@gatehouse/member-lists';
import { AppendedFile } from './appended-file.ts';

/** A CSV file for spreadsheets with what was done with each row of an import. */
export class ResultFile {
  readonly #file: AppendedFile;

  /** @param bytes the length that an earlier run has written, or 0 */
  constructor(path: string, listPath: string, bytes: number) {
    const mark = csvRow(resultColumns);
    this.#file = new AppendedFile({ path, option: '--result', mark, kind: 'results' }, listPath, bytes);
    if (bytes === 0) this.#file.append(`\uFEFF${mark}\n`);
  }

  get bytes(): number {
    return this.#file.bytes;
  }

  append(row: ResultRow): void {
    this.#file.append(`${csvRow(resultColumns.map((column) => row[column]))}\n`);
  }

  close(): void {
    this.#file.close();
  }
}
