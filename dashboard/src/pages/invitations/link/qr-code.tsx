import type { Invitation } from '@gatehouse/client';
import { Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { IconDownload, IconPrinter } from '../../../components/icons/icons.ts';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { Poster } from '../../../components/qr-code/poster.tsx';
import { QrImage } from '../../../components/qr-code/qr-image.tsx';
import { svgFile } from '../../../components/qr-code/qr-path.ts';
import { saveFile } from '../../../format/csv.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSite } from '../../../session/site.ts';

/** The link of an invitation as a QR code, to download and print. What is handed out has no note: that is for operators. */
export function QrCode({ invitation, url }: { invitation: Invitation; url: string }) {
  const t = useTexts('invitations');
  const { title: site, slug } = useSite();
  const [isPrinting, setIsPrinting] = useState(false);
  const title = [site, invitation.note].filter(Boolean).join(' · ');
  const download = () =>
    saveFile(new Blob([svgFile(url, site)], { type: 'image/svg+xml' }), `${slug}-invitation.svg`);
  return (
    <Group align="center" gap="lg">
      <QrImage text={url} label={t('qrOf', { title })} />
      <Stack align="flex-start" gap="xs" flex="1 1 10rem">
        <Hint>{t('qrHelp')}</Hint>
        <ActionButton icon={IconDownload} label={t('download')} onClick={download} size="xs" />
        <ActionButton icon={IconPrinter} label={t('print')} onClick={() => setIsPrinting(true)} size="xs" />
      </Stack>
      {isPrinting && <Poster title={site} help={t('scan')} url={url} done={() => setIsPrinting(false)} />}
    </Group>
  );
}
