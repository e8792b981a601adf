import type { GroupMatch } from '@gatehouse/client';
import { maxRuleGroups } from '@gatehouse/contract/rule-paths';
import { Input, MultiSelect, type MultiSelectProps, SegmentedControl } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';
import { useAccessGroups } from '../../../queries/access-groups.ts';
import type { RuleForm } from './rule-form.ts';

interface GroupFieldsProps {
  form: RuleForm;
  /** Where the fields are in the form: empty, or the beginning of their names. */
  at?: string;
  description?: string;
}

/** The groups, and whether one of them is enough. */
export function GroupFields({ form, at = '', description }: GroupFieldsProps) {
  const t = useTexts('rules');
  return (
    <>
      <GroupChoice {...form.getInputProps(`${at}groupIds`)} description={description} />
      <Input.Wrapper label={t('match')} labelElement="div">
        <SegmentedControl
          display="flex"
          mt={4}
          aria-label={t('match')}
          {...form.getInputProps(`${at}match`)}
          data={(['any', 'all'] satisfies GroupMatch[]).map((value) => ({ value, label: t(value) }))}
        />
      </Input.Wrapper>
    </>
  );
}

type GroupChoiceProps = Pick<MultiSelectProps, 'value' | 'onChange' | 'error' | 'description'>;

function GroupChoice({ value = [], ...props }: GroupChoiceProps) {
  const t = useTexts('rules');
  const { data: groups = [], isSuccess } = useAccessGroups();
  const known = new Set(groups.map(({ id }) => id));
  // A rule still names a deleted group until an operator removes the group from it.
  const deleted = isSuccess ? value.filter((id) => !known.has(id)) : [];
  return (
    <MultiSelect
      {...props}
      value={value}
      label={t('whichGroups')}
      data={[
        ...groups.map(({ id, name }) => ({ value: id, label: name })),
        ...deleted.map((id) => ({ value: id, label: t('deletedGroup') })),
      ]}
      nothingFoundMessage={t('noGroups')}
      searchable
      limit={100}
      maxValues={maxRuleGroups}
    />
  );
}
