import {
  foldWord,
  groupNamesIn,
  isUnknownCell,
  type ListReading,
  type MemberList,
  restoreCell,
} from '@gatehouse/member-lists';
import { useTexts } from '../../../languages/texts.tsx';

const shownExamples = 3;
const maxExampleLength = 40;
/** The rows in which examples are looked for. */
const searchedRows = 5_000;
const maxWords = 60;

/** Some different values of a column. */
export function examplesOf(list: MemberList, column: number): string[] {
  return firstValues(list, column, (value) => [shortened(value)]).slice(0, shownExamples);
}

/** Some groups that a column names; whole cells where it is not clear what separates the names. */
export function groupExamplesOf(
  list: MemberList,
  column: number,
  { groupSeparator, noGroupWords }: ListReading,
  groupNames: ReadonlySet<string>,
): string[] {
  const namesIn = (value: string) =>
    (groupNamesIn(value, groupSeparator, groupNames) ?? [value])
      .filter((name) => !isUnknownCell(name) && !noGroupWords.includes(foldWord(name)))
      .map(shortened);
  return firstValues(list, column, namesIn).slice(0, shownExamples);
}

/** The first different values that the cells of a column have. */
function firstValues(list: MemberList, column: number, valuesIn: (cell: string) => string[]): string[] {
  const found = new Set<string>();
  for (const { cells } of rowsOf(list).slice(0, searchedRows)) {
    const cell = restoreCell(cells[column] ?? '').trim();
    if (cell !== '') for (const value of valuesIn(cell)) found.add(value);
    if (found.size >= shownExamples) break;
  }
  return [...found];
}

/** A value that fits into an example; a longer one ends with an ellipsis. */
export function shortened(value: string): string {
  const characters = [...value.toWellFormed()];
  return characters.length > maxExampleLength ? `${characters.slice(0, maxExampleLength).join('')}…` : value;
}

/** A word of a column, as it is written first, and the number of rows that have it. */
export interface CountedWord {
  readonly word: string;
  readonly rows: number;
}

/** The words of a column, those of most rows first; undefined if the column has too many to say what each means. */
export function wordsOf(list: MemberList, column: number): CountedWord[] | undefined {
  const cells = new Map<string, number>();
  for (const row of rowsOf(list)) {
    const cell = row.cells[column] ?? '';
    cells.set(cell, (cells.get(cell) ?? 0) + 1);
    if (cells.size > maxWords) return undefined;
  }
  const found = new Map<string, CountedWord>();
  for (const [cell, rows] of cells) {
    const word = restoreCell(cell).trim();
    const known = found.get(foldWord(word));
    if (word !== '')
      found.set(foldWord(word), { word: known?.word ?? word, rows: (known?.rows ?? 0) + rows });
  }
  return [...found.values()].sort((one, other) => other.rows - one.rows);
}

function rowsOf({ rows, hasHeadings }: MemberList) {
  return hasHeadings ? rows.slice(1) : rows;
}

/** What columns of a list are called: their headings, or else their numbers. */
export function useColumnName({ hasHeadings, survey }: MemberList): (column: number) => string {
  const t = useTexts('add');
  return (column) => (hasHeadings ? survey.headings[column]! : t('column', { number: column + 1 }));
}
