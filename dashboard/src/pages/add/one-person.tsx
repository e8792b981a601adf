import { GatehouseError } from '@gatehouse/client';
import { Anchor, Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { FormErrorNote } from '../../parts/error-note.tsx';
import { useFormErrors } from '../../parts/form-errors.ts';
import { useUnsavedWarning } from '../../parts/unsaved.ts';
import { useGatehouse, useSite } from '../../session/site.ts';
import { GroupChoice } from './group-choice.tsx';

/** Adds one person, and is ready for the next one with the same groups. */
export function OnePerson() {
  const t = useTexts('add');
  const site = useSite();
  const gatehouse = useGatehouse();
  const client = useQueryClient();
  const first = useRef<HTMLInputElement>(null);
  const form = useForm({
    initialValues: { email: '', displayName: '', paid: false, groupIds: [] as string[] },
    validate: { email: isNotEmpty(t('emailMissing')) },
  });
  const { email, displayName } = form.values;
  useUnsavedWarning(email !== '' || displayName !== '');
  const formErrors = useFormErrors(form);
  const adding = useMutation({
    onMutate: formErrors.clear,
    onError: formErrors.show,
    mutationFn: ({ email, displayName, paid, groupIds }: typeof form.values) =>
      gatehouse.members.create({
        email: email.trim(),
        displayName: displayName.trim() || null,
        paid,
        accessGroupIds: groupIds,
      }),
    onSuccess: async (member) => {
      notifications.show({ message: t('wasAdded', { name: member.displayName ?? member.email }) });
      form.setValues({ email: '', displayName: '', paid: false });
      first.current?.focus();
      for (const area of ['members', 'groups', 'overview', 'events'])
        await client.invalidateQueries({ queryKey: [site.id, area] });
    },
  });

  const isTaken = adding.error instanceof GatehouseError && adding.error.code === 'email_taken';

  return (
    <form onSubmit={form.onSubmit((values) => adding.mutate(values))} noValidate>
      <Stack maw="28rem">
        <TextInput
          {...form.getInputProps('email')}
          error={
            form.errors.email && (
              <>
                {form.errors.email} {isTaken && <FoundMember email={form.values.email.trim()} />}
              </>
            )
          }
          ref={first}
          label={t('email')}
          type="email"
          autoComplete="off"
        />
        <TextInput
          {...form.getInputProps('displayName')}
          label={t('name')}
          autoComplete="off"
          maxLength={200}
        />
        <Checkbox {...form.getInputProps('paid', { type: 'checkbox' })} label={t('paid')} />
        <GroupChoice
          groupIds={form.values.groupIds}
          choose={(groupIds) => form.setFieldValue('groupIds', groupIds)}
        />
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

/** Leads to the member who has an address. */
function FoundMember({ email }: { email: string }) {
  const t = useTexts('errors');
  const { slug } = useSite();
  return (
    <Anchor
      size="xs"
      renderRoot={(props) => (
        <Link to="/$site/members" params={{ site: slug }} search={{ q: email }} {...props} />
      )}
    >
      {t('showMember')}
    </Anchor>
  );
}
