import sql from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';

export interface StoredRules {
  /** As `toStoredRules` returns them. */
  readonly rules: string;
  readonly updatedAt: Timestamp;
}

export function selectAccessRules({ db, siteId }: SiteData): Promise<StoredRules | undefined> {
  return db.get(sql`SELECT rules, updated_at AS "updatedAt" FROM access_rules WHERE site_id = ${siteId}`);
}

export async function saveAccessRules(
  { db, siteId, now }: SiteView<Transaction>,
  rules: string,
): Promise<void> {
  await db.run(sql`
    INSERT INTO access_rules (site_id, rules, updated_at) VALUES (${siteId}, ${rules}, ${now})
    ON CONFLICT (site_id) DO UPDATE SET rules = excluded.rules, updated_at = excluded.updated_at`);
}
