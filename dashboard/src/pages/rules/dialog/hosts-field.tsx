import { MultiSelect } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';
import { useHosts } from '../../../queries/saved-site.ts';
import type { RuleForm } from './rule-form.ts';

/** The hosts that the rule applies to. A site with one host does not need it. */
export function HostsField({ form }: { form: RuleForm }) {
  const t = useTexts('rules');
  const hosts = useHosts();
  const { hosts: chosen } = form.values;
  const input = form.getInputProps('hosts');
  if (hosts.length < 2 && chosen.length === 0) return null;
  return (
    <MultiSelect
      {...input}
      onChange={(value) => {
        input.onChange(value);
        // Whether the path already has a rule depends on it.
        form.clearFieldError('path');
      }}
      label={t('hosts')}
      description={t('hostsHelp')}
      placeholder={chosen.length === 0 ? t('allHosts') : ''}
      data={[...new Set([...hosts, ...chosen])]}
    />
  );
}
