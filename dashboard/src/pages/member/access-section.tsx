import type { MemberWithGroups } from '@gatehouse/client';
import { Group, Paper, Switch, Text, ThemeIcon } from '@mantine/core';
import { IconLock, IconLockOpen2 } from '@tabler/icons-react';
import { useTexts } from '../../languages/texts.tsx';
import { useGatehouse, useMay } from '../../session/site.ts';
import { useMemberChange } from './member-query.ts';

/** Whether the door is open to the member. */
export function AccessSection({ member }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const mayBlock = useMay('members:block');
  const gatehouse = useGatehouse();
  const change = useMemberChange(member.id);
  const blocked = member.status === 'blocked';
  const name = member.displayName ?? member.email;
  const Icon = blocked ? IconLock : IconLockOpen2;

  function set(toBlocked: boolean): void {
    const block = () => gatehouse.members.block(member.id);
    const unblock = () => gatehouse.members.unblock(member.id);
    void change({
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
            onChange={(event) => set(event.currentTarget.checked)}
          />
        )}
      </Group>
    </Paper>
  );
}
