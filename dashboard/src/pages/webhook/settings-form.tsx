import type { UpdateWebhook, Webhook } from '@gatehouse/client';
import { useState } from 'react';
import { DialogForm } from '../../components/forms/dialog-form.tsx';
import {
  useWebhookForm,
  WebhookFields,
  type WebhookForm,
} from '../../components/webhooks/webhook-fields.tsx';
import { useSaveWebhook } from '../../components/webhooks/webhook-queries.ts';
import { settingNames, toSettings, toValues } from '../../components/webhooks/webhook-values.ts';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { changeFields, toVersion, type Version } from '../../queries/version.ts';

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
    send: async (submitted) => {
      const settings = toSettings(submitted);
      const before = toSettings(toValues(base.data));
      const isChanged = (name: keyof typeof settings) =>
        JSON.stringify(settings[name]) !== JSON.stringify(before[name]);
      const changed = settingNames.filter(isChanged);
      if (changed.length === 0) return base.data;
      const changes: UpdateWebhook = Object.fromEntries(changed.map((name) => [name, settings[name]]));
      return changeFields({
        base,
        fields: changed,
        read: async () => toVersion(await gatehouse.webhooks.get(id).withResponse()),
        send: (etag) => save(id, changes, etag),
      });
    },
    onSuccess: close,
    done: () => t('saved'),
    stale: { title: t('staleTitle'), queryKey: keys.webhooks.one(id), close },
  });
}
