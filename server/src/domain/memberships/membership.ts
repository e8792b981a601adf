import type { Actor, Membership } from '@gatehouse/contract';

export interface MembershipRow {
  group_id: string;
  member_id: string;
  source: string;
  added_at: string;
  expires_at: string | null;
}

export function toMembership(row: MembershipRow): Membership {
  return {
    groupId: row.group_id,
    memberId: row.member_id,
    addedAt: row.added_at,
    expiresAt: row.expires_at,
    source: row.source as Membership['source'],
  };
}

/** The source of a membership, by the actor who created it. */
export function sourceOf({ type }: Actor): Membership['source'] {
  if (type === 'source') return 'scope';
  if (type === 'member') return 'sign_up';
  return type === 'operator' ? 'operator' : 'api';
}
