import sql, { type Sql } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { TableColumns } from '../../storage/sql/columns.ts';
import { expiryOf } from '../../storage/sql/expiring-rows.ts';
import { firstValue } from '../../storage/sql/results.ts';
import { valueList } from '../../storage/sql/value-list.ts';

/**
 * Whether the cookie of a session is for a host. Written so that no index can be used for it: PostgreSQL would otherwise
 * read all cookies of the host, instead of the one with the token.
 */
export function isAtHost(column: Sql, domain: string): Sql {
  return sql`${column} || '' = ${domain}`;
}

export interface HostTicket {
  readonly ticketHash: string;
  readonly sessionId: string;
  readonly domain: string;
  readonly browserHash: string;
  readonly next: string;
  readonly expiresAt: Timestamp;
}

const tickets = new TableColumns<HostTicket>('host_tickets', {
  ticketHash: 'ticket_hash',
  sessionId: 'session_id',
  domain: 'domain',
  browserHash: 'browser_hash',
  next: 'next_path',
  expiresAt: 'expires_at',
});

export async function insertHostTicket(view: SiteData<Transaction>, ticket: HostTicket): Promise<void> {
  await tickets.insert(view, [ticket]);
}

/** The session of a ticket that has not been used. */
export function selectTicketSession(
  { db, siteId }: SiteData,
  ticketHash: string,
): Promise<string | undefined> {
  return firstValue(
    db,
    sql`SELECT session_id FROM host_tickets WHERE site_id = ${siteId} AND ticket_hash = ${ticketHash}`,
  );
}

/** Deletes a ticket, so that of several requests with it only one gets it. */
export function consumeHostTicket(
  { db, siteId }: SiteData<Transaction>,
  ticketHash: string,
): Promise<HostTicket | undefined> {
  return tickets.get(
    db,
    sql`DELETE FROM host_tickets WHERE site_id = ${siteId} AND ticket_hash = ${ticketHash} RETURNING ${tickets.list}`,
  );
}

export const { find: findExpiredHostTickets, purge: purgeHostTickets } = expiryOf({
  table: 'host_tickets',
  time: 'expires_at',
  key: 'ticket_hash',
});

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
