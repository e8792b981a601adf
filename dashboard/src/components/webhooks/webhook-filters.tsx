import { maxAccessGroupIds } from '@gatehouse/contract/limits';
import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import { GroupsChoice } from '../access-groups/groups-choice.tsx';
import { eventTypes } from '../events/event-icons.ts';
import { useTypeText } from './use-type-text.ts';

type ChoiceProps = Pick<
  MultiSelectProps,
  'value' | 'onChange' | 'onBlur' | 'error' | 'description' | 'placeholder'
>;

/** The types of the events that are sent, by their names. */
export function EventTypesChoice({ value = [], placeholder, ...props }: ChoiceProps) {
  const t = useTexts('webhooks');
  const typeText = useTypeText();
  // A newer server may know others.
  const known = [...new Set<string>([...eventTypes, ...value])];
  return (
    <MultiSelect
      {...props}
      value={value}
      label={t('types')}
      {...(value.length === 0 && { placeholder })}
      data={known.map((type) => ({ value: type, label: typeText(type) }))}
      nothingFoundMessage={t('noType')}
      searchable
      clearable
    />
  );
}

/** The groups whose events are sent. */
export function WebhookGroups(props: ChoiceProps) {
  const t = useTexts('webhooks');
  const common = useTexts('common');
  return (
    <GroupsChoice
      {...props}
      label={t('groups')}
      description={t('groupsHelp')}
      deletedGroup={t('deletedGroup')}
      nothingFoundMessage={common('noSuchGroup')}
      clearable
      maxValues={maxAccessGroupIds}
    />
  );
}
