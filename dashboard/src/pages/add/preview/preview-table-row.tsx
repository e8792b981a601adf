import { dayOf } from '@gatehouse/contract/time-zones';
import { changesOf, isFailure } from '@gatehouse/member-lists';
import { Badge, Text } from '@mantine/core';
import { endText } from '../../../format/ends.ts';
import { locale } from '../../../languages/language.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSite } from '../../../session/site.ts';
import { useChangeText } from '../change-texts.ts';
import { useReasonText } from '../reason-text.ts';
import classes from './preview.module.css';
import type { PreviewRow, PreviewStatus } from './preview-status.ts';

/** For days without a time, which are read as UTC. */
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

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

/** The columns that only some lists have. */
export interface ShownColumns {
  readonly status: boolean;
  readonly groups: boolean;
  readonly registeredAt: boolean;
}

/** A row of the list: what was read, what will happen, and why. */
export function PreviewTableRow({ row, columns }: { row: PreviewRow; columns: ShownColumns }) {
  const t = useTexts('add');
  const { timeZone } = useSite();
  const { status, draft } = row;
  const { line, email, address, displayName, paid, groups, registeredAt } = draft;
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
      <td>{displayName}</td>
      <td>{paid === undefined ? '' : t(paid ? 'yes' : 'no')}</td>
      {columns.status && <td>{draft.status && t(`status.${draft.status}`)}</td>}
      {columns.groups && (
        <td>
          {groups
            .map(({ name, expiresAt }) =>
              expiresAt === null ? name : t('groupUntil', { name, end: endText(expiresAt, timeZone) }),
            )
            .join(' · ')}
        </td>
      )}
      {columns.registeredAt && (
        <td>{registeredAt && days.format(new Date(dayOf(registeredAt, timeZone)))}</td>
      )}
    </tr>
  );
}

/** Why a row is not imported, or what it changes, and what of it is not used. */
function Explanation({ row: { draft, outcome } }: { row: PreviewRow }) {
  const t = useTexts('add');
  const reasonText = useReasonText();
  const changeText = useChangeText();
  if (isFailure(outcome)) {
    return (
      <Text size="xs" c="var(--mantine-color-error)" className={classes.problem!}>
        {reasonText(outcome.reason)}
      </Text>
    );
  }
  const lines = [
    ...(outcome.status === 'merged' ? [t('mergedInto', { line: outcome.line })] : []),
    ...changesOf(outcome).map(changeText),
    ...draft.notes.map(reasonText),
  ];
  return lines.map((each) => (
    <Text key={each} size="xs" c="dimmed" className={classes.problem!}>
      {each}
    </Text>
  ));
}
