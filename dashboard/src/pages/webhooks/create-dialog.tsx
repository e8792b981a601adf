import type { CreatedWebhook } from '@gatehouse/client';
import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FormErrorNote } from '../../components/feedback/error-note.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { DialogButtons } from '../../components/layout/dialog-buttons.tsx';
import { LinkButton } from '../../components/layout/links.tsx';
import { useWebhookForm, WebhookFields } from '../../components/webhooks/webhook-fields.tsx';
import { webhookName } from '../../components/webhooks/webhook-name.ts';
import { WebhookSecret } from '../../components/webhooks/webhook-secret.tsx';
import {
  newWebhookValues,
  toSettings,
  type WebhookValues,
} from '../../components/webhooks/webhook-values.ts';
import { useFormErrors } from '../../hooks/use-form-errors.ts';
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
  const {
    gatehouse: { webhooks },
    keys,
    client,
  } = useSiteApi();
  const form = useWebhookForm(newWebhookValues);
  const { clear, show, failure } = useFormErrors(form);
  const { mutate, isPending } = useMutation({
    onMutate: clear,
    onError: show,
    mutationFn: (values: WebhookValues) => webhooks.create(toSettings(values)),
    onSuccess: (webhook) => {
      created(webhook);
      void client.invalidateQueries({ queryKey: keys.webhooks.list });
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => mutate(values))} noValidate>
      <Stack>
        <WebhookFields form={form} />
        <FormErrorNote failure={failure} />
        <DialogButtons cancel={close} submit={t('create')} pending={isPending} />
      </Stack>
    </form>
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
        <Button variant="default" onClick={close}>
          {t('done')}
        </Button>
      </Group>
    </WebhookSecret>
  );
}
