import type { ListMembers } from '@gatehouse/client';
import { Box, Group, Menu, Text } from '@mantine/core';
import { useState } from 'react';
import { passFocusOn } from '../../../hooks/focus.ts';
import { useMenuTarget } from '../../../hooks/use-menu-target.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { IconDots } from '../../icons/icons.ts';
import { ActionButton, QuietButton } from '../../layout/action-button.tsx';
import { BottomBar } from '../../layout/bottom-bar.tsx';
import { isAnybodySelected } from '../selection.ts';
import type { ListedGroup } from '../table/member-row.tsx';
import type { MemberListState } from '../use-member-list.ts';
import { type BulkJob, useBulkJobs } from './bulk-jobs.ts';
import { type Choice, useChoices } from './choices.ts';
import { useEnds } from './ends/use-ends.tsx';
import { GroupDialog } from './group-dialog.tsx';
import { useBulk } from './use-bulk.tsx';
import { useSelectedCount } from './use-selected.ts';

interface SelectionBarProps {
  list: MemberListState;
  /** The group whose members are listed, if they can be changed. */
  group: ListedGroup | undefined;
  /** The number of members that match, if it is known. */
  matching: number | null;
}

/** While members are selected: how many, and what can be done with all of them. */
export function SelectionBar({ list, group, matching }: SelectionBarProps) {
  const t = useTexts('members');
  const jobs = useBulkJobs();
  const bulk = useBulk(list.selection, list.filter);
  const ends = useEnds(bulk, list.filter);
  const [asking, setAsking] = useState<Choice['name'] | null>(null);
  const close = () => setAsking(null);

  async function run(job: BulkJob): Promise<void> {
    close();
    const isBegun = await bulk.run(job);
    const isGone = job.action.type === 'delete' || (group && job.action.type === 'remove_from_group');
    if (isBegun && isGone) list.clear();
  }

  function start(name: Choice['name']): void {
    if (name === 'export') void bulk.exportCsv();
    else if (name === 'invite') void bulk.invite();
    else if (name === 'removeHere') void run(jobs.remove(group!));
    else if (name === 'changeEnds') void ends.start();
    else if (name === 'addToGroup' || name === 'removeFromGroup') setAsking(name);
    else void run(jobs[name]);
  }

  return (
    <>
      {isAnybodySelected(list.selection) && (
        <BottomBar label={t('selection')} ref={passFocusOn}>
          <Group justify="space-between" gap="xs">
            <SelectedCount list={list} matching={matching} />
            <Choices start={start} isOfGroup={group !== undefined} filter={list.filter} />
          </Group>
        </BottomBar>
      )}
      <GroupDialog
        groupAction={asking === 'addToGroup' || asking === 'removeFromGroup' ? asking : null}
        close={close}
        choose={(chosen, expiresAt) =>
          run(asking === 'addToGroup' ? jobs.add(chosen, expiresAt) : jobs.remove(chosen))
        }
      />
      {ends.dialog}
      {bulk.dialog}
    </>
  );
}

function SelectedCount({ list, matching }: Pick<SelectionBarProps, 'list' | 'matching'>) {
  const t = useTexts('members');
  const { selection, filter, selectAll, clear } = list;
  const count = useSelectedCount(selection, filter, matching);
  const isAll = selection.all && selection.except.size === 0 && count !== null && count > 1;
  return (
    <Group gap="xs">
      <Text fw={500} role="status">
        {count === null ? t('counting') : t(isAll ? 'allSelected' : 'selected', { count })}
      </Text>
      {!selection.all && (
        <Box visibleFrom="sm">
          <QuietButton label={t('selectAll')} onClick={selectAll} />
        </Box>
      )}
      <QuietButton label={t('clearSelection')} keys="Escape" onClick={clear} />
    </Group>
  );
}

interface ChoicesProps {
  start: (name: Choice['name']) => void;
  isOfGroup: boolean;
  filter: ListMembers;
}

/** A menu with all actions, and buttons for the prominent ones if there is enough space. */
function Choices({ start, isOfGroup, filter }: ChoicesProps) {
  const t = useTexts('members');
  const isAboutGroup = filter.groupId !== undefined || filter.expiresBefore !== undefined;
  const { all, prominent } = useChoices(isOfGroup, isAboutGroup);
  const menu = useMenuTarget();
  return (
    <Group gap="xs">
      {prominent.map(({ name, icon }) => (
        <ActionButton
          icon={icon}
          label={t(name)}
          key={name}
          size="xs"
          visibleFrom="md"
          onClick={() => start(name)}
        />
      ))}
      <Menu position="top-end" width={240}>
        <Menu.Target>
          <ActionButton icon={IconDots} label={t('actions')} ref={menu.target} size="xs" />
        </Menu.Target>
        <Menu.Dropdown>
          {all.map((choice) => (
            <Menu.Item
              key={choice.name}
              leftSection={<choice.icon size={16} aria-hidden />}
              {...(choice.danger && { color: 'red' })}
              onClick={menu.act(() => start(choice.name))}
            >
              {t(choice.name)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
