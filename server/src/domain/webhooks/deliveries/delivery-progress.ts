import { systemContext } from '../../../base/change-context.ts';
import type { Timestamp } from '../../../base/clock.ts';
import type { Transaction } from '../../../storage/database.ts';
import type { EmailComposer } from '../../emails/email-composer.ts';
import { makeChange } from '../../events/change.ts';
import { type Replay, type StoredWebhook, toStoredWebhook } from '../webhook.ts';
import type { StoredDelivery } from './delivery.ts';
import { releaseWebhook, saveProgress } from './delivery-claim-store.ts';
import {
  deleteDeliveries,
  findWaitingDeliveries,
  hastenDeliveries,
  insertDeliveries,
} from './delivery-store.ts';
import { disableWebhook } from './disabling.ts';

/** Whether a receiver takes what is sent. */
interface Receiver {
  readonly failures: number;
  readonly failingSince: Timestamp | null;
  readonly isFailing: boolean;
  /** Why the webhook has to be disabled. */
  readonly end: 'gone' | 'failing' | undefined;
  /** When a failing receiver is tried again. */
  nextProbe(now: Timestamp): Timestamp;
}

/** How far a run has got, and what has become of its attempts since it was last stored. */
export interface RunProgress {
  readonly siteId: string;
  readonly holder: string;
  /** With the settings that the run has used. */
  readonly webhook: StoredWebhook;
  readonly health: Receiver;
  /** Every event up to this position is settled. */
  readonly position: number;
  /** The progress of the replay, null when it is done; undefined if there is none. */
  readonly replay: Replay | null | undefined;
  /** Whether the attempts that wait have pauses of a time at which everything failed. */
  readonly wasFailing: boolean;
  readonly deliveries: readonly StoredDelivery[];
  /** The ids of attempts that no longer wait. */
  readonly stale: readonly string[];
  readonly at: Timestamp;
  readonly claimedUntil: Timestamp;
  /** Whether the claim ends. */
  readonly isLast: boolean;
}

/**
 * Stores the progress of a run, and disables the webhook if its receiver is gone. Returns the webhook with the present
 * settings; undefined if the holder has lost its claim or the webhook was deleted.
 */
export async function storeProgress(
  tx: Transaction,
  progress: RunProgress,
  composer: EmailComposer,
): Promise<StoredWebhook | undefined> {
  const { siteId, webhook, health, at, isLast } = progress;
  const { id: webhookId, updatedAt } = webhook;
  const row = await saveProgress(tx, siteId, webhookId, progress.holder, {
    ...{ position: progress.position, replay: progress.replay, updatedAt },
    ...{ failures: health.failures, failingSince: health.failingSince, claimedUntil: progress.claimedUntil },
  });
  if (!row) return undefined;
  const stored = toStoredWebhook(row);
  await deleteDeliveries(tx, siteId, progress.stale);
  const { deliveries } = progress;
  await insertDeliveries(tx, siteId, stored.enabled ? deliveries : withoutNext(deliveries));
  const { end } = health;
  if (end && stored.enabled && stored.updatedAt === updatedAt) {
    await makeChange(tx, siteId, systemContext(at), (change) =>
      disableWebhook(change, stored, end, composer),
    );
    if (isLast) await releaseWebhook(tx, siteId, webhookId, null, true);
    return { ...stored, enabled: false };
  }
  if (progress.wasFailing && !health.isFailing) await hastenDeliveries(tx, siteId, webhookId, at);
  if (isLast) await release(tx, stored, progress);
  return stored;
}

/** Ends the claim, and says when something is due again. */
async function release(
  tx: Transaction,
  stored: StoredWebhook,
  { siteId, webhook, health, at }: RunProgress,
): Promise<void> {
  const { id, updatedAt, enabled, parallelism, replay } = stored;
  const waiting = await findWaitingDeliveries(tx, siteId, id);
  if (enabled && updatedAt === webhook.updatedAt && health.isFailing) {
    const probe = health.nextProbe(at);
    const { testDueAt } = waiting;
    const dueAt = testDueAt !== null && testDueAt < probe ? testDueAt : probe;
    return releaseWebhook(tx, siteId, id, dueAt, false);
  }
  const isHeldUp = parallelism === 1 && waiting.hasEvent;
  return releaseWebhook(tx, siteId, id, replay && !isHeldUp ? at : waiting.dueAt, !isHeldUp);
}

/** Without attempts that would follow: the webhook was disabled. */
function withoutNext(deliveries: readonly StoredDelivery[]): StoredDelivery[] {
  return deliveries
    .filter(({ state }) => state !== 'waiting')
    .map((each) => ({ ...each, nextAttemptAt: null }));
}
