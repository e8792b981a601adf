import type { UpdateWebhook, Webhook } from '@gatehouse/client';
import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FormErrorNote } from '../../components/feedback/error-note.tsx';
import { DialogButtons } from '../../components/layout/dialog-buttons.tsx';
import { useWebhookForm, WebhookFields } from '../../components/webhooks/webhook-fields.tsx';
import { useSaveWebhook } from '../../components/webhooks/webhook-queries.ts';
import {
  settingNames,
  toSettings,
  toValues,
  type WebhookValues,
} from '../../components/webhooks/webhook-values.ts';
import { useConflictQuestion } from '../../hooks/use-conflict-question.ts';
import { useFormErrors } from '../../hooks/use-form-errors.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { changeFields, isConflict, toVersion, type Version } from '../../queries/version.ts';

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
  const formErrors = useFormErrors(form);
  const saving = useSaving(base, formErrors, close);
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
      <Stack>
        <WebhookFields form={form} />
        <FormErrorNote failure={formErrors.failure} />
        <DialogButtons cancel={close} submit={common('save')} pending={saving.isPending} />
      </Stack>
    </form>
  );
}

function useSaving(base: Version<Webhook>, formErrors: ReturnType<typeof useFormErrors>, close: () => void) {
  const t = useTexts('webhooks');
  const {
    gatehouse: { webhooks },
    keys,
    client,
  } = useSiteApi();
  const save = useSaveWebhook();
  const confirmOnConflict = useConflictQuestion();
  const { id } = base.data;
  return useMutation({
    onMutate: formErrors.clear,
    mutationFn: async (submitted: WebhookValues) => {
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
        read: async () => toVersion(await webhooks.get(id).withResponse()),
        send: (etag) => save(id, changes, etag),
      });
    },
    onError: async (error) => {
      if (!isConflict(error)) return formErrors.show(error);
      if (!(await confirmOnConflict(t('staleTitle')))) return;
      close();
      await client.invalidateQueries({ queryKey: keys.webhooks.one(id) });
    },
    onSuccess: () => {
      close();
      notifications.show({ message: t('saved') });
    },
  });
}
