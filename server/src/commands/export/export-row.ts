import { neutraliseCell } from '@gatehouse/contract';
import { joinGroupNames } from '../people-file/cells.ts';
import type { ExportedMember } from './members-with-groups.ts';

/** The headings. */
export const exportColumns = [
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

/** @param isRaw whether cells stay that a spreadsheet would run as formulas */
export function toExportRow({ member, groups }: ExportedMember, isRaw: boolean): string[] {
  const values = { ...member, groups: joinGroupNames(groups) };
  const cells = exportColumns.map((column) => String(values[column] ?? ''));
  return isRaw ? cells : cells.map(neutraliseCell);
}
