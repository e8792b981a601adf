import type { Webhook } from '@gatehouse/client';
import { useNavigate } from '@tanstack/react-router';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { hostOf, webhookName } from '../../components/webhooks/webhook-name.ts';
import { useUndoable } from '../../hooks/use-undoable.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { useSite } from '../../session/site.ts';

export function DeleteButton({ webhook }: { webhook: Webhook }) {
  const t = useTexts('webhooks');
  const { slug } = useSite();
  const { gatehouse, keys, client } = useSiteApi();
  const navigate = useNavigate();
  const change = useUndoable();
  const name = webhookName(webhook);

  async function remove(): Promise<void> {
    const isDone = await change({
      question: {
        title: t('deleteTitle', { name }),
        children: t('deleteText', { host: hostOf(webhook.url) }),
        confirm: t('deleteIt'),
      },
      done: t('deleted', { name }),
      send: () => gatehouse.webhooks.delete(webhook.id),
      invalidates: [keys.webhooks.list, keys.overview, keys.events.all],
    });
    if (!isDone) return;
    await navigate({ to: '/$site/webhooks', params: { site: slug } });
    client.removeQueries({ queryKey: keys.webhooks.one(webhook.id) });
    client.removeQueries({ queryKey: keys.webhooks.deliveries(webhook.id) });
  }

  return <ActionButton label={t('delete')} size="xs" onClick={remove} />;
}
