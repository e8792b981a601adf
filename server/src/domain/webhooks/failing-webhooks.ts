import type { Overview } from '@gatehouse/contract';
import { maxFailingWebhooks } from '@gatehouse/contract/limits';
import type { SiteData } from '../../storage/site-view.ts';
import { failuresOfFailing, statusOf } from './webhook.ts';
import { selectFailingWebhooks } from './webhook-store.ts';

type FailingWebhook = NonNullable<Overview['failingWebhooks']>[number];

/** The webhooks whose receiver fails, and those that were disabled for that, newest first. */
export async function findFailingWebhooks(view: SiteData): Promise<FailingWebhook[]> {
  const webhooks = await selectFailingWebhooks(view, failuresOfFailing, maxFailingWebhooks);
  return webhooks.map((webhook) => {
    const { id, host, description, disabledReason, failingSince } = webhook;
    const status = statusOf(webhook);
    return { id, host, description, status, disabledReason, failingSince } as FailingWebhook;
  });
}
