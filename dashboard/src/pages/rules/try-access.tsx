import type { AccessDecision } from '@gatehouse/client';
import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconLock, IconLockOpen2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { MemberPicker, type PickedMember } from '../../parts/member-picker.tsx';
import { onPasteOfAddress } from '../../parts/pasted-address.ts';
import { Section } from '../../parts/section.tsx';
import { useGatehouse, useSite } from '../../session/site.ts';

const typingMilliseconds = 250;

/** Asks the gate about any path, as any member or as a stranger. */
export function TryAccess({ unsaved }: { unsaved: boolean }) {
  const t = useTexts('rules');
  const [path, setPath] = useState('/');
  const [member, setMember] = useState<PickedMember | null>(null);
  const { data, error, refetch } = useDecision(path.trim(), member);
  return (
    <Section title={t('tryTitle')} description={t('tryHelp')}>
      <Stack gap="sm">
        <TextInput
          label={t('path')}
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
          onPaste={onPasteOfAddress(({ pathname }) => setPath(pathname))}
          error={!path.trim().startsWith('/') && t('fault.slash')}
          maxLength={4_096}
          autoCapitalize="off"
          spellCheck={false}
        />
        <MemberPicker
          label={t('who')}
          description={t('whoHelp')}
          placeholder={t('stranger')}
          nothingFound={t('nobodyFound')}
          member={member}
          choose={setMember}
        />
        <div aria-live="polite">
          {error && <ErrorNote error={error} retry={refetch} />}
          {data && !error && <Decision decision={data} />}
        </div>
        {unsaved && (
          <Text size="xs" c="dimmed">
            {t('tryUnsaved')}
          </Text>
        )}
      </Stack>
    </Section>
  );
}

function Decision({ decision: { allowed, reason, rule } }: { decision: AccessDecision }) {
  const t = useTexts('rules');
  const Icon = allowed ? IconLockOpen2 : IconLock;
  const name = `reason.${reason}`;
  const withoutRule = rule === null && (reason === 'member' || reason === 'stranger');
  return (
    <Alert
      variant="light"
      color={allowed ? 'teal' : 'red'}
      icon={<Icon aria-hidden />}
      title={t(allowed ? 'open' : 'shut')}
    >
      {t.has(name) ? t(name) : reason} {rule && t.rich('decidedBy', { path: <code>{rule.path}</code> })}
      {withoutRule && t('noRule')}
    </Alert>
  );
}

function useDecision(typed: string, member: PickedMember | null) {
  const site = useSite();
  const gatehouse = useGatehouse();
  const [path] = useDebouncedValue(typed, typingMilliseconds);
  const enabled = path.startsWith('/');
  const { data, error, refetch } = useQuery({
    queryKey: [site.id, 'rules', 'decision', member?.id, path],
    queryFn: async ({ signal }) => {
      const [decision] = await gatehouse.access.check([{ memberId: member?.id, path }], { signal });
      return decision!;
    },
    enabled,
    staleTime: 0,
  });
  // An answer about another path is none about this one.
  return path === typed ? { data, error, refetch } : { data: undefined, error: null, refetch };
}
