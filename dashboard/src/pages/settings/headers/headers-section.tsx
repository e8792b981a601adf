import { Anchor, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';
import { SectionForm } from '../form/section-form.tsx';
import { type HeaderField, headerFields, headersSection } from './headers-values.ts';
import { SigningKeyField } from './signing-key-field.tsx';

const placeholders: Readonly<Record<HeaderField, string>> = {
  user: 'remote-user',
  email: 'remote-email',
  name: 'remote-name',
  groups: 'remote-groups',
  signed: 'gatehouse-identity',
};

const readingGuide = '/help/guides/identity-headers.html#how-names-are-written';

/** The headers that tell programs behind the proxy who the visitor is, and the key that signs them. */
export function HeadersSection() {
  const t = useTexts('settings');
  return (
    <SectionForm section={headersSection} label={t('section.headers')} permissions={['login-links:write']}>
      {(form) => (
        <Stack>
          <Stack gap={6} align="flex-start">
            <Select
              {...form.getInputProps('encoding')}
              label={t('encoding')}
              description={t('encodingHelp')}
              w="100%"
              maw="24rem"
              data={(['percent', 'utf8'] as const).map((value) => ({ value, label: t(`encoding.${value}`) }))}
              allowDeselect={false}
            />
            <Anchor href={readingGuide} target="_blank" rel="noreferrer" size="sm">
              {t('encodingGuide')}
            </Anchor>
          </Stack>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {headerFields.map((field) => (
              <TextInput
                key={field}
                {...form.getInputProps(field)}
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
      )}
    </SectionForm>
  );
}
