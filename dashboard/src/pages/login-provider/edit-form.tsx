import type { LoginProvider } from '@gatehouse/client';
import { useState } from 'react';
import { DialogForm } from '../../components/forms/dialog-form.tsx';
import { ProviderFields } from '../../components/login-providers/provider-fields.tsx';
import { useProviderForm } from '../../components/login-providers/provider-form.ts';
import { fieldOf, toSettings, toValues } from '../../components/login-providers/provider-values.ts';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { saveChanged, type Version } from '../../queries/version.ts';
import { useSaveLoginProvider } from '../../queries/ways-in/login-providers.ts';

interface EditFormProps {
  saved: Version<LoginProvider>;
  close: () => void;
}

/** The settings of a provider that can be changed. */
export function EditForm({ saved, close }: EditFormProps) {
  // Edits that started on one version must never overwrite another one.
  const [base] = useState(saved);
  const [initialValues] = useState(() => toValues(base.data));
  const t = useTexts('login');
  const common = useTexts('common');
  const { gatehouse, keys } = useSiteApi();
  const save = useSaveLoginProvider();
  const { id, type } = base.data;
  const form = useProviderForm(type, { initialValues, isNew: false });
  const saving = useSubmission(form, {
    send: (values) =>
      saveChanged({
        base,
        before: toSettings(type, initialValues),
        values: toSettings(type, values),
        read: () => gatehouse.loginProviders.get(id),
        send: (changes, etag) => save(id, changes, etag),
      }),
    onSuccess: close,
    done: () => t('saved'),
    fieldOf: (pointer) => fieldOf(type, pointer),
    stale: { title: t('staleTitle'), queryKey: keys.loginProviders.one(id), close },
  });
  return (
    <DialogForm form={saving} cancel={close} submit={common('save')}>
      <ProviderFields type={type} form={form} isNew={false} />
    </DialogForm>
  );
}
