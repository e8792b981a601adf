import { restoreCell } from '@gatehouse/contract/csv-cells';
import { toCsv } from '../../../parts/csv.ts';
import type { Person, Table } from '../people.ts';
import { failureColumns, isFailureColumn, type Mapping } from '../people-columns.ts';

/** Where people come from, for a file of those who failed. */
export interface Source {
  /** The name of the file; without its ending. */
  readonly name: string;
  readonly headings: readonly string[];
  readonly cellsOf: (person: Person) => readonly string[];
  readonly delimiter: string;
}

/** People who were pasted. */
export const pastedSource: Source = {
  name: 'people',
  headings: ['email', 'displayName'],
  cellsOf: ({ email, displayName }) => [email, displayName ?? ''],
  delimiter: ',',
};

/** A file of people, with headings even where it had none: a file of failed rows may begin with one that has no address. */
export function fileSource(
  fileName: string,
  table: Table,
  hasHeadings: boolean,
  mapping: Mapping,
  delimiter: string,
): Source {
  const cells = new Map(table.map((row) => [row.line, row.cells]));
  const width = table.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  return {
    name: fileName.replace(/\.[^.]*$/, ''),
    headings: hasHeadings ? table[0]!.cells : headingsFor(mapping, width),
    // As they are meant: what is written gets its apostrophes again.
    cellsOf: ({ line }) => (cells.get(line) ?? []).map(restoreCell),
    delimiter,
  };
}

const fieldHeadings = {
  ...{ email: 'email', name: 'displayName', lastName: 'lastName' },
  ...{ paid: 'paid', status: 'status', groups: 'groups' },
};

function headingsFor(mapping: Mapping, width: number): string[] {
  const fields = Object.keys(fieldHeadings) as (keyof typeof fieldHeadings)[];
  return Array.from({ length: width }, (_, column) => {
    const field = fields.find((each) => mapping[each] === column);
    return field ? fieldHeadings[field] : `column${column + 1}`;
  });
}

/** Somebody who was not added, and why. */
export interface FailedRow {
  readonly person: Person;
  readonly code: string;
  readonly message: string;
}

/** A file of rows that failed: all that they came with, where they stood, and why. It can be corrected and imported again. */
export function failedFile(source: Source, failed: readonly FailedRow[]): { file: Blob; name: string } {
  const { headings, cellsOf, delimiter } = source;
  const kept = [...headings.keys()].filter((column) => !isFailureColumn(headings[column]!));
  const rows = failed.map(({ person, code, message }) => {
    const cells = cellsOf(person);
    // Cells beyond the headings come last, so that the row is not lost and not taken for corrected either.
    const beyond = cells.slice(headings.length);
    return [...kept.map((column) => cells[column] ?? ''), String(person.line), code, message, ...beyond];
  });
  const file = toCsv([...kept.map((column) => headings[column]!), ...failureColumns], rows, delimiter);
  return { file, name: `${source.name.replace(/-failed$/, '')}-failed.csv` };
}
