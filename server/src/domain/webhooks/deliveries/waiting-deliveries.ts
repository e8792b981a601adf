import type { Timestamp } from '../../../base/clock.ts';
import type { Queries } from '../../../storage/database.ts';
import { type StoredDelivery, toStoredDelivery } from './delivery.ts';
import { findWaitingDeliveries, selectDueDeliveries, selectEarliestDelivery } from './delivery-store.ts';

/** The next attempts that are due, the earliest first. */
export async function findDueDeliveries(
  db: Queries,
  siteId: string,
  webhookId: string,
  due: { readonly now: Timestamp; readonly limit: number },
): Promise<StoredDelivery[]> {
  return (await selectDueDeliveries(db, siteId, webhookId, due)).map(toStoredDelivery);
}

/** The waiting attempt of the earliest event, due or not. */
export async function findEarliestDelivery(
  db: Queries,
  siteId: string,
  webhookId: string,
): Promise<StoredDelivery | undefined> {
  const row = await selectEarliestDelivery(db, siteId, webhookId);
  return row && toStoredDelivery(row);
}

/** Whether a new event waits for another attempt. */
export async function hasWaitingEvent(db: Queries, siteId: string, webhookId: string): Promise<boolean> {
  return (await findWaitingDeliveries(db, siteId, webhookId)).hasEvent;
}
