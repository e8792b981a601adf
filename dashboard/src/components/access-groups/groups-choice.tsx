import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import { useAccessGroups } from '../../queries/access-groups.ts';

interface GroupsChoiceProps extends Omit<MultiSelectProps, 'data'> {
  /** What stands for a group that was deleted. */
  deletedGroup: string;
}

/** Access groups by their names. */
export function GroupsChoice({ value = [], deletedGroup, ...props }: GroupsChoiceProps) {
  const { data: groups = [], isSuccess } = useAccessGroups();
  const known = new Set(groups.map(({ id }) => id));
  // What names a group still names it after it was deleted, until an operator removes it.
  const deleted = isSuccess ? value.filter((id) => !known.has(id)) : [];
  return (
    <MultiSelect
      {...props}
      value={value}
      data={[
        ...groups.map(({ id, name }) => ({ value: id, label: name })),
        ...deleted.map((id) => ({ value: id, label: deletedGroup })),
      ]}
      searchable
      limit={100}
    />
  );
}
