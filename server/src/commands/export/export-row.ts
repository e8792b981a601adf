import { joinGroupNames, looksLikeFormula, neutralise } from '../people-file/cells.ts';
import { neutralisedColumn } from '../people-file/columns.ts';
import type { ExportedMember } from './members-with-groups.ts';

const columns = [
  'id',
  'email',
  'displayName',
  'status',
  'verified',
  'paid',
  'groups',
  'registeredAt',
  'lastLoginAt',
  'createdAt',
] as const;

/** The headings. A file for spreadsheets says in each row what was changed, so that an import can undo it. */
export function exportHeadings(forSpreadsheets: boolean): string[] {
  return forSpreadsheets ? [...columns, neutralisedColumn] : [...columns];
}

export function toExportRow({ member, groups }: ExportedMember, forSpreadsheets: boolean): string[] {
  const values = { ...member, groups: joinGroupNames(groups) };
  const cells = columns.map((column) => String(values[column] ?? ''));
  if (!forSpreadsheets) return cells;
  const changed = columns.filter((_, place) => looksLikeFormula(cells[place]!));
  return [...cells.map((cell) => (looksLikeFormula(cell) ? neutralise(cell) : cell)), changed.join(';')];
}
