import { type Timestamp, timestampAfter } from '../../../base/clock.ts';
import { newId } from '../../../base/ids.ts';
import type { Database, Queries } from '../../../storage/database.ts';
import type { StoredWebhook } from '../webhook.ts';
import { selectWebhook } from '../webhook-store.ts';
import { claimDueWebhooks, hasDueWebhook } from './delivery-claim-store.ts';

export {
  findNextWebhookTime,
  hasWebhooks,
  selectSitesWithDueWebhooks as findSitesWithDueWebhooks,
} from './delivery-claim-store.ts';

/** After this time the webhooks of a process that is gone are continued by another one. */
export const deliveryLeaseMilliseconds = 30_000;

/** A webhook that no one else sends to until the lease ends. */
export interface ClaimedWebhook {
  readonly siteId: string;
  readonly webhook: StoredWebhook;
  readonly holder: string;
  readonly claimedUntil: Timestamp;
}

/** The webhook of a claim with its present settings; undefined if it was deleted. */
export function findClaimedWebhook(
  db: Queries,
  { siteId, webhook }: ClaimedWebhook,
): Promise<StoredWebhook | undefined> {
  return selectWebhook({ db, siteId }, webhook.id);
}

/** The end of a lease that begins, or is renewed, at a time. */
export function leaseEnd(at: Timestamp): Timestamp {
  return timestampAfter(at, deliveryLeaseMilliseconds);
}

/** Claims webhooks of a site for which something is due, so that no other process sends to them. */
export async function claimWebhooks(
  database: Database,
  siteId: string,
  now: Timestamp,
  limit: number,
): Promise<ClaimedWebhook[]> {
  // Most changes are of sites without webhooks.
  if (!(await hasDueWebhook({ db: database, siteId, now }))) return [];
  const holder = newId();
  const claimedUntil = leaseEnd(now);
  const webhooks = await database.transaction((tx) =>
    claimDueWebhooks({ db: tx, siteId }, { holder, now, until: claimedUntil }, limit),
  );
  return webhooks.map((webhook) => ({ siteId, webhook, holder, claimedUntil }));
}
