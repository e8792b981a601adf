import type { PageCode } from '@gatehouse/client';
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { IconPrinter } from '../../../components/icons/icons.ts';
import { qrCode } from '../../../components/qr-code/qr-path.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSavedRules } from '../../../queries/access/access-rules.ts';
import { useSavedSite } from '../../../queries/saved-site.ts';
import { useSite } from '../../../session/site.ts';
import classes from './codes.module.css';
import { addressFor, rulesWithCode } from './rules-with-code.ts';

interface LargeCodeProps {
  code: PageCode;
  text: string;
}

/** A sheet with a code and where to enter it, for a projector or a wall. */
export function LargeCode({ code: { id }, text }: LargeCodeProps) {
  const t = useTexts('codes');
  const { title } = useSite();
  const site = useSavedSite().data?.data;
  const rules = rulesWithCode(useSavedRules().data?.data ?? [], id);
  const address = site && addressFor(rules, site);
  return (
    <div className={classes.sheet}>
      <p className={classes.site}>{title}</p>
      {address && (
        <>
          <p className={classes.step}>{t('sheet.open')}</p>
          <p className={classes.address}>{address.replace(/^https?:\/\//, '').replace(/\/$/, '')}</p>
          <AddressCode address={address} />
        </>
      )}
      <p className={classes.step}>{t('sheet.enter')}</p>
      <p className={classes.large}>{text}</p>
      <Button
        className={classes.print!}
        leftSection={<IconPrinter size={16} aria-hidden />}
        onClick={() => window.print()}
      >
        {t('print')}
      </Button>
    </div>
  );
}

/** The address as a QR code, for those who have a phone. */
function AddressCode({ address }: { address: string }) {
  const t = useTexts('codes');
  const { size, path } = useMemo(() => qrCode(address), [address]);
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t('sheet.qr', { address })}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}
