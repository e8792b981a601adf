import type { CreatedAccessToken } from '@gatehouse/client';
import { maxNameLength } from '@gatehouse/contract/limits';
import { maxRulePathLength } from '@gatehouse/contract/rule-paths';
import { TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useState } from 'react';
import { type Expiry, expiryTime } from '../../../components/credentials/expiry.ts';
import { ExpiryFields } from '../../../components/credentials/expiry-fields.tsx';
import { SecretText } from '../../../components/credentials/secret-text.tsx';
import { DialogForm } from '../../../components/forms/dialog-form.tsx';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { Dialog } from '../../../components/layout/dialog.tsx';
import { useSubmission } from '../../../hooks/use-submission.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSiteApi } from '../../../queries/site-api.ts';
import { useSite } from '../../../session/site.ts';

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
  const { timeZone } = useSite();
  const { gatehouse, keys } = useSiteApi();
  const credentials = useTexts('credentials');
  const form = useForm<Values>({
    initialValues: { name: '', pathPrefix: '/', expiry: '365', day: '' },
    validate: {
      name: isNotEmpty(t('tokenNameMissing')),
      day: (day, { expiry }) =>
        expiryTime(expiry, day, timeZone, new Date()) === undefined ? credentials('dayMissing') : null,
    },
  });
  const [created, setCreated] = useState<CreatedAccessToken | null>(null);
  const creation = useSubmission(form, {
    send: ({ name, pathPrefix, expiry, day }) =>
      gatehouse.members.accessTokens.create(memberId, {
        name,
        pathPrefix: pathPrefix.trim() || '/',
        expiresAt: expiryTime(expiry, day, timeZone, new Date()),
      }),
    onSuccess: setCreated,
    invalidates: keys.affectedByMembers,
    fieldOf,
  });
  return { form, creation, created };
}

function Content({ memberId, close }: { memberId: string; close: () => void }) {
  const t = useTexts('member');
  const { form, creation, created } = useCreation(memberId);
  if (created) {
    return (
      <SecretText secret={created.secret} label={created.name} warning={t('tokenOnce')}>
        <ActionButton label={t('tokenDone')} onClick={close} />
      </SecretText>
    );
  }
  return (
    <DialogForm form={creation} cancel={close} submit={t('createToken')}>
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
    </DialogForm>
  );
}

/** The field for a JSON pointer in the request. */
function fieldOf(pointer: string): keyof Values | undefined {
  return ({ '/name': 'name', '/pathPrefix': 'pathPrefix', '/expiresAt': 'day' } as const)[pointer];
}
