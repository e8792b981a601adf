import type { Clock } from '../base/clock.ts';
import { purgeKnownBrowsers } from '../credentials/known-browsers.ts';
import { deleteOldLinks } from '../credentials/login-link-store.ts';
import { forgetSessions } from '../credentials/sessions.ts';
import { purgeEmailBudgets } from '../email-budgets/email-budgets.ts';
import { pruneEvents } from '../events/events.ts';
import { forgetMails } from '../mail/mails.ts';
import { removeExpiredMemberships } from '../members/memberships.ts';
import { deleteExpiredOperatorTokens } from '../operators/operator-store.ts';
import { deleteExpiredChallenges } from '../operators/passkey-store.ts';
import { forgetDeparted } from '../routing/departed-items.ts';
import { listEverySiteId } from '../sites/sites.ts';
import type { Database, Transaction } from '../storage/database.ts';
import { forgetIdempotencyKeys } from './idempotency.ts';

/** So many rows in one transaction: others who write wait no longer than for a bulk request. */
const rowsAtOnce = 200;
const pauseMilliseconds = 20;

export interface HousekeepingSettings {
  readonly eventRetentionDays: number;
  readonly intervalSeconds: number;
}

/** Removes, in small steps, what is past its time. Nothing relies on it: expiry is checked wherever it matters. */
export class Housekeeping {
  readonly #database: Database;
  readonly #settings: HousekeepingSettings;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(
    database: Database,
    settings: HousekeepingSettings,
    clock: Clock,
    onError: (error: unknown) => void,
  ) {
    this.#database = database;
    this.#settings = settings;
    this.#clock = clock;
    this.#onError = onError;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#round = this.runOnce()
        .catch(this.#onError)
        .then(() => (this.#stopped ? undefined : this.start()));
    }, this.#settings.intervalSeconds * 1_000);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  /** One round over every site. */
  async runOnce(): Promise<void> {
    for (const id of await listEverySiteId(this.#database)) {
      const now = this.#clock().toISOString();
      await this.#inSteps((tx) => removeExpiredMemberships(tx, id, now, rowsAtOnce));
      await this.#inSteps((tx) => forgetSessions(tx, id, now, rowsAtOnce));
      await this.#inSteps((tx) => deleteOldLinks(tx, id, now, rowsAtOnce));
      await this.#inSteps((tx) => purgeKnownBrowsers(tx, id, now, rowsAtOnce));
      await this.#inSteps((tx) => deleteExpiredOperatorTokens(tx, id, now, rowsAtOnce));
      await this.#inSteps((tx) => deleteExpiredChallenges(tx, id, now, rowsAtOnce));
      await this.#inSteps((tx) => forgetMails(tx, id, now, rowsAtOnce));
      await this.#inSteps((tx) => purgeEmailBudgets(tx, id, now, rowsAtOnce));
      await this.#inSteps((tx) => forgetDeparted(tx, id, now, rowsAtOnce));
      await this.#inSteps((tx) => forgetIdempotencyKeys(tx, id, now, rowsAtOnce));
      await this.#inSteps((tx) => pruneEvents(tx, id, this.#settings.eventRetentionDays, now, rowsAtOnce));
      if (this.#stopped) return;
    }
  }

  async #inSteps(step: (tx: Transaction) => Promise<number>): Promise<void> {
    while (!this.#stopped && (await this.#database.transaction(step)) >= rowsAtOnce) {
      await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
    }
  }
}
