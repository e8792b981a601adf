import type { PageCode } from '@gatehouse/client';
import { SecretText } from '../../../components/credentials/secret-text.tsx';
import { IconPrinter } from '../../../components/icons/icons.ts';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { useTexts } from '../../../languages/texts.tsx';

interface CreatedCodeProps {
  code: PageCode;
  text: string;
  enlarge: () => void;
  close: () => void;
}

/** A new code, to be copied or shown to those who may enter it. */
export function CreatedCode({ code: { label, type }, text, enlarge, close }: CreatedCodeProps) {
  const t = useTexts('codes');
  return (
    <SecretText secret={text} label={label} warning={t(type === 'chosen' ? 'createdOwn' : 'createdText')}>
      <ActionButton label={t('done')} onClick={close} />
      <ActionButton icon={IconPrinter} label={t('large')} onClick={enlarge} />
    </SecretText>
  );
}
