import type { Webhook } from '@gatehouse/client';
import { useState } from 'react';
import { DialogForm } from '../../components/forms/dialog-form.tsx';
import {
  useWebhookForm,
  WebhookFields,
  type WebhookForm,
} from '../../components/webhooks/webhook-fields.tsx';
import { useSaveWebhook } from '../../components/webhooks/webhook-queries.ts';
import { toSettings, toValues, type WebhookSettings } from '../../components/webhooks/webhook-values.ts';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { saveChanged, type Version } from '../../queries/version.ts';

interface SettingsFormProps {
  saved: Version<Webhook>;
  close: () => void;
}

/** The settings of a webhook. */
export function SettingsForm({ saved, close }: SettingsFormProps) {
  // Edits that started on one version must never overwrite another one.
  const [base] = useState(saved);
  const common = useTexts('common');
  const form = useWebhookForm(toValues(base.data));
  const saving = useSaving(base, form, close);
  return (
    <DialogForm form={saving} cancel={close} submit={common('save')}>
      <WebhookFields form={form} />
    </DialogForm>
  );
}

function useSaving(base: Version<Webhook>, form: WebhookForm, close: () => void) {
  const t = useTexts('webhooks');
  const { gatehouse, keys } = useSiteApi();
  const save = useSaveWebhook();
  const { id } = base.data;
  return useSubmission(form, {
    send: (submitted) =>
      saveChanged<Webhook, Required<WebhookSettings>>({
        base,
        before: toSettings(toValues(base.data)),
        values: toSettings(submitted),
        read: () => gatehouse.webhooks.get(id),
        send: (changes, etag) => save(id, changes, etag),
      }),
    onSuccess: close,
    done: () => t('saved'),
    stale: { title: t('staleTitle'), queryKey: keys.webhooks.one(id), close },
  });
}
