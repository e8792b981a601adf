import type { EmailBudgetName } from '@gatehouse/contract';
import sql, { raw } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { TableColumns } from '../../storage/sql/columns.ts';
import { keyList } from '../../storage/sql/value-list.ts';

export interface EmailBudgetKey {
  readonly startsAt: Timestamp;
  readonly budget: EmailBudgetName;
  readonly subjectHash: string;
}

export interface EmailBudgetCount extends EmailBudgetKey {
  sent: number;
  withheld: number;
  withheldAt: Timestamp | null;
}

const columns = new TableColumns<EmailBudgetCount>('email_budgets', {
  startsAt: 'starts_at',
  budget: 'budget',
  subjectHash: 'subject_hash',
  sent: 'sent',
  withheld: 'withheld',
  withheldAt: 'withheld_at',
});

/**
 * Returns budgets and locks them until the transaction ends; a budget that does not exist yet is created with zero
 * counts. All callers must pass them in the same order.
 */
export function lockBudgetRows(
  view: SiteData<Transaction>,
  keys: readonly EmailBudgetKey[],
): Promise<EmailBudgetCount[]> {
  return columns.insert(
    view,
    keys.map((key) => ({ ...key, sent: 0, withheld: 0, withheldAt: null })),
    {
      ending: `ON CONFLICT (site_id, starts_at, budget, subject_hash) DO UPDATE SET sent = email_budgets.sent
        RETURNING ${columns.list.sql}`,
    },
  );
}

/** Updates budgets that this transaction has locked. */
export async function updateBudgetRows(
  view: SiteData<Transaction>,
  budgets: readonly EmailBudgetCount[],
): Promise<void> {
  await columns.insert(view, budgets, {
    ending: `ON CONFLICT (site_id, starts_at, budget, subject_hash) DO UPDATE
      SET sent = excluded.sent, withheld = excluded.withheld, withheld_at = excluded.withheld_at`,
  });
}

/** Sums the withheld emails of each budget over the hours that begin after a time. */
export function sumWithheld(
  { db, siteId }: SiteData,
  since: Timestamp,
): Promise<{ budget: EmailBudgetName; count: number; lastAt: Timestamp }[]> {
  return db.all(sql`
    SELECT budget, CAST(sum(withheld) AS integer) AS count, max(withheld_at) AS "lastAt" FROM email_budgets
    WHERE site_id = ${siteId} AND withheld > 0 AND starts_at > ${since}
    GROUP BY budget ORDER BY budget`);
}

/** A few budgets of hours before a time, over all sites: those with withheld emails, or those without. */
export function selectBudgetsBefore(
  db: Queries,
  time: Timestamp,
  hasWithheld: boolean,
  limit: number,
): Promise<(EmailBudgetKey & { siteId: string })[]> {
  return db.all(sql`
    SELECT site_id AS "siteId", starts_at AS "startsAt", budget, subject_hash AS "subjectHash" FROM email_budgets
    WHERE withheld ${raw(hasWithheld ? '>' : '=')} 0 AND starts_at <= ${time} ORDER BY starts_at LIMIT ${limit}`);
}

/** Deletes budgets. A budget that has withheld emails is deleted only when its hour is before `timeOfWithheld`. */
export async function deleteBudgets(
  { db, siteId }: SiteData<Transaction>,
  keys: readonly EmailBudgetKey[],
  timeOfWithheld: Timestamp,
): Promise<void> {
  const values = keys.map(({ startsAt, budget, subjectHash }) => [startsAt, budget, subjectHash]);
  await db.run(sql`
    DELETE FROM email_budgets
    WHERE site_id = ${siteId} AND (withheld = 0 OR starts_at <= ${timeOfWithheld})
      AND (starts_at, budget, subject_hash) IN ${keyList(db, values)}`);
}
