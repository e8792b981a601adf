import { changesOf, isFailure } from '@gatehouse/member-lists';
import { Badge } from '@mantine/core';
import { CellNote } from '../../../components/tables/cell-note.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useChangeText } from '../change-texts.ts';
import { useReasonText } from '../reason-text.ts';
import type { PreviewColumn } from './preview-columns.ts';
import type { PreviewRow, PreviewStatus } from './preview-status.ts';

export const statusColors: Readonly<Record<PreviewStatus, string>> = {
  new: 'teal',
  unknown: 'teal',
  updated: 'blue',
  groupsChanged: 'blue',
  exists: 'gray',
  duplicate: 'gray',
  leftOut: 'gray',
  conflict: 'red',
  otherName: 'red',
  invalidEmail: 'red',
  invalidName: 'red',
  invalid: 'red',
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
        <Badge variant="light" color={statusColors[status]} miw="max-content">
          {t(`previewStatus.${status}`)}
        </Badge>
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
