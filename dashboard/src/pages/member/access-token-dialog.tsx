import { maxNameLength } from '@gatehouse/contract/limits';
import { maxRulePathLength } from '@gatehouse/contract/rule-paths';
import { Button, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type Expiry, expiryTime } from '../../components/credentials/expiry.ts';
import { ExpiryFields } from '../../components/credentials/expiry-fields.tsx';
import { SecretText } from '../../components/credentials/secret-text.tsx';
import { FormErrorNote } from '../../components/feedback/error-note.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { DialogButtons } from '../../components/layout/dialog-buttons.tsx';
import { useFormErrors } from '../../hooks/use-form-errors.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { useGatehouse, useSite } from '../../session/site.ts';

interface AccessTokenDialogProps {
  memberId: string;
  opened: boolean;
  close: () => void;
}

interface Values {
  name: string;
  pathPrefix: string;
  expiry: Expiry;
  day: string;
}

/** Creates an access token, and then shows it once. */
export function AccessTokenDialog({ memberId, opened, close }: AccessTokenDialogProps) {
  const t = useTexts('member');
  return (
    <Dialog opened={opened} onClose={close} title={t('createTokenTitle')} size="lg">
      <Content memberId={memberId} close={close} />
    </Dialog>
  );
}

function useCreation(memberId: string) {
  const t = useTexts('member');
  const { accessTokens } = useGatehouse().members;
  const { timeZone } = useSite();
  const { keys, client } = useSiteApi();
  const credentials = useTexts('credentials');
  const form = useForm<Values>({
    initialValues: { name: '', pathPrefix: '/', expiry: '365', day: '' },
    validate: {
      name: isNotEmpty(t('tokenNameMissing')),
      day: (day, { expiry }) =>
        expiryTime(expiry, day, timeZone, new Date()) === undefined ? credentials('dayMissing') : null,
    },
  });
  const formErrors = useFormErrors(form, fieldOf);
  const creation = useMutation({
    onMutate: formErrors.clear,
    mutationFn: ({ name, pathPrefix, expiry, day }: Values) =>
      accessTokens.create(memberId, {
        name,
        pathPrefix: pathPrefix.trim() || '/',
        expiresAt: expiryTime(expiry, day, timeZone, new Date()),
      }),
    onError: formErrors.show,
    onSuccess: () =>
      Promise.all(keys.affectedByMembers.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
  return { form, failure: formErrors.failure, creation };
}

function Content({ memberId, close }: { memberId: string; close: () => void }) {
  const t = useTexts('member');
  const { form, failure, creation } = useCreation(memberId);
  if (creation.data) {
    return (
      <SecretText secret={creation.data.secret} label={creation.data.name} warning={t('tokenOnce')}>
        <Button variant="default" onClick={close}>
          {t('tokenDone')}
        </Button>
      </SecretText>
    );
  }
  return (
    <form onSubmit={form.onSubmit((values) => creation.mutate(values))} noValidate>
      <Stack>
        <TextInput
          {...form.getInputProps('name')}
          label={t('tokenName')}
          description={t('tokenNameHelp')}
          maxLength={maxNameLength}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          {...form.getInputProps('pathPrefix')}
          label={t('tokenPath')}
          description={t('tokenPathHelp')}
          maxLength={maxRulePathLength}
          autoCapitalize="off"
          spellCheck={false}
        />
        <ExpiryFields
          expiry={form.values.expiry}
          expiryInput={form.getInputProps('expiry')}
          dayInput={form.getInputProps('day')}
        />
        <FormErrorNote failure={failure} />
        <DialogButtons cancel={close} submit={t('createToken')} pending={creation.isPending} />
      </Stack>
    </form>
  );
}

/** The field for a JSON pointer in the request. */
function fieldOf(pointer: string): keyof Values | undefined {
  return ({ '/name': 'name', '/pathPrefix': 'pathPrefix', '/expiresAt': 'day' } as const)[pointer];
}
