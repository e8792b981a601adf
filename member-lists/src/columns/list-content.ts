import type { Row } from '../csv/csv.ts';
import { restoreCell } from '../csv/formula-cells.ts';
import { isMark } from '../values/marks.ts';
import { isStateWord, parsePaid } from '../values/words.ts';
import { ColumnContent } from './column-content.ts';
import type { ListContent } from './column-search.ts';
import { EqualColumns } from './equal-columns.ts';
import { type Field, fields } from './fields.ts';
import { type HeadingMeanings, type Match, meaningsOf } from './heading-meanings.ts';
import { NamePair } from './name-pair.ts';

/** The characters of all words together that a list may take in memory. */
const maxCharacters = 2_000_000;
/** More columns with names are not compared. */
const maxNameColumns = 2;
/** The part of the cells from which on a column with a general heading is one of times. */
const clearShare = 0.9;
const timeFields: readonly Field[] = ['registeredAt', 'groupsEndAt'];

/** Facts about all rows of a list, collected row by row in bounded memory. */
export class RowsContent implements ListContent {
  rows = 0;
  readonly columns: readonly ColumnContent[];
  readonly #meanings: readonly HeadingMeanings[];
  readonly #equal: ReadonlyMap<Field, EqualColumns>;
  readonly #namePairs: readonly NamePair[];
  /** The cells of the current row. */
  #cells: string[] = [];

  constructor(headings: readonly string[]) {
    const budget = { characters: maxCharacters };
    this.#meanings = headings.map(meaningsOf);
    this.columns = this.#meanings.map(
      (meanings) =>
        new ColumnContent(
          timeFields.some((field) => meanings.has(field)),
          budget,
        ),
    );
    this.#equal = new Map(fields.map((field) => [field, new EqualColumns(this.#columnsOf(field))]));
    this.#namePairs = this.#columnsOf('displayName')
      .slice(0, maxNameColumns)
      .flatMap((full) =>
        [
          ...this.#columnsOf('firstName').slice(0, maxNameColumns),
          ...this.#columnsOf('lastName').slice(0, maxNameColumns),
        ].map((part) => new NamePair(full, part)),
      );
  }

  add({ cells }: Row): void {
    this.rows += 1;
    this.#cells = this.columns.map((content, column) => {
      const raw = cells[column] ?? '';
      if (raw === '') return raw;
      const cell = (raw.includes("'") ? restoreCell(raw) : raw).trim();
      if (cell !== '') content.add(cell);
      return cell;
    });
    this.#addAddresses();
    for (const equal of this.#equal.values()) equal.add(this.#cells);
    for (const pair of this.#namePairs) pair.add(this.#cells);
  }

  count(field: Field, column: number): number {
    const content = this.columns[column]!;
    if (field === 'email') return content.addresses;
    return timeFields.includes(field) ? content.times : content.filled;
  }

  fits(field: Field, column: number, match: Match): boolean {
    const { filled, endless } = this.columns[column]!;
    if (filled === 0) return match === 'own' || match === 'exact' || (match === 'similar' && this.rows === 0);
    if (field === 'paid') return this.#fitsPaid(column, match);
    if (field === 'status') return this.#fitsStatus(column, match);
    const others = field === 'groupsEndAt' ? filled - endless : filled;
    const isClear = this.count(field, column) >= clearShare * others;
    if (timeFields.includes(field)) {
      if (match === 'own') return true;
      return match === 'exact' ? this.count(field, column) > 0 : isClear;
    }
    if (field === 'email')
      return match === 'own' || match === 'exact' || this.count(field, column) * 2 >= filled;
    return true;
  }

  firstComplete(field: Field, columns: readonly number[]): number | undefined {
    return this.#equal.get(field)!.firstComplete(columns);
  }

  namePair(full: number, part: number): NamePair | undefined {
    return this.#namePairs.find((pair) => pair.full === full && pair.part === part);
  }

  /** Whether all cells of a column say whether someone pays, at least one in words about paying. */
  isAboutPayment(column: number): boolean {
    const words = this.#wordsOf(column);
    return words.every(meansPaid) && words.some((word) => !isMark(word));
  }

  #fitsPaid(column: number, match: Match): boolean {
    const words = this.#wordsOf(column);
    if (match === 'own') return true;
    if (match === 'exact') return words.some(meansPaid);
    const isStatus = this.#meanings[column]!.has('status');
    return isStatus ? this.isAboutPayment(column) : words.length > 0 && words.every(meansPaid);
  }

  #fitsStatus(column: number, match: Match): boolean {
    if (this.isAboutPayment(column)) return false;
    const words = this.#wordsOf(column);
    if (match !== 'general') return true;
    return words.length > 0 && words.every(isStateWord);
  }

  /** The different cells of a column; none if there are too many. */
  #wordsOf(column: number): string[] {
    return [...(this.columns[column]!.words?.keys() ?? [])];
  }

  /** Any column with addresses could be that of the members. */
  #addAddresses(): void {
    const equal = this.#equal.get('email')!;
    for (const [column, cell] of this.#cells.entries())
      if (cell.includes('@') && this.columns[column]!.addresses > 0) equal.include(column);
  }

  #columnsOf(field: Field): number[] {
    return [...this.#meanings.keys()].filter((column) => this.#meanings[column]!.has(field));
  }
}

function meansPaid(word: string): boolean {
  return parsePaid(word) !== undefined;
}
