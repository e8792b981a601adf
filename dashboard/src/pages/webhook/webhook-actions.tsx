import type { Webhook, WebhookDelivery } from '@gatehouse/client';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { showFailure } from '../../components/feedback/error-notification.tsx';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { TestResult } from './test-result.tsx';

interface WebhookActionsProps {
  webhook: Webhook;
  /** Asks which events are to be sent again. */
  replay: () => void;
}

/** The buttons that send something: a test, or earlier events. A disabled webhook sends nothing. */
export function WebhookActions({ webhook: { id, enabled, replay: current }, replay }: WebhookActionsProps) {
  const t = useTexts('webhooks');
  const { gatehouse, keys, client } = useSiteApi();
  const [sent, setSent] = useState<WebhookDelivery | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: () => gatehouse.webhooks.test(id),
    onSuccess: setSent,
    onError: showFailure,
  });
  function close(): void {
    setSent(null);
    void client.invalidateQueries({ queryKey: keys.webhooks.all });
    void client.invalidateQueries({ queryKey: keys.overview });
  }
  return (
    <>
      <ActionButton label={t('replay')} disabled={!enabled || current !== null} onClick={replay} />
      <Button disabled={!enabled} loading={isPending} onClick={() => mutate()}>
        {t('test')}
      </Button>
      <Dialog opened={sent !== null} onClose={close} title={t('kind.test')} size="lg">
        {sent && <TestResult sent={sent} close={close} />}
      </Dialog>
    </>
  );
}
