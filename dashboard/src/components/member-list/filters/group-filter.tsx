import { Select } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../../languages/texts.tsx';
import { useAccessGroups } from '../../../queries/access-groups.ts';
import { useGroupById } from '../../../queries/by-id.ts';

interface GroupFilterProps {
  groupId: string | undefined;
  change: (groupId: string | undefined) => void;
}

/** Filters by a group. All groups are loaded only when they are chosen from. */
export function GroupFilter({ groupId, change }: GroupFilterProps) {
  const t = useTexts('members');
  const [isNeeded, setNeeded] = useState(false);
  const { data: groups = [], isSuccess } = useAccessGroups(isNeeded);
  const chosen = useGroupById(groupId);
  const others = groups
    .filter(({ id }) => id !== groupId)
    .map(({ id, name }) => ({ value: id, label: name }));
  const name = chosen === null ? t('filter.group.deleted') : (chosen?.name ?? '');
  return (
    <Select
      size="xs"
      flex="0 1 12rem"
      miw="9rem"
      aria-label={t('filter.group')}
      placeholder={t('filter.group')}
      nothingFoundMessage={isSuccess && t('filter.group.none')}
      value={groupId ?? null}
      onChange={(id) => change(id ?? undefined)}
      onDropdownOpen={() => setNeeded(true)}
      data={groupId === undefined ? others : [{ value: groupId, label: name }, ...others]}
      searchable
      clearable
      limit={100}
    />
  );
}
