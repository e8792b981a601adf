import { maxGroupMappings } from '@gatehouse/contract/limits';
import { Select, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../queries/access-groups.ts';
import { AddRow, FieldRow } from '../forms/field-row.tsx';
import { MoreFields } from '../forms/more-fields.tsx';
import { Hint } from '../layout/hint.tsx';
import { customGroups } from '../members/membership-fields.tsx';
import type { ProviderForm } from './provider-form.ts';
import { newGroupRow } from './provider-values.ts';

/** The groups that follow a claim of the provider, which few use. */
export function GroupFields({ form }: { form: ProviderForm }) {
  const t = useTexts('login');
  const { groupsClaim, groupMap } = form.values;
  const [isOpen, { toggle }] = useDisclosure(groupsClaim !== '');
  return (
    <MoreFields label={t('groups')} description={t('groupsShort')} isOpen={isOpen} toggle={toggle}>
      <Hint>{t('groupsHelp')}</Hint>
      <TextInput
        {...form.getInputProps('groupsClaim')}
        label={t('groupsClaim')}
        description={t('groupsClaimHelp')}
        placeholder="groups"
        maxLength={100}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      {groupsClaim.trim() !== '' && (
        <>
          {groupMap.map(({ key }, index) => (
            <GroupMapRow key={key} form={form} index={index} />
          ))}
          <AddRow
            label={t('addGroup')}
            disabled={groupMap.length >= maxGroupMappings}
            onClick={() => form.insertListItem('groupMap', newGroupRow())}
          />
        </>
      )}
    </MoreFields>
  );
}

function GroupMapRow({ form, index }: { form: ProviderForm; index: number }) {
  const t = useTexts('login');
  const { data: groups, isSuccess } = useAccessGroups();
  const { value, accessGroupId } = form.values.groupMap[index]!;
  const name = value.trim() || t('groupNumber', { count: index + 1 });
  const options = customGroups(groups).map((group) => ({ value: group.id, label: group.name }));
  const isDeleted =
    isSuccess && accessGroupId !== null && !options.some((each) => each.value === accessGroupId);
  return (
    <FieldRow
      name={name}
      removal={t('removeGroup', { value: name })}
      remove={() => form.removeListItem('groupMap', index)}
    >
      <TextInput
        {...form.getInputProps(`groupMap.${index}.value`)}
        label={t('groupValue')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      <Select
        {...form.getInputProps(`groupMap.${index}.accessGroupId`)}
        label={t('group')}
        placeholder={t(isDeleted ? 'deletedGroup' : 'chooseGroup')}
        data={options}
        searchable
      />
    </FieldRow>
  );
}
