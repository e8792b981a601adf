import { Stack, TextInput } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';
import { SectionForm } from '../form/section-form.tsx';
import { type LinkName, linkNames, linksSection } from './links-values.ts';

const placeholders: Readonly<Record<LinkName, string>> = {
  contact: 'office@example.org',
  upgrade: 'https://www.example.org/join',
  imprint: 'https://www.example.org/imprint',
  privacy: 'https://www.example.org/privacy',
};

/** The links on the pages of visitors. */
export function LinksSection() {
  const t = useTexts('settings');
  return (
    <SectionForm section={linksSection} label={t('section.links')}>
      {(form) => (
        <Stack>
          {linkNames.map((name) => (
            <TextInput
              key={name}
              {...form.getInputProps(name)}
              label={t(`link.${name}`)}
              description={t(`linkHelp.${name}`)}
              placeholder={placeholders[name]}
              inputMode={name === 'contact' ? 'email' : 'url'}
              autoCapitalize="off"
              spellCheck={false}
              maw="32rem"
            />
          ))}
        </Stack>
      )}
    </SectionForm>
  );
}
