import { maxDisplayNameLength } from '@gatehouse/contract/limits';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { FormErrorNote } from '../../components/feedback/error-note.tsx';
import { Section } from '../../components/layout/section.tsx';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useUnsavedWarning } from '../../hooks/use-unsaved-warning.ts';
import { useTexts } from '../../languages/texts.tsx';
import { dashboardApi } from '../../session/dashboard-api.ts';
import { whileLoggedIn } from '../../session/logged-out.ts';
import { meQuery, useMe } from '../../session/me.ts';

export function NameForm() {
  const t = useTexts('me');
  const common = useTexts('common');
  const client = useQueryClient();
  const saved = useMe().operator.displayName ?? '';
  const form = useForm({ initialValues: { displayName: saved } });
  const unsaved = form.values.displayName.trim() !== saved;
  useUnsavedWarning(unsaved);
  const saving = useSubmission(form, {
    send: ({ displayName }) => whileLoggedIn(() => dashboardApi.rename(displayName.trim() || null)),
    onSuccess: (me) => {
      client.setQueryData(meQuery.queryKey, me);
      form.setValues({ displayName: me.operator.displayName ?? '' });
      // The button is disabled until the name is changed.
      form.getInputNode('displayName')?.focus();
    },
  });
  return (
    <Section title={t('name')} description={t('nameHelp')}>
      <form onSubmit={saving.submit} noValidate>
        <Stack gap="sm">
          <Group align="flex-start" gap="xs">
            <TextInput
              {...form.getInputProps('displayName')}
              flex={1}
              miw="12rem"
              aria-label={t('name')}
              autoComplete="name"
              maxLength={maxDisplayNameLength}
              readOnly={saving.isPending}
            />
            <Button type="submit" disabled={!unsaved} loading={saving.isPending}>
              {common('save')}
            </Button>
          </Group>
          <FormErrorNote failure={saving.failure} />
        </Stack>
      </form>
    </Section>
  );
}
