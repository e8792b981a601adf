import type { Permission } from '@gatehouse/client';
import { Button, Group, Menu, Paper, Text } from '@mantine/core';
import {
  type Icon,
  IconCoin,
  IconCoinOff,
  IconDots,
  IconDownload,
  IconFolderMinus,
  IconFolderPlus,
  IconLock,
  IconLockOpen2,
  IconMail,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { useMailWaits } from '../../parts/overview.ts';
import { useMay } from '../../session/site.ts';
import { GroupDialog } from './group-dialog.tsx';
import classes from './members.module.css';
import type { BulkJob } from './use-bulk.tsx';

interface BulkBarProps {
  /** Who is selected, in words. */
  text: string;
  run: (job: BulkJob) => void;
  exportCsv: () => void;
  selectAll: (() => void) | undefined;
  clear: () => void;
}

interface Choice {
  name:
    | 'addToGroup'
    | 'removeFromGroup'
    | 'block'
    | 'unblock'
    | 'sendLink'
    | 'markPaid'
    | 'markUnpaid'
    | 'export'
    | 'delete';
  icon: Icon;
  permission: Permission;
  /** Whether it has a button of its own where there is room. */
  prominent?: boolean;
  danger?: boolean;
}

const choices: readonly Choice[] = [
  { name: 'addToGroup', icon: IconFolderPlus, permission: 'members:write', prominent: true },
  { name: 'removeFromGroup', icon: IconFolderMinus, permission: 'members:write' },
  { name: 'block', icon: IconLock, permission: 'members:block', prominent: true },
  { name: 'unblock', icon: IconLockOpen2, permission: 'members:block' },
  { name: 'sendLink', icon: IconMail, permission: 'login-links:send', prominent: true },
  { name: 'markPaid', icon: IconCoin, permission: 'members:write' },
  { name: 'markUnpaid', icon: IconCoinOff, permission: 'members:write' },
  { name: 'export', icon: IconDownload, permission: 'members:read' },
  { name: 'delete', icon: IconTrash, permission: 'members:write', danger: true },
];

/** What can be done to those who are selected. */
export function BulkBar({ text, run, exportCsv, selectAll, clear }: BulkBarProps) {
  const t = useTexts('members');
  const jobs = useJobs();
  const [asking, setAsking] = useState<'addToGroup' | 'removeFromGroup' | null>(null);
  const mayBlock = useMay('members:block');
  const mayWrite = useMay('members:write');
  const maySend = useMay('login-links:send');
  const allowed: Partial<Record<Permission, boolean>> = {
    'members:read': true,
    'members:block': mayBlock,
    'members:write': mayWrite,
    'login-links:send': maySend,
  };
  const possible = choices.filter(({ permission }) => allowed[permission]);

  function start({ name }: Choice): void {
    if (name === 'addToGroup' || name === 'removeFromGroup') setAsking(name);
    else if (name === 'export') exportCsv();
    else run(jobs[name]);
  }

  return (
    <Paper className={classes.bar!} withBorder shadow="md" p="sm" role="region" aria-label={t('selection')}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text fw={500} role="status">
            {text}
          </Text>
          {selectAll && (
            <Button variant="subtle" size="compact-sm" onClick={selectAll}>
              {t('selectAll')}
            </Button>
          )}
          <Button variant="subtle" size="compact-sm" onClick={clear}>
            {t('clearSelection')}
          </Button>
        </Group>
        <Group gap="xs">
          {possible
            .filter(({ prominent }) => prominent)
            .map((choice) => (
              <Button
                key={choice.name}
                variant="default"
                size="xs"
                visibleFrom="md"
                leftSection={<choice.icon size={16} aria-hidden />}
                onClick={() => start(choice)}
              >
                {t(choice.name)}
              </Button>
            ))}
          <Menu position="top-end" width={240}>
            <Menu.Target>
              <Button variant="default" size="xs" leftSection={<IconDots size={16} aria-hidden />}>
                {t('actions')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {possible.map((choice) => (
                <Menu.Item
                  key={choice.name}
                  leftSection={<choice.icon size={16} aria-hidden />}
                  {...(choice.danger && { color: 'red' })}
                  onClick={() => start(choice)}
                >
                  {t(choice.name)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Group>
      {asking && (
        <GroupDialog
          adding={asking === 'addToGroup'}
          close={() => setAsking(null)}
          choose={(group, expiresAt) => {
            setAsking(null);
            run(asking === 'addToGroup' ? jobs.add(group, expiresAt) : jobs.remove(group));
          }}
        />
      )}
    </Paper>
  );
}

/** Each thing that can be done, with the words for it. */
function useJobs() {
  const t = useTexts('members');
  const mailWaits = useMailWaits();
  const job = (
    name: 'block' | 'unblock' | 'markPaid' | 'markUnpaid',
    action: BulkJob['action'],
    undo: BulkJob['action'],
  ): BulkJob => ({ action, undo, done: (count) => t(`${name}.done`, { count }) });
  const paid = { type: 'set_paid', paid: true } as const;
  const unpaid = { type: 'set_paid', paid: false } as const;
  return {
    block: job('block', { type: 'block' }, { type: 'unblock' }),
    unblock: job('unblock', { type: 'unblock' }, { type: 'block' }),
    markPaid: job('markPaid', paid, unpaid),
    markUnpaid: job('markUnpaid', unpaid, paid),
    sendLink: {
      action: { type: 'send_login_link' },
      done: (count) => t(mailWaits ? 'sendLink.waits' : 'sendLink.done', { count }),
      question: (count) => ({
        title: t('sendLink.question', { count }),
        children: mailWaits ? `${t('sendLink.text')} ${t('sendLink.noServer')}` : t('sendLink.text'),
        confirm: t('sendLink.confirm', { count }),
        danger: false,
      }),
    } satisfies BulkJob as BulkJob,
    delete: {
      action: { type: 'delete' },
      done: (count) => t('delete.done', { count }),
      question: (count) => ({
        title: t('delete.question', { count }),
        children: t('delete.text'),
        confirm: t('delete.confirm', { count }),
      }),
    } satisfies BulkJob as BulkJob,
    add: ({ id, name }: { id: string; name: string }, expiresAt: string | null): BulkJob => ({
      action: { type: 'add_to_group', groupId: id, ...(expiresAt && { expiresAt }) },
      undo: { type: 'remove_from_group', groupId: id },
      done: (count) => t('addToGroup.done', { count, group: name }),
    }),
    // Asked about rather than undone: the days on which memberships end would be lost.
    remove: ({ id, name }: { id: string; name: string }): BulkJob => ({
      action: { type: 'remove_from_group', groupId: id },
      done: (count) => t('removeFromGroup.done', { count, group: name }),
      question: (count) => ({
        title: t('removeFromGroup.question', { count, group: name }),
        children: t('removeFromGroup.text'),
        confirm: t('remove'),
      }),
    }),
  };
}
