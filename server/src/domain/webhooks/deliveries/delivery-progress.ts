import { systemContext } from '../../../base/change-context.ts';
import { earlier, type Timestamp } from '../../../base/clock.ts';
import type { Transaction } from '../../../storage/database.ts';
import type { SiteData } from '../../../storage/site-view.ts';
import type { EmailComposer } from '../../emails/email-composer.ts';
import { makeChange } from '../../events/change.ts';
import type { Replay, StoredWebhook } from '../webhook.ts';
import type { StoredDelivery } from './delivery.ts';
import { type NextDue, releaseWebhook, saveProgress } from './delivery-claim-store.ts';
import { type ClaimedWebhook, leaseEnd } from './delivery-claims.ts';
import {
  deleteDeliveries,
  findWaitingDeliveries,
  insertDeliveries,
  makeDeliveriesDue,
} from './delivery-store.ts';
import { disableWebhook } from './disabling.ts';
import type { ReceiverHealth, WebhookDecision } from './retry-policy.ts';

/** What the holder of a claim has sent since this was last recorded. */
export interface DeliveryProgress {
  readonly feed: FeedProgress;
  readonly receiver: ReceiverProgress;
  readonly results: RecordedResults;
  readonly at: Timestamp;
  /** Whether the claim ends. Otherwise its lease is renewed. */
  readonly isLast: boolean;
}

/** How far the feed of events was sent. */
export interface FeedProgress {
  /** Every event up to this position was sent, or waits as a delivery. */
  readonly position: number;
  /** Done if its position is its end; undefined if there is none. */
  readonly replay: Replay | undefined;
}

/** What is known about the receiver. It counts only for the settings with which it was found out. */
export interface ReceiverProgress {
  /** The time of the settings. */
  readonly updatedAt: Timestamp;
  readonly health: ReceiverHealth;
  readonly decision: WebhookDecision;
}

export interface RecordedResults {
  /** The attempts that have ended, and those that follow. */
  readonly deliveries: readonly StoredDelivery[];
  /** The ids of the attempts that waited and have ended: their rows are replaced. */
  readonly endedIds: readonly string[];
  /** Whether a failing receiver has accepted a message. */
  readonly isRecovered: boolean;
}

/**
 * Records results and progress, disables the webhook if that was decided, and renews the lease or ends it. Returns the
 * webhook with its present settings; undefined if the claim was lost or the webhook deleted.
 */
export async function recordProgress(
  tx: Transaction,
  { siteId, webhook: { id }, holder }: ClaimedWebhook,
  progress: DeliveryProgress,
  composer: EmailComposer,
): Promise<StoredWebhook | undefined> {
  const { feed, receiver, results, at, isLast } = progress;
  const { updatedAt, health, decision } = receiver;
  const view = { db: tx, siteId, now: at };
  const stored = await saveProgress(view, id, {
    holder,
    position: feed.position,
    replay: feed.replay,
    updatedAt,
    failures: health.failures,
    failingSince: health.failingSince,
    claimedUntil: leaseEnd(at),
  });
  if (!stored) return undefined;
  await deleteDeliveries(view, results.endedIds);
  await insertDeliveries(view, stored.enabled ? results.deliveries : withoutNext(results.deliveries));
  if (decision.next === 'disable' && appliesTo(stored, receiver)) {
    const { reason } = decision;
    await makeChange(view, systemContext(at), (change) => disableWebhook(change, stored, reason, composer));
    if (isLast) await releaseWebhook(view, id, { dueAt: null, followsFeed: true });
    return { ...stored, enabled: false };
  }
  if (results.isRecovered && decision.next !== 'block') await makeDeliveriesDue(view, id);
  if (isLast) await releaseWebhook(view, id, await nextDue(view, stored, progress));
  return stored;
}

/** Whether a decision is about the settings that are stored, and the webhook is enabled. */
function appliesTo({ enabled, updatedAt }: StoredWebhook, receiver: ReceiverProgress): boolean {
  return enabled && updatedAt === receiver.updatedAt;
}

async function nextDue(
  view: SiteData<Transaction>,
  stored: StoredWebhook,
  { receiver, at }: DeliveryProgress,
): Promise<NextDue> {
  const { decision } = receiver;
  const waiting = await findWaitingDeliveries(view, stored.id);
  if (decision.next === 'block' && appliesTo(stored, receiver))
    return { dueAt: earlier(decision.until, waiting.testDueAt), followsFeed: false };
  // In order, an event that has failed is sent before those after it, and before those that are sent again.
  const isHeldBack = stored.parallelism === 1 && waiting.hasEvent;
  const dueAt = stored.replay && !isHeldBack ? at : waiting.dueAt;
  return { dueAt, followsFeed: !isHeldBack };
}

/** Without attempts that would follow: the webhook was disabled. */
function withoutNext(deliveries: readonly StoredDelivery[]): StoredDelivery[] {
  return deliveries
    .filter(({ status }) => status !== 'waiting')
    .map((each) => ({ ...each, nextAttemptAt: null }));
}
