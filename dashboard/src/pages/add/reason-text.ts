import type { Reason } from '@gatehouse/member-lists';
import { useErrorText } from '../../format/error-text.ts';
import { language } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';

const lists = new Intl.ListFormat(language, { type: 'conjunction' });

/** The reason why a row cannot be used or failed. */
export function useReasonText(): (reason: Reason) => string {
  const t = useTexts('add');
  const errorText = useErrorText();
  return ({ code, values = {}, message = '' }) => {
    if (code === 'email_taken' && typeof values.fields === 'string') {
      const fields = values.fields.split(' ').map((field) => t(`different.${field as 'displayName'}`));
      return t('problem.differs', { fields: lists.format(fields) });
    }
    const name = `problem.${code}`;
    return t.has(name) ? t(name, values) : errorText({ code, message });
  };
}
