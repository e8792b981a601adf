import type { MemberStatus } from '@gatehouse/client';
import { parseDateTime } from '@gatehouse/contract/times';

/** The words for "yes" or "paying" that people and spreadsheets use, in the languages of the dashboard. */
const yes = oneOf(
  '1|x|✓|✔|true|yes|y|paid|paying',
  'wahr|ja|j|bezahlt|zahlend|zahlt',
  'vrai|oui|o|pay[ée]e?|payante?',
  'verdadero|s[ií]|pagad[oa]|pagando|de pago',
  'はい|有料|真|○|〇|支払済み?|支払い済み',
);
const no = oneOf(
  '0|-|–|✗|✘|false|no|n|not paid|not paying|unpaid|free',
  'falsch|nein|nicht bezahlt|unbezahlt|nicht zahlend|zahlt nicht',
  'faux|non|non pay[ée]e?|non payante?|gratuite?',
  'falso|no pagad[oa]|sin pagar|gratis',
  'いいえ|無料|偽|×|✕|未払い?',
);
const dayForm = /^\d{4}-\d\d-\d\d$/;
const millisecondsPerDay = 24 * 60 * 60 * 1000;

function oneOf(...words: string[]): RegExp {
  return new RegExp(`^(?:${words.join('|')})$`, 'i');
}

/** Undefined if the cell means neither yes nor no. */
export function parsePaid(cell: string): boolean | undefined {
  if (yes.test(cell.trim())) return true;
  return no.test(cell.trim()) ? false : undefined;
}

export function parseStatus(cell: string): MemberStatus | undefined {
  const word = cell.trim().toLowerCase();
  return word === 'active' || word === 'blocked' ? word : undefined;
}

/** A time of RFC 3339, or the start of a day in UTC. Undefined if the cell is neither. */
export function parseTime(cell: string): string | undefined {
  const text = cell.trim();
  return parseDateTime(dayForm.test(text) ? `${text}T00:00:00Z` : text);
}

/** Like `parseTime`, but a day means its end in UTC. */
function parseEnd(cell: string): string | undefined {
  const time = parseTime(cell);
  if (time === undefined || !dayForm.test(cell.trim())) return time;
  return parseDateTime(new Date(Date.parse(time) + millisecondsPerDay).toISOString());
}

/** A group of a member in a list. */
export interface NamedGroup {
  readonly name: string;
  /** When the membership ends; null if the list gives no end. */
  readonly expiresAt: string | null;
}

/** Group names in one cell, separated by `;`. Within a name, `;` is escaped as `\;` and `\` as `\\`. */
export function joinGroupNames(names: readonly string[]): string {
  return names.map((name) => name.replaceAll(/[\\;]/g, '\\$&')).join(';');
}

/** The group names in one cell, without duplicates. */
export function splitGroupNames(cell: string): string[] {
  return [...new Set(splitNames(cell))].filter((name) => name !== '');
}

/** The ends of memberships in one cell, in the order of their groups; empty if none has an end. */
export function joinGroupEnds(groups: readonly NamedGroup[]): string {
  if (groups.every(({ expiresAt }) => expiresAt === null)) return '';
  return groups.map(({ expiresAt }) => expiresAt ?? '').join(';');
}

/**
 * The groups of a cell with their ends from another cell: one end for all groups, or one per group in the same order,
 * empty for none. Undefined if an end is invalid or the number of ends does not match. The first mention of a group
 * counts.
 */
export function parseGroups(namesCell: string, endsCell: string): NamedGroup[] | undefined {
  const names = splitNames(namesCell);
  const cells = endsCell.trim() === '' ? [] : endsCell.split(';').map((cell) => cell.trim());
  if (cells.length > 1 && cells.length !== names.length) return undefined;
  const ends = cells.map((cell) => (cell === '' ? null : parseEnd(cell)));
  if (ends.includes(undefined)) return undefined;
  const groups = new Map<string, NamedGroup>();
  for (const [index, name] of names.entries()) {
    const expiresAt = (ends.length === 1 ? ends[0] : ends[index]) ?? null;
    if (name !== '' && !groups.has(name)) groups.set(name, { name, expiresAt });
  }
  return [...groups.values()];
}

/** The names of a cell in their order, trimmed and composed (NFC) like those of the service. */
function splitNames(cell: string): string[] {
  const names = [''];
  for (const [part] of cell.matchAll(/\\[\\;]|[^;]|;/gs)) {
    if (part === ';') names.push('');
    else names[names.length - 1] += part.length === 2 ? part[1]! : part;
  }
  return names.map((name) => name.trim().normalize('NFC'));
}
