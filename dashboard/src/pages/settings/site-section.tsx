import { Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import { isDomain, toAsciiDomain } from '../../parts/domain.ts';
import { onPasteOfAddress } from '../../parts/pasted-address.ts';
import { Section } from '../../parts/section.tsx';
import type { SettingsForm } from './settings-form.ts';
import type { SettingsValues } from './settings-values.ts';

type Address = Pick<SettingsValues, 'domain' | 'scheme'>;

interface SiteSectionProps {
  form: SettingsForm;
  /** Puts a domain as it was typed or pasted into the form as it was understood. */
  understand: (typed: string) => void;
  /** Where the site is with what stands in the form. */
  address: Address;
}

/** What the site is called, and where it is. */
export function SiteSection({ form, understand, address }: SiteSectionProps) {
  const t = useTexts('settings');
  const domain = form.getInputProps('domain');
  return (
    <Section title={t('site')}>
      <Stack>
        <TextInput
          {...form.getInputProps('title')}
          label={t('siteTitle')}
          description={t('siteTitleHelp')}
          maxLength={100}
        />
        <Group align="flex-start" wrap="wrap">
          <TextInput
            {...domain}
            onBlur={(event) => {
              domain.onBlur(event);
              understand(event.currentTarget.value);
            }}
            onPaste={onPasteOfAddress(({ href }) => understand(href))}
            flex="3 1 14rem"
            label={t('domain')}
            description={t('domainHelp')}
            placeholder="club.example.org"
            autoCapitalize="off"
            spellCheck={false}
          />
          <Select
            {...form.getInputProps('scheme')}
            flex="1 1 9rem"
            label={t('scheme')}
            description={t('schemeHelp')}
            data={['https', 'http']}
            allowDeselect={false}
          />
        </Group>
        <AddressText {...address} />
      </Stack>
    </Section>
  );
}

/** Where visitors will find the site. */
function AddressText({ domain, scheme }: Address) {
  const t = useTexts('settings');
  const ascii = toAsciiDomain(domain);
  if (domain !== '' && !isDomain(domain)) return null;
  return (
    <Text size="xs" c="dimmed" role="status" style={{ overflowWrap: 'anywhere' }}>
      {domain !== '' && t('reachedAt', { address: `${scheme}://${domain}` })}
      {ascii !== domain && ` (${scheme}://${ascii})`}
    </Text>
  );
}
