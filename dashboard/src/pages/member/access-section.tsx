import type { MemberWithGroups } from '@gatehouse/client';
import { Group, Paper, Switch, Text, ThemeIcon } from '@mantine/core';
import { IconLock, IconLockOpen2 } from '../../components/icons/icons.ts';
import { useConfirm } from '../../hooks/use-confirm.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { useMay } from '../../session/site.ts';
import { useMemberChange, useSessionsQuery } from './member-query.ts';

/** Whether the member may log in. */
export function AccessSection({ member }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const mayBlock = useMay('members:block');
  const setBlocked = useBlocking(member);
  const blocked = member.status === 'blocked';
  const Icon = blocked ? IconLock : IconLockOpen2;

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
            <Text fw={600}>{t(blocked ? 'isBlocked' : 'isActive')}</Text>
            <Text size="sm">{t(blocked ? 'isBlockedText' : 'isActiveText')}</Text>
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
            onChange={(event) => void setBlocked(event.currentTarget.checked)}
          />
        )}
      </Group>
    </Paper>
  );
}

/** Blocks and unblocks the member. */
function useBlocking(member: MemberWithGroups): (toBlocked: boolean) => Promise<void> {
  const t = useTexts('member');
  const { gatehouse, client } = useSiteApi();
  const change = useMemberChange(member.id);
  const confirm = useConfirm();
  const sessionsQuery = useSessionsQuery(member.id);
  const name = member.displayName ?? member.email;

  /** Members with active sessions are blocked only after confirmation, because undo does not restore the sessions. */
  async function mayEndSessions(): Promise<boolean> {
    const sessions = await client.fetchQuery(sessionsQuery).catch(() => []);
    if (sessions.length === 0) return true;
    return confirm({
      title: t('blockTitle', { name }),
      children: t('blockText', { name, count: sessions.length }),
      confirm: t('block'),
    });
  }

  async function setBlocked(toBlocked: boolean): Promise<void> {
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

  return setBlocked;
}
