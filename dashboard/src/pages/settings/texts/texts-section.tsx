import type { EmailTexts, Site } from '@gatehouse/client';
import { Fieldset, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { ErrorNote } from '../../../components/feedback/error-note.tsx';
import { SaveBar } from '../../../components/forms/save-bar.tsx';
import { FormSkeleton } from '../../../components/layout/skeletons.tsx';
import { Beside } from '../../../components/page/beside.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useSavedSite } from '../../../queries/saved-site.ts';
import { useMay } from '../../../session/site.ts';
import { TextsPreview } from '../preview/texts-preview.tsx';
import { ReadOnlyNote } from '../read-only-note.tsx';
import { languageName } from '../site/languages-field.tsx';
import { TextField } from './text-field.tsx';
import { useEmailTexts } from './texts-query.ts';
import { type TextName, textNames } from './texts-values.ts';
import { useTextsForm } from './use-texts-form.ts';

/** The texts of the site in its emails, in each of its languages. */
export function TextsSection() {
  const { data, error, refetch } = useEmailTexts();
  const site = useSavedSite();
  const failure = error ?? site.error;
  if (data && site.data) return <TextsForm saved={data} site={site.data.data} />;
  if (!failure) return <FormSkeleton fields={3} />;
  return <ErrorNote error={failure} retry={() => Promise.all([refetch(), site.refetch()])} />;
}

interface TextsFormProps {
  saved: EmailTexts[];
  site: Site;
}

function TextsForm({ saved, site }: TextsFormProps) {
  const t = useTexts('settings');
  const mayWrite = useMay('site:write');
  const [chosen, choose] = useState(site.languages[0]!);
  const languages = saved.map((each) => each.language).filter((tag) => site.languages.includes(tag));
  const language = languages.includes(chosen) ? chosen : (languages[0] ?? saved[0]!.language);
  const [edited, edit] = useState<TextName>();
  const { form, ...state } = useTextsForm(saved, choose);
  const { defaults } = saved.find((each) => each.language === language)!;
  return (
    <>
      {!mayWrite && <ReadOnlyNote />}
      <Beside
        aside={
          <TextsPreview site={site} language={language} unsaved={form.values[language]!} edited={edited} />
        }
      >
        <Stack>
          <Select
            label={t('textLanguage')}
            maw="24rem"
            value={language}
            onChange={(tag) => tag && choose(tag)}
            data={languages.map((value) => ({ value, label: languageName(value) }))}
            allowDeselect={false}
          />
          <Fieldset variant="unstyled" disabled={!mayWrite} aria-label={languageName(language)}>
            <Stack>
              {textNames.map((name) => (
                <TextField
                  key={`${language} ${name}`}
                  name={name}
                  edit={() => edit(name)}
                  language={language}
                  placeholder={name === 'greeting' ? defaults.greeting : t('textNone')}
                  input={form.getInputProps(`${language}.${name}`)}
                />
              ))}
            </Stack>
          </Fieldset>
        </Stack>
      </Beside>
      <SaveBar {...state} />
    </>
  );
}
