import { maxDisplayNameLength } from '@gatehouse/contract/limits';
import { Radio, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { FormErrorNote } from '../../components/feedback/error-note.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { DialogButtons } from '../../components/layout/dialog-buttons.tsx';
import { useFormErrors } from '../../hooks/use-form-errors.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteKeys } from '../../queries/keys.ts';
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
  const formErrors = useFormErrors(form);
  const invitation = useInvitation(formErrors, close);
  return (
    <form onSubmit={form.onSubmit((values) => invitation.mutate(values))} noValidate>
      <Stack>
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
        <FormErrorNote failure={formErrors.failure} />
        <DialogButtons cancel={close} submit={t('sendInvitation')} pending={invitation.isPending} />
      </Stack>
    </form>
  );
}

type Values = { email: string; displayName: string; role: Role };

function useInvitation(formErrors: ReturnType<typeof useFormErrors>, close: () => void) {
  const t = useTexts('operators');
  const { gatehouse, client } = useSiteApi();
  const queryKey = useSiteKeys().operators;
  const emailQueued = useEmailWaits();
  return useMutation({
    onMutate: formErrors.clear,
    onError: formErrors.show,
    mutationFn: ({ email, displayName, role }: Values) =>
      gatehouse.operators.invite({
        email: email.trim(),
        role,
        ...(displayName.trim() !== '' && { displayName: displayName.trim() }),
      }),
    onSuccess: async ({ email }) => {
      close();
      notifications.show({ message: t(emailQueued ? 'invitationWaits' : 'wasInvited', { email }) });
      await client.invalidateQueries({ queryKey });
    },
  });
}
