import type { MemberWithGroups } from '@gatehouse/client';
import { Group, Paper, Switch, Text, ThemeIcon } from '@mantine/core';
import { IconLock, IconLockOpen2 } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTexts } from '../../languages/texts.tsx';
import { useConfirm } from '../../parts/confirm.tsx';
import { useGatehouse, useMay } from '../../session/site.ts';
import { useMemberChange, useSessionsQuery } from './member-query.ts';

/** Whether the door is open to the member. */
export function AccessSection({ member }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const mayBlock = useMay('members:block');
  const gatehouse = useGatehouse();
  const change = useMemberChange(member.id);
  const confirm = useConfirm();
  const client = useQueryClient();
  const sessionsQuery = useSessionsQuery(member.id);
  const blocked = member.status === 'blocked';
  const name = member.displayName ?? member.email;
  const Icon = blocked ? IconLock : IconLockOpen2;

  /** Whoever is logged in somewhere is not blocked without a question: the undo does not bring the sessions back. */
  async function mayEndSessions(): Promise<boolean> {
    const sessions = await client.fetchQuery(sessionsQuery).catch(() => []);
    if (sessions.length === 0) return true;
    return confirm({
      title: t('blockTitle', { name }),
      children: t('blockText', { name, count: sessions.length }),
      confirm: t('block'),
    });
  }

  async function set(toBlocked: boolean): Promise<void> {
    if (toBlocked && !(await mayEndSessions())) return;
    const block = () => gatehouse.members.block(member.id);
    const unblock = () => gatehouse.members.unblock(member.id);
    await change({
      done: t(toBlocked ? 'nowBlocked' : 'nowUnblocked', { name }),
      send: toBlocked ? block : unblock,
      undo: toBlocked ? unblock : block,
      becomes: { status: toBlocked ? 'blocked' : 'active' },
    });
  }

  return (
    <Paper
      component="section"
      aria-label={t('access')}
      withBorder
      radius="lg"
      p={{ base: 'md', sm: 'lg' }}
      bg={blocked ? 'var(--mantine-color-red-light)' : 'transparent'}
    >
      <Group justify="space-between" gap="md" wrap="nowrap">
        <Group gap="md" wrap="nowrap">
          <ThemeIcon size={40} radius="xl" variant="light" color={blocked ? 'red' : 'teal'} aria-hidden>
            <Icon size={20} />
          </ThemeIcon>
          <div>
            <Text fw={600}>{t(blocked ? 'isBlocked' : 'isOpen')}</Text>
            <Text size="sm">{t(blocked ? 'isBlockedText' : 'isOpenText')}</Text>
          </div>
        </Group>
        {mayBlock && (
          <Switch
            size="lg"
            color="red"
            label={t('block')}
            labelPosition="left"
            styles={{ label: { whiteSpace: 'nowrap' } }}
            checked={blocked}
            onChange={(event) => void set(event.currentTarget.checked)}
          />
        )}
      </Group>
    </Paper>
  );
}
