import { changesOf, isFailure } from '@gatehouse/member-lists';
import { type State, StateText } from '../../../components/state/state-text.tsx';
import { CellNote } from '../../../components/tables/cell-note.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useChangeText } from '../change-texts.ts';
import { useReasonText } from '../reason-text.ts';
import type { PreviewColumn } from './preview-columns.ts';
import type { PreviewRow, PreviewStatus } from './preview-status.ts';

const states: Readonly<Record<PreviewStatus, State>> = {
  new: 'good',
  unknown: 'good',
  updated: 'good',
  groupsChanged: 'good',
  exists: 'neutral',
  duplicate: 'neutral',
  leftOut: 'neutral',
  conflict: 'bad',
  otherName: 'bad',
  invalidEmail: 'bad',
  invalidName: 'bad',
  invalid: 'bad',
};

/** A row of the list: what was read, what will happen, and why. */
export function PreviewTableRow({ row, columns }: { row: PreviewRow; columns: readonly PreviewColumn[] }) {
  const t = useTexts('add');
  const { status, draft } = row;
  const { line, email, address } = draft;
  return (
    <tr>
      <td>{line}</td>
      <td>
        <StateText state={states[status]}>{t(`previewStatus.${status}`)}</StateText>
      </td>
      <td>
        {address ?? email}
        <Explanation row={row} />
      </td>
      {columns.map(({ field, text }) => (
        <td key={field}>{text(draft)}</td>
      ))}
    </tr>
  );
}

/** Why a row is not imported, or what it changes, and what of it is not used. */
function Explanation({ row: { draft, outcome } }: { row: PreviewRow }) {
  const t = useTexts('add');
  const reasonText = useReasonText();
  const changeText = useChangeText();
  if (isFailure(outcome)) {
    return <CellNote isProblem>{reasonText(outcome.reason)}</CellNote>;
  }
  const lines = [
    ...(outcome.status === 'merged' ? [t('mergedInto', { line: outcome.line })] : []),
    ...changesOf(outcome).map(changeText),
    ...draft.notes.map(reasonText),
  ];
  return lines.map((each) => <CellNote key={each}>{each}</CellNote>);
}
