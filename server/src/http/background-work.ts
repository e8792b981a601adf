import type { Clock } from '../base/clock.ts';
import type { EmailLimits } from '../base/email-limits.ts';
import { startLinkTime } from '../credentials/login-link-store.ts';
import { linkEnd } from '../login/asks.ts';
import { LoginDesk } from '../login/login-desk.ts';
import { Outbox } from '../mail/outbox.ts';
import { createSmtpTransport } from '../mail/transport.ts';
import { listEverySiteId } from '../sites/sites.ts';
import type { Database } from '../storage/database.ts';
import { Housekeeping } from './housekeeping.ts';

export interface BackgroundSettings {
  readonly eventRetentionDays: number;
  readonly housekeepingIntervalSeconds: number;
  /** Undefined to keep mails instead of sending them. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  readonly emailLimits: EmailLimits;
}

/** Tells the log what happens beside any request. */
export type Report = (level: 'info' | 'warn' | 'error', message: string, facts: object) => void;

/** What goes on beside the requests: housekeeping, and the way of mails from an ask to the mail server. */
export class BackgroundWork {
  readonly #housekeeping: Housekeeping;
  readonly #desk: LoginDesk;
  readonly #outbox: Outbox;

  constructor(database: Database, settings: BackgroundSettings, clock: Clock, report: Report) {
    const { smtpUrl, mailFrom } = settings;
    const listSiteIds = () => listEverySiteId(database);
    this.#housekeeping = new Housekeeping(
      database,
      {
        eventRetentionDays: settings.eventRetentionDays,
        intervalSeconds: settings.housekeepingIntervalSeconds,
      },
      clock,
      (error) => report('warn', 'housekeeping failed and will be tried again', factsOf(error)),
    );
    this.#outbox = new Outbox({
      database,
      clock,
      transport: smtpUrl === undefined ? undefined : createSmtpTransport(smtpUrl, mailFrom!),
      listSiteIds,
      // The time of a link begins when its mail leaves: one that had to wait is still good when it comes.
      beforeSend: async (tx, siteId, { loginLinkId }) =>
        loginLinkId === null || startLinkTime(tx, siteId, loginLinkId, linkEnd(clock().toISOString())),
      log: {
        kept: ({ text, ...facts }) =>
          report('info', `A mail is kept, as there is no mail server:\n${text}`, facts),
        failed: (facts) => report('warn', 'a mail could not be delivered', facts),
        trouble: (facts) => report('warn', 'mails have to wait', facts),
      },
    });
    this.#desk = new LoginDesk({
      database,
      clock,
      emailLimits: settings.emailLimits,
      listSiteIds,
      onAnswered: (siteId) => this.#outbox.wake(siteId),
      onError: (error) => report('warn', 'login links have to wait', factsOf(error)),
    });
  }

  start(): void {
    this.#housekeeping.start();
    this.#desk.start();
    this.#outbox.start();
  }

  /** Mail waits on a site, or somebody there who wants a login link. */
  wake(siteId: string): void {
    this.#desk.wake(siteId);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#housekeeping.stop(), this.#desk.stop()]);
    await this.#outbox.stop();
  }
}

/** Plain data, which can go from a thread to the log. */
export function factsOf(error: unknown): object {
  return { report: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
