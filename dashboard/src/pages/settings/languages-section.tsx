import { siteLanguages } from '@gatehouse/contract/languages';
import { Checkbox, Group, Select, Stack } from '@mantine/core';
import { Section } from '../../components/layout/section.tsx';
import { useTexts } from '../../languages/texts.tsx';
import type { SettingsForm } from './settings-form.ts';

const all = Object.keys(siteLanguages);

/** The languages of login pages and emails. The first one is the default. */
export function LanguagesSection({ form }: { form: SettingsForm }) {
  const t = useTexts('settings');
  const chosen = form.values.languages;
  const choose = (next: string[]) => form.setFieldValue('languages', next);
  return (
    <Section title={t('languages')} description={t('languagesHelp')}>
      <Stack>
        <Checkbox.Group
          aria-label={t('languages')}
          value={chosen}
          // At least one language remains.
          onChange={(next) => next.length > 0 && choose(next)}
          error={form.errors.languages}
        >
          <Group>
            {[...new Set([...all, ...chosen])].map((tag) => (
              <Checkbox key={tag} value={tag} label={languageName(tag)} />
            ))}
          </Group>
        </Checkbox.Group>
        <Select
          label={t('defaultLanguage')}
          maw="16rem"
          value={chosen[0] ?? null}
          onChange={(language) => language && choose([language, ...chosen.filter((tag) => tag !== language)])}
          data={chosen.map((value) => ({ value, label: languageName(value) }))}
          allowDeselect={false}
        />
      </Stack>
    </Section>
  );
}

/** The own name of a language; its tag if this version does not know it. */
export function languageName(tag: string): string {
  return siteLanguages[tag] ?? tag;
}
