import { Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { Section } from '../../components/layout/section.tsx';
import { useTexts } from '../../languages/texts.tsx';
import type { SettingsForm } from './settings-form.ts';
import { type HeaderField, headerFields } from './settings-values.ts';
import { SigningKeyField } from './signing-key-field.tsx';

const placeholders: Readonly<Record<HeaderField, string>> = {
  user: 'remote-user',
  email: 'remote-email',
  name: 'remote-name',
  groups: 'remote-groups',
  signed: 'gatehouse-identity',
};

/** The headers that tell programs behind the proxy who the visitor is, and the key that signs them. */
export function HeadersSection({ form }: { form: SettingsForm }) {
  const t = useTexts('settings');
  return (
    <Section title={t('headers')} description={t('headersHelp')}>
      <Stack>
        <Select
          {...form.getInputProps('headers.encoding')}
          label={t('encoding')}
          description={t('encodingHelp')}
          maw="24rem"
          data={(['percent', 'utf8'] as const).map((value) => ({ value, label: t(`encoding.${value}`) }))}
          allowDeselect={false}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {headerFields.map((field) => (
            <TextInput
              key={field}
              {...form.getInputProps(`headers.${field}`)}
              label={t(`header.${field}`)}
              placeholder={placeholders[field]}
              maxLength={64}
              autoCapitalize="off"
              spellCheck={false}
            />
          ))}
        </SimpleGrid>
        <SigningKeyField />
      </Stack>
    </Section>
  );
}
