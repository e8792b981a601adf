import { GatehouseError } from '@gatehouse/client';
import { maxDisplayNameLength } from '@gatehouse/contract/limits';
import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { FormErrorNote } from '../../components/feedback/error-note.tsx';
import { LinkText } from '../../components/layout/links.tsx';
import { useFormErrors } from '../../hooks/use-form-errors.ts';
import { useUnsavedWarning } from '../../hooks/use-unsaved-warning.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { GroupChoice } from './group-choice.tsx';
import { InvitationFields, type InvitationValues, useInviteOne } from './invite/invite-one.tsx';
import { useMayInvite } from './invite/use-may-invite.ts';

/** Adds one member, then offers to add the next one to the same groups. */
export function OneMember() {
  const t = useTexts('add');
  const mayInvite = useMayInvite();
  const first = useRef<HTMLInputElement>(null);
  const form = useForm<Values>({
    initialValues: { email: '', displayName: '', paid: false, groupIds: [], invites: false, language: null },
    validate: { email: isNotEmpty(t('emailMissing')) },
  });
  const { email, displayName } = form.values;
  useUnsavedWarning(email !== '' || displayName !== '');
  const formErrors = useFormErrors(form);
  const adding = useCreation(formErrors, () => {
    form.setValues({ email: '', displayName: '', paid: false });
    first.current?.focus();
  });
  const isTaken = adding.error instanceof GatehouseError && adding.error.code === 'email_taken';
  const takenEmail = isTaken ? email.trim() : null;

  return (
    <form onSubmit={form.onSubmit((values) => adding.mutate(values))} noValidate>
      <Stack maw="28rem">
        <TextInput
          {...form.getInputProps('email')}
          error={form.errors.email && <EmailError message={form.errors.email} takenEmail={takenEmail} />}
          ref={first}
          label={t('email')}
          type="email"
          autoComplete="off"
        />
        <TextInput
          {...form.getInputProps('displayName')}
          label={t('name')}
          autoComplete="off"
          maxLength={maxDisplayNameLength}
        />
        <Checkbox {...form.getInputProps('paid', { type: 'checkbox' })} label={t('paid')} />
        <GroupChoice
          help={t('groupsHelpOne')}
          groupIds={form.values.groupIds}
          choose={(groupIds) => form.setFieldValue('groupIds', groupIds)}
        />
        {mayInvite && (
          <InvitationFields
            invites={form.values.invites}
            language={form.values.language}
            change={(values) => form.setValues(values)}
          />
        )}
        <FormErrorNote failure={formErrors.failure} />
        <Group>
          <Button type="submit" loading={adding.isPending}>
            {t('addOne')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface EmailErrorProps {
  message: ReactNode;
  /** The address, if a member has it. */
  takenEmail: string | null;
}

function EmailError({ message, takenEmail }: EmailErrorProps) {
  return (
    <>
      {message} {takenEmail !== null && <FoundMember email={takenEmail} />}
    </>
  );
}

type Values = {
  email: string;
  displayName: string;
  paid: boolean;
  groupIds: string[];
} & InvitationValues;

function useCreation(formErrors: ReturnType<typeof useFormErrors>, created: () => void) {
  const t = useTexts('add');
  const { gatehouse, keys, client } = useSiteApi();
  const invite = useInviteOne();
  return useMutation({
    onMutate: formErrors.clear,
    onError: formErrors.show,
    mutationFn: ({ email, displayName, paid, groupIds }: Values) =>
      gatehouse.members.create({
        email: email.trim(),
        displayName: displayName.trim() || null,
        paid,
        accessGroupIds: groupIds,
      }),
    onSuccess: async (member, { invites, language }) => {
      const name = member.displayName ?? member.email;
      // The next member can be typed while the invitation is sent.
      created();
      const isInvited = invites && (await invite(member.email, language));
      notifications.show({ message: t(isInvited ? 'invite.wasAdded' : 'wasAdded', { name }) });
      for (const queryKey of keys.affectedByMembers) await client.invalidateQueries({ queryKey });
    },
  });
}

/** A link to the member with an email address. */
function FoundMember({ email }: { email: string }) {
  const t = useTexts('errors');
  return (
    <LinkText size="xs" from="/$site" to="/$site/members" search={{ q: email }}>
      {t('showMember')}
    </LinkText>
  );
}
