import { toCsv } from '../../parts/csv.ts';
import type { ExportedMember } from './members-with-groups.ts';

// As the command line exports members, so that its import reads the file.
const columns = [
  'id',
  'email',
  'displayName',
  'status',
  'verified',
  'paid',
  'groups',
  'groupsEndAt',
  'registeredAt',
  'lastLoginAt',
  'createdAt',
] as const;

/**
 * Members as a file that a spreadsheet opens, and that can be added to a site again. In a cell the groups stand apart by
 * `;`, with their ends in the same order.
 */
export function membersToCsv(members: readonly ExportedMember[]): Blob {
  const rows = members.map(({ member, groups }) => {
    const hasEnds = groups.some(({ expiresAt }) => expiresAt !== null);
    const values = {
      ...member,
      groups: groups.map(({ name }) => name.replaceAll(/[\\;]/g, '\\$&')).join(';'),
      groupsEndAt: hasEnds ? groups.map(({ expiresAt }) => expiresAt ?? '').join(';') : '',
    };
    return columns.map((column) => String(values[column] ?? ''));
  });
  return toCsv(columns, rows);
}
