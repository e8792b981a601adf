import type { Membership } from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import type { NewEvent } from '../events/event.ts';

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

/** How a membership came about, told by who made it. */
export function sourceOf({ actor }: Cause): Membership['source'] {
  if (actor.type === 'member') return 'sign_up';
  return actor.type === 'operator' ? 'operator' : 'api';
}

export function addedEvent({ group_id, member_id, expires_at }: MembershipRow): NewEvent {
  return {
    type: 'access-group.member.added',
    groupId: group_id,
    memberId: member_id,
    data: { groupId: group_id, memberId: member_id, expiresAt: expires_at },
  };
}
