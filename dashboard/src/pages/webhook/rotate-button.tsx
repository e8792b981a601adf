import type { WebhookSecret as NewSecret, Webhook } from '@gatehouse/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { showFailure } from '../../components/feedback/error-notification.tsx';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { timeText } from '../../components/time-text.tsx';
import { webhookName } from '../../components/webhooks/webhook-name.ts';
import { WebhookSecret } from '../../components/webhooks/webhook-secret.tsx';
import { useConfirm } from '../../hooks/use-confirm.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';

/** Replaces the secret, and shows the new one once. It is closed only by its own button. */
export function RotateButton({ webhook }: { webhook: Webhook }) {
  const t = useTexts('webhooks');
  const { gatehouse, keys, client } = useSiteApi();
  const confirm = useConfirm();
  const [shown, setShown] = useState<NewSecret | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: () => gatehouse.webhooks.secret.rotate(webhook.id),
    onSuccess: setShown,
    onError: showFailure,
  });

  async function rotate(): Promise<void> {
    const question = { title: t('rotateTitle'), children: t('rotateText'), confirm: t('rotate') };
    if (await confirm({ ...question, danger: false })) mutate();
  }

  function close(): void {
    setShown(null);
    void client.invalidateQueries({ queryKey: keys.webhooks.one(webhook.id) });
  }

  return (
    <>
      <ActionButton label={t('rotate')} size="xs" loading={isPending} onClick={rotate} />
      <Dialog
        opened={shown !== null}
        onClose={close}
        title={t('secretTitle')}
        size="lg"
        closeOnEscape={false}
        closeOnClickOutside={false}
        withCloseButton={false}
      >
        {shown && (
          <WebhookSecret
            name={webhookName(webhook)}
            secret={shown.secret}
            warning={t('rotatedText', { time: timeText(shown.previousSecretExpiresAt, 'full') })}
          >
            <ActionButton label={t('done')} onClick={close} />
          </WebhookSecret>
        )}
      </Dialog>
    </>
  );
}
