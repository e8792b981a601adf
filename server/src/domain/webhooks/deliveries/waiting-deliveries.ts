import type { Timestamp } from '../../../base/clock.ts';
import type { SiteData } from '../../../storage/site-view.ts';
import { type StoredDelivery, toStoredDelivery } from './delivery.ts';
import { findWaitingDeliveries, selectDueDeliveries, selectEarliestDelivery } from './delivery-store.ts';

/** The next attempts that are due, the earliest first. */
export async function findDueDeliveries(
  view: SiteData,
  webhookId: string,
  due: { readonly now: Timestamp; readonly limit: number },
): Promise<StoredDelivery[]> {
  return (await selectDueDeliveries(view, webhookId, due)).map(toStoredDelivery);
}

/** The waiting attempt of the earliest event, due or not. */
export async function findEarliestDelivery(
  view: SiteData,
  webhookId: string,
): Promise<StoredDelivery | undefined> {
  const row = await selectEarliestDelivery(view, webhookId);
  return row && toStoredDelivery(row);
}

/** Whether a new event waits for another attempt. */
export async function hasWaitingEvent(view: SiteData, webhookId: string): Promise<boolean> {
  return (await findWaitingDeliveries(view, webhookId)).hasEvent;
}
