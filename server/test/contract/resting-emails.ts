import sql from 'sql-template-tag';
import { vi } from 'vitest';
import type { Database } from '../../src/storage/database.ts';

/**
 * Waits until the delivery has settled every email of a site, so that none of their rows changes any more. An email that
 * is being delivered waits for the end of its lease, so no time tells it apart.
 */
export async function untilEmailsRest(database: Database, siteId: string): Promise<void> {
  const isAtRest = async () =>
    (await database.get(
      sql`SELECT id FROM emails WHERE site_id = ${siteId} AND status = 'waiting' LIMIT 1`,
    )) === undefined;
  await vi.waitUntil(isAtRest, { timeout: 20_000 });
}
