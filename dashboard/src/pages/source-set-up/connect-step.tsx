import type { Source } from '@gatehouse/client';
import { maxNameLength } from '@gatehouse/contract/limits';
import { type ConnectedType, isList, sourceTypes } from '@gatehouse/contract/source-types';
import { Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { FormErrorNote } from '../../components/feedback/error-note.tsx';
import { ConnectHelp } from '../../components/sources/connect-help.tsx';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useUnsavedWarning } from '../../hooks/use-unsaved-warning.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useCreateSource, useSaveSource } from '../../queries/source-changes.ts';
import { useTryWorkspace } from '../../queries/workspace.ts';
import { useSite } from '../../session/site.ts';
import { StepButtons } from './step-buttons.tsx';
import type { SetUp } from './use-set-up.ts';

interface ConnectStepProps {
  /** Undefined until it is created by this step. */
  source: Source | undefined;
  type: ConnectedType;
  setUp: SetUp;
}

/** The name, and the token or address with which Gatehouse reads the workspace. */
export function ConnectStep({ source, type, setUp }: ConnectStepProps) {
  const t = useTexts('sources');
  const { form, connection } = useConnection({ source, type, setUp });
  useUnsavedWarning(form.isDirty());
  return (
    <form onSubmit={connection.submit} noValidate>
      <Stack>
        <ConnectHelp type={type} />
        <TextInput
          {...form.getInputProps('secret')}
          label={t(`secret.${type}`)}
          placeholder={source ? t('secretStored') : t(`secretExample.${type}`)}
          description={t('secretHelp')}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          {...form.getInputProps('name')}
          label={t('name')}
          description={t(`nameHelp.${type}`)}
          maxLength={maxNameLength}
          autoComplete="off"
        />
        <FormErrorNote failure={connection.failure} />
        <StepButtons next={t('next')} pending={connection.isPending} />
      </Stack>
    </form>
  );
}

type Values = { name: string; secret: string };

function useConnection({ source, type, setUp }: ConnectStepProps) {
  const t = useTexts('sources');
  const form = useForm<Values>({
    initialValues: { name: source?.name ?? (isList(type) ? '' : t(`kind.${type}`)), secret: '' },
    validate: {
      name: isNotEmpty(t('nameMissing')),
      secret: (secret) => (source || secret.trim() !== '' ? null : t(`secretMissing.${type}`)),
    },
  });
  const fields: Readonly<Record<string, string>> = {
    '/name': 'name',
    '/token': 'secret',
    '/address': 'secret',
  };
  const connection = useSubmission(form, {
    send: useConnect(source, type),
    onSuccess: setUp.next,
    fieldOf: (pointer) => fields[pointer],
  });
  return { form, connection };
}

/** Creates or changes the source, and asks its workspace for what the next step shows. */
function useConnect(source: Source | undefined, type: ConnectedType) {
  const navigate = useNavigate();
  const { slug } = useSite();
  const create = useCreateSource();
  const save = useSaveSource();
  const tryWorkspace = useTryWorkspace();
  return async (values: Values): Promise<void> => {
    const name = values.name.trim();
    const secret = values.secret.trim();
    const changes = {
      ...(name !== source?.name && { name }),
      ...(secret && { [sourceTypes[type].connectionField]: secret }),
    };
    const hasChanges = Object.keys(changes).length > 0;
    let saved = source;
    if (!source) saved = await create({ type, ...changes, name });
    else if (hasChanges) saved = await save(source.id, changes);
    if (!source) {
      const search = { source: saved!.id };
      await navigate({ to: '/$site/sources/set-up', params: { site: slug }, search, replace: true });
    }
    await tryWorkspace(saved!);
  };
}
