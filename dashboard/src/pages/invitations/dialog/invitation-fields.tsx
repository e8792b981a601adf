import { maxInvitationDomains, maxInvitationUses } from '@gatehouse/contract/limits';
import { Group, NumberInput, Switch, TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { LastDayInput } from '../../../components/last-day-input.tsx';
import { readEmailDomain } from '../../../format/addresses/domain.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { GroupFields } from './group-fields.tsx';
import type { InvitationValues } from './invitation-values.ts';

interface InvitationFieldsProps<Values extends InvitationValues> {
  form: UseFormReturnType<Values>;
  /** Whether it works for one email address only. */
  isForAddress: boolean;
}

/** The fields of a new invitation and of one that is changed. */
export function InvitationFields<Values extends InvitationValues>(props: InvitationFieldsProps<Values>) {
  const t = useTexts('invitations');
  const { form, isForAddress } = props;
  return (
    <>
      <GroupFields form={form} />
      <Group align="flex-start" grow preventGrowOverflow={false}>
        <LastDayInput {...form.getInputProps('lastDay')} label={t('lastDay')} />
        {!isForAddress && (
          <NumberInput
            {...form.getInputProps('maxUses')}
            label={t('maxUses')}
            placeholder={t('noLimit')}
            min={1}
            max={maxInvitationUses}
            allowDecimal={false}
            allowNegative={false}
            hideControls
          />
        )}
      </Group>
      {!isForAddress && (
        <TagsInput
          {...form.getInputProps('emailDomains')}
          label={t('domains')}
          description={t('domainsHelp')}
          placeholder={form.values.emailDomains.length === 0 ? 'example.org' : ''}
          leftSection="@"
          onChange={(domains) => form.setFieldValue('emailDomains', domains.map(readEmailDomain) as never)}
          maxTags={maxInvitationDomains}
          splitChars={[',', ' ', ';']}
          acceptValueOnBlur
        />
      )}
      <Switch
        {...form.getInputProps('needsApproval', { type: 'checkbox' })}
        label={t('approval')}
        description={t('approvalHelp')}
      />
      <TextInput {...form.getInputProps('note')} label={t('note')} description={t('noteHelp')} />
    </>
  );
}
