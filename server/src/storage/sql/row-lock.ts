import sql, { empty, raw, type Sql } from 'sql-template-tag';
import type { Queries, Transaction } from '../database.ts';
import type { SiteData } from '../site-view.ts';

const clause = raw('FOR UPDATE');
const clauseById = raw('ORDER BY id FOR UPDATE');
const clauseToShare = raw('FOR UPDATE SKIP LOCKED');

/**
 * Ends a SELECT: locks the rows it finds until the transaction ends. SQLite has a single writer and needs no such
 * clause.
 */
export function forUpdate(queries: Queries): Sql {
  return queries.dialect === 'postgres' ? clause : empty;
}

/**
 * Like `forUpdate`, for several rows: in the order of their ids, so that no two transactions wait for each other. On
 * SQLite it is empty, because for the order SQLite would read every row of a site.
 */
export function forUpdateById(queries: Queries): Sql {
  return queries.dialect === 'postgres' ? clauseById : empty;
}

/** Like `forUpdate`, but skips rows that another transaction has locked. */
export function skipLocked(queries: Queries): Sql {
  return queries.dialect === 'postgres' ? clauseToShare : empty;
}

/**
 * What a lock protects: the settings, hosts and rules of a site, its API keys, who makes its invitations, its requests to
 * join, or its login providers.
 */
export type LockSubject = 'api_keys' | 'invitations' | 'join_requests' | 'login_providers' | 'site';

/**
 * Locks a row of a site's own until the transaction ends. A row of `sites` or `api_keys` is not locked for this: with
 * Citus every node has these tables, and a lock on one row makes the changes of every other site wait.
 */
export async function acquireSiteLock(
  { db, siteId }: SiteData<Transaction>,
  subject: LockSubject,
): Promise<void> {
  // The first lock inserts the row. Later ones find it: it is then locked, and not written.
  await db.run(sql`
    INSERT INTO site_locks (site_id, subject) VALUES (${siteId}, ${subject})
    ON CONFLICT (site_id, subject) DO UPDATE SET subject = excluded.subject WHERE false`);
}
