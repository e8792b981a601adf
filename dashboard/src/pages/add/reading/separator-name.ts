import { useTexts } from '../../../languages/texts.tsx';

/** What people call a separator of groups. */
export function useSeparatorName(): (separator: string) => string {
  const t = useTexts('add');
  return (separator) => {
    if (separator === '') return t('separator.none');
    return separator === '\n' ? t('separator.line') : t('separator.text', { separator: separator.trim() });
  };
}
