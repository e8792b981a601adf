import { siteLanguages } from '@gatehouse/contract/languages';
import { Checkbox, Group, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../../languages/texts.tsx';

interface LanguagesFieldProps {
  languages: readonly string[];
  choose: (languages: string[]) => void;
  error: ReactNode;
}

const all = Object.keys(siteLanguages);

/** The languages of login pages and emails. The first one is the default. */
export function LanguagesField({ languages, choose, error }: LanguagesFieldProps) {
  const t = useTexts('settings');
  return (
    <>
      <Checkbox.Group
        label={t('languages')}
        description={t('languagesHelp')}
        value={[...languages]}
        // At least one language remains.
        onChange={(next) => next.length > 0 && choose(next)}
        error={error}
      >
        <Group mt="xs">
          {[...new Set([...all, ...languages])].map((tag) => (
            <Checkbox key={tag} value={tag} label={languageName(tag)} />
          ))}
        </Group>
      </Checkbox.Group>
      <Select
        label={t('defaultLanguage')}
        description={t('defaultLanguageHelp')}
        maw="24rem"
        value={languages[0] ?? null}
        onChange={(language) =>
          language && choose([language, ...languages.filter((tag) => tag !== language)])
        }
        data={languages.map((value) => ({ value, label: languageName(value) }))}
        allowDeselect={false}
      />
    </>
  );
}

/** The own name of a language; its tag if this version does not know it. */
export function languageName(tag: string): string {
  return siteLanguages[tag] ?? tag;
}
