import type { Permission } from '@gatehouse/client';
import { Group, Menu, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import type { Icon } from '../../../components/icons/icon.tsx';
import {
  IconCoin,
  IconCoinOff,
  IconDots,
  IconDownload,
  IconFolderMinus,
  IconFolderPlus,
  IconLock,
  IconLockOpen2,
  IconMail,
  IconTicket,
  IconTrash,
} from '../../../components/icons/icons.ts';
import { ActionButton, QuietButton } from '../../../components/layout/action-button.tsx';
import { passFocusOn } from '../../../hooks/focus.ts';
import { useMenuTarget } from '../../../hooks/use-menu-target.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSite } from '../../../session/site.ts';
import { usePermissions } from '../../../session/use-permissions.ts';
import classes from '../members.module.css';
import { type BulkJob, useBulkJobs } from './bulk-jobs.ts';
import { GroupDialog } from './group-dialog.tsx';

interface BulkBarProps {
  /** The selected members, as text. */
  text: string;
  run: (job: BulkJob) => void;
  exportCsv: () => void;
  inviteAgain: () => void;
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
    | 'inviteAgain'
    | 'markPaid'
    | 'markUnpaid'
    | 'export'
    | 'delete';
  icon: Icon;
  permissions: readonly Permission[];
  /** Whether it has its own button if there is enough space. */
  prominent?: boolean;
  danger?: boolean;
}

const choices: readonly Choice[] = [
  { name: 'addToGroup', icon: IconFolderPlus, permissions: ['access-groups:write'], prominent: true },
  { name: 'removeFromGroup', icon: IconFolderMinus, permissions: ['access-groups:write'] },
  { name: 'block', icon: IconLock, permissions: ['members:block'], prominent: true },
  { name: 'unblock', icon: IconLockOpen2, permissions: ['members:block'] },
  { name: 'sendLink', icon: IconMail, permissions: ['login-links:send'], prominent: true },
  { name: 'inviteAgain', icon: IconTicket, permissions: ['invitations:write', 'members:write'] },
  { name: 'markPaid', icon: IconCoin, permissions: ['members:write'] },
  { name: 'markUnpaid', icon: IconCoinOff, permissions: ['members:write'] },
  { name: 'export', icon: IconDownload, permissions: ['members:read'] },
  { name: 'delete', icon: IconTrash, permissions: ['members:write'], danger: true },
];

/** The actions for the selected members. */
export function BulkBar({ text, run, exportCsv, inviteAgain, selectAll, clear }: BulkBarProps) {
  const t = useTexts('members');
  const jobs = useBulkJobs();
  const [groupAction, setGroupAction] = useState<'addToGroup' | 'removeFromGroup' | null>(null);

  function start({ name }: Choice): void {
    if (name === 'addToGroup' || name === 'removeFromGroup') setGroupAction(name);
    else if (name === 'export') exportCsv();
    else if (name === 'inviteAgain') inviteAgain();
    else run(jobs[name]);
  }

  return (
    <Paper
      className={classes.bar!}
      withBorder
      shadow="md"
      p="sm"
      role="region"
      aria-label={t('selection')}
      ref={passFocusOn}
    >
      <Group justify="space-between" gap="xs">
        <SelectionText text={text} selectAll={selectAll} clear={clear} />
        <Choices start={start} />
      </Group>
      <GroupDialog
        groupAction={groupAction}
        close={() => setGroupAction(null)}
        choose={(group, expiresAt) => {
          setGroupAction(null);
          run(groupAction === 'addToGroup' ? jobs.add(group, expiresAt) : jobs.remove(group));
        }}
      />
    </Paper>
  );
}

function SelectionText({ text, selectAll, clear }: Pick<BulkBarProps, 'text' | 'selectAll' | 'clear'>) {
  const t = useTexts('members');
  return (
    <Group gap="xs">
      <Text fw={500} role="status">
        {text}
      </Text>
      {selectAll && <QuietButton label={t('selectAll')} onClick={selectAll} />}
      <QuietButton label={t('clearSelection')} onClick={clear} />
    </Group>
  );
}

/** A menu with all actions, and buttons for the prominent ones if there is enough space. */
function Choices({ start }: { start: (choice: Choice) => void }) {
  const t = useTexts('members');
  const possible = usePossibleChoices();
  const menu = useMenuTarget();
  return (
    <Group gap="xs">
      {possible
        .filter(({ prominent }) => prominent)
        .map((choice) => (
          <ActionButton
            icon={choice.icon}
            label={t(choice.name)}
            key={choice.name}
            size="xs"
            visibleFrom="md"
            onClick={() => start(choice)}
          />
        ))}
      <Menu position="top-end" width={240}>
        <Menu.Target>
          <ActionButton icon={IconDots} label={t('actions')} ref={menu.target} size="xs" />
        </Menu.Target>
        <Menu.Dropdown>
          {possible.map((choice) => (
            <Menu.Item
              key={choice.name}
              leftSection={<choice.icon size={16} aria-hidden />}
              {...(choice.danger && { color: 'red' })}
              onClick={menu.act(() => start(choice))}
            >
              {t(choice.name)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

function usePossibleChoices(): Choice[] {
  const permissions = usePermissions(useSite().slug);
  return choices.filter((choice) => choice.permissions.every((needed) => permissions.includes(needed)));
}
