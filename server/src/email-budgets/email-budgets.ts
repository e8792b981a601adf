import { hash } from 'node:crypto';
import type { MailKind, Overview } from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import { millisecondsPerDay, type Timestamp, timestampBefore } from '../base/clock.ts';
import type { EmailLimits } from '../base/email-limits.ts';
import { Refusal } from '../base/refusal.ts';
import type { NewEvent } from '../events/event.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import {
  type BudgetedEmail,
  budgetMilliseconds,
  type EmailBudget,
  endOfHour,
  hourOf,
  sentEmailBudgets,
} from './email-budget.ts';
import {
  deleteBudgetsBefore,
  type EmailBudgetKey,
  type EmailBudgetRow,
  lockBudgetRows,
  sumWithheld,
  updateBudgetRows,
} from './email-budget-store.ts';

/** A login request may wait for some minutes until it is looked at, and counts in the hour in which it was made. */
const keptMilliseconds = 2 * budgetMilliseconds;
/** As long the operators see on the overview what was withheld. */
const withheldMilliseconds = millisecondsPerDay;

/**
 * Locks all that some emails count against until the transaction ends, so that no other process counts beside it. Call it
 * once, after members are locked and before login links are, with every email of the transaction.
 */
export async function lockEmailBudgets(
  tx: Transaction,
  siteId: string,
  emails: readonly BudgetedEmail[],
): Promise<EmailBudgets> {
  const wanted = new Map(
    emails.flatMap((email) => limited(email).map((budget) => toKey(siteId, email.at, budget))),
  );
  const sorted = [...wanted].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, key]) => key);
  const rows = sorted.length === 0 ? [] : await lockBudgetRows(tx, siteId, sorted);
  return new EmailBudgets(tx, siteId, rows);
}

/** Budgets that are locked. What is counted is written by `save`. */
export class EmailBudgets {
  readonly #tx: Transaction;
  readonly #siteId: string;
  readonly #rows: ReadonlyMap<string, EmailBudgetRow>;
  readonly #changed = new Set<EmailBudgetRow>();
  readonly #events: NewEvent[] = [];

  constructor(tx: Transaction, siteId: string, rows: readonly EmailBudgetRow[]) {
    this.#tx = tx;
    this.#siteId = siteId;
    this.#rows = new Map(rows.map((row) => [nameOf(row), row]));
  }

  /** The budget for which an email has to be withheld; undefined when it may be sent. */
  findUsedUp(email: BudgetedEmail): EmailBudget | undefined {
    return limited(email).find((budget) => this.#rowOf(email, budget).sent >= budget.limit);
  }

  /** Counts an email that is sent. */
  charge(email: BudgetedEmail): void {
    for (const budget of limited(email)) {
      const row = this.#rowOf(email, budget);
      row.sent += 1;
      this.#changed.add(row);
    }
  }

  /** Counts an email that is not sent. The first of an hour is told of. */
  withhold(email: BudgetedEmail, budget: EmailBudget): void {
    const row = this.#rowOf(email, budget);
    if (row.withheld === 0) this.#events.push(exhausted(email, budget));
    row.withheld += 1;
    row.withheld_at = email.at;
    this.#changed.add(row);
  }

  /** Writes what was counted. Gives the events to record. */
  async save(): Promise<readonly NewEvent[]> {
    if (this.#changed.size > 0) await updateBudgetRows(this.#tx, this.#siteId, [...this.#changed]);
    this.#changed.clear();
    return this.#events.splice(0);
  }

  #rowOf({ at }: BudgetedEmail, budget: EmailBudget): EmailBudgetRow {
    const [name] = toKey(this.#siteId, at, budget);
    return this.#rows.get(name)!;
  }
}

/** Somebody whom an email is sent to on purpose. */
export interface Recipient {
  /** The member; null for somebody who is none. */
  readonly id: string | null;
  readonly email: string;
}

/** Counts an email that a program or an operator sends. @throws EmailWithheld */
export async function chargeSentEmail(
  tx: Transaction,
  siteId: string,
  kind: MailKind,
  recipient: Recipient,
  limits: EmailLimits,
  cause: Cause,
): Promise<void> {
  const { withheld } = await chargeSentEmails(tx, siteId, kind, [recipient], limits, cause);
  for (const refusal of withheld.values()) throw refusal;
}

/** Counts emails that a program or an operator sends. Gives those that are withheld, and the events to record. */
export async function chargeSentEmails<Each extends Recipient>(
  tx: Transaction,
  siteId: string,
  kind: MailKind,
  recipients: readonly Each[],
  limits: EmailLimits,
  { actor, at }: Cause,
): Promise<{ withheld: ReadonlyMap<Each['id'], EmailWithheld>; events: readonly NewEvent[] }> {
  const emails = recipients.map(
    ({ id, email }): BudgetedEmail => ({
      at,
      memberId: id,
      budgets: sentEmailBudgets(kind, actor, email, limits),
    }),
  );
  const budgets = await lockEmailBudgets(tx, siteId, emails);
  const withheld = new Map<Each['id'], EmailWithheld>();
  for (const email of emails) {
    const usedUp = budgets.findUsedUp(email);
    if (!usedUp) {
      budgets.charge(email);
      continue;
    }
    budgets.withhold(email, usedUp);
    withheld.set(email.memberId, new EmailWithheld(email, usedUp));
  }
  return { withheld, events: await budgets.save() };
}

/**
 * Refuses to send an email to somebody who was sent enough of them. The request is undone with everything it did, so that
 * the withheld email is counted in a transaction of its own: `recordWithheldEmail`.
 */
export class EmailWithheld extends Refusal {
  readonly email: BudgetedEmail;
  readonly usedUp: EmailBudget;

  constructor(email: BudgetedEmail, usedUp: EmailBudget) {
    const seconds = secondsToReset(email.at);
    const message =
      `${usedUp.limit} emails of this kind were sent to this person within the hour, which is the limit. ` +
      `Wait ${Math.ceil(seconds / 60)} min, then send again.`;
    super('email_budget_exhausted', message, undefined, seconds);
    this.email = email;
    this.usedUp = usedUp;
  }
}

/** Counts an email that was refused. Gives the events to record. */
export async function recordWithheldEmail(
  tx: Transaction,
  siteId: string,
  { email, usedUp }: EmailWithheld,
): Promise<readonly NewEvent[]> {
  const budgets = await lockEmailBudgets(tx, siteId, [{ ...email, budgets: [usedUp] }]);
  budgets.withhold(email, usedUp);
  return budgets.save();
}

/** What was withheld in the last 24 hours. */
export async function findWithheldEmails(
  db: Queries,
  siteId: string,
  now: Timestamp,
): Promise<Overview['emailsWithheld']> {
  const since = timestampBefore(now, withheldMilliseconds);
  const sums = await sumWithheld(db, siteId, since);
  return sums.map(({ budget, count, last_at }) => ({ budget, count, lastAt: last_at }));
}

/** Deletes a few budgets of hours long over. Gives how many. */
export function purgeEmailBudgets(
  tx: Transaction,
  siteId: string,
  now: Timestamp,
  limit: number,
): Promise<number> {
  return deleteBudgetsBefore(
    tx,
    siteId,
    timestampBefore(now, keptMilliseconds),
    timestampBefore(now, withheldMilliseconds),
    limit,
  );
}

function limited({ budgets }: BudgetedEmail): EmailBudget[] {
  return budgets.filter(({ limit }) => limit > 0);
}

function toKey(siteId: string, at: Timestamp, { name, subject }: EmailBudget) {
  const subjectHash = hash('sha256', `${siteId} ${name} ${subject}`, 'base64url');
  const key = { starts_at: hourOf(at), budget: name, subject_hash: subjectHash };
  return [nameOf(key), key] as const;
}

function nameOf({ starts_at, budget, subject_hash }: EmailBudgetKey): string {
  return `${starts_at} ${budget} ${subject_hash}`;
}

function secondsToReset(at: Timestamp): number {
  return Math.max(Math.ceil((Date.parse(endOfHour(hourOf(at))) - Date.parse(at)) / 1_000), 1);
}

function exhausted({ at, memberId }: BudgetedEmail, { name: budget, limit }: EmailBudget): NewEvent {
  return {
    type: 'email-budget.exhausted',
    ...(memberId !== null && { memberId }),
    data: { budget, limit, memberId, resetsAt: endOfHour(hourOf(at)) },
  };
}
