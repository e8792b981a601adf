import { maxDomainLength, maxSiteHosts } from '@gatehouse/contract/limits';
import { ActionIcon, Button, Select, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { Section } from '../../components/layout/section.tsx';
import { readDomain } from '../../format/addresses/domain.ts';
import { passFocusOn } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';
import classes from './settings.module.css';
import type { SettingsForm } from './settings-form.ts';

/** The hosts of the site after its domain. */
export function HostsSection({ form }: { form: SettingsForm }) {
  const t = useTexts('settings');
  const { hosts } = form.values;
  const add = () =>
    form.insertListItem('hosts', { key: crypto.randomUUID(), domain: '', scheme: null, use: 'pages' });
  return (
    <Section title={t('hosts')} description={t('hostsHelp')}>
      <Stack>
        {hosts.map(({ key }, index) => (
          <HostRow key={key} form={form} index={index} />
        ))}
        <Button
          variant="default"
          size="xs"
          style={{ alignSelf: 'start' }}
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={hosts.length >= maxSiteHosts - 1}
          onClick={add}
        >
          {t('addHost')}
        </Button>
      </Stack>
    </Section>
  );
}

function HostRow({ form, index }: { form: SettingsForm; index: number }) {
  const t = useTexts('settings');
  const { domain } = form.values.hosts[index]!;
  const name = domain.trim() || t('hostNumber', { count: index + 1 });
  const input = form.getInputProps(`hosts.${index}.domain`);
  return (
    <fieldset className={classes.domain} aria-label={name} ref={passFocusOn}>
      <TextInput
        {...input}
        onBlur={(event) => {
          input.onBlur(event);
          const read = readDomain(domain);
          if (read.domain !== domain) form.setFieldValue(`hosts.${index}.domain`, read.domain);
          if (read.scheme) form.setFieldValue(`hosts.${index}.scheme`, read.scheme);
        }}
        label={t('host')}
        placeholder="forum.example.org"
        maxLength={maxDomainLength}
        autoCapitalize="off"
        spellCheck={false}
      />
      <Select
        {...form.getInputProps(`hosts.${index}.use`)}
        label={t('hostUse')}
        data={(['pages', 'redirect'] as const).map((value) => ({ value, label: t(`hostUse.${value}`) }))}
        allowDeselect={false}
      />
      <ActionIcon
        className={classes.remove!}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('removeDomain', { domain: name })}
        onClick={() => form.removeListItem('hosts', index)}
      >
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
    </fieldset>
  );
}
