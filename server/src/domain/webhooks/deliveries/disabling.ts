import type { EmailComposer } from '../../emails/email-composer.ts';
import type { Change } from '../../events/change.ts';
import { notifyOperators } from '../../operators/operator-notices.ts';
import type { StoredWebhook } from '../webhook.ts';
import { updateWebhookRow } from '../webhook-store.ts';
import { endWaitingDeliveries } from './delivery-store.ts';

/** Disables a webhook whose receiver accepts no messages, and notifies the operators who can change that. */
export async function disableWebhook(
  change: Change,
  webhook: StoredWebhook,
  reason: 'gone' | 'failing',
  composer: EmailComposer,
): Promise<void> {
  const { now } = change;
  const { id: webhookId, host } = webhook;
  await updateWebhookRow(change, {
    ...webhook,
    enabled: false,
    disabledReason: reason,
    replay: null,
    dueAt: null,
    updatedAt: now,
  });
  await endWaitingDeliveries(change, webhookId);
  change.record({ type: 'webhook.disabled', data: { webhookId, host, reason } });
  await notifyOperators(
    change,
    { permission: 'webhooks:write', type: 'webhook_disabled', page: 'webhooks' },
    (frame, notice) => composer.webhookDisabledEmail(frame, { ...notice, host, reason }),
  );
}
