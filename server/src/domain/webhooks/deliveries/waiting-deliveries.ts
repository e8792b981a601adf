import type { SiteData } from '../../../storage/site-view.ts';
import { findWaitingDeliveries } from './delivery-store.ts';

export {
  selectDueDeliveries as findDueDeliveries,
  selectEarliestDelivery as findEarliestDelivery,
} from './delivery-store.ts';

/** Whether a new event waits for another attempt. */
export async function hasWaitingEvent(view: SiteData, webhookId: string): Promise<boolean> {
  return (await findWaitingDeliveries(view, webhookId)).hasEvent;
}
