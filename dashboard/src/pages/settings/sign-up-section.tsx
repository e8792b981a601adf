import { maxSignUpDomains } from '@gatehouse/contract/limits';
import { MultiSelect, Radio, Stack, Switch } from '@mantine/core';
import { AddRow } from '../../components/forms/field-row.tsx';
import { Section } from '../../components/layout/section.tsx';
import { customGroups } from '../../components/members/membership-fields.tsx';
import { readEmailDomain } from '../../format/addresses/domain.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../queries/access-groups.ts';
import { DomainRow } from './domain-row.tsx';
import type { SettingsForm } from './settings-form.ts';
import { hasDomains } from './settings-values.ts';

const policies = ['members_only', 'allowed_domains', 'approval', 'open'] as const;

/** Who can sign up without having been added as a member. */
export function SignUpSection({ form }: { form: SettingsForm }) {
  const t = useTexts('settings');
  const { domains } = form.values;
  const add = () =>
    form.insertListItem('domains', { key: crypto.randomUUID(), domain: '', accessGroupIds: [] });
  return (
    <Section title={t('signUp')} description={t('signUpHelp')}>
      <Stack>
        <Radio.Group {...form.getInputProps('policy')} aria-label={t('signUp')}>
          <Stack gap="sm">
            {policies.map((each) => (
              <Radio key={each} value={each} label={t(`policy.${each}`)} description={t(`help.${each}`)} />
            ))}
          </Stack>
        </Radio.Group>
        {hasDomains(form.values) && (
          <>
            {domains.map(({ key }, index) => (
              <SignUpRow key={key} form={form} index={index} />
            ))}
            <AddRow label={t('addDomain')} disabled={domains.length >= maxSignUpDomains} onClick={add} />
          </>
        )}
        <Switch
          {...form.getInputProps('allowsAccessRequests', { type: 'checkbox' })}
          label={t('allowsAccessRequests')}
          description={t('allowsAccessRequestsHelp')}
        />
      </Stack>
    </Section>
  );
}

function SignUpRow({ form, index }: { form: SettingsForm; index: number }) {
  const t = useTexts('settings');
  const { data: groups } = useAccessGroups();
  const { accessGroupIds } = form.values.domains[index]!;
  const normalize = (entered: string) => {
    const domain = readEmailDomain(entered);
    if (domain !== entered) form.setFieldValue(`domains.${index}.domain`, domain);
  };
  return (
    <DomainRow
      form={form}
      list="domains"
      index={index}
      emptyName={t('emailDomainNumber', { count: index + 1 })}
      onEntered={normalize}
      input={{ label: t('emailDomain'), placeholder: 'example.org', leftSection: '@' }}
    >
      <MultiSelect
        {...form.getInputProps(`domains.${index}.accessGroupIds`)}
        label={t('groupsOf')}
        placeholder={accessGroupIds.length === 0 ? t('noGroup') : ''}
        data={customGroups(groups).map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        limit={100}
      />
    </DomainRow>
  );
}
