import type { LoginProvider } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogForm } from '../../components/forms/dialog-form.tsx';
import { isSecret, missingSecret } from '../../components/login-providers/provider-form.ts';
import { SecretField } from '../../components/login-providers/secret-field.tsx';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSaveLoginProvider } from '../../queries/ways-in/login-providers.ts';

/** Replaces the client secret or the private key, which no one can read again. */
export function SecretForm({
  provider: { id, type },
  close,
}: {
  provider: LoginProvider;
  close: () => void;
}) {
  const t = useTexts('login');
  const save = useSaveLoginProvider();
  const form = useForm({
    initialValues: { secret: '' },
    validate: { secret: (secret) => (isSecret(type, secret) ? null : t(missingSecret(type))) },
  });
  const replacement = useSubmission(form, {
    send: ({ secret }) => save(id, { secret: secret.trim() }),
    onSuccess: close,
    done: () => t(type === 'apple' ? 'keyReplaced' : 'secretReplaced'),
  });
  return (
    <DialogForm
      form={replacement}
      cancel={close}
      submit={t(type === 'apple' ? 'replaceKey' : 'replaceSecret')}
    >
      <Text size="sm">{t('replaceText')}</Text>
      <SecretField type={type} input={form.getInputProps('secret')} autoFocus />
    </DialogForm>
  );
}
