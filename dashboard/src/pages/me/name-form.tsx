import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
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
  const [name, setName] = useState(saved);
  const unsaved = name.trim() !== saved;
  useUnsavedWarning(unsaved);
  const saving = useMutation({
    mutationFn: () => whileSignedIn(() => dashboardApi.rename(name.trim() || null)),
    onSuccess: (me) => {
      client.setQueryData(meQuery.queryKey, me);
      setName(me.operator.displayName ?? '');
    },
  });

  return (
    <Section title={t('name')} description={t('nameHelp')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <Stack gap="sm">
          <Group align="flex-end" gap="xs">
            <TextInput
              flex={1}
              miw="12rem"
              aria-label={t('name')}
              autoComplete="name"
              maxLength={200}
              value={name}
              readOnly={saving.isPending}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" disabled={!unsaved} loading={saving.isPending}>
              {parts('save')}
            </Button>
          </Group>
          {saving.error && <ErrorNote error={saving.error} />}
        </Stack>
      </form>
    </Section>
  );
}
