import type { Source } from '@gatehouse/client';
import { type ConnectedType, sourceTypes } from '@gatehouse/contract/source-types';
import { Text, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { DialogForm } from '../../components/forms/dialog-form.tsx';
import { ConnectHelp } from '../../components/sources/connect-help.tsx';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSaveSource } from '../../queries/source-changes.ts';
import { useTryWorkspace } from '../../queries/workspace.ts';
import { useSync } from './source-actions.tsx';

interface SecretFormProps {
  source: Source;
  type: ConnectedType;
  close: () => void;
}

/** Replaces the token or the address, which no one can read again. */
export function SecretForm({ source, type, close }: SecretFormProps) {
  const t = useTexts('sources');
  const form = useForm({
    initialValues: { secret: '' },
    validate: { secret: isNotEmpty(t(`secretMissing.${type}`)) },
  });
  const fields: Readonly<Record<string, string>> = { '/token': 'secret', '/address': 'secret' };
  const replace = useReplacement(source, type);
  const replacement = useSubmission(form, {
    send: ({ secret }) => replace(secret.trim()),
    onSuccess: close,
    done: () => t('replaced'),
    fieldOf: (pointer) => fields[pointer],
  });
  return (
    <DialogForm form={replacement} cancel={close} submit={t('replace')}>
      <Text size="sm">{t(`replaceText.${type}`)}</Text>
      <ConnectHelp type={type} />
      <TextInput
        {...form.getInputProps('secret')}
        label={t(`secret.${type}`)}
        placeholder={t(`secretExample.${type}`)}
        description={t('secretHelp')}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    </DialogForm>
  );
}

/** Saves the new one, tries it, and synchronizes at once if the source is turned on. */
function useReplacement(source: Source, type: ConnectedType) {
  const save = useSaveSource();
  const tryWorkspace = useTryWorkspace();
  const { send } = useSync(source.id);
  return async (secret: string): Promise<void> => {
    const saved = await save(source.id, { [sourceTypes[type].connectionField]: secret });
    await tryWorkspace(saved);
    if (saved.enabled) await send({});
  };
}
