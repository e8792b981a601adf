import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, type Timestamp, timestampBefore } from '../base/clock.ts';
import type { Database, Transaction } from '../storage/database.ts';
import { StoreUnavailable } from '../storage/errors.ts';
import type { MailContent, MailRow } from './mail.ts';
import { claimMails, markFailed, markKept, markSent, postponeMail, selectNextAttempt } from './mail-store.ts';
import { dropMail } from './mails.ts';
import { MailDelayed, MailRefused, MailServerAway, type MailTransport, mailsAtOnce } from './transport.ts';

/** Longer than the mail server may take for one mail, and the store for what became of it. */
const leaseMilliseconds = 2 * 60_000;
const settleMilliseconds = 30_000;
const sweepMilliseconds = 30_000;
const firstPauseMilliseconds = 5_000;
const longestRetryMilliseconds = 15 * 60_000;
/** A mail server that is away is asked once in a minute or so: when it is back, people wait for their links. */
const longestPauseMilliseconds = 60_000;
const giveUpMilliseconds = 24 * 60 * 60_000;
const stopMilliseconds = 4_000;
const giveBackMilliseconds = 1_000;

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
 * sends it, and another does if that one is gone. No more are taken than can be sent at once, and while the mail server
 * is away all of them wait but one, which tries now and then whether it is back.
 */
export class Outbox {
  readonly #parts: OutboxParts;
  /** The sites whose mails may be due, each in its turn. */
  readonly #awake = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  /** So many mails are being sent, or may have to be once they are taken. */
  #places = 0;
  #failures = 0;
  #pause: NodeJS.Timeout | undefined;
  #sweep: NodeJS.Timeout | undefined;
  #sweeping = false;
  #stopped = false;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Begins with what an earlier run has left, and looks every half a minute for mails whose time has come. */
  start(): void {
    this.#sweepAll();
    this.#sweep = setInterval(() => this.#sweepAll(), sweepMilliseconds).unref();
  }

  /** Mails of a site may wait. Cheap, and asked as often as one likes. */
  wake(siteId: string): void {
    this.#awake.add(siteId);
    this.#goOn();
  }

  /** Resolves once nothing is under way. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Ends what is being sent. What takes longer than a few seconds is broken off, and anybody's again. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#sweep);
    clearTimeout(this.#pause);
    await atMost(stopMilliseconds, this.idle());
    this.#parts.transport?.close();
    await atMost(giveBackMilliseconds, this.idle());
  }

  #sweepAll(): void {
    if (this.#sweeping) return;
    this.#sweeping = true;
    this.#run(async () => {
      try {
        await this.#wakeAllDue();
      } finally {
        this.#sweeping = false;
      }
    });
  }

  async #wakeAllDue(): Promise<void> {
    for (const siteId of await this.#parts.listSiteIds()) {
      if (this.#stopped) return;
      const due = await selectNextAttempt(this.#parts.database, siteId);
      if (due !== undefined && due <= this.#now()) this.wake(siteId);
    }
  }

  /** Gives one site after the other its turn, as far as there are places. */
  #goOn(): void {
    while (!this.#stopped && this.#pause === undefined) {
      const [siteId] = this.#awake;
      // After a failure one mail tries whether the mail server is back.
      const free = (this.#failures > 0 ? 1 : mailsAtOnce) - this.#places;
      if (siteId === undefined || free <= 0) return;
      this.#awake.delete(siteId);
      this.#places += free;
      this.#run(() => this.#deliver(siteId, free));
    }
  }

  async #deliver(siteId: string, places: number): Promise<void> {
    let unused = places;
    try {
      const { taken, mails } = await this.#claim(siteId, places);
      for (const mail of mails) this.#run(() => this.#send(siteId, mail).finally(() => this.#free(1)));
      unused -= mails.length;
      if (taken === places) this.#awake.add(siteId);
    } finally {
      this.#free(unused);
    }
  }

  #free(places: number): void {
    this.#places -= places;
    this.#goOn();
  }

  /** Takes mails that are due. Gives how many, and those of them that are worth sending. */
  #claim(siteId: string, limit: number): Promise<{ taken: number; mails: MailRow[] }> {
    const { database, beforeSend } = this.#parts;
    return database.transaction(async (tx) => {
      const now = this.#now();
      const due = await claimMails(tx, siteId, now, later(now, leaseMilliseconds), limit);
      const mails: MailRow[] = [];
      // In the order in which links are locked everywhere, so that no two transactions wait for each other.
      due.sort(byLink);
      for (const mail of due) {
        const { login_link_id, recipient } = mail;
        if (await beforeSend(tx, siteId, { loginLinkId: login_link_id, recipient })) mails.push(mail);
        else await dropMail(tx, siteId, mail.id, now);
      }
      return { taken: due.length, mails };
    });
  }

  async #send(siteId: string, mail: MailRow): Promise<void> {
    const { transport } = this.#parts;
    const { id, recipient } = mail;
    if (this.#stopped) return this.#giveBack(siteId, mail);
    const content: MailContent = JSON.parse(mail.content);
    if (!transport) return this.#keep(siteId, mail, content);
    try {
      await transport.send({ id, recipient, content });
    } catch (error) {
      return this.#takeBack(siteId, mail, error);
    }
    this.#endPause();
    const at = this.#now();
    await this.#settle((tx) => markSent(tx, siteId, id, at));
  }

  async #keep(siteId: string, { id, recipient }: MailRow, { subject, text }: MailContent): Promise<void> {
    const { database, log } = this.#parts;
    const isKept = await database.transaction((tx) => markKept(tx, siteId, id));
    if (isKept) log.kept({ siteId, mailId: id, recipient, subject, text });
  }

  /** What becomes of a mail that could not be sent. */
  async #takeBack(siteId: string, mail: MailRow, error: unknown): Promise<void> {
    const reason = reasonOf(error);
    const isOver = mail.created_at <= timestampBefore(this.#now(), giveUpMilliseconds);
    if (error instanceof MailRefused || error instanceof MailDelayed) this.#endPause();
    else if (this.#stopped) return this.#giveBack(siteId, mail);
    else this.#beginPause(reason);
    if (error instanceof MailRefused || isOver) {
      await this.#settle((tx) => markFailed(tx, siteId, mail, reason));
      this.#parts.log.failed({ siteId, mailId: mail.id, error: reason });
      return;
    }
    const pause = pauseAfter(mail.attempts, longestRetryMilliseconds);
    const nextAttempt = later(this.#now(), pause);
    await this.#settle((tx) => postponeMail(tx, siteId, mail, nextAttempt, reason));
    // A later one is found by the sweep.
    if (pause < sweepMilliseconds) setTimeout(() => this.wake(siteId), pause + 1).unref();
  }

  /** Ends the lease of a mail that this process will not send. */
  #giveBack(siteId: string, mail: MailRow): Promise<void> {
    const now = this.#now();
    return this.#settle((tx) => postponeMail(tx, siteId, mail, now, null));
  }

  /** Writes down what became of a mail, also when the store is away for a while: else it would be sent again. */
  async #settle(work: (tx: Transaction) => Promise<void>): Promise<void> {
    for (const end = performance.now() + settleMilliseconds; ; await sleep(500)) {
      try {
        return await this.#parts.database.transaction(work);
      } catch (error) {
        const isPassing = error instanceof StoreUnavailable && !this.#stopped;
        if (!isPassing || performance.now() > end) throw error;
      }
    }
  }

  /** The mail server takes no mail at all: one pause for all of them. */
  #beginPause(reason: string): void {
    if (this.#pause !== undefined) return;
    this.#failures += 1;
    this.#pause = setTimeout(
      () => {
        this.#pause = undefined;
        this.#goOn();
      },
      pauseAfter(this.#failures, longestPauseMilliseconds),
    ).unref();
    this.#parts.log.trouble({ error: reason });
  }

  #endPause(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#failures = 0;
  }

  #run(work: () => Promise<void>): void {
    const done = work()
      .catch((error) => this.#parts.log.trouble({ error: messageOf(error) }))
      .finally(() => this.#running.delete(done));
    this.#running.add(done);
  }

  #now(): Timestamp {
    return this.#parts.clock().toISOString();
  }
}

function byLink({ login_link_id: one }: MailRow, { login_link_id: other }: MailRow): number {
  return (one ?? '').localeCompare(other ?? '');
}

/** Twice as long after every failure, and not the same for all. */
function pauseAfter(failures: number, longest: number): number {
  const pause = Math.min(firstPauseMilliseconds * 2 ** (failures - 1), longest);
  return Math.round(pause * (0.75 + Math.random() / 2));
}

function later(time: Timestamp, milliseconds: number): Timestamp {
  return timestampBefore(time, -milliseconds);
}

/** Only what is known to say nothing of the mail. */
function reasonOf(error: unknown): string {
  const isKnown =
    error instanceof MailRefused || error instanceof MailDelayed || error instanceof MailServerAway;
  return isKnown ? error.message : 'The mail could not be sent.';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  const late = new AbortController();
  await Promise.race([work, sleep(milliseconds, undefined, { signal: late.signal }).catch(() => {})]);
  late.abort();
}
