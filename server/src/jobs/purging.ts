import { doublingPauses } from '@gatehouse/contract/backoff';
import { systemContext } from '../base/change-context.ts';
import type { Clock, Timestamp } from '../base/clock.ts';
import { sleep, type Timers } from '../base/timers.ts';
import { findDeletedGroups, purgeDeletedGroups } from '../domain/access-groups/deleted-groups.ts';
import { findExpiredAccessTokens, purgeAccessTokens } from '../domain/access-tokens/access-tokens.ts';
import {
  findExpiredAddressChanges,
  findExpiredReversals,
  purgeAddressChanges,
  purgeReversals,
} from '../domain/address-changes/address-changes.ts';
import { findExpiredTombstones, purgeTombstones } from '../domain/cursors/cursor-tombstones.ts';
import {
  findOldEmailBudgets,
  findOldWithheldEmails,
  purgeEmailBudgets,
} from '../domain/emails/email-budgets.ts';
import { eraseEmails, findOldEmails, findOldReadableEmails, purgeEmails } from '../domain/emails/emails.ts';
import { type Change, makeChange } from '../domain/events/change.ts';
import { findSitesWithOldEvents, purgeEvents } from '../domain/events/events.ts';
import { findOldActivity, purgeActivity } from '../domain/events/stored-counts.ts';
import { findOldInvitations, purgeInvitations } from '../domain/invitations/old-invitations.ts';
import {
  expireJoinRequests,
  findOldJoinRequests,
  findUndecidedJoinRequests,
  purgeJoinRequests,
} from '../domain/join-requests/join-requests.ts';
import { findExpiredBrowsers, purgeKnownBrowsers } from '../domain/known-browsers/known-browsers.ts';
import { findOldLinks, purgeLinks } from '../domain/login-links/login-links.ts';
import { findExpiredMemberships, removeExpiredMemberships } from '../domain/memberships/memberships.ts';
import { findExpiredOperatorTokens, purgeOperatorTokens } from '../domain/operators/operator-tokens.ts';
import { findExpiredPasses, purgePasses } from '../domain/page-codes/page-passes.ts';
import { findExpiredChallenges, purgeChallenges } from '../domain/passkeys/passkeys.ts';
import {
  findExpiredPendingIdentities,
  purgePendingIdentities,
} from '../domain/provider-logins/pending-identities.ts';
import { findExpiredProviderLogins, purgeProviderLogins } from '../domain/provider-logins/provider-logins.ts';
import { findOldFormResponses, purgeFormResponses } from '../domain/sessions/form-responses.ts';
import { findExpiredHostTickets, purgeHostTickets } from '../domain/sessions/session-hosts.ts';
import { findExpiredSessions, purgeSessions } from '../domain/sessions/sessions.ts';
import { findEndedSigningKeys, purgeSigningKeys } from '../domain/signing-keys/signing-keys.ts';
import {
  findOldRuns,
  findRunsWithOldPeople,
  purgePeopleOfRuns,
  purgeRuns,
} from '../domain/sources/runs/runs.ts';
import { findDeletedSources, purgeDeletedSources } from '../domain/sources/source/deleted-sources.ts';
import { findOldListParts, purgeListParts } from '../domain/sources/uploads/list-uploads.ts';
import { findOldDeliveries, purgeDeliveries } from '../domain/webhooks/deliveries/deliveries.ts';
import { findEndedWebhookSecrets, purgeWebhookSecrets } from '../domain/webhooks/webhook-secrets.ts';
import { findExpiredIdempotencyKeys, purgeIdempotencyKeys } from '../runtime/idempotency.ts';
import type { Database, Queries } from '../storage/database.ts';
import { StoreUnavailable } from '../storage/errors.ts';
import type { Job, Started } from './job.ts';

/** The maximum number of rows in one transaction, so that other writers wait no longer than for a bulk request. */
const rowsAtOnce = 200;
const pauseMilliseconds = 20;

export interface PurgingParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly eventRetentionDays: number;
  readonly intervalSeconds: number;
}

/** Rows that are purged when they have expired. */
interface ExpiringRows {
  areDue(db: Queries, now: Timestamp): Promise<boolean>;
  /** Finds a few expired rows over all sites. Returns a function for each site that purges its rows. */
  findSteps(db: Queries, now: Timestamp): Promise<Map<string, PurgeStep>>;
}

type PurgeStep = (change: Change) => Promise<void>;

/** Purges expired rows in small steps. Nothing relies on it: expiry is checked wherever it matters. */
export class Purging implements Job {
  readonly name = 'purging';
  readonly errorMessage = 'purging failed and will be retried';
  readonly sweepMilliseconds: number;
  readonly concurrency = 1;
  readonly slotsPerTask = 1;
  readonly backoff = doublingPauses(5_000, 60_000);
  readonly #parts: PurgingParts;
  readonly #kinds: ReadonlyMap<string, ExpiringRows>;

  constructor(parts: PurgingParts) {
    this.#parts = parts;
    this.sweepMilliseconds = parts.intervalSeconds * 1_000;
    this.#kinds = new Map(Object.entries(kindsOfRows(parts.eventRetentionDays)));
  }

  /** The kinds that have expired rows. */
  async findDue(now: Timestamp): Promise<readonly string[]> {
    const due: string[] = [];
    for (const [kind, rows] of this.#kinds) {
      if (await rows.areDue(this.#parts.database, now)) due.push(kind);
    }
    return due;
  }

  async start(kind: string): Promise<Started> {
    const { database, clock, timers } = this.#parts;
    const now = clock().toISOString();
    const steps = await this.#kinds.get(kind)!.findSteps(database, now);
    if (steps.size === 0) return { more: false };
    const failures: unknown[] = [];
    for (const [siteId, purge] of steps) {
      const purged = database.transaction((tx) => makeChange({ db: tx, siteId }, systemContext(now), purge));
      // A failure on one site must not stop purging on the others.
      await purged.catch((error) => {
        if (error instanceof StoreUnavailable) throw error;
        failures.push(error);
      });
    }
    if (failures.length > 0) throw failures[0];
    await sleep(timers, pauseMilliseconds);
    return { more: true };
  }
}

function kindsOfRows(eventRetentionDays: number): Record<string, ExpiringRows> {
  return {
    memberships: expiring(findExpiredMemberships, removeExpiredMemberships),
    sessions: expiring(findExpiredSessions, purgeSessions),
    'access tokens': expiring(findExpiredAccessTokens, purgeAccessTokens),
    'tickets for hosts': expiring(findExpiredHostTickets, purgeHostTickets),
    'responses to forms': expiring(findOldFormResponses, purgeFormResponses),
    'requests to join that nobody decides': expiring(findUndecidedJoinRequests, expireJoinRequests),
    'requests to join': expiring(findOldJoinRequests, purgeJoinRequests),
    'login links': expiring(findOldLinks, purgeLinks),
    'passes of page codes': expiring(findExpiredPasses, purgePasses),
    'changes of email addresses': expiring(findExpiredAddressChanges, purgeAddressChanges),
    'links that take back an email address': expiring(findExpiredReversals, purgeReversals),
    'known browsers': expiring(findExpiredBrowsers, purgeKnownBrowsers),
    'operator tokens': expiring(findExpiredOperatorTokens, purgeOperatorTokens),
    'logins at providers': expiring(findExpiredProviderLogins, purgeProviderLogins),
    'accounts that could be linked': expiring(findExpiredPendingIdentities, purgePendingIdentities),
    'passkey challenges': expiring(findExpiredChallenges, purgeChallenges),
    'texts of emails': expiring(findOldReadableEmails, eraseEmails),
    emails: expiring(findOldEmails, purgeEmails),
    'email budgets': expiring(findOldEmailBudgets, purgeEmailBudgets),
    'withheld emails': expiring(findOldWithheldEmails, purgeEmailBudgets),
    'people in runs of sources': expiring(findRunsWithOldPeople, purgePeopleOfRuns),
    'runs of sources': expiring(findOldRuns, purgeRuns),
    'lists that programs upload': expiring(findOldListParts, purgeListParts),
    'deleted groups': expiring(findDeletedGroups, purgeDeletedGroups),
    'deleted sources': expiring(findDeletedSources, purgeDeletedSources),
    'deliveries of webhooks': expiring(findOldDeliveries, purgeDeliveries),
    'secrets of webhooks': expiring(findEndedWebhookSecrets, purgeWebhookSecrets),
    'activity of sites': expiring(findOldActivity, purgeActivity),
    'signing keys': expiring(findEndedSigningKeys, purgeSigningKeys),
    invitations: expiring(findOldInvitations, purgeInvitations),
    tombstones: expiring(findExpiredTombstones, purgeTombstones),
    'idempotency keys': expiring(findExpiredIdempotencyKeys, purgeIdempotencyKeys),
    events: expiring(
      (db, now, limit) => findSitesWithOldEvents(db, eventRetentionDays, now, limit),
      (change) => purgeEvents(change, eventRetentionDays, rowsAtOnce),
    ),
  };
}

/**
 * @param find returns a few expired rows, over all sites
 * @param purge deletes the rows found in one site
 */
function expiring<Row extends { readonly siteId: string }>(
  find: (db: Queries, now: Timestamp, limit: number) => Promise<readonly Row[]>,
  purge: (change: Change, rows: readonly NoInfer<Row>[]) => Promise<void>,
): ExpiringRows {
  return {
    areDue: async (db, now) => (await find(db, now, 1)).length > 0,
    findSteps: async (db, now) => {
      const bySite = Map.groupBy(await find(db, now, rowsAtOnce), ({ siteId }) => siteId);
      return new Map([...bySite].map(([siteId, rows]) => [siteId, (change) => purge(change, rows)]));
    },
  };
}
