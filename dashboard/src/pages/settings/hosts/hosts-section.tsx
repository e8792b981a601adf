import { maxSiteHosts } from '@gatehouse/contract/limits';
import { Select, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { AddRow } from '../../../components/forms/field-row.tsx';
import { Section } from '../../../components/layout/section.tsx';
import { readDomain } from '../../../format/addresses/domain.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { DomainRow } from '../domain-row.tsx';
import { SectionForm } from '../form/section-form.tsx';
import { DomainFields } from './domain-fields.tsx';
import { type HostsValues, hostsSection } from './hosts-values.ts';

type HostsForm = UseFormReturnType<HostsValues>;

/** The domain of the site and its other hosts. */
export function HostsSection() {
  const t = useTexts('settings');
  return (
    <SectionForm section={hostsSection} label={t('section.hosts')} permissions={['login-links:write']}>
      {(form) => (
        <Stack gap="xl">
          <Stack>
            <DomainFields form={form} />
          </Stack>
          <FurtherHosts form={form} />
        </Stack>
      )}
    </SectionForm>
  );
}

function FurtherHosts({ form }: { form: HostsForm }) {
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

function HostRow({ form, index }: { form: HostsForm; index: number }) {
  const t = useTexts('settings');
  const { domain } = form.values.hosts[index]!;
  const normalize = () => {
    const read = readDomain(domain);
    if (read.domain !== domain) form.setFieldValue(`hosts.${index}.domain`, read.domain);
    if (read.scheme) form.setFieldValue(`hosts.${index}.scheme`, read.scheme);
  };
  return (
    <DomainRow
      name={domain.trim() || t('hostNumber', { count: index + 1 })}
      remove={() => form.removeListItem('hosts', index)}
      onEntered={normalize}
      input={{
        ...form.getInputProps(`hosts.${index}.domain`),
        label: t('host'),
        placeholder: 'forum.example.org',
      }}
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
