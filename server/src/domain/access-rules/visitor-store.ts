import sql, { raw, type Sql } from 'sql-template-tag';
import type { SiteView } from '../../storage/site-view.ts';
import type { LoginMethod } from '../sessions/session.ts';
import { isAtHost } from '../sessions/session-hosts.ts';
import { methodOfSession } from '../sessions/sessions.ts';

/** A member: one row for each group, or one row without a group. */
export interface VisitorRow {
  member_id: string;
  email: string;
  display_name: string | null;
  status: string;
  paid: boolean | number | null;
  group_id: string | null;
  group_name: string | null;
}

/** A valid session with its member. */
export interface SessionVisitorRow extends VisitorRow {
  session_id: string;
  session_created_at: string;
  method: LoginMethod | null;
  last_seen_at: string;
  ends_at: string | null;
}

/** A valid access token with its member. */
export interface TokenVisitorRow extends VisitorRow {
  token_id: string;
  path_prefix: string;
  last_used_at: string | null;
}

/** Selects everything the gate needs to know about a visitor in one statement, because it runs at every request. */
export function selectVisitor(
  { db, siteId, now }: SiteView,
  tokenHash: string,
  furtherHost: string | null,
): Promise<SessionVisitorRow[]> {
  return db.all<SessionVisitorRow>(sql`
    SELECT s.id AS session_id, s.created_at AS session_created_at, s.last_seen_at, s.ends_at, ${raw(methodOfSession)} AS method,
           m.id AS member_id, m.email, m.display_name, m.status, m.paid, g.id AS group_id, g.name AS group_name
    FROM sessions s
    JOIN members m ON m.site_id = ${siteId} AND m.id = s.member_id
    LEFT JOIN memberships ms ON ms.site_id = ${siteId} AND ms.member_id = m.id
      AND (ms.expires_at IS NULL OR ms.expires_at > ${now})
    LEFT JOIN access_groups g ON g.site_id = ${siteId} AND g.id = ms.group_id
    WHERE s.site_id = ${siteId} AND ${isOfCookie(siteId, tokenHash, furtherHost)} AND s.expires_at > ${now}
    ORDER BY g.name`);
}

/** Which session has the cookie. At a further host, a subquery is faster than a join with the other tables. */
function isOfCookie(siteId: string, tokenHash: string, furtherHost: string | null): Sql {
  if (furtherHost === null) return sql`s.token_hash = ${tokenHash}`;
  return sql`s.id = (
    SELECT h.session_id FROM session_hosts h
    WHERE h.site_id = ${siteId} AND h.token_hash = ${tokenHash} AND ${isAtHost(sql`h.domain`, furtherHost)})`;
}

/** The same for an access token. */
export function selectTokenVisitor(
  { db, siteId, now }: SiteView,
  tokenHash: string,
): Promise<TokenVisitorRow[]> {
  return db.all<TokenVisitorRow>(sql`
    SELECT t.id AS token_id, t.path_prefix, t.last_used_at,
           m.id AS member_id, m.email, m.display_name, m.status, m.paid, g.id AS group_id, g.name AS group_name
    FROM access_tokens t
    JOIN members m ON m.site_id = ${siteId} AND m.id = t.member_id
    LEFT JOIN memberships ms ON ms.site_id = ${siteId} AND ms.member_id = m.id
      AND (ms.expires_at IS NULL OR ms.expires_at > ${now})
    LEFT JOIN access_groups g ON g.site_id = ${siteId} AND g.id = ms.group_id
    WHERE t.site_id = ${siteId} AND t.token_hash = ${tokenHash} AND (t.expires_at IS NULL OR t.expires_at > ${now})
    ORDER BY g.name`);
}
