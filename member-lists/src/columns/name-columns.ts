import { type ColumnSearch, choose, freeColumns, isOpen } from './column-search.ts';
import { isGeneralName } from './heading-meanings.ts';

/**
 * Finds out what a heading such as `Name`, `Nom` or `Nombre` means: the full name, or the part of the name that no other
 * column has. The names themselves decide: either they contain the other part, or they do not.
 */
export function findNameColumns(search: ColumnSearch): void {
  const { columns, headings } = search;
  const general = freeColumns(search).filter((column) => isGeneralName(headings[column]!));
  const part = columns.firstName === null ? 'lastName' : 'firstName';
  const otherPart = part === 'firstName' ? 'lastName' : 'firstName';
  if (columns[part] === null || columns[otherPart] !== null) {
    if (isOpen(search, 'displayName')) choose(search, 'displayName', general);
  } else if (columns.displayName === null) {
    for (const column of general) findMeaning(search, column, columns[part]!, otherPart);
  }
}

function findMeaning(
  search: ColumnSearch,
  column: number,
  part: number,
  otherPart: 'firstName' | 'lastName',
): void {
  const { columns, chosen, content, ambiguous } = search;
  const isFullPossible = isOpen(search, 'displayName');
  const isPartPossible = isOpen(search, otherPart);
  const meaning = content?.namePair(column, part)?.meaning ?? 'full';
  if (isFullPossible && (meaning === 'full' || !isPartPossible)) columns.displayName = column;
  else if (isPartPossible && (meaning === 'otherPart' || chosen.displayName === null))
    columns[otherPart] = column;
  else if (isFullPossible) {
    columns.displayName = column;
    ambiguous.set('displayName', [column]);
  }
}

/** Next to full names, the only part of the name is not needed if some names differ from it, such as nicknames. */
export function leaveOutNamePart({ columns, chosen, content, ambiguous }: ColumnSearch): void {
  const { displayName, firstName, lastName } = columns;
  if (displayName === null || ambiguous.has('displayName') || (firstName === null) === (lastName === null))
    return;
  const part = firstName === null ? 'lastName' : 'firstName';
  if (chosen[part] !== undefined) return;
  if (content?.namePair(displayName, columns[part]!)?.isPartNeedless) columns[part] = null;
}
