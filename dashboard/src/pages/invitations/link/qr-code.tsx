import type { Invitation } from '@gatehouse/client';
import { Group, Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import { IconDownload, IconPrinter } from '../../../components/icons/icons.ts';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { qrCode, svgFile } from '../../../components/qr-code/qr-path.ts';
import { saveFile } from '../../../format/csv.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSite } from '../../../session/site.ts';
import classes from '../invitations.module.css';
import { Poster } from './poster.tsx';

/** The link of an invitation as a QR code, to download and print. What is handed out has no note: that is for operators. */
export function QrCode({ invitation, url }: { invitation: Invitation; url: string }) {
  const t = useTexts('invitations');
  const { title: site, slug } = useSite();
  const { size, path } = useMemo(() => qrCode(url), [url]);
  const [isPrinting, setIsPrinting] = useState(false);
  const title = [site, invitation.note].filter(Boolean).join(' · ');
  const download = () =>
    saveFile(new Blob([svgFile(url, site)], { type: 'image/svg+xml' }), `${slug}-invitation.svg`);
  return (
    <Group align="center" gap="lg">
      <svg
        className={classes.code}
        viewBox={`0 0 ${size} ${size}`}
        width={240}
        role="img"
        aria-label={t('qrOf', { title })}
        shapeRendering="crispEdges"
      >
        <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
        <path fill="#000" d={path} />
      </svg>
      <Stack align="flex-start" gap="xs" flex="1 1 10rem">
        <Hint>{t('qrHelp')}</Hint>
        <ActionButton icon={IconDownload} label={t('download')} onClick={download} size="xs" />
        <ActionButton icon={IconPrinter} label={t('print')} onClick={() => setIsPrinting(true)} size="xs" />
      </Stack>
      {isPrinting && <Poster size={size} path={path} url={url} done={() => setIsPrinting(false)} />}
    </Group>
  );
}
