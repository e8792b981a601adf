import type { CreatedWebhook } from '@gatehouse/client';
import { Group } from '@mantine/core';
import { useState } from 'react';
import { DialogForm } from '../../components/forms/dialog-form.tsx';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { LinkButton } from '../../components/layout/links.tsx';
import { useWebhookForm, WebhookFields } from '../../components/webhooks/webhook-fields.tsx';
import { webhookName } from '../../components/webhooks/webhook-name.ts';
import { WebhookSecret } from '../../components/webhooks/webhook-secret.tsx';
import { newWebhookValues, toSettings } from '../../components/webhooks/webhook-values.ts';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';

/** Creates a webhook and shows its secret once. The secret is closed only by its own buttons. */
export function CreateDialog({ opened, close }: { opened: boolean; close: () => void }) {
  const t = useTexts('webhooks');
  const [created, setCreated] = useState<CreatedWebhook | null>(null);
  const end = () => {
    setCreated(null);
    close();
  };
  return (
    <Dialog
      opened={opened}
      onClose={end}
      title={t(created ? 'secretTitle' : 'create')}
      size="lg"
      closeOnEscape={!created}
      withCloseButton={!created}
      closeOnClickOutside={!created}
    >
      {created ? <Secret webhook={created} close={end} /> : <CreateForm created={setCreated} close={end} />}
    </Dialog>
  );
}

function CreateForm({ created, close }: { created: (webhook: CreatedWebhook) => void; close: () => void }) {
  const t = useTexts('webhooks');
  const { gatehouse, keys } = useSiteApi();
  const form = useWebhookForm(newWebhookValues);
  const creation = useSubmission(form, {
    send: (values) => gatehouse.webhooks.create(toSettings(values)),
    onSuccess: created,
    invalidates: [keys.webhooks.list],
  });
  return (
    <DialogForm form={creation} cancel={close} submit={t('create')}>
      <WebhookFields form={form} />
    </DialogForm>
  );
}

function Secret({ webhook, close }: { webhook: CreatedWebhook; close: () => void }) {
  const t = useTexts('webhooks');
  return (
    <WebhookSecret name={webhookName(webhook)} secret={webhook.secret} warning={t('secretText')}>
      <Group gap="xs">
        <LinkButton
          variant="default"
          onClick={close}
          from="/$site"
          to="/$site/webhooks/$webhookId"
          params={{ webhookId: webhook.id }}
        >
          {t('showWebhook')}
        </LinkButton>
        <ActionButton label={t('done')} onClick={close} />
      </Group>
    </WebhookSecret>
  );
}
