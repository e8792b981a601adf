import type { GroupMember } from '@gatehouse/contract';
import { toBoolean } from '../../storage/database.ts';

/** A member in the member list of a group. */
export interface GroupMemberRow {
  id: string;
  email: string;
  display_name: string | null;
  status: string;
  verified: boolean | number | null;
  paid: boolean | number | null;
  registered_at: string | null;
  last_login_at: string | null;
}

export function toGroupMember(row: GroupMemberRow): GroupMember {
  return {
    id: row.id,
    email: row.email,
    displayName: row.display_name,
    status: row.status as GroupMember['status'],
    verified: row.verified === null ? null : toBoolean(row.verified),
    paid: row.paid === null ? null : toBoolean(row.paid),
    registeredAt: row.registered_at,
    lastLoginAt: row.last_login_at,
  };
}
