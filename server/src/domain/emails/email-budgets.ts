import { hash } from 'node:crypto';
import type { Actor, EmailType, Overview } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { millisecondsPerDay, type Timestamp, timestampBefore } from '../../base/clock.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import type { Change } from '../events/change.ts';
import type { NewEvent } from '../events/event.ts';
import {
  type BudgetedEmail,
  budgetMilliseconds,
  type EmailBudget,
  type EmailLimits,
  endOfHour,
  hourOf,
  sentEmailBudgets,
} from './email-budget.ts';
import {
  deleteBudgets,
  type EmailBudgetCount,
  type EmailBudgetKey,
  lockBudgetRows,
  selectBudgetsBefore,
  sumWithheld,
  updateBudgetRows,
} from './email-budget-store.ts';

/** A login request may wait for some minutes before it is processed, and counts in the hour of the request. */
const retentionMilliseconds = 2 * budgetMilliseconds;
/** How long operators see withheld emails on the overview. */
const withheldMilliseconds = millisecondsPerDay;

/**
 * Locks the budgets of some emails until the transaction ends, so that no other process counts at the same time. Call
 * it once per transaction with all its emails, after locking members and before locking login links.
 */
export async function lockEmailBudgets(
  view: SiteData<Transaction>,
  emails: readonly BudgetedEmail[],
): Promise<EmailBudgets> {
  const { db, siteId } = view;
  const wanted = new Map(
    emails.flatMap((email) => limited(email).map((budget) => toKey(siteId, email.at, budget))),
  );
  const sorted = [...wanted].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, key]) => key);
  const rows = sorted.length === 0 ? [] : await lockBudgetRows(view, sorted);
  return new EmailBudgets(db, siteId, rows);
}

/** Locked budgets. `save` writes what was counted. */
export class EmailBudgets {
  readonly #tx: Transaction;
  readonly #siteId: string;
  readonly #rows: ReadonlyMap<string, EmailBudgetCount>;
  readonly #changed = new Set<EmailBudgetCount>();
  readonly #events: NewEvent[] = [];

  constructor(tx: Transaction, siteId: string, rows: readonly EmailBudgetCount[]) {
    this.#tx = tx;
    this.#siteId = siteId;
    this.#rows = new Map(rows.map((row) => [nameOf(row), row]));
  }

  /** The budget that is used up for an email; undefined when the email may be sent. */
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

  /** Counts an email that is not sent. The first one of an hour is recorded as an event. */
  withhold(email: BudgetedEmail, budget: EmailBudget): void {
    const row = this.#rowOf(email, budget);
    if (row.withheld === 0) this.#events.push(exhausted(email, budget));
    row.withheld += 1;
    row.withheldAt = email.at;
    this.#changed.add(row);
  }

  /** Writes the counts. Returns the events to record. */
  async save(): Promise<readonly NewEvent[]> {
    if (this.#changed.size > 0)
      await updateBudgetRows({ db: this.#tx, siteId: this.#siteId }, [...this.#changed]);
    this.#changed.clear();
    return this.#events.splice(0);
  }

  #rowOf({ at }: BudgetedEmail, budget: EmailBudget): EmailBudgetCount {
    const [name] = toKey(this.#siteId, at, budget);
    return this.#rows.get(name)!;
  }
}

/** The recipient of an email that a program or an operator sends. */
export interface Recipient {
  /** The id of the member; null if the recipient is not a member. */
  readonly id: string | null;
  readonly email: string;
}

/** Counts an email that a program or an operator sends. @throws {EmailWithheld} */
export async function chargeSentEmail(
  change: Change,
  kind: EmailType,
  recipient: Recipient,
  limits: EmailLimits,
): Promise<void> {
  const withheld = await chargeSentEmails(change, kind, [recipient], limits);
  for (const apiError of withheld.values()) throw apiError;
}

/** Counts emails that a program or an operator sends. Returns the errors of those that are withheld, by recipient. */
export async function chargeSentEmails<Each extends Recipient>(
  change: Change,
  kind: EmailType,
  recipients: readonly Each[],
  limits: EmailLimits,
): Promise<ReadonlyMap<Each, EmailWithheld>> {
  const { now } = change;
  const { actor } = change.context;
  const emails = recipients.map((recipient): [Each, BudgetedEmail] => [
    recipient,
    {
      at: now,
      memberId: recipient.id,
      budgets: sentEmailBudgets(kind, actor, recipient.email, limits),
    },
  ]);
  const budgets = await lockEmailBudgets(
    change,
    emails.map(([, email]) => email),
  );
  const withheld = new Map<Each, EmailWithheld>();
  for (const [recipient, email] of emails) {
    const usedUp = budgets.findUsedUp(email);
    if (!usedUp) {
      budgets.charge(email);
      continue;
    }
    budgets.withhold(email, usedUp);
    withheld.set(recipient, new EmailWithheld(email, usedUp, actor));
  }
  change.record(...(await budgets.save()));
  return withheld;
}

/**
 * Rejects an email to a recipient who has received too many. The transaction of the request is rolled back, so the
 * withheld email is counted in a separate transaction: `recordWithheldEmail`.
 */
export class EmailWithheld extends ApiError {
  readonly email: BudgetedEmail;
  readonly usedUp: EmailBudget;
  readonly actor: Actor;

  constructor(email: BudgetedEmail, usedUp: EmailBudget, actor: Actor) {
    const seconds = secondsToReset(email.at);
    const message =
      `The limit of ${usedUp.limit} emails of this kind to this person per hour has been reached. ` +
      `Wait ${Math.ceil(seconds / 60)} min, then send again.`;
    super('email_budget_exhausted', message, undefined, seconds);
    this.email = email;
    this.usedUp = usedUp;
    this.actor = actor;
  }
}

/** Counts an email that was not sent. */
export async function recordWithheldEmail(
  change: Change,
  { email, usedUp, actor }: EmailWithheld,
): Promise<void> {
  const budgets = await lockEmailBudgets(change, [{ ...email, budgets: [usedUp] }]);
  budgets.withhold(email, usedUp);
  change.as(actor).record(...(await budgets.save()));
}

/** The withheld emails of the last 24 hours. */
export function findWithheldEmails(view: SiteView): Promise<Overview['emailsWithheld']> {
  const since = timestampBefore(view.now, withheldMilliseconds);
  return sumWithheld(view, since);
}

/** A few old budgets without withheld emails, over all sites. */
export function findOldEmailBudgets(db: Queries, now: Timestamp, limit: number) {
  return selectBudgetsBefore(db, timestampBefore(now, retentionMilliseconds), false, limit);
}

/** A few budgets whose withheld emails are too old for the overview, over all sites. */
export function findOldWithheldEmails(db: Queries, now: Timestamp, limit: number) {
  return selectBudgetsBefore(db, timestampBefore(now, withheldMilliseconds), true, limit);
}

export function purgeEmailBudgets(change: Change, budgets: readonly EmailBudgetKey[]): Promise<void> {
  return deleteBudgets(change, budgets, timestampBefore(change.now, withheldMilliseconds));
}

function limited({ budgets }: BudgetedEmail): EmailBudget[] {
  return budgets.filter(({ limit }) => limit > 0);
}

function toKey(siteId: string, at: Timestamp, { name, subject }: EmailBudget) {
  const subjectHash = hash('sha256', `${siteId} ${name} ${subject}`, 'base64url');
  const key = { startsAt: hourOf(at), budget: name, subjectHash };
  return [nameOf(key), key] as const;
}

function nameOf({ startsAt, budget, subjectHash }: EmailBudgetKey): string {
  return `${startsAt} ${budget} ${subjectHash}`;
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
