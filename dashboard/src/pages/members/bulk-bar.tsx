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
import { useMay } from '../../session/site.ts';
import { type BulkJob, useBulkJobs } from './bulk-jobs.ts';
import { GroupDialog } from './group-dialog.tsx';
import classes from './members.module.css';

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
  const jobs = useBulkJobs();
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
