import { type Clock, type Timestamp, timestampBefore } from '../base/clock.ts';
import type { Database, Transaction } from '../storage/database.ts';
import type { MailContent, MailRow } from './mail.ts';
import {
  claimMails,
  deleteMail,
  markFailed,
  markKept,
  markSent,
  postponeMail,
  selectNextAttempt,
} from './mail-store.ts';
import { MailRefused, type MailTransport, mailsAtOnce } from './transport.ts';

/** Longer than the mail server may take for one mail, its timeouts included. */
const leaseMilliseconds = 2 * 60_000;
const sweepMilliseconds = 30_000;
const firstPauseMilliseconds = 5_000;
const longestPauseMilliseconds = 15 * 60_000;
const giveUpMilliseconds = 24 * 60 * 60_000;
const stopMilliseconds = 5_000;

export interface OutboxLog {
  /** There is no mail server, and the mail is kept for whoever runs this to read. */
  kept(facts: { siteId: string; mailId: string; recipient: string; subject: string; text: string }): void;
  failed(facts: { siteId: string; mailId: string; error: string }): void;
  /** The mail server cannot be reached, or the store cannot; mails wait. */
  trouble(facts: { error: string }): void;
}

export interface OutboxParts {
  readonly database: Database;
  /** Undefined to keep mails instead of sending them. */
  readonly transport: MailTransport | undefined;
  readonly clock: Clock;
  /** Asked in the transaction that takes a mail out of the queue; false when it is not worth sending any more. */
  readonly beforeSend: (
    tx: Transaction,
    siteId: string,
    mail: { readonly loginLinkId: string | null; readonly recipient: string },
  ) => Promise<boolean>;
  readonly listSiteIds: () => Promise<readonly string[]>;
  readonly log: OutboxLog;
}

/**
 * Sends the mails that wait in the store. A mail is taken for two minutes at a time, so that of several processes one
 * sends it, and another does if that one is gone. While the mail server is away all of them wait.
 */
export class Outbox {
  readonly #parts: OutboxParts;
  /** The sites being looked after, and whether to look again when that is done. */
  readonly #busy = new Map<string, { again: boolean }>();
  readonly #running = new Set<Promise<void>>();
  #sweep: NodeJS.Timeout | undefined;
  #failures = 0;
  #pausedUntil = 0;
  #stopped = false;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Begins with what an earlier run has left, and looks every half a minute for mails whose time has come. */
  start(): void {
    const sweep = () => this.#run(() => this.#sweepAll());
    sweep();
    this.#sweep = setInterval(sweep, sweepMilliseconds).unref();
  }

  /** Mails of a site may wait. Cheap, and asked as often as one likes. */
  wake(siteId: string): void {
    if (this.#stopped) return;
    const busy = this.#busy.get(siteId);
    if (busy) busy.again = true;
    else this.#run(() => this.#deliver(siteId));
  }

  /** Resolves once nothing is under way. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Ends what is being sent, for a few seconds at most. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#sweep);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, stopMilliseconds);
    });
    await Promise.race([this.idle(), late]);
    clearTimeout(timer);
    this.#parts.transport?.close();
  }

  async #sweepAll(): Promise<void> {
    const now = this.#now();
    for (const siteId of await this.#parts.listSiteIds()) {
      if (this.#stopped) return;
      const due = await selectNextAttempt(this.#parts.database, siteId);
      if (due !== undefined && due <= now) this.wake(siteId);
    }
  }

  async #deliver(siteId: string): Promise<void> {
    const busy = { again: false };
    this.#busy.set(siteId, busy);
    try {
      let sent: number;
      do {
        busy.again = false;
        sent = await this.#deliverSome(siteId);
      } while (!this.#stopped && (sent > 0 || busy.again));
    } finally {
      this.#busy.delete(siteId);
    }
  }

  /** Gives how many mails it has taken up. */
  async #deliverSome(siteId: string): Promise<number> {
    if (this.#isPaused()) return 0;
    // After a failure one mail tries whether the mail server is back.
    const mails = await this.#claim(siteId, this.#failures > 0 ? 1 : mailsAtOnce);
    await Promise.all(mails.map((mail) => this.#send(siteId, mail)));
    return this.#failures > 0 ? 0 : mails.length;
  }

  #claim(siteId: string, limit: number): Promise<MailRow[]> {
    const { database, beforeSend } = this.#parts;
    const now = this.#now();
    return database.transaction(async (tx) => {
      const mails: MailRow[] = [];
      for (const mail of await claimMails(tx, siteId, now, later(now, leaseMilliseconds), limit)) {
        const { login_link_id, recipient } = mail;
        if (await beforeSend(tx, siteId, { loginLinkId: login_link_id, recipient })) mails.push(mail);
        else await deleteMail(tx, siteId, mail.id);
      }
      return mails;
    });
  }

  async #send(siteId: string, mail: MailRow): Promise<void> {
    const { database, transport, log } = this.#parts;
    const { id, recipient } = mail;
    const content: MailContent = JSON.parse(mail.content);
    if (!transport) {
      await database.transaction((tx) => markKept(tx, siteId, id));
      log.kept({ siteId, mailId: id, recipient, subject: content.subject, text: content.text });
      return;
    }
    try {
      await transport.send({ id, recipient, content });
    } catch (error) {
      return this.#takeBack(siteId, mail, error);
    }
    this.#failures = 0;
    const at = this.#now();
    await database.transaction((tx) => markSent(tx, siteId, id, at));
  }

  async #takeBack(siteId: string, mail: MailRow, error: unknown): Promise<void> {
    const { database, log } = this.#parts;
    const reason = reasonOf(error);
    const now = this.#now();
    if (error instanceof MailRefused || mail.created_at <= timestampBefore(now, giveUpMilliseconds)) {
      log.failed({ siteId, mailId: mail.id, error: reason });
      await database.transaction((tx) => markFailed(tx, siteId, mail.id, reason));
      return;
    }
    if (!(error as { responseCode?: number }).responseCode) this.#pause(reason);
    const nextAttempt = later(now, pauseAfter(mail.attempts));
    await database.transaction((tx) => postponeMail(tx, siteId, mail.id, nextAttempt, reason));
  }

  /** The mail server does not answer at all: one pause for every mail. */
  #pause(reason: string): void {
    if (this.#isPaused()) return;
    this.#failures += 1;
    this.#pausedUntil = performance.now() + pauseAfter(this.#failures);
    this.#parts.log.trouble({ error: reason });
  }

  #isPaused(): boolean {
    return performance.now() < this.#pausedUntil;
  }

  #run(work: () => Promise<void>): void {
    const done = work()
      .catch((error) => this.#parts.log.trouble({ error: reasonOf(error) }))
      .finally(() => this.#running.delete(done));
    this.#running.add(done);
  }

  #now(): Timestamp {
    return this.#parts.clock().toISOString();
  }
}

/** Twice as long after every failure, and not the same for all. */
function pauseAfter(failures: number): number {
  const pause = Math.min(firstPauseMilliseconds * 2 ** (failures - 1), longestPauseMilliseconds);
  return pause * (0.75 + Math.random() / 2);
}

function later(time: Timestamp, milliseconds: number): Timestamp {
  return timestampBefore(time, -milliseconds);
}

/** Nothing of the mail: a mail server may repeat it in what it answers, and a link in it works for whoever reads it. */
function reasonOf(error: unknown): string {
  const { responseCode, code, message } = error as { responseCode?: number; code?: string; message?: string };
  if (error instanceof MailRefused) return error.message;
  if (responseCode !== undefined) return `The mail server answered ${responseCode}.`;
  return code === undefined ? (message ?? String(error)) : `The mail server could not be reached (${code}).`;
}
