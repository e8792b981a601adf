import { failureColumns, isFailureColumn } from '../columns/headings.ts';
import { restoreCell } from '../csv/formula-cells.ts';

/** A failed row with the reason. */
export interface FailedRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly code: string;
  readonly message: string;
}

/**
 * The failed rows of a list, as a list that can be corrected and imported again: with their original columns (except
 * those of an earlier file of failed rows), their line and the reason.
 */
export class FailedRows {
  readonly #headings: readonly string[];
  readonly #isRaw: boolean;
  readonly #columns: readonly number[];

  /** @param isRaw whether the list was read without restoring cells */
  constructor(headings: readonly string[], isRaw = false) {
    this.#headings = headings;
    this.#isRaw = isRaw;
    this.#columns = [...headings.keys()].filter((column) => !isFailureColumn(headings[column]!));
  }

  headings(): string[] {
    return [...this.#columns.map((column) => this.#headings[column]!), ...failureColumns];
  }

  /** The values of a row. The caller has to escape them again for spreadsheets. */
  row({ line, cells, code, message }: FailedRow): string[] {
    const values = this.#isRaw ? cells : cells.map(restoreCell);
    // Cells without a heading come last, so that they are not lost and the row is still invalid.
    const beyond = values.slice(this.#headings.length);
    return [...this.#columns.map((column) => values[column] ?? ''), String(line), code, message, ...beyond];
  }
}
