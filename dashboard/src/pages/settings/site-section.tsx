import { Group, Select, Stack, TextInput } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import { onPasteOfAddress } from '../../parts/pasted-address.ts';
import { Section } from '../../parts/section.tsx';
import type { SettingsForm } from './settings-form.ts';

/** What the site is called, and where it is. */
export function SiteSection({ form }: { form: SettingsForm }) {
  const t = useTexts('settings');
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
            {...form.getInputProps('domain')}
            onPaste={onPasteOfAddress(({ host }) => form.setFieldValue('domain', host))}
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
      </Stack>
    </Section>
  );
}
