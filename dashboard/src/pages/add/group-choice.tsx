import { MultiSelect } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../parts/access-groups.ts';
import { customGroups } from '../../parts/membership-fields.tsx';

interface GroupChoiceProps {
  groupIds: string[];
  choose: (groupIds: string[]) => void;
}

/** The groups that people are added to. */
export function GroupChoice({ groupIds, choose }: GroupChoiceProps) {
  const t = useTexts('add');
  const parts = useTexts('parts');
  const { data } = useAccessGroups();
  return (
    <MultiSelect
      label={t('groups')}
      description={t('groupsHelp')}
      placeholder={groupIds.length === 0 ? t('noGroups') : undefined}
      value={groupIds}
      onChange={choose}
      data={customGroups(data).map(({ id, name }) => ({ value: id, label: name }))}
      searchable
      clearable
      maxValues={100}
      nothingFoundMessage={parts('noSuchGroup')}
    />
  );
}
