import type { Member } from '@gatehouse/contract';
import type { Timestamp } from '../../base/clock.ts';
import { type Queries, toBoolean } from '../../storage/database.ts';
import type { SeenSession } from '../sessions/session.ts';
import { hashToken, isToken } from '../sessions/token.ts';
import { selectVisitor } from './visitor-store.ts';

/** A logged-in visitor, with what the gate needs to know. */
export interface Visitor {
  readonly session: SeenSession;
  readonly memberId: string;
  readonly email: string;
  readonly displayName: string | null;
  readonly status: Member['status'];
  readonly paid: boolean;
  readonly groupIds: readonly string[];
  readonly groupNames: readonly string[];
}

/**
 * Finds the logged-in visitor with a session token. Undefined for an anonymous visitor.
 * @param furtherHost the domain of the host of the cookie; null for the primary host
 */
export async function findVisitor(
  db: Queries,
  siteId: string,
  token: string | null | undefined,
  now: Timestamp,
  furtherHost: string | null = null,
): Promise<Visitor | undefined> {
  if (!isToken(token)) return undefined;
  const rows = await selectVisitor(db, siteId, hashToken(token), furtherHost, now);
  const first = rows[0];
  if (!first) return undefined;
  const groupIds: string[] = [];
  const groupNames: string[] = [];
  for (const { group_id, group_name } of rows) {
    if (group_id === null || group_name === null) continue;
    groupIds.push(group_id);
    groupNames.push(group_name);
  }
  return {
    session: {
      id: first.session_id,
      createdAt: first.session_created_at,
      lastSeenAt: first.last_seen_at,
    },
    memberId: first.member_id,
    email: first.email,
    displayName: first.display_name,
    status: first.status as Member['status'],
    paid: first.paid !== null && toBoolean(first.paid),
    groupIds,
    groupNames,
  };
}
