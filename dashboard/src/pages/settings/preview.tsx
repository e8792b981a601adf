import { Group, SegmentedControl, Select, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { Section } from '../../parts/section.tsx';
import { useSite } from '../../session/site.ts';
import { languageName } from './languages-section.tsx';
import { useThumbnail } from './logo-thumbnail.ts';
import classes from './settings.module.css';
import type { SettingsValues } from './settings-values.ts';

const typingMilliseconds = 400;
const kinds = ['login', 'mail'] as const;

/** The login page and the mail as they would be with what stands in the form. Nothing in them can act. */
export function Preview({ values, savedTitle }: { values: SettingsValues; savedTitle: string }) {
  const t = useTexts('settings');
  const [kind, setKind] = useState<(typeof kinds)[number]>('login');
  const [chosen, setLanguage] = useState<string | null>(null);
  const language = values.languages.find((tag) => tag === chosen) ?? values.languages[0]!;
  const address = usePreviewAddress(kind, values, savedTitle, language);
  return (
    <Section title={t('preview')}>
      <Stack gap="sm">
        <Group gap="xs">
          <SegmentedControl
            aria-label={t('previewOf')}
            value={kind}
            onChange={(value) => setKind(value as typeof kind)}
            data={kinds.map((value) => ({ value, label: t(`preview.${value}`) }))}
          />
          <Select
            aria-label={t('previewLanguage')}
            w="9rem"
            value={language}
            onChange={setLanguage}
            data={values.languages.map((value) => ({ value, label: languageName(value) }))}
            allowDeselect={false}
          />
        </Group>
        <iframe className={classes.preview} title={t(`preview.${kind}`)} src={address} />
      </Stack>
    </Section>
  );
}

function usePreviewAddress(
  kind: string,
  { title, colour, logo }: SettingsValues,
  savedTitle: string,
  language: string,
): string {
  const site = useSite();
  const thumbnail = useThumbnail(logo);
  const shown = {
    title: title.trim() || savedTitle,
    ...(/^#[0-9a-f]{6}$/i.test(colour) && { colour }),
    language,
    ...(thumbnail && { logo: thumbnail }),
    // With the site goes its logo, which may be on its way out.
    ...(logo === undefined && { siteId: site.id }),
  };
  const [query] = useDebouncedValue(new URLSearchParams(shown).toString(), typingMilliseconds);
  return `/dashboard/api/preview/${kind}?${query}`;
}
