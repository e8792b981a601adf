import { isUnknownCell } from '../text/unknown-cells.ts';
import { ownSeparator, possibleSeparators, unmistakableSeparator } from '../values/separators.ts';
import { meansNoEnd } from '../values/words.ts';
import { type TimeForm, timeForm } from '../values/written-times.ts';

/** With more different cells than this, a column has no words that mean something. */
const maxWords = 300;
const maxWordLength = 200;
const maxExamples = 3;
/** As many ends of groups in a cell are looked at. */
const maxTimes = 20;
const maxAddressLength = 330;
/** An address alone, or one in angle brackets after a name. */
const address = /^[^\s@()<>]+@[^\s@()<>.]+(?:\.[^\s@()<>.]+)+\.?$|<[^\s@<>]+@[^\s@<>]+>[;,]?$/;
/** Numbers that could be a day, a month and a year, in some order. */
const numbersOfDate = /^(\d{1,4})([./-])(\d{1,2})\2\d{1,4}(?![\d./-])/;
const yearFirst = /^\d{4}-/;
const monthsOfYear = 12;

const allSeparators = [ownSeparator, unmistakableSeparator, ...possibleSeparators];
const someSeparator = /[;,|/\n]|:::/;

/** The characters of all words that a survey may remember. */
export interface WordBudget {
  characters: number;
}

/** How the dates of a column are written. */
export interface DatesOfColumn {
  /** Whether there are dates that have only this order. */
  dayFirst: boolean;
  monthFirst: boolean;
  /** Dates whose day and month could be swapped. */
  readonly swappable: string[];
}

/** Facts about the cells of a column in all rows, in bounded memory. */
export class ColumnContent {
  /** The number of cells that are not empty and have a value. */
  filled = 0;
  addresses = 0;
  /** The number of times; counted only if `hasTimes`. */
  times = 0;
  /** The number of words for a membership that does not end; counted only if `hasTimes`. */
  endless = 0;
  readonly dates: DatesOfColumn = { dayFirst: false, monthFirst: false, swappable: [] };
  #hasYearFirst = false;
  readonly #hasTimes: boolean;
  readonly #budget: WordBudget;
  readonly #words = new Map<string, number>();
  #hasMoreWords = false;
  readonly #separators = new Set<string>();

  /** @param hasTimes whether its heading could be that of times */
  constructor(hasTimes: boolean, budget: WordBudget) {
    this.#hasTimes = hasTimes;
    this.#budget = budget;
  }

  /** The different cells, with their numbers; undefined if there are too many to be words. */
  get words(): ReadonlyMap<string, number> | undefined {
    return this.#hasMoreWords ? undefined : this.#words;
  }

  /** Some of the different cells: the first ones. */
  get examples(): readonly string[] {
    return [...this.#words.keys()];
  }

  /** What could separate several names in the cells that are not among the examples. */
  get separators(): ReadonlySet<string> {
    return this.#separators;
  }

  /** @param cell trimmed, not empty */
  add(cell: string): void {
    if (cell.startsWith('#') || cell.endsWith('...') || cell.endsWith('…')) {
      if (isUnknownCell(cell)) return;
    }
    this.filled += 1;
    if (cell.length <= maxAddressLength && cell.includes('@') && address.test(cell)) this.addresses += 1;
    this.#count(cell);
    this.#addDate(cell);
  }

  #count(cell: string): void {
    const known = this.#hasMoreWords ? undefined : this.#words.get(cell);
    if (known !== undefined) this.#words.set(cell, known + 1);
    else if (this.#hasMoreWords || this.#isTooMuch(cell)) this.#addSeparators(cell);
    else {
      this.#budget.characters -= cell.length;
      this.#words.set(copyOf(cell), 1);
    }
  }

  #isTooMuch({ length }: string): boolean {
    return this.#words.size === maxWords || length > maxWordLength || length > this.#budget.characters;
  }

  #addSeparators(cell: string): void {
    this.#hasMoreWords = true;
    if (this.#separators.size === allSeparators.length || !someSeparator.test(cell)) return;
    for (const separator of allSeparators) if (cell.includes(separator)) this.#separators.add(separator);
  }

  #addDate(cell: string): void {
    if (!this.#hasTimes && !numbersOfDate.test(cell)) return;
    // An export of ours may have an end for each group.
    const texts = cell.includes(ownSeparator) ? cell.split(ownSeparator, maxTimes) : [cell];
    let isTime = false;
    for (const text of texts) {
      if (this.#isLikeEarlierDates(text)) isTime = true;
      else {
        const form = timeForm(text);
        if (form) this.#addOrder(form, text);
        isTime ||= form !== undefined;
      }
    }
    if (isTime) this.times += 1;
    else if (this.#hasTimes && meansNoEnd(cell)) this.endless += 1;
  }

  /** Whether a date has an order that is known already: only those of the first rows are read, because that takes time. */
  #isLikeEarlierDates(text: string): boolean {
    const [, first, , second] = numbersOfDate.exec(text) ?? [];
    if (first === undefined) return false;
    if (first.length > 2) return this.#hasYearFirst;
    const { dayFirst, monthFirst, swappable } = this.dates;
    if (Number(first) > monthsOfYear) return dayFirst;
    return Number(second) > monthsOfYear ? monthFirst : swappable.length === maxExamples;
  }

  #addOrder(form: TimeForm, cell: string): void {
    const { dates } = this;
    if (form.order === null) this.#hasYearFirst ||= yearFirst.test(cell);
    if (form.order === 'dayFirst') dates.dayFirst = true;
    if (form.order === 'monthFirst') dates.monthFirst = true;
    if (form.order === 'either' && dates.swappable.length < maxExamples && !dates.swappable.includes(cell))
      dates.swappable.push(copyOf(cell));
  }
}

/** A part of a text would hold the whole of it in memory. */
export function copyOf(part: string): string {
  return ` ${part}`.slice(1);
}
