import { doublingPauses } from '@gatehouse/contract/backoff';
import { systemContext } from '../base/change-context.ts';
import type { Clock } from '../base/clock.ts';
import type { EmailComposer } from '../domain/emails/email-composer.ts';
import { makeChange } from '../domain/events/change.ts';
import { announceJoinRequests } from '../domain/join-decisions/pending-notice.ts';
import { findSitesToAnnounce } from '../domain/join-requests/join-requests.ts';
import type { Database } from '../storage/database.ts';
import type { Job, Started } from './job.ts';

export interface JoinRequestNoticesParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly composer: EmailComposer;
  /** Called with a site for which emails may be queued. */
  readonly onQueued: (siteId: string) => void;
}

/** Tells operators of the people who ask to join; a task is a site. */
export class JoinRequestNotices implements Job {
  readonly name = 'join-request-notices';
  readonly errorMessage = 'operators could not be told of requests to join, which will be retried';
  readonly sweepMilliseconds = 60_000;
  readonly concurrency = 1;
  readonly slotsPerTask = 1;
  readonly backoff = doublingPauses(5_000, 60_000);
  readonly #parts: JoinRequestNoticesParts;

  constructor(parts: JoinRequestNoticesParts) {
    this.#parts = parts;
  }

  findDue(): Promise<readonly string[]> {
    return findSitesToAnnounce(this.#parts.database);
  }

  async start(siteId: string): Promise<Started> {
    const { database, clock, composer, onQueued } = this.#parts;
    const context = systemContext(clock().toISOString());
    await database.transaction((tx) =>
      makeChange({ db: tx, siteId }, context, (change) => announceJoinRequests(change, composer)),
    );
    onQueued(siteId);
    return { more: false };
  }
}
