import sql from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';

export interface AccessRulesRow {
  /** JSON. */
  rules: string;
  updated_at: Timestamp;
}

export function selectAccessRules({ db, siteId }: SiteData): Promise<AccessRulesRow | undefined> {
  return db.get<AccessRulesRow>(sql`SELECT rules, updated_at FROM access_rules WHERE site_id = ${siteId}`);
}

export async function saveAccessRules(
  { db, siteId }: SiteData<Transaction>,
  { rules, updated_at }: AccessRulesRow,
): Promise<void> {
  await db.run(sql`
    INSERT INTO access_rules (site_id, rules, updated_at) VALUES (${siteId}, ${rules}, ${updated_at})
    ON CONFLICT (site_id) DO UPDATE SET rules = excluded.rules, updated_at = excluded.updated_at`);
}
