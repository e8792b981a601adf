import { maxNameLength } from '@gatehouse/contract/limits';
import { Group, Select, Stack, Text, TextInput, type TextInputProps } from '@mantine/core';
import { PermittedFields } from '../../../components/forms/permitted-fields.tsx';
import { Section } from '../../../components/layout/section.tsx';
import { isDomain, toAsciiDomain } from '../../../format/addresses/domain.ts';
import { onPasteUrl } from '../../../format/addresses/pasted-url.ts';
import { useTexts } from '../../../languages/texts.tsx';
import type { SettingsForm } from '../settings-form.ts';
import type { SettingsValues } from '../settings-values.ts';
import { TimeZoneField } from './time-zone-field.tsx';

type Address = Pick<SettingsValues, 'domain' | 'scheme'>;

interface SiteSectionProps {
  form: SettingsForm;
  /** Puts a typed or pasted domain into the form in its parsed form. */
  understand: (typed: string) => void;
  /** The URL of the site with the current form values. */
  address: Address;
}

/** So that the fields beside each other are in one line. */
const helpBelow = [
  'label',
  'input',
  'description',
  'error',
] as const satisfies TextInputProps['inputWrapperOrder'];

/** The title, the domain and the time zone of the site. */
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
          maxLength={maxNameLength}
        />
        <PermittedFields permissions={['login-links:write']}>
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
        </PermittedFields>
        <AddressText {...address} />
        <TimeZoneField form={form} />
      </Stack>
    </Section>
  );
}

/** The URL of the site for visitors. */
function AddressText({ domain, scheme }: Address) {
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
