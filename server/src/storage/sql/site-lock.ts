import sql from 'sql-template-tag';
import type { Transaction } from '../database.ts';

/** What a lock protects: the settings, hosts and rules of a site, or its API keys. */
export type LockSubject = 'api_keys' | 'site';

/**
 * Locks a row of a site's own until the transaction ends. A row of `sites` or `api_keys` is not locked for this: with
 * Citus every node has these tables, and a lock on one row makes the changes of every other site wait.
 */
export async function acquireSiteLock(tx: Transaction, siteId: string, subject: LockSubject): Promise<void> {
  // The first lock inserts the row. Later ones find it: it is then locked, and not written.
  await tx.run(sql`
    INSERT INTO site_locks (site_id, subject) VALUES (${siteId}, ${subject})
    ON CONFLICT (site_id, subject) DO UPDATE SET subject = excluded.subject WHERE false`);
}
