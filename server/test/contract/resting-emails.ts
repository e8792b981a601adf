import sql from 'sql-template-tag';
import { vi } from 'vitest';
import type { Database } from '../../src/storage/database.ts';

/** Waits until no email of a site is being delivered, so that none of their rows changes in the next minute. */
export async function untilEmailsRest(database: Database, siteId: string): Promise<void> {
  const soon = new Date(Date.now() + 60_000).toISOString();
  const isAtRest = async () =>
    (await database.get(sql`
      SELECT id FROM emails WHERE site_id = ${siteId} AND status = 'waiting' AND next_attempt_at < ${soon} LIMIT 1
    `)) === undefined;
  await vi.waitUntil(isAtRest, { timeout: 20_000 });
}
