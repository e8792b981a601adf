import type { Row } from '../csv/csv.ts';
import { restoreCell } from '../csv/formula-cells.ts';
import { addressIn } from '../values/addresses.ts';
import { meaningsOf } from './heading-meanings.ts';

/** Headings are looked for in so many first rows. */
const maxTitleRows = 10;

/**
 * The rows of a list from its headings on, without a title above them. Only rows with a single cell are a title, and
 * only above a row that names a column of addresses and another one; so a list without headings stays whole.
 */
export async function* withoutTitle(
  rows: AsyncIterable<Row> | Iterable<Row>,
): AsyncGenerator<Row, void, undefined> {
  let titles: Row[] | undefined = [];
  for await (const row of rows) {
    if (titles && isTitle(row) && titles.length < maxTitleRows) {
      titles.push(row);
      continue;
    }
    if (titles && !hasHeadings(row)) yield* titles;
    titles = undefined;
    yield row;
  }
  yield* titles ?? [];
}

/** Whether a first row has headings, rather than the first person of a list without them. */
export function areHeadings(cells: readonly string[]): boolean {
  return cells.every((cell) => addressIn(restoreCell(cell)) === null);
}

function isTitle({ cells }: Row): boolean {
  return cells.filter((cell) => cell.trim() !== '').length === 1 && !cells.some((cell) => cell.includes('@'));
}

function hasHeadings({ cells }: Row): boolean {
  const matches = cells.map((cell) => meaningsOf(restoreCell(cell)).get('email'));
  const isFilled = cells.filter((cell) => cell.trim() !== '').length > 1;
  return (
    isFilled &&
    !cells.some((cell) => cell.includes('@')) &&
    matches.some((match) => match !== undefined && match !== 'general')
  );
}
