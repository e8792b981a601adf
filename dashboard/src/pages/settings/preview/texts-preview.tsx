import type { Site } from '@gatehouse/client';
import { Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { Hint } from '../../../components/layout/hint.tsx';
import { Section } from '../../../components/layout/section.tsx';
import { FramedPage } from '../../../components/page/framed-page.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useSiteKeys } from '../../../queries/keys.ts';
import { addressOf, isFound } from '../../../session/dashboard-api.ts';
import { type OwnTexts, type TextName, textNames } from '../texts/texts-values.ts';

const typingMilliseconds = 400;

interface TextsPreviewProps {
  site: Site;
  language: string;
  unsaved: OwnTexts;
  /** The text that is being edited. The preview is scrolled to it. */
  edited: TextName | undefined;
}

/** A preview of the login email with the current texts. Nothing in it is active. */
export function TextsPreview(props: TextsPreviewProps) {
  const t = useTexts('settings');
  const { address, isRefused } = usePreviewAddress(props);
  return (
    <Section title={t('preview')} description={t('previewTexts')}>
      <Stack gap={isRefused ? 'sm' : 0}>
        <div role="status">{isRefused && <Hint>{t('previewRefused')}</Hint>}</div>
        {address && <FramedPage title={t('preview.email')} address={address + placeOf(props.edited)} />}
      </Stack>
    </Section>
  );
}

/** The closing is at the end of the email, where it would be out of sight. */
function placeOf(edited: TextName | undefined): string {
  if (edited === undefined) return '';
  return edited === 'closing' ? '#closing' : '#top';
}

/** The address of the preview. With a text that cannot be saved, it stays that of the last one. */
function usePreviewAddress({ site: { id, title, color }, language, unsaved }: TextsPreviewProps) {
  const keys = useSiteKeys();
  const wanted = useMemo(() => {
    const texts = textNames.map((name) => [name, unsaved[name].trim()]).filter(([, text]) => text !== '');
    const query = { title, siteId: id, language, ...(color && { color }), ...Object.fromEntries(texts) };
    return addressOf('previewLoginEmail', { query });
  }, [id, title, color, language, unsaved]);
  const [address] = useDebouncedValue(wanted, typingMilliseconds);
  const { data: isPossible, isPlaceholderData } = useQuery({
    queryKey: keys.preview(address),
    queryFn: () => isFound(address),
    placeholderData: keepPreviousData,
  });
  const last = useRef<string>(undefined);
  if (isPossible && !isPlaceholderData) last.current = address;
  return { address: last.current, isRefused: isPossible === false };
}
