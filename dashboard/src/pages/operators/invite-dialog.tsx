import { Button, Group, Modal, Radio, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTexts } from '../../languages/texts.tsx';
import { FormErrorNote } from '../../parts/error-note.tsx';
import { useFormErrors } from '../../parts/form-errors.ts';
import { useMailWaits } from '../../parts/overview.ts';
import type { Role } from '../../session/dashboard-api.ts';
import { useGatehouse, useSite } from '../../session/site.ts';
import { roles } from './roles.ts';

interface InviteDialogProps {
  opened: boolean;
  close: () => void;
}

/** Gives somebody a role; a mail tells how to get in. */
export function InviteDialog({ opened, close: shut }: InviteDialogProps) {
  const t = useTexts('operators');
  const parts = useTexts('parts');
  const site = useSite();
  const gatehouse = useGatehouse();
  const client = useQueryClient();
  const mailWaits = useMailWaits();
  const form = useForm({
    initialValues: { email: '', displayName: '', role: 'support' as Role },
    validate: { email: isNotEmpty(t('emailMissing')) },
  });
  const formErrors = useFormErrors(form);
  const invitation = useMutation({
    onMutate: formErrors.clear,
    onError: formErrors.show,
    mutationFn: ({ email, displayName, role }: typeof form.values) =>
      gatehouse.operators.invite({
        email: email.trim(),
        role,
        ...(displayName.trim() !== '' && { displayName: displayName.trim() }),
      }),
    onSuccess: async ({ email }) => {
      close();
      notifications.show({ message: t(mailWaits ? 'invitationWaits' : 'wasInvited', { email }) });
      await client.invalidateQueries({ queryKey: [site.id, 'operators'] });
    },
  });

  function close(): void {
    shut();
    form.reset();
    formErrors.clear();
  }

  return (
    <Modal opened={opened} onClose={close} title={t('inviteTitle', { site: site.title })}>
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
            maxLength={200}
          />
          <Radio.Group {...form.getInputProps('role')} label={t('role')}>
            <Stack gap="xs" mt={6}>
              {roles.map((role) => (
                <Radio key={role} value={role} label={t(role)} description={t(`${role}Help`)} />
              ))}
            </Stack>
          </Radio.Group>
          <FormErrorNote failure={formErrors.failure} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {parts('cancel')}
            </Button>
            <Button type="submit" loading={invitation.isPending}>
              {t('sendInvitation')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
