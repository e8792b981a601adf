import { dayEndingAt } from '@gatehouse/contract/time-zones';
import { isUnknownCell } from '../text/unknown-cells.ts';
import { listedNames } from './listed-names.ts';
import { ownSeparator, possibleSeparators } from './separators.ts';
import { parseEnd, type TimeReading } from './times.ts';

/** A group of a member in a list. */
export interface NamedGroup {
  readonly name: string;
  /** When the membership ends; null if the list gives no end. */
  readonly expiresAt: string | null;
}

/** The name of a group contains at most so many separators. */
const maxSeparatorsInName = 8;
const noNames: ReadonlySet<string> = new Set();

/** Group names in one cell, separated by `;`. Within a name, `;` is escaped as `\;` and `\` as `\\`. */
export function joinGroupNames(names: readonly string[]): string {
  return names.map((name) => name.replaceAll(/[\\;]/g, '\\$&')).join(ownSeparator);
}

/** The group names in one cell, without duplicates; none if what separates them is not known. */
export function splitGroupNames(
  cell: string,
  separator: string | null = ownSeparator,
  groupNames = noNames,
): string[] {
  return groupNamesIn(cell, separator, groupNames) ?? [];
}

/**
 * The group names in one cell, without duplicates. Undefined if it is not clear what they are.
 * @param separator null if it is not known, empty if each cell is one name
 * @param groupNames names of groups of the site, which may contain the separator
 */
export function groupNamesIn(
  cell: string,
  separator: string | null,
  groupNames: ReadonlySet<string> = noNames,
): string[] | undefined {
  const names = namesIn(cell, separator, groupNames);
  if (!names || names.some(isUnknownCell)) return undefined;
  return [...new Set(names)].filter((name) => name !== '');
}

/**
 * The ends of memberships in one cell, in the order of their groups; empty if none has an end. One that is the end of a
 * day in the time zone is written as that day.
 * @param timeZone that of the site; undefined if it is not known
 */
export function joinGroupEnds(groups: readonly NamedGroup[], timeZone: string | undefined): string {
  if (groups.every(({ expiresAt }) => expiresAt === null)) return '';
  return groups
    .map(({ expiresAt }) => (expiresAt === null ? '' : endCell(expiresAt, timeZone)))
    .join(ownSeparator);
}

function endCell(end: string, timeZone: string | undefined): string {
  return (timeZone !== undefined && dayEndingAt(end, timeZone)) || end;
}

/**
 * The groups of a cell with their ends from another cell: one end for all groups, or one per group in the same order,
 * empty for none. Undefined if an end is invalid or the number of ends does not match. The first mention of a group
 * counts. None if it is not clear what the names are.
 */
export function parseGroups(
  namesCell: string,
  endsCell: string,
  separator: string | null,
  times: TimeReading,
  groupNames: ReadonlySet<string> = noNames,
): NamedGroup[] | undefined {
  const names = namesIn(namesCell, separator, groupNames) ?? [''];
  const cells = endsCell.trim() === '' ? [] : endsCell.split(ownSeparator).map((cell) => cell.trim());
  if (cells.length > 1 && cells.length !== names.length) return undefined;
  const ends = cells.map((cell) => (cell === '' ? null : parseEnd(cell, times)));
  if (ends.includes(undefined)) return undefined;
  const groups = new Map<string, NamedGroup>();
  for (const [index, name] of names.entries()) {
    const expiresAt = (ends.length === 1 ? ends[0] : ends[index]) ?? null;
    if (name !== '' && !groups.has(name)) groups.set(name, { name, expiresAt });
  }
  return [...groups.values()];
}

/** The names of a cell in their order, empty ones included. Undefined if it is not clear what they are. */
function namesIn(
  cell: string,
  separator: string | null,
  groupNames: ReadonlySet<string>,
): string[] | undefined {
  return separator === ownSeparator ? splitNames(cell, separator) : foreignNames(cell, separator, groupNames);
}

/** The names of a cell that another program has written. */
function foreignNames(
  cell: string,
  separator: string | null,
  groupNames: ReadonlySet<string>,
): string[] | undefined {
  const whole = normalized(cell);
  if (groupNames.has(whole)) return [whole];
  const listed = listedNames(cell);
  if (listed) return listed.map(normalized);
  if (separator !== null) return separator === '' ? [whole] : splitKnown(cell, separator, groupNames);
  const possible = possibleSeparators.filter((each) => whole.includes(each));
  if (possible.length === 0) return [whole];
  return possible.map((each) => explainedNames(cell, each, groupNames)).find((names) => names !== undefined);
}

/** The names of a cell if all of them are names of groups of the site. */
export function explainedNames(
  cell: string,
  separator: string,
  groupNames: ReadonlySet<string>,
): string[] | undefined {
  const names = splitKnown(cell, separator, groupNames).filter((name) => name !== '');
  return names.every((name) => groupNames.has(name)) ? names : undefined;
}

/** Splits a cell, but not within the name of a group of the site: the longest name counts. */
function splitKnown(cell: string, separator: string, groupNames: ReadonlySet<string>): string[] {
  const parts = partsOfNames(cell, separator);
  const names: string[] = [];
  for (let first = 0; first < parts.length; first += 1) {
    let last = groupNames.size === 0 ? first : Math.min(first + maxSeparatorsInName, parts.length - 1);
    const joined = () => parts.slice(first, last + 1).join(separator);
    while (last > first && !groupNames.has(normalized(joined()))) last -= 1;
    names.push(normalized(joined()));
    first = last;
  }
  return names;
}

/** The names of a cell in their order, trimmed and composed (NFC) like those of the service. */
function splitNames(cell: string, separator: string): string[] {
  return partsOfNames(cell, separator).map(normalized);
}

/** The parts of a cell between separators that are not escaped. */
function partsOfNames(cell: string, separator: string): string[] {
  const names: string[] = [];
  let name = '';
  const startsAt = (at: number) => cell.startsWith(separator, at);
  for (let at = 0; at < cell.length; ) {
    const escaped = cell[at] === '\\' && (cell[at + 1] === '\\' ? 1 : startsAt(at + 1) && separator.length);
    if (escaped) {
      name += cell.slice(at + 1, at + 1 + escaped);
      at += 1 + escaped;
    } else if (startsAt(at)) {
      names.push(name);
      name = '';
      at += separator.length;
    } else {
      name += cell[at];
      at += 1;
    }
  }
  return [...names, name];
}

function normalized(name: string): string {
  return name.trim().normalize('NFC');
}
