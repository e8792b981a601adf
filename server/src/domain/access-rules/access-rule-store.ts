import sql from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries, Transaction } from '../../storage/database.ts';

export interface AccessRulesRow {
  /** JSON. */
  rules: string;
  updated_at: Timestamp;
}

export function selectAccessRules(db: Queries, siteId: string): Promise<AccessRulesRow | undefined> {
  return db.get<AccessRulesRow>(sql`SELECT rules, updated_at FROM access_rules WHERE site_id = ${siteId}`);
}

export async function saveAccessRules(
  tx: Transaction,
  siteId: string,
  { rules, updated_at }: AccessRulesRow,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO access_rules (site_id, rules, updated_at) VALUES (${siteId}, ${rules}, ${updated_at})
    ON CONFLICT (site_id) DO UPDATE SET rules = excluded.rules, updated_at = excluded.updated_at`);
}
