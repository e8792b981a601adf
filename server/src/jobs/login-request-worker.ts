import { doublingPauses } from '@gatehouse/contract/backoff';
import { systemContext } from '../base/change-context.ts';
import type { Clock, Timestamp } from '../base/clock.ts';
import type { EmailContext } from '../domain/emails/email-composer.ts';
import { makeChange } from '../domain/events/change.ts';
import { findSitesWithRequests } from '../domain/login-links/login-links.ts';
import { processLoginRequests } from '../domain/logins/login-requests.ts';
import type { Database } from '../storage/database.ts';
import type { Job, Started } from './job.ts';

const requestsPerBatch = 20;
// Hides whether an email address belongs to a member: the work happens later than the response, so the load right
// after it reveals nothing.
const minDelayMilliseconds = 20;
const maxDelayMilliseconds = 100;

export interface LoginRequestWorkerParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly emails: EmailContext;
  /** Called with a site whose login requests were processed; emails may be queued there. */
  readonly onProcessed: (siteId: string) => void;
}

/** Processes login requests shortly after, and separately from, their HTTP requests; a task is a site. */
export class LoginRequestWorker implements Job {
  readonly name = 'login-requests';
  readonly errorMessage = 'login requests could not be processed and will be retried';
  readonly sweepMilliseconds = 30_000;
  /** Each piece is one transaction; this leaves connections for other work. */
  readonly concurrency = 4;
  readonly slotsPerTask = 1;
  readonly backoff = doublingPauses(1_000, 30_000);
  readonly #parts: LoginRequestWorkerParts;

  constructor(parts: LoginRequestWorkerParts) {
    this.#parts = parts;
  }

  wakeDelay(): number {
    return minDelayMilliseconds + Math.random() * (maxDelayMilliseconds - minDelayMilliseconds);
  }

  findDue(): Promise<readonly string[]> {
    return findSitesWithRequests(this.#parts.database);
  }

  async start(siteId: string): Promise<Started> {
    const { database, clock, emails, onProcessed } = this.#parts;
    const at: Timestamp = clock().toISOString();
    const more = await database.transaction((tx) =>
      makeChange({ db: tx, siteId }, systemContext(at), (change) =>
        processLoginRequests(change, requestsPerBatch, emails),
      ),
    );
    onProcessed(siteId);
    return { more };
  }
}
