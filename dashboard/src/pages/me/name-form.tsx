import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTexts } from '../../languages/texts.tsx';
import { FormErrorNote } from '../../parts/error-note.tsx';
import { useFormErrors } from '../../parts/form-errors.ts';
import { Section } from '../../parts/section.tsx';
import { useUnsavedWarning } from '../../parts/unsaved.ts';
import { dashboardApi } from '../../session/dashboard-api.ts';
import { meQuery, useMe } from '../../session/me.ts';
import { whileSignedIn } from '../../session/signed-out.ts';

export function NameForm() {
  const t = useTexts('me');
  const parts = useTexts('parts');
  const client = useQueryClient();
  const saved = useMe().operator.displayName ?? '';
  const form = useForm({ initialValues: { displayName: saved } });
  const formErrors = useFormErrors(form);
  const unsaved = form.values.displayName.trim() !== saved;
  useUnsavedWarning(unsaved);
  const saving = useMutation({
    mutationFn: ({ displayName }: typeof form.values) =>
      whileSignedIn(() => dashboardApi.rename(displayName.trim() || null)),
    onMutate: formErrors.clear,
    onError: formErrors.show,
    onSuccess: (me) => {
      client.setQueryData(meQuery.queryKey, me);
      form.setValues({ displayName: me.operator.displayName ?? '' });
    },
  });

  return (
    <Section title={t('name')} description={t('nameHelp')}>
      <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
        <Stack gap="sm">
          <Group align="flex-start" gap="xs">
            <TextInput
              {...form.getInputProps('displayName')}
              flex={1}
              miw="12rem"
              aria-label={t('name')}
              autoComplete="name"
              maxLength={200}
              readOnly={saving.isPending}
            />
            <Button type="submit" disabled={!unsaved} loading={saving.isPending}>
              {parts('save')}
            </Button>
          </Group>
          <FormErrorNote failure={formErrors.failure} />
        </Stack>
      </form>
    </Section>
  );
}
