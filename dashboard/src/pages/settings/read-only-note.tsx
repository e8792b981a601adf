import { Notice } from '../../components/feedback/notice.tsx';
import { IconEye } from '../../components/icons/icons.ts';
import { useTexts } from '../../languages/texts.tsx';

/** For operators who can see a section and not change it. */
export function ReadOnlyNote() {
  const t = useTexts('settings');
  return (
    <Notice state="neutral" icon={IconEye} mb="lg">
      {t('readOnly')}
    </Notice>
  );
}
