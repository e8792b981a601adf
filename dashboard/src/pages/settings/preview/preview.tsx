import type { Site } from '@gatehouse/client';
import { Group, SegmentedControl, Select, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { Section } from '../../../components/layout/section.tsx';
import { FramedPage } from '../../../components/page/framed-page.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { addressOf } from '../../../session/dashboard-api.ts';
import { isColor, type LookValues } from '../look/look-values.ts';
import { languageName } from '../site/languages-field.tsx';
import { useThumbnail } from './logo-thumbnail.ts';

const typingMilliseconds = 400;
const kinds = ['login', 'email'] as const;

interface PreviewProps {
  site: Site;
  unsaved: LookValues;
}

/** A preview of the login page and the email with the current form values. Nothing in it is active. */
export function Preview({ site, unsaved }: PreviewProps) {
  const t = useTexts('settings');
  const [kind, setKind] = useState<(typeof kinds)[number]>('login');
  const [chosen, setLanguage] = useState<string | null>(null);
  const language = site.languages.find((tag) => tag === chosen) ?? site.languages[0]!;
  const address = usePreviewAddress(kind, site, unsaved, language);
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
            data={site.languages.map((value) => ({ value, label: languageName(value) }))}
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
  { id, title }: Site,
  { color, logo }: LookValues,
  language: string,
): string {
  const thumbnail = useThumbnail(logo);
  const shown = useMemo(
    () => ({
      title,
      ...(isColor(color) && { color }),
      language,
      ...(thumbnail && { logo: thumbnail }),
      // The site is left out, and with it the saved logo, if the logo is about to be removed.
      ...(logo === undefined && { siteId: id }),
    }),
    [title, color, language, thumbnail, logo, id],
  );
  const [query] = useDebouncedValue(shown, typingMilliseconds);
  return addressOf(kind === 'login' ? 'previewLoginPage' : 'previewLoginEmail', { query });
}
