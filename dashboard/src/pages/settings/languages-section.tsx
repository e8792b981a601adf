import { Checkbox, Group, Select, Stack } from '@mantine/core';
import { type Language, languages } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { Section } from '../../parts/section.tsx';
import type { SettingsForm } from './settings-form.ts';

const all = Object.keys(languages);

/** The languages of login pages and mails; the first of them is the usual one. */
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
          // One of them stays.
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
          label={t('usualLanguage')}
          maw="16rem"
          value={chosen[0] ?? null}
          onChange={(usual) => usual && choose([usual, ...chosen.filter((tag) => tag !== usual)])}
          data={chosen.map((value) => ({ value, label: languageName(value) }))}
          allowDeselect={false}
        />
      </Stack>
    </Section>
  );
}

/** A language by its own name; its tag for one that is newer than this page. */
export function languageName(tag: string): string {
  return languages[tag as Language] ?? tag;
}
