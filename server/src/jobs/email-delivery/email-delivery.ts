import { doublingPauses, pauseAfter } from '@gatehouse/contract/backoff';
import { type Clock, type Timestamp, timestampAfter, timestampBefore } from '../../base/clock.ts';
import { idsOf } from '../../base/ids.ts';
import { sleep, type Timers } from '../../base/timers.ts';
import { inSpan, type Tracing } from '../../base/traces/tracing.ts';
import type { ClaimedEmail, EmailFailure } from '../../domain/emails/email.ts';
import {
  claimEmails,
  dropEmail,
  findSitesWithDueEmails,
  markFailed,
  markNotSent,
  markSent,
  postponeEmail,
} from '../../domain/emails/emails.ts';
import type { Database, Transaction } from '../../storage/database.ts';
import { StoreUnavailable } from '../../storage/errors.ts';
import type { SiteData } from '../../storage/site-view.ts';
import type { Job, Started, TaskRun } from '../job.ts';
import type { EmailMetrics } from './email-metrics.ts';
import {
  DeliveryFailure,
  EmailDeferred,
  EmailRejected,
  type EmailTransport,
  emailsAtOnce,
  MailServerUnavailable,
} from './smtp-transport.ts';

/** Longer than the mail server may take for one email, plus the store for recording the result. */
const leaseMilliseconds = 2 * 60_000;
const settleMilliseconds = 30_000;
const settlePauseMilliseconds = 500;
const giveUpMilliseconds = 24 * 60 * 60_000;
/** The pauses between the attempts to send an email. */
const emailRetries = doublingPauses(5_000, 15 * 60_000);

export interface EmailDeliveryLog {
  /** No mail server is configured. The email stays in the store, where the operator of the server can read it. */
  notSent(facts: { siteId: string; emailId: string; recipient: string; subject: string; text: string }): void;
  failed(facts: { siteId: string; emailId: string; error: string }): void;
}

export interface EmailDeliveryParts {
  readonly database: Database;
  /** Undefined to leave emails in the store instead of sending them. */
  readonly transport: EmailTransport | undefined;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Called in the transaction that claims an email; returns false when the email should no longer be sent. */
  readonly beforeSend: (
    view: SiteData<Transaction>,
    email: Pick<ClaimedEmail, 'type' | 'loginLinkId' | 'recipient' | 'createdAt'>,
  ) => Promise<boolean>;
  readonly log: EmailDeliveryLog;
  readonly metrics?: EmailMetrics;
  readonly tracing?: Tracing | undefined;
}

/**
 * Sends queued emails; a task is a site. An email is claimed for two minutes at a time, so that only one of several
 * processes sends it, and another one does if that process is gone. Claims no more emails than can be sent at the
 * same time.
 */
export class EmailDelivery implements Job {
  readonly name = 'email-delivery';
  readonly errorMessage = 'emails could not be sent and will be retried';
  readonly sweepMilliseconds = 30_000;
  readonly concurrency = emailsAtOnce;
  readonly slotsPerTask = emailsAtOnce;
  /** A mail server that is unavailable is tried about once a minute, because members wait for their login links. */
  readonly backoff = doublingPauses(5_000, 60_000);
  readonly #parts: EmailDeliveryParts;

  constructor(parts: EmailDeliveryParts) {
    this.#parts = parts;
  }

  isOutage(error: unknown): boolean {
    return error instanceof MailServerUnavailable || error instanceof StoreUnavailable;
  }

  findDue(now: Timestamp): Promise<readonly string[]> {
    return findSitesWithDueEmails(this.#parts.database, now);
  }

  async start(siteId: string, run: TaskRun): Promise<Started> {
    const { transport } = this.#parts;
    const { claimed, emails } = await this.#claim(siteId, run.slots);
    const more = claimed === run.slots;
    if (transport)
      return { pieces: emails.map((email) => () => this.#send(transport, siteId, email, run)), more };
    for (const email of emails) this.#reportNotSent(siteId, email);
    return { more };
  }

  close(): void {
    this.#parts.transport?.close();
  }

  /**
   * Claims due emails, and without a mail server marks them as not sent. Returns how many were claimed, and which of them
   * should still be sent.
   */
  #claim(siteId: string, limit: number): Promise<{ claimed: number; emails: ClaimedEmail[] }> {
    const { database, transport, beforeSend } = this.#parts;
    return database.transaction(async (tx) => {
      const now = this.#now();
      const due = await claimEmails({ db: tx, siteId, now }, timestampAfter(now, leaseMilliseconds), limit);
      const emails: ClaimedEmail[] = [];
      // The order in which links are locked everywhere, to prevent deadlocks.
      due.sort(byLink);
      for (const email of due) {
        if (await beforeSend({ db: tx, siteId }, email)) emails.push(email);
        else await dropEmail({ db: tx, siteId, now: now }, email.id);
      }
      // While their links are locked: a link that is closed later finds its email and withdraws it.
      if (!transport) await markNotSent({ db: tx, siteId }, idsOf(emails));
      return { claimed: due.length, emails };
    });
  }

  /** @throws {MailServerUnavailable} */
  async #send(transport: EmailTransport, siteId: string, email: ClaimedEmail, run: TaskRun): Promise<void> {
    const { id, recipient, content } = email;
    if (run.stopping.aborted) return this.#releaseEmail(siteId, email, run);
    const startedAt = performance.now();
    try {
      await inSpan(this.#parts.tracing, { name: 'send email', kind: 'client' }, () =>
        transport.send({ id, recipient, content }),
      );
    } catch (error) {
      return this.#handleFailure(siteId, email, error, run);
    }
    this.#parts.metrics?.sent(performance.now() - startedAt);
    const at = this.#now();
    await this.#settle((tx) => markSent({ db: tx, siteId }, id, at), run);
  }

  #reportNotSent(siteId: string, { id, recipient, content: { subject, text } }: ClaimedEmail): void {
    this.#parts.metrics?.ended('not_sent');
    this.#parts.log.notSent({ siteId, emailId: id, recipient, subject, text });
  }

  /**
   * Handles an email that could not be sent. @throws {MailServerUnavailable} when no other email could be sent either
   */
  async #handleFailure(siteId: string, email: ClaimedEmail, error: unknown, run: TaskRun): Promise<void> {
    const isOfThisEmail = error instanceof EmailRejected || error instanceof EmailDeferred;
    if (run.stopping.aborted && !isOfThisEmail) return this.#releaseEmail(siteId, email, run);
    const failure = failureOf(error);
    const { reason } = failure;
    const isOver = email.createdAt <= timestampBefore(this.#now(), giveUpMilliseconds);
    if (error instanceof EmailRejected || isOver) {
      await this.#settle((tx) => markFailed({ db: tx, siteId }, email, failure), run);
      this.#parts.metrics?.ended('failed');
      this.#parts.log.failed({ siteId, emailId: email.id, error: reason });
    } else {
      const pause = pauseAfter(emailRetries, email.attempts);
      const nextAttempt = timestampAfter(this.#now(), pause);
      this.#parts.metrics?.ended('postponed');
      await this.#settle((tx) => postponeEmail({ db: tx, siteId }, email, nextAttempt, failure), run);
      run.restartAfter(pause + 1);
    }
    if (!isOfThisEmail) throw new MailServerUnavailable(reason);
  }

  /** Ends the lease of an email that this process will not send. */
  #releaseEmail(siteId: string, email: ClaimedEmail, run: TaskRun): Promise<void> {
    const now = this.#now();
    return this.#settle((tx) => postponeEmail({ db: tx, siteId }, email, now, null), run);
  }

  /**
   * Records the result of an email, and retries while the store is unavailable: without the record, the email would be
   * sent again.
   */
  async #settle(work: (tx: Transaction) => Promise<void>, { stopping }: TaskRun): Promise<void> {
    const { database, timers, clock } = this.#parts;
    for (const end = clock().getTime() + settleMilliseconds; ; await sleep(timers, settlePauseMilliseconds)) {
      try {
        return await database.transaction(work);
      } catch (error) {
        const isPassing = error instanceof StoreUnavailable && !stopping.aborted;
        if (!isPassing || clock().getTime() > end) throw error;
      }
    }
  }

  #now(): Timestamp {
    return this.#parts.clock().toISOString();
  }
}

function byLink({ loginLinkId: one }: ClaimedEmail, { loginLinkId: other }: ClaimedEmail): number {
  return (one ?? '').localeCompare(other ?? '');
}

/** Returns only messages that are known to contain nothing of the email. */
function failureOf(error: unknown): EmailFailure {
  return error instanceof DeliveryFailure
    ? { reason: error.message, mailServerReply: error.mailServerReply }
    : { reason: 'The email could not be sent.', mailServerReply: null };
}
