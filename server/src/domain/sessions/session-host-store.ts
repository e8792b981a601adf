import sql, { type Sql } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { valueList } from '../../storage/sql/value-list.ts';

/**
 * Whether the cookie of a session is for a host. Written so that no index can be used for it: PostgreSQL would otherwise
 * read all cookies of the host, instead of the one with the token.
 */
export function isAtHost(column: Sql, domain: string): Sql {
  return sql`${column} || '' = ${domain}`;
}

export interface HostTicketRow {
  ticket_hash: string;
  session_id: string;
  domain: string;
  browser_hash: string;
  next_path: string;
  expires_at: Timestamp;
}

export async function insertHostTicket(
  { db, siteId }: SiteData<Transaction>,
  row: HostTicketRow,
): Promise<void> {
  await db.run(sql`
    INSERT INTO host_tickets (site_id, ticket_hash, session_id, domain, browser_hash, next_path, expires_at)
    VALUES (${siteId}, ${row.ticket_hash}, ${row.session_id}, ${row.domain}, ${row.browser_hash}, ${row.next_path},
            ${row.expires_at})`);
}

/** The session of a ticket that has not been used. */
export async function selectTicketSession(
  { db, siteId }: SiteData,
  ticketHash: string,
): Promise<string | undefined> {
  const row = await db.get<{ session_id: string }>(
    sql`SELECT session_id FROM host_tickets WHERE site_id = ${siteId} AND ticket_hash = ${ticketHash}`,
  );
  return row?.session_id;
}

/** Deletes a ticket, so that of several requests with it only one gets it. */
export function consumeHostTicket(
  { db, siteId }: SiteData<Transaction>,
  ticketHash: string,
): Promise<HostTicketRow | undefined> {
  return db.get<HostTicketRow>(sql`
    DELETE FROM host_tickets WHERE site_id = ${siteId} AND ticket_hash = ${ticketHash}
    RETURNING ticket_hash, session_id, domain, browser_hash, next_path, expires_at`);
}

/** A few expired tickets, over all sites. */
export function selectExpiredHostTickets(
  db: Queries,
  now: Timestamp,
  limit: number,
): Promise<{ site_id: string; ticket_hash: string }[]> {
  return db.all(sql`
    SELECT site_id, ticket_hash FROM host_tickets WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit}`);
}

export async function deleteHostTickets(
  { db, siteId }: SiteData<Transaction>,
  hashes: readonly string[],
): Promise<void> {
  await db.run(
    sql`DELETE FROM host_tickets WHERE site_id = ${siteId} AND ticket_hash IN ${valueList(hashes)}`,
  );
}

/** Saves the cookie of a session on a further host. It replaces the one that the browser had there. */
export async function saveSessionHost(
  { db, siteId }: SiteData<Transaction>,
  sessionId: string,
  domain: string,
  tokenHash: string,
): Promise<void> {
  await db.run(sql`
    INSERT INTO session_hosts (site_id, token_hash, session_id, domain)
    VALUES (${siteId}, ${tokenHash}, ${sessionId}, ${domain})
    ON CONFLICT (site_id, session_id, domain) DO UPDATE SET token_hash = excluded.token_hash`);
}

/** Deletes the cookies and the tickets of all sessions on some hosts. */
export async function deleteSessionHosts(
  { db, siteId }: SiteData<Transaction>,
  domains: readonly string[],
): Promise<void> {
  await db.run(sql`DELETE FROM session_hosts WHERE site_id = ${siteId} AND domain IN ${valueList(domains)}`);
  await db.run(sql`DELETE FROM host_tickets WHERE site_id = ${siteId} AND domain IN ${valueList(domains)}`);
}
