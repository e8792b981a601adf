import { maxDisplayNameLength } from '@gatehouse/contract/limits';
import { Radio, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { DialogForm } from '../../components/forms/dialog-form.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useEmailWaits } from '../../queries/overview.ts';
import { useSiteApi } from '../../queries/site-api.ts';
import type { Role } from '../../session/dashboard-api.ts';
import { useSite } from '../../session/site.ts';
import { roles } from './roles.ts';

interface InviteDialogProps {
  opened: boolean;
  close: () => void;
}

/** Invites an operator: assigns a role and sends an email with instructions for logging in. */
export function InviteDialog({ opened, close }: InviteDialogProps) {
  const t = useTexts('operators');
  const site = useSite();
  return (
    <Dialog opened={opened} onClose={close} title={t('inviteTitle', { site: site.title })}>
      <InviteForm close={close} />
    </Dialog>
  );
}

function InviteForm({ close }: { close: () => void }) {
  const t = useTexts('operators');
  const form = useForm<Values>({
    initialValues: { email: '', displayName: '', role: 'support' },
    validate: { email: isNotEmpty(t('emailMissing')) },
  });
  const { gatehouse, keys } = useSiteApi();
  const emailQueued = useEmailWaits();
  const invitation = useSubmission(form, {
    send: ({ email, displayName, role }) =>
      gatehouse.operators.invite({
        email: email.trim(),
        role,
        ...(displayName.trim() !== '' && { displayName: displayName.trim() }),
      }),
    onSuccess: close,
    done: ({ email }) => t(emailQueued ? 'invitationWaits' : 'wasInvited', { email }),
    invalidates: [keys.operators],
  });
  return (
    <DialogForm form={invitation} cancel={close} submit={t('sendInvitation')}>
      <TextInput
        {...form.getInputProps('email')}
        label={t('email')}
        description={t('emailHelp')}
        type="email"
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        {...form.getInputProps('displayName')}
        label={t('name')}
        description={t('nameHelp')}
        autoComplete="off"
        maxLength={maxDisplayNameLength}
      />
      <Radio.Group {...form.getInputProps('role')} label={t('role')}>
        <Stack gap="xs" mt={6}>
          {roles.map((role) => (
            <Radio key={role} value={role} label={t(role)} description={t(`${role}Help`)} />
          ))}
        </Stack>
      </Radio.Group>
    </DialogForm>
  );
}

type Values = { email: string; displayName: string; role: Role };
