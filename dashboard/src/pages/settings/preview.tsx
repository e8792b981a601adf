import { Group, SegmentedControl, Select, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { Section } from '../../components/layout/section.tsx';
import { FramedPage } from '../../components/page/framed-page.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { addressOf } from '../../session/dashboard-api.ts';
import { useSite } from '../../session/site.ts';
import { languageName } from './languages-section.tsx';
import { useThumbnail } from './logo-thumbnail.ts';
import type { SettingsValues } from './settings-values.ts';

const typingMilliseconds = 400;
const kinds = ['login', 'email'] as const;

/** A preview of the login page and the email with the current form values. Nothing in it is active. */
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
        <FramedPage title={t(`preview.${kind}`)} address={address} />
      </Stack>
    </Section>
  );
}

function usePreviewAddress(
  kind: (typeof kinds)[number],
  { title, color, logo }: SettingsValues,
  savedTitle: string,
  language: string,
): string {
  const site = useSite();
  const thumbnail = useThumbnail(logo);
  const shown = useMemo(
    () => ({
      title: title.trim() || savedTitle,
      ...(/^#[0-9a-f]{6}$/i.test(color) && { color }),
      language,
      ...(thumbnail && { logo: thumbnail }),
      // The site is left out, and with it the saved logo, if the logo is about to be removed.
      ...(logo === undefined && { siteId: site.id }),
    }),
    [title, savedTitle, color, language, thumbnail, logo, site.id],
  );
  const [query] = useDebouncedValue(shown, typingMilliseconds);
  return addressOf(kind === 'login' ? 'previewLoginPage' : 'previewLoginEmail', { query });
}
