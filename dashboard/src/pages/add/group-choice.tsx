import { maxAccessGroupIds } from '@gatehouse/contract/limits';
import { MultiSelect } from '@mantine/core';
import { customGroups } from '../../components/members/membership-fields.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../queries/access-groups.ts';

interface GroupChoiceProps {
  /** Who is added to the groups. */
  help: string;
  groupIds: string[];
  choose: (groupIds: string[]) => void;
}

/** The groups to which the new members are added. */
export function GroupChoice({ help, groupIds, choose }: GroupChoiceProps) {
  const t = useTexts('add');
  const parts = useTexts('common');
  const { data } = useAccessGroups();
  return (
    <MultiSelect
      label={t('groups')}
      description={help}
      placeholder={groupIds.length === 0 ? t('noGroups') : undefined}
      value={groupIds}
      onChange={choose}
      data={customGroups(data).map(({ id, name }) => ({ value: id, label: name }))}
      // Below, it would cover the button that comes next.
      comboboxProps={{ position: 'top' }}
      searchable
      clearable
      maxValues={maxAccessGroupIds}
      nothingFoundMessage={data && parts('noSuchGroup')}
    />
  );
}
