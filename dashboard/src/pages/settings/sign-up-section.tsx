import { maxDomainLength, maxSignUpDomains } from '@gatehouse/contract/limits';
import { ActionIcon, Button, MultiSelect, Radio, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { Section } from '../../components/layout/section.tsx';
import { customGroups } from '../../components/members/membership-fields.tsx';
import { readEmailDomain } from '../../format/addresses/domain.ts';
import { passFocusOn } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../queries/access-groups.ts';
import classes from './settings.module.css';
import type { SettingsForm } from './settings-form.ts';

const policies = ['members_only', 'allowed_domains', 'open'] as const;

/** Who can sign up without having been added as a member. */
export function SignUpSection({ form }: { form: SettingsForm }) {
  const t = useTexts('settings');
  const { domains, policy } = form.values;
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
        {policy === 'allowed_domains' && (
          <>
            {domains.map(({ key }, index) => (
              <DomainRow key={key} form={form} index={index} />
            ))}
            <Button
              variant="default"
              size="xs"
              style={{ alignSelf: 'start' }}
              leftSection={<IconPlus size={14} aria-hidden />}
              disabled={domains.length >= maxSignUpDomains}
              onClick={add}
            >
              {t('addDomain')}
            </Button>
          </>
        )}
      </Stack>
    </Section>
  );
}

function DomainRow({ form, index }: { form: SettingsForm; index: number }) {
  const t = useTexts('settings');
  const { data: groups } = useAccessGroups();
  const { domain, accessGroupIds } = form.values.domains[index]!;
  const name = domain.trim() || t('emailDomainNumber', { count: index + 1 });
  const input = form.getInputProps(`domains.${index}.domain`);
  return (
    <fieldset className={classes.domain} aria-label={name} ref={passFocusOn}>
      <TextInput
        {...input}
        onBlur={(event) => {
          input.onBlur(event);
          const read = readEmailDomain(domain);
          if (read !== domain) form.setFieldValue(`domains.${index}.domain`, read);
        }}
        label={t('emailDomain')}
        placeholder="example.org"
        leftSection="@"
        maxLength={maxDomainLength}
        autoCapitalize="off"
        spellCheck={false}
      />
      <MultiSelect
        {...form.getInputProps(`domains.${index}.accessGroupIds`)}
        label={t('groupsOf')}
        placeholder={accessGroupIds.length === 0 ? t('noGroup') : ''}
        data={customGroups(groups).map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        limit={100}
      />
      <ActionIcon
        className={classes.remove!}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('removeDomain', { domain: name })}
        onClick={() => form.removeListItem('domains', index)}
      >
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
    </fieldset>
  );
}
