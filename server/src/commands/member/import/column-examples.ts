import { type Row, restoreCell } from '@gatehouse/member-lists';

const maxExamples = 3;
const maxLength = 40;

/** The first different values of each column, as examples in questions. */
export class ColumnExamples {
  readonly #columns: string[][] = [];

  add({ cells }: Row): void {
    for (const [column, cell] of cells.entries()) {
      this.#columns[column] ??= [];
      const values = this.#columns[column];
      if (values.length === maxExamples) continue;
      const value = restoreCell(cell).trim().slice(0, maxLength).toWellFormed();
      if (value !== '' && !values.includes(value)) values.push(value);
    }
  }

  of(column: number): readonly string[] {
    return this.#columns[column] ?? [];
  }
}
