import type { EmailBudgetName } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { keyList } from '../../storage/sql/value-list.ts';

export interface EmailBudgetKey {
  starts_at: Timestamp;
  budget: EmailBudgetName;
  subject_hash: string;
}

export interface EmailBudgetRow extends EmailBudgetKey {
  sent: number;
  withheld: number;
  withheld_at: Timestamp | null;
}

const columns = [
  'site_id',
  'starts_at',
  'budget',
  'subject_hash',
  'sent',
  'withheld',
  'withheld_at',
] as const;

/**
 * Returns budgets and locks them until the transaction ends; a budget that does not exist yet is created with zero
 * counts. All callers must pass them in the same order.
 */
export function lockBudgetRows(
  { db, siteId }: SiteData<Transaction>,
  keys: readonly EmailBudgetKey[],
): Promise<EmailBudgetRow[]> {
  return db.insert<EmailBudgetRow>(
    'email_budgets',
    columns,
    keys.map(({ starts_at, budget, subject_hash }) => [siteId, starts_at, budget, subject_hash, 0, 0, null]),
    `ON CONFLICT (site_id, starts_at, budget, subject_hash) DO UPDATE SET sent = email_budgets.sent
     RETURNING starts_at, budget, subject_hash, sent, withheld, withheld_at`,
  );
}

/** Updates budgets that this transaction has locked. */
export async function updateBudgetRows(
  { db, siteId }: SiteData<Transaction>,
  rows: readonly EmailBudgetRow[],
): Promise<void> {
  await db.insert(
    'email_budgets',
    columns,
    rows.map((row) => [
      siteId,
      row.starts_at,
      row.budget,
      row.subject_hash,
      row.sent,
      row.withheld,
      row.withheld_at,
    ]),
    `ON CONFLICT (site_id, starts_at, budget, subject_hash) DO UPDATE
     SET sent = excluded.sent, withheld = excluded.withheld, withheld_at = excluded.withheld_at`,
  );
}

/** Sums the withheld emails of each budget over the hours that begin after a time. */
export function sumWithheld(
  { db, siteId }: SiteData,
  since: Timestamp,
): Promise<{ budget: EmailBudgetName; count: number; last_at: Timestamp }[]> {
  return db.all(sql`
    SELECT budget, CAST(sum(withheld) AS integer) AS count, max(withheld_at) AS last_at FROM email_budgets
    WHERE site_id = ${siteId} AND withheld > 0 AND starts_at > ${since}
    GROUP BY budget ORDER BY budget`);
}

/** A few budgets of hours before a time, without withheld emails, over all sites. */
export function selectBudgetsBefore(
  db: Queries,
  time: Timestamp,
  limit: number,
): Promise<(EmailBudgetKey & { site_id: string })[]> {
  return db.all(sql`
    SELECT site_id, starts_at, budget, subject_hash FROM email_budgets
    WHERE withheld = 0 AND starts_at <= ${time} ORDER BY starts_at LIMIT ${limit}`);
}

/** Like `selectBudgetsBefore`, with withheld emails. */
export function selectWithheldBefore(
  db: Queries,
  time: Timestamp,
  limit: number,
): Promise<(EmailBudgetKey & { site_id: string })[]> {
  return db.all(sql`
    SELECT site_id, starts_at, budget, subject_hash FROM email_budgets
    WHERE withheld > 0 AND starts_at <= ${time} ORDER BY starts_at LIMIT ${limit}`);
}

/** Deletes budgets. A budget that has withheld emails is deleted only when its hour is before `timeOfWithheld`. */
export async function deleteBudgets(
  { db, siteId }: SiteData<Transaction>,
  keys: readonly EmailBudgetKey[],
  timeOfWithheld: Timestamp,
): Promise<void> {
  const values = keys.map(({ starts_at, budget, subject_hash }) => [starts_at, budget, subject_hash]);
  await db.run(sql`
    DELETE FROM email_budgets
    WHERE site_id = ${siteId} AND (withheld = 0 OR starts_at <= ${timeOfWithheld})
      AND (starts_at, budget, subject_hash) IN ${keyList(db, values)}`);
}
