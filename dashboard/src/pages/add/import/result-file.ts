import { changesOf, isFailure } from '@gatehouse/member-lists';
import { toCsv } from '../../../format/csv.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useChangeText } from '../change-texts.ts';
import { useReasonText } from '../reason-text.ts';
import type { Result } from './use-import.ts';

const headings = ['line', 'email', 'outcome', 'changes', 'reason'];

/** Returns a file that says what was done with whom, row by row. */
export function useResultFile(): (results: readonly Result[]) => Blob {
  const t = useTexts('add');
  const reasonText = useReasonText();
  const changeText = useChangeText();
  const reasonOf = ({ draft, outcome }: Result) => {
    if (isFailure(outcome)) return reasonText(outcome.reason);
    if (outcome.status === 'merged') return t('mergedInto', { line: outcome.line });
    return draft.notes.map(reasonText).join('\n');
  };
  return (results) =>
    toCsv(
      headings,
      results.map((result) => {
        const { draft, outcome } = result;
        const changes = changesOf(outcome).map(changeText).join('\n');
        return [String(draft.line), draft.email, outcome.status, changes, reasonOf(result)];
      }),
    );
}
