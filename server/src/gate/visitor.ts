import type { Member, Session } from '@gatehouse/contract';
import type { Timestamp } from '../base/clock.ts';
import { hashToken, isToken } from '../credentials/token.ts';
import { type Queries, toBoolean } from '../storage/database.ts';
import { selectVisitor } from './visitor-store.ts';

/** Somebody who is logged in, as the gate needs to know it. */
export interface Visitor {
  readonly session: Pick<Session, 'id' | 'createdAt' | 'lastSeenAt'>;
  readonly memberId: string;
  readonly email: string;
  readonly displayName: string | null;
  readonly status: Member['status'];
  readonly paid: boolean;
  readonly groupIds: readonly string[];
  readonly groupNames: readonly string[];
}

/** Finds who is logged in with a session's token. Undefined for a stranger. */
export async function findVisitor(
  db: Queries,
  siteId: string,
  token: string | null | undefined,
  now: Timestamp,
): Promise<Visitor | undefined> {
  if (!isToken(token)) return undefined;
  const rows = await selectVisitor(db, siteId, hashToken(token), now);
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
