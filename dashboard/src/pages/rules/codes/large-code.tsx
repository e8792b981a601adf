import type { PageCode } from '@gatehouse/client';
import { QrImage } from '../../../components/qr-code/qr-image.tsx';
import { Sheet, SheetAddress, SheetCode, SheetPicture, SheetStep } from '../../../components/sheet/sheet.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useSavedRules } from '../../../queries/access/access-rules.ts';
import { useSavedSite } from '../../../queries/saved-site.ts';
import { useSite } from '../../../session/site.ts';
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
    <Sheet title={title} print={t('print')}>
      {address && (
        <>
          <SheetStep>{t('sheet.open')}</SheetStep>
          <SheetAddress>{address.replace(/^https?:\/\//, '').replace(/\/$/, '')}</SheetAddress>
          <SheetPicture>
            <QrImage text={address} label={t('sheet.qr', { address })} />
          </SheetPicture>
        </>
      )}
      <SheetStep>{t('sheet.enter')}</SheetStep>
      <SheetCode>{text}</SheetCode>
    </Sheet>
  );
}
