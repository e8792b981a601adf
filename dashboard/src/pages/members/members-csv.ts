import type { Member } from '@gatehouse/client';
import { toCsv } from '../../parts/csv.ts';

const fields = [
  'email',
  'displayName',
  'status',
  'paid',
  'verified',
  'registeredAt',
  'lastLoginAt',
  'createdAt',
  'id',
] as const satisfies readonly (keyof Member)[];

/** Members as a file that a spreadsheet opens, and that can be added to a site again. */
export function membersToCsv(members: readonly Member[]): Blob {
  return toCsv(
    fields,
    members.map((member) => fields.map((field) => String(member[field] ?? ''))),
  );
}
