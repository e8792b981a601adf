import type { MemberDraft } from '@gatehouse/member-lists';
import { Badge, Chip, Group, Text } from '@mantine/core';
import { useId, useMemo, useState } from 'react';
import { ScrollingTable } from '../../../components/tables/scrolling-table.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useReasonText } from '../reason-text.ts';
import classes from './preview.module.css';
import { type PreviewStatus, previewStatuses } from './preview-status.ts';

const maxShownRows = 100;
const colours: Readonly<Record<PreviewStatus, string>> = {
  new: 'teal',
  unknown: 'teal',
  exists: 'gray',
  duplicate: 'gray',
  leftOut: 'gray',
  conflict: 'red',
  invalidEmail: 'red',
  invalidName: 'red',
  invalid: 'red',
};

interface PreviewRowsProps {
  drafts: readonly MemberDraft[];
  statuses: readonly PreviewStatus[];
}

/** The first rows, all or with one status. */
export function PreviewRows({ drafts, statuses }: PreviewRowsProps) {
  const [chosen, choose] = useState<PreviewStatus | 'all'>('all');
  // The selected status may no longer occur after a change.
  const shown = chosen !== 'all' && statuses.includes(chosen) ? chosen : 'all';
  const rows = useMemo(
    () =>
      drafts
        .map((draft, index) => ({ draft, index, status: statuses[index]! }))
        .filter(({ status }) => shown === 'all' || status === shown),
    [drafts, statuses, shown],
  );
  return (
    <>
      <StatusChips statuses={statuses} chosen={shown} choose={choose} />
      <RowTable rows={rows} drafts={drafts} />
    </>
  );
}

interface StatusChipsProps {
  statuses: readonly PreviewStatus[];
  chosen: PreviewStatus | 'all';
  choose: (status: PreviewStatus | 'all') => void;
}

/** The number of rows for each status. */
function StatusChips({ statuses, chosen, choose }: StatusChipsProps) {
  const t = useTexts('add');
  const name = useId();
  const counts = useMemo(() => Map.groupBy(statuses, (status) => status), [statuses]);
  return (
    <Chip.Group value={chosen} onChange={(value) => choose(value as PreviewStatus | 'all')}>
      <Group gap="xs" role="radiogroup" aria-label={t('preview')}>
        <Chip name={name} value="all" variant="light">
          {t('count.all', { count: statuses.length })}
        </Chip>
        {previewStatuses
          .filter((status) => counts.has(status))
          .map((status) => (
            <Chip key={status} name={name} value={status} variant="light" color={colours[status]}>
              {t(`count.${status}`, { count: counts.get(status)!.length })}
            </Chip>
          ))}
      </Group>
    </Chip.Group>
  );
}

interface PreviewRow {
  readonly draft: MemberDraft;
  readonly index: number;
  readonly status: PreviewStatus;
}

function RowTable({ rows, drafts }: { rows: readonly PreviewRow[]; drafts: readonly MemberDraft[] }) {
  const t = useTexts('add');
  const hasGroups = drafts.some(({ groups }) => groups.length > 0);
  const hasStatus = drafts.some(({ status }) => status);
  return (
    <ScrollingTable
      label={t('preview')}
      end={
        rows.length > maxShownRows && (
          <Text size="sm" c="dimmed" p="xs">
            {t('moreRows', { count: rows.length - maxShownRows })}
          </Text>
        )
      }
    >
      <thead>
        <tr>
          <th>{t('line')}</th>
          <th>{t('previewStatus')}</th>
          <th>{t('field.email')}</th>
          <th>{t('field.displayName')}</th>
          <th>{t('field.paid')}</th>
          {hasStatus && <th>{t('field.status')}</th>}
          {hasGroups && <th>{t('field.groups')}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, maxShownRows).map((row) => (
          <TableRow key={row.index} {...row} hasGroups={hasGroups} hasStatus={hasStatus} />
        ))}
      </tbody>
    </ScrollingTable>
  );
}

function TableRow({
  draft,
  status,
  hasGroups,
  hasStatus,
}: PreviewRow & { hasGroups: boolean; hasStatus: boolean }) {
  const t = useTexts('add');
  const reasonText = useReasonText();
  const { line, email, displayName, paid, groups, problem } = draft;
  // The email address and the name need no label.
  const reason = status === 'invalid' && problem;
  return (
    <tr>
      <td>{line}</td>
      <td>
        <Badge variant="light" color={colours[status]} miw="max-content">
          {t(`previewStatus.${status}`)}
        </Badge>
      </td>
      <td>
        {email}
        {reason && (
          <Text size="xs" c="var(--mantine-color-error)" className={classes.problem!}>
            {reasonText(reason)}
          </Text>
        )}
      </td>
      <td>{displayName}</td>
      <td>{paid === undefined ? '' : t(paid ? 'yes' : 'no')}</td>
      {hasStatus && <td>{draft.status && t(`status.${draft.status}`)}</td>}
      {hasGroups && <td>{groups.map(({ name }) => name).join(', ')}</td>}
    </tr>
  );
}
