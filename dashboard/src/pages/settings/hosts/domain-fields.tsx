import { Group, Select, Text, TextInput, type TextInputProps } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { isDomain, toAsciiDomain } from '../../../format/addresses/domain.ts';
import { onPasteUrl } from '../../../format/addresses/pasted-url.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { type DomainValues, type HostsValues, parseDomain } from './hosts-values.ts';

/** So that the fields beside each other are in one line. */
const helpBelow = [
  'label',
  'input',
  'description',
  'error',
] as const satisfies TextInputProps['inputWrapperOrder'];

/** The domain of the site and its protocol. What is typed or pasted is shown in its parsed form. */
export function DomainFields({ form }: { form: UseFormReturnType<HostsValues> }) {
  const t = useTexts('settings');
  const domain = form.getInputProps('domain');
  const understand = (typed: string) => {
    const { domain, scheme, parsedDomain } = parseDomain(typed, form.getValues());
    form.setFieldValue('parsedDomain', parsedDomain);
    if (domain !== form.getValues().domain) form.setFieldValue('domain', domain);
    if (scheme !== form.getValues().scheme) form.setFieldValue('scheme', scheme);
  };
  return (
    <>
      <Group align="flex-start" wrap="wrap">
        <TextInput
          {...domain}
          onBlur={(event) => {
            domain.onBlur(event);
            understand(event.currentTarget.value);
          }}
          onPaste={onPasteUrl(({ href }) => understand(href))}
          flex="3 1 14rem"
          inputWrapperOrder={helpBelow}
          label={t('domain')}
          description={t('domainHelp')}
          placeholder="club.example.org"
          autoCapitalize="off"
          spellCheck={false}
        />
        <Select
          {...form.getInputProps('scheme')}
          flex="1 1 9rem"
          inputWrapperOrder={helpBelow}
          label={t('scheme')}
          description={t('schemeHelp')}
          data={['https', 'http']}
          allowDeselect={false}
        />
      </Group>
      <AddressText {...parseDomain(form.values.domain, form.values)} />
    </>
  );
}

/** The URL of the site for visitors. */
function AddressText({ domain, scheme }: DomainValues) {
  const t = useTexts('settings');
  const ascii = toAsciiDomain(domain);
  if (domain !== '' && !isDomain(domain)) return null;
  return (
    <Text size="xs" c="dimmed" role="status">
      {domain !== '' && t('reachedAt', { url: `${scheme}://${domain}` })}
      {ascii !== domain && ` (${scheme}://${ascii})`}
    </Text>
  );
}
