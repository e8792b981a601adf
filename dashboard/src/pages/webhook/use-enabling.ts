import type { Webhook } from '@gatehouse/client';
import { webhookName } from '../../components/webhooks/webhook-name.ts';
import { useSaveWebhook } from '../../components/webhooks/webhook-queries.ts';
import { useUndoable } from '../../hooks/use-undoable.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteKeys } from '../../queries/keys.ts';

/**
 * Enables or disables a webhook. Disabling is confirmed, because what waits is dropped.
 * @param enabled gets the time since when every attempt had failed, if there is one
 */
export function useEnabling(webhook: Webhook, enabled: (failingSince: string) => void) {
  const t = useTexts('webhooks');
  const keys = useSiteKeys();
  const save = useSaveWebhook();
  const change = useUndoable();
  const { id, failingSince } = webhook;
  const name = webhookName(webhook);
  const invalidates = [keys.webhooks.one(id), keys.webhooks.deliveries(id), keys.events.all];

  async function enable(): Promise<void> {
    const done = t('wasEnabled', { name });
    const isDone = await change({ done, send: () => save(id, { enabled: true }), invalidates });
    if (isDone && failingSince) enabled(failingSince);
  }

  async function disable(): Promise<void> {
    const question = {
      title: t('disableTitle', { name }),
      children: t('disableText'),
      confirm: t('disable'),
    };
    const done = t('wasDisabled', { name });
    await change({ question, done, send: () => save(id, { enabled: false }), invalidates });
  }

  return { enable, disable };
}
