/** More columns for one field are not compared. */
const maxComparedColumns = 8;

/** Compares the columns that could have the same field, in all rows. */
export class EqualColumns {
  readonly #columns: number[] = [];
  readonly #filled: number[] = [];
  /** The number of rows in which the second column has a value that the first one does not have. */
  readonly #missing: number[][] = [];

  /** @param columns to be compared from the first row on */
  constructor(columns: readonly number[]) {
    for (const column of columns) this.include(column);
  }

  /** Compares one more column from here on; it was empty in all rows so far. */
  include(column: number): void {
    if (this.#columns.length === maxComparedColumns || this.#columns.includes(column)) return;
    for (const missing of this.#missing) missing.push(0);
    this.#missing.push([...this.#filled, 0]);
    this.#columns.push(column);
    this.#filled.push(0);
  }

  /** @param cells trimmed */
  add(cells: readonly string[]): void {
    const values = this.#columns.map((column) => (cells[column] ?? '').toLowerCase());
    for (const [other, value] of values.entries()) {
      if (value === '') continue;
      this.#filled[other]! += 1;
      for (const [index, each] of values.entries()) if (each !== value) this.#missing[index]![other]! += 1;
    }
  }

  /** The first of these columns that has the values of all of them in each row; undefined if there is none. */
  firstComplete(columns: readonly number[]): number | undefined {
    const indexes = columns.map((column) => this.#columns.indexOf(column));
    if (indexes.includes(-1)) return undefined;
    return columns.find((_, at) => indexes.every((other) => this.#missing[indexes[at]!]![other] === 0));
  }
}
