import type { Overview } from '@gatehouse/contract';
import { maxFailingWebhooks } from '@gatehouse/contract/limits';
import type { Queries } from '../../storage/database.ts';
import { failuresOfFailing, hostOf, toStoredWebhook, toWebhook } from './webhook.ts';
import { selectFailingWebhooks } from './webhook-store.ts';

type FailingWebhook = NonNullable<Overview['failingWebhooks']>[number];

/** The webhooks whose receiver fails, and those that were disabled for that, newest first. */
export async function findFailingWebhooks(db: Queries, siteId: string): Promise<FailingWebhook[]> {
  const rows = await selectFailingWebhooks(db, siteId, failuresOfFailing, maxFailingWebhooks);
  return rows.map((row) => {
    const { id, url, state, disabledReason, failingSince } = toWebhook(toStoredWebhook(row));
    return { id, host: hostOf({ url }), state, disabledReason, failingSince } as FailingWebhook;
  });
}
