import { type Reason, type RowProblem, rowProblems } from '@gatehouse/member-lists';
import { useErrorText } from '../../format/error-text.ts';
import type { TextAreas } from '../../languages/areas.ts';
import { language } from '../../languages/language.ts';
import { type Texts, useTexts } from '../../languages/texts.tsx';

const lists = new Intl.ListFormat(language, { type: 'conjunction' });

/** The reason why a row cannot be used or failed. */
export function useReasonText(): (reason: Reason) => string {
  const t = useTexts('add');
  const errorText = useErrorText();
  return (reason) => {
    const { code, message = '' } = reason;
    const problem = rowProblems.find((each) => each === code);
    // The service may have rejected the row for another reason with the same code.
    if (problem === undefined || message !== '') return errorText({ code, message });
    return problemText(t, problem, reason.values ?? {});
  };
}

function problemText(t: Texts<'add'>, problem: RowProblem, values: NonNullable<Reason['values']>): string {
  switch (problem) {
    case 'email_taken': {
      const fields = String(values.fields).split(' ') as 'displayName'[];
      const different = lists.format(fields.map((field) => t(`different.${field}`)));
      // No import changes the status of a member who exists.
      if (String(values.fields).includes('status')) return t('problem.email_taken', { fields: different });
      return t('problem.email_taken_updatable', { fields: different, option: t('updates') });
    }
    case 'unclear_column':
      return t('problem.unclear_column', { field: t(`field.${values.field as 'email'}`) });
    case 'invalid_group_ends':
      return t(
        values.value === undefined ? 'problem.unequal_group_ends' : 'problem.invalid_group_ends',
        values,
      );
    default:
      return t(textOf(problem), values);
  }
}

/** The compiler requires a text for every problem. */
function textOf(problem: RowProblem): keyof TextAreas['add'] {
  return `problem.${problem}`;
}
