import { type ColumnSearch, choose, freeColumns, isOpen, type ListContent } from './column-search.ts';
import { type Columns, type Field, fields, noColumns } from './fields.ts';
import { type HeadingMeanings, matches, meaningsOf } from './heading-meanings.ts';
import { findNameColumns, leaveOutNamePart } from './name-columns.ts';

export interface FoundColumns {
  readonly columns: Columns;
  /** The fields that several columns could have, with these columns; the first one is used. */
  readonly ambiguous: ReadonlyMap<Field, readonly number[]>;
}

/**
 * Finds the columns by their headings: the name of the field takes precedence over its aliases, and aliases over
 * similar names. What a heading leaves open is decided by the content, where that leaves no doubt.
 * @param chosen columns that someone has already chosen; null for none
 * @param content without it, general headings are not used
 */
export function findColumns(
  headings: readonly string[],
  chosen: Partial<Columns> = {},
  content?: ListContent,
): FoundColumns {
  const search: ColumnSearch = {
    headings,
    chosen,
    content,
    columns: { ...noColumns, ...chosen },
    ambiguous: new Map(),
  };
  const meanings = headings.map(meaningsOf);
  for (const match of matches) {
    for (const field of fields) {
      if (!isOpen(search, field) || (field === 'displayName' && match === 'general')) continue;
      const candidates = freeColumns(search).filter((column) => meanings[column]!.get(field) === match);
      choose(
        search,
        field,
        candidates.filter((column) => isPossible(search, field, column, meanings)),
      );
    }
  }
  findNameColumns(search);
  findByContent(search);
  findOwnNames(search, meanings);
  leaveOutNamePart(search);
  return search;
}

/** Without a heading that says so, the column of the addresses is found by its content. */
function findByContent(search: ColumnSearch): void {
  const { content } = search;
  if (!content || !isOpen(search, 'email')) return;
  choose(
    search,
    'email',
    freeColumns(search).filter((column) => content.count('email', column) > 0),
  );
}

/** A column with the name of a field belongs to it even if its cells cannot be used. */
function findOwnNames(search: ColumnSearch, meanings: readonly HeadingMeanings[]): void {
  for (const field of fields) {
    if (!isOpen(search, field)) continue;
    const own = freeColumns(search).filter((column) => meanings[column]!.get(field) === 'own');
    choose(search, field, own);
  }
}

/** Whether a column could have a field. One without values could not, if another one for the same field has some. */
function isPossible(
  { content }: ColumnSearch,
  field: Field,
  column: number,
  meanings: readonly HeadingMeanings[],
): boolean {
  const match = meanings[column]!.get(field)!;
  if (!content) return match !== 'general' && match !== 'further';
  if (!content.fits(field, column, match)) return false;
  if (content.count(field, column) > 0) return true;
  const isBetter = (other: number) => {
    const otherMatch = meanings[other]!.get(field) ?? (field === 'email' ? 'further' : undefined);
    return (
      otherMatch !== undefined && content.count(field, other) > 0 && content.fits(field, other, otherMatch)
    );
  };
  return !meanings.some((_, other) => isBetter(other));
}
