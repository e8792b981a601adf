import { dayEndingAt } from '@gatehouse/contract/time-zones';
import { parseEnd, type TimeReading } from './times.ts';

/** A group of a member in a list. */
export interface NamedGroup {
  readonly name: string;
  /** When the membership ends; null if the list gives no end. */
  readonly expiresAt: string | null;
}

/** What separates group names in our own exports. */
export const ownSeparator = ';';

/** Group names in one cell, separated by `;`. Within a name, `;` is escaped as `\;` and `\` as `\\`. */
export function joinGroupNames(names: readonly string[]): string {
  return names.map((name) => name.replaceAll(/[\\;]/g, '\\$&')).join(ownSeparator);
}

/** The group names in one cell, without duplicates. */
export function splitGroupNames(cell: string, separator = ownSeparator): string[] {
  return [...new Set(splitNames(cell, separator))].filter((name) => name !== '');
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
 * counts.
 */
export function parseGroups(
  namesCell: string,
  endsCell: string,
  separator: string,
  times: TimeReading,
): NamedGroup[] | undefined {
  const names = splitNames(namesCell, separator);
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

/** The names of a cell in their order, trimmed and composed (NFC) like those of the service. */
function splitNames(cell: string, separator: string): string[] {
  const names: string[] = [];
  let name = '';
  const startsAt = (at: number) => separator !== '' && cell.startsWith(separator, at);
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
  return [...names, name].map((each) => each.trim().normalize('NFC'));
}
