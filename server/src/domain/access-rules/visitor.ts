import type { Member } from '@gatehouse/contract';
import { toBoolean } from '../../storage/database.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { isAccessToken, isBelow, type UsedAccessToken } from '../access-tokens/access-token.ts';
import type { LoginOfSession, SeenSession } from '../sessions/session.ts';
import { hashToken, isToken } from '../sessions/token.ts';
import type { RequestPath } from './decision/request-path.ts';
import { selectTokenVisitor, selectVisitor, type VisitorRow } from './visitor-store.ts';

/** A visitor who is a member, with what the gate needs to know. */
export interface Visitor {
  readonly memberId: string;
  readonly email: string;
  readonly displayName: string | null;
  readonly status: Member['status'];
  readonly paid: boolean;
  readonly groupIds: readonly string[];
  readonly groupNames: readonly string[];
}

/** A logged-in visitor. */
export interface SessionVisitor extends Visitor {
  readonly session: SeenSession & LoginOfSession;
}

/** A program with an access token of a member. */
export interface TokenVisitor extends Visitor {
  readonly accessToken: UsedAccessToken;
}

/**
 * Finds the logged-in visitor with a session token. Undefined for an anonymous visitor.
 * @param furtherHost the domain of the host of the cookie; null for the primary host
 */
export async function findVisitor(
  view: SiteView,
  token: string | null | undefined,
  furtherHost: string | null = null,
): Promise<SessionVisitor | undefined> {
  if (!isToken(token)) return undefined;
  const rows = await selectVisitor(view, hashToken(token), furtherHost);
  const first = rows[0];
  if (!first) return undefined;
  const { session_id: id, method, session_created_at: createdAt, last_seen_at: lastSeenAt } = first;
  const session = { id, method, createdAt, lastSeenAt, endsAt: first.ends_at };
  return { ...toVisitor(first, rows), session };
}

/**
 * Finds the member whose access token a program uses. Undefined if the token is wrong or has expired, or is not for this
 * path.
 */
export async function findTokenVisitor(
  view: SiteView,
  token: string,
  path: RequestPath | undefined,
): Promise<TokenVisitor | undefined> {
  if (!isAccessToken(token)) return undefined;
  const rows = await selectTokenVisitor(view, hashToken(token));
  const first = rows[0];
  if (!first || !isBelow(path, first.path_prefix)) return undefined;
  return {
    ...toVisitor(first, rows),
    accessToken: { id: first.token_id, lastUsedAt: first.last_used_at },
  };
}

function toVisitor(first: VisitorRow, rows: readonly VisitorRow[]): Visitor {
  const groupIds: string[] = [];
  const groupNames: string[] = [];
  for (const { group_id, group_name } of rows) {
    if (group_id === null || group_name === null) continue;
    groupIds.push(group_id);
    groupNames.push(group_name);
  }
  return {
    memberId: first.member_id,
    email: first.email,
    displayName: first.display_name,
    status: first.status as Member['status'],
    paid: first.paid !== null && toBoolean(first.paid),
    groupIds,
    groupNames,
  };
}
