import type { Clock } from '../base/clock.ts';
import type { EmailLimits } from '../base/email-limits.ts';
import type { Database } from '../storage/database.ts';
import { answerAsks } from './asks.ts';

const asksAtOnce = 20;
const sweepSeconds = 30;
// So that nobody can tell from how busy Gatehouse is a moment later whether an address was a member's.
const shortestPauseMilliseconds = 20;
const longestPauseMilliseconds = 100;

export interface LoginDeskParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly emailLimits: EmailLimits;
  readonly listSiteIds: () => Promise<readonly string[]>;
  /** Told of a site whose asks were answered: mails may wait there. */
  readonly onAnswered: (siteId: string) => void;
  readonly onError: (error: unknown) => void;
}

/** Answers those who ask for a login link, a moment after they asked and apart from their request. */
export class LoginDesk {
  readonly #parts: LoginDeskParts;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** The sites that are being answered: one transaction for each, however many ask. */
  readonly #busy = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  #sweep: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(parts: LoginDeskParts) {
    this.#parts = parts;
  }

  /** Looks after what an earlier run, or another process that is gone, has left. */
  start(): void {
    this.#run(() => this.#sweepAll());
    this.#sweep = setInterval(() => this.#run(() => this.#sweepAll()), sweepSeconds * 1_000).unref();
  }

  /** Somebody has asked on a site, or a mail was queued there. */
  wake(siteId: string): void {
    if (this.#stopped || this.#timers.has(siteId)) return;
    const range = longestPauseMilliseconds - shortestPauseMilliseconds;
    const timer = setTimeout(
      () => {
        this.#timers.delete(siteId);
        if (this.#busy.has(siteId)) this.wake(siteId);
        else this.#run(() => this.#answer(siteId));
      },
      shortestPauseMilliseconds + Math.random() * range,
    );
    this.#timers.set(siteId, timer);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#sweep);
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#running);
  }

  async #sweepAll(): Promise<void> {
    for (const siteId of await this.#parts.listSiteIds()) {
      if (this.#stopped) return;
      await this.#answer(siteId);
    }
  }

  async #answer(siteId: string): Promise<void> {
    const { database, clock, emailLimits, onAnswered } = this.#parts;
    if (this.#busy.has(siteId)) return;
    this.#busy.add(siteId);
    try {
      for (let more = true; more && !this.#stopped; ) {
        const at = clock().toISOString();
        more = await database.transaction((tx) => answerAsks(tx, siteId, asksAtOnce, emailLimits, at));
      }
    } finally {
      this.#busy.delete(siteId);
    }
    onAnswered(siteId);
  }

  #run(work: () => Promise<void>): void {
    const done = work()
      .catch(this.#parts.onError)
      .finally(() => this.#running.delete(done));
    this.#running.add(done);
  }
}
