import { language } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useRefusalText } from '../../parts/refusals.ts';
import type { Reason } from './import/import-people.ts';

const lists = new Intl.ListFormat(language, { type: 'conjunction' });

/** Says why somebody cannot be added, or was not. */
export function useReasonText(): (reason: Reason) => string {
  const t = useTexts('add');
  const refusalText = useRefusalText();
  return ({ code, values = {}, message = '' }) => {
    if (code === 'email_taken' && typeof values.fields === 'string') {
      const fields = values.fields.split(' ').map((field) => t(`different.${field as 'name'}`));
      return t('problem.differs', { fields: lists.format(fields) });
    }
    const name = `problem.${code}`;
    return t.has(name) ? t(name, values) : refusalText({ code, message });
  };
}
