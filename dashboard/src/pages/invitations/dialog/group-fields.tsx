import { maxMembershipDays } from '@gatehouse/contract/limits';
import { MultiSelect, NumberInput, Select, SimpleGrid, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { LastDayInput } from '../../../components/last-day-input.tsx';
import { customGroups } from '../../../components/members/membership-fields.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useAccessGroups } from '../../../queries/access-groups.ts';
import { useMay } from '../../../session/site.ts';
import type { InvitationValues } from './invitation-values.ts';

/** The groups that those who join are added to, and how long. Operators who may not change groups give none. */
export function GroupFields<Values extends InvitationValues>({ form }: { form: UseFormReturnType<Values> }) {
  const t = useTexts('invitations');
  const { data } = useAccessGroups();
  const mayAdd = useMay('access-groups:read', 'access-groups:write');
  const groups = customGroups(data);
  const { accessGroupIds } = form.values;
  // A group that was deleted is ignored.
  const chosen = accessGroupIds.filter((id) => !data || groups.some((group) => group.id === id));
  if (!mayAdd || (data && groups.length === 0)) return null;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <MultiSelect
        {...form.getInputProps('accessGroupIds')}
        value={chosen}
        label={t('groups')}
        placeholder={chosen.length === 0 ? t('noGroups') : ''}
        data={groups.map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        limit={100}
      />
      <EndFields form={form} disabled={chosen.length === 0} />
    </SimpleGrid>
  );
}

interface EndFieldsProps<Values extends InvitationValues> {
  form: UseFormReturnType<Values>;
  disabled: boolean;
}

/** Beside the groups, so that their open list does not cover it. */
function EndFields<Values extends InvitationValues>({ form, disabled }: EndFieldsProps<Values>) {
  const t = useTexts('invitations');
  const { end } = form.values;
  return (
    <Stack gap="sm">
      <Select
        {...form.getInputProps('end')}
        label={t('end')}
        data={(['none', 'day', 'days'] as const).map((value) => ({ value, label: t(`end.${value}`) }))}
        allowDeselect={false}
        disabled={disabled}
      />
      {!disabled && end === 'day' && <LastDayInput {...form.getInputProps('endDay')} label={t('endDay')} />}
      {!disabled && end === 'days' && (
        <NumberInput
          {...form.getInputProps('endDays')}
          label={t('endDays')}
          min={1}
          max={maxMembershipDays}
          allowDecimal={false}
          allowNegative={false}
          hideControls
        />
      )}
    </Stack>
  );
}
