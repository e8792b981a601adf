import { maxSignUpDomains } from '@gatehouse/contract/limits';
import { MultiSelect, Radio, Stack, Switch } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { AddRow } from '../../../components/forms/field-row.tsx';
import { customGroups } from '../../../components/members/membership-fields.tsx';
import { readEmailDomain } from '../../../format/addresses/domain.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useAccessGroups } from '../../../queries/access-groups.ts';
import { DomainRow } from '../domain-row.tsx';
import { SectionForm } from '../form/section-form.tsx';
import { hasDomains, type SignUpValues, signUpSection } from './sign-up-values.ts';

type SignUpForm = UseFormReturnType<SignUpValues>;

const policies = ['members_only', 'allowed_domains', 'approval', 'open'] as const;

/** Who can sign up without having been added as a member. */
export function SignUpSection() {
  const t = useTexts('settings');
  return (
    <SectionForm
      section={signUpSection}
      label={t('section.sign-up')}
      permissions={['members:write', 'access-groups:write']}
    >
      {(form) => (
        <Stack>
          <Radio.Group {...form.getInputProps('policy')} aria-label={t('section.sign-up')}>
            <Stack gap="sm">
              {policies.map((each) => (
                <Radio key={each} value={each} label={t(`policy.${each}`)} description={t(`help.${each}`)} />
              ))}
            </Stack>
          </Radio.Group>
          {hasDomains(form.values) && <SignUpDomains form={form} />}
          <Switch
            {...form.getInputProps('allowsAccessRequests', { type: 'checkbox' })}
            label={t('allowsAccessRequests')}
            description={t('allowsAccessRequestsHelp')}
          />
        </Stack>
      )}
    </SectionForm>
  );
}

function SignUpDomains({ form }: { form: SignUpForm }) {
  const t = useTexts('settings');
  const { domains } = form.values;
  const add = () =>
    form.insertListItem('domains', { key: crypto.randomUUID(), domain: '', accessGroupIds: [] });
  return (
    <>
      {domains.map(({ key }, index) => (
        <SignUpRow key={key} form={form} index={index} />
      ))}
      <AddRow label={t('addDomain')} disabled={domains.length >= maxSignUpDomains} onClick={add} />
    </>
  );
}

function SignUpRow({ form, index }: { form: SignUpForm; index: number }) {
  const t = useTexts('settings');
  const { data: groups } = useAccessGroups();
  const { domain, accessGroupIds } = form.values.domains[index]!;
  const normalize = () => {
    const read = readEmailDomain(domain);
    if (read !== domain) form.setFieldValue(`domains.${index}.domain`, read);
  };
  return (
    <DomainRow
      name={domain.trim() || t('emailDomainNumber', { count: index + 1 })}
      remove={() => form.removeListItem('domains', index)}
      onEntered={normalize}
      input={{
        ...form.getInputProps(`domains.${index}.domain`),
        label: t('emailDomain'),
        placeholder: 'example.org',
        leftSection: '@',
      }}
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
