import { ActionIcon, Button, MultiSelect, Radio, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../parts/access-groups.ts';
import { readMailDomain } from '../../parts/domain.ts';
import { customGroups } from '../../parts/membership-fields.tsx';
import { Section } from '../../parts/section.tsx';
import classes from './settings.module.css';
import type { SettingsForm } from './settings-form.ts';

const policies = ['members_only', 'allowed_domains', 'open'] as const;
const mostDomains = 100;

/** Who may enrol without having been added. */
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
              disabled={domains.length >= mostDomains}
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
  const name = domain.trim() || t('mailDomainNumber', { count: index + 1 });
  const input = form.getInputProps(`domains.${index}.domain`);
  return (
    <fieldset className={classes.domain} aria-label={name}>
      <TextInput
        {...input}
        onBlur={(event) => {
          input.onBlur(event);
          const read = readMailDomain(domain);
          if (read !== domain) form.setFieldValue(`domains.${index}.domain`, read);
        }}
        label={t('mailDomain')}
        placeholder="example.org"
        leftSection="@"
        maxLength={253}
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
