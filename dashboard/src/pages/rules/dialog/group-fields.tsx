import type { GroupMatch } from '@gatehouse/client';
import { maxRuleGroups } from '@gatehouse/contract/rule-paths';
import { Input, type MultiSelectProps, SegmentedControl, type SegmentedControlProps } from '@mantine/core';
import { GroupsChoice } from '../../../components/access-groups/groups-choice.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import type { RuleForm } from './rule-form.ts';

/** The groups of a rule, and whether one of them is enough. */
export function GroupFields({ form }: { form: RuleForm }) {
  return (
    <>
      <GroupChoice {...form.getInputProps('groupIds')} />
      <MatchChoice {...form.getInputProps('match')} />
    </>
  );
}

/** The groups of an alternative, if any. With a single group, any and all are the same. */
export function AlternativeGroupFields({ form, index }: { form: RuleForm; index: number }) {
  const t = useTexts('rules');
  const at = `alternatives.${index}.` as const;
  const { groupIds } = form.values.alternatives[index]!;
  return (
    <>
      <GroupChoice {...form.getInputProps(`${at}groupIds`)} description={t('alternative.groupsHelp')} />
      {groupIds.length > 1 && <MatchChoice {...form.getInputProps(`${at}match`)} />}
    </>
  );
}

function MatchChoice(props: Omit<SegmentedControlProps, 'data'>) {
  const t = useTexts('rules');
  return (
    <Input.Wrapper label={t('match')} labelElement="div">
      <SegmentedControl
        display="flex"
        mt={4}
        aria-label={t('match')}
        {...props}
        data={(['any', 'all'] satisfies GroupMatch[]).map((value) => ({ value, label: t(value) }))}
      />
    </Input.Wrapper>
  );
}

type GroupChoiceProps = Pick<MultiSelectProps, 'value' | 'onChange' | 'error' | 'description'>;

function GroupChoice(props: GroupChoiceProps) {
  const t = useTexts('rules');
  return (
    <GroupsChoice
      {...props}
      label={t('whichGroups')}
      deletedGroup={useTexts('access')('deletedGroup')}
      nothingFoundMessage={t('noGroups')}
      maxValues={maxRuleGroups}
    />
  );
}
