import type { EmailBudgetName } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import type { Timestamp } from '../base/clock.ts';
import type { Queries, Transaction } from '../storage/database.ts';

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
 * Gives budgets as they are and locks them until the transaction ends; a budget that is not there yet begins with
 * nothing. They have to come in one order everywhere.
 */
export function lockBudgetRows(
  tx: Transaction,
  siteId: string,
  keys: readonly EmailBudgetKey[],
): Promise<EmailBudgetRow[]> {
  return tx.insert<EmailBudgetRow>(
    'email_budgets',
    columns,
    keys.map(({ starts_at, budget, subject_hash }) => [siteId, starts_at, budget, subject_hash, 0, 0, null]),
    `ON CONFLICT (site_id, starts_at, budget, subject_hash) DO UPDATE SET sent = email_budgets.sent
     RETURNING starts_at, budget, subject_hash, sent, withheld, withheld_at`,
  );
}

/** Writes budgets that this transaction has locked. */
export async function updateBudgetRows(
  tx: Transaction,
  siteId: string,
  rows: readonly EmailBudgetRow[],
): Promise<void> {
  await tx.insert(
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

/** What was withheld in the hours that begin after a time, for each budget. */
export function sumWithheld(
  db: Queries,
  siteId: string,
  since: Timestamp,
): Promise<{ budget: EmailBudgetName; count: number; last_at: Timestamp }[]> {
  return db.all(sql`
    SELECT budget, CAST(sum(withheld) AS integer) AS count, max(withheld_at) AS last_at FROM email_budgets
    WHERE site_id = ${siteId} AND withheld > 0 AND starts_at > ${since}
    GROUP BY budget ORDER BY budget`);
}

/** Deletes a few budgets of hours that are over, those of which something was withheld later than the others. */
export function deleteBudgetsBefore(
  tx: Transaction,
  siteId: string,
  time: Timestamp,
  timeOfWithheld: Timestamp,
  limit: number,
): Promise<number> {
  return tx.run(sql`
    DELETE FROM email_budgets WHERE site_id = ${siteId} AND (starts_at, budget, subject_hash) IN (
      SELECT starts_at, budget, subject_hash FROM email_budgets
      WHERE site_id = ${siteId} AND starts_at <= ${time} AND (withheld = 0 OR starts_at <= ${timeOfWithheld})
      LIMIT ${limit})`);
}
