import { maxSiteHosts } from '@gatehouse/contract/limits';
import { Select, Stack } from '@mantine/core';
import { AddRow } from '../../components/forms/field-row.tsx';
import { Section } from '../../components/layout/section.tsx';
import { readDomain } from '../../format/addresses/domain.ts';
import { useTexts } from '../../languages/texts.tsx';
import { DomainRow } from './domain-row.tsx';
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
        <AddRow label={t('addHost')} disabled={hosts.length >= maxSiteHosts - 1} onClick={add} />
      </Stack>
    </Section>
  );
}

function HostRow({ form, index }: { form: SettingsForm; index: number }) {
  const t = useTexts('settings');
  const normalize = (entered: string) => {
    const { domain, scheme } = readDomain(entered);
    if (domain !== entered) form.setFieldValue(`hosts.${index}.domain`, domain);
    if (scheme) form.setFieldValue(`hosts.${index}.scheme`, scheme);
  };
  return (
    <DomainRow
      form={form}
      list="hosts"
      index={index}
      emptyName={t('hostNumber', { count: index + 1 })}
      onEntered={normalize}
      input={{ label: t('host'), placeholder: 'forum.example.org' }}
    >
      <Select
        {...form.getInputProps(`hosts.${index}.use`)}
        label={t('hostUse')}
        data={(['pages', 'redirect'] as const).map((value) => ({ value, label: t(`hostUse.${value}`) }))}
        allowDeselect={false}
      />
    </DomainRow>
  );
}
