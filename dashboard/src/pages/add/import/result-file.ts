import { changesOf, isFailure, resultColumns, toResultRow } from '@gatehouse/member-lists';
import { toCsv } from '../../../format/csv.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useAccessGroups } from '../../../queries/access-groups.ts';
import { useChangeText } from '../change-texts.ts';
import { useReasonText } from '../reason-text.ts';
import type { ImportState, Result } from './use-import.ts';

/** Returns a file that says what was done with whom, row by row. */
export function useResultFile(): (state: ImportState) => Blob {
  const t = useTexts('add');
  const reasonText = useReasonText();
  const changeText = useChangeText();
  const { data: groups = [] } = useAccessGroups();
  const nameOf = (id: string) => groups.find((group) => group.id === id)?.name ?? id;
  const messageOf = ({ draft, outcome }: Result) => {
    if (isFailure(outcome)) return reasonText(outcome.reason);
    if (outcome.status === 'merged') return t('mergedInto', { line: outcome.line });
    return draft.notes.map(reasonText).join('\n');
  };
  return ({ results, groupsOfAll }) => {
    const names = groupsOfAll.map(nameOf);
    const rows = results.map((result) => {
      const { draft, outcome } = result;
      const changes = changesOf(outcome).map(changeText);
      const row = toResultRow(draft, outcome, names, { changes, message: messageOf(result) });
      return resultColumns.map((column) => row[column]);
    });
    return toCsv([...resultColumns], rows);
  };
}
