import { Chip, Group } from '@mantine/core';
import { useId, useMemo, useState } from 'react';
import { Hint } from '../../../components/layout/hint.tsx';
import { ScrollingTable } from '../../../components/tables/scrolling-table.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { usePreviewColumns } from './preview-columns.ts';
import { type PreviewRow, type PreviewStatus, previewStatuses } from './preview-status.ts';
import { PreviewTableRow } from './preview-table-row.tsx';

const maxShownRows = 100;

/** The first rows, all or with one status. */
export function PreviewRows({ rows }: { rows: readonly PreviewRow[] }) {
  const [chosen, choose] = useState<PreviewStatus | 'all'>('all');
  const counts = useMemo(() => countsOf(rows), [rows]);
  // The selected status may no longer occur after a change.
  const shown = chosen !== 'all' && counts.has(chosen) ? chosen : 'all';
  const wanted = useMemo(
    () => (shown === 'all' ? rows : rows.filter(({ status }) => status === shown)),
    [rows, shown],
  );
  return (
    <>
      <StatusChips count={rows.length} counts={counts} chosen={shown} choose={choose} />
      <RowTable rows={wanted} all={rows} />
    </>
  );
}

export function countsOf(rows: readonly PreviewRow[]): Map<PreviewStatus, number> {
  const counts = new Map<PreviewStatus, number>();
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

interface StatusChipsProps {
  count: number;
  counts: ReadonlyMap<PreviewStatus, number>;
  chosen: PreviewStatus | 'all';
  choose: (status: PreviewStatus | 'all') => void;
}

/** The number of rows for each status. */
function StatusChips({ count, counts, chosen, choose }: StatusChipsProps) {
  const t = useTexts('add');
  const name = useId();
  return (
    <Chip.Group value={chosen} onChange={(value) => choose(value as PreviewStatus | 'all')}>
      <Group gap="xs" role="radiogroup" aria-label={t('preview')}>
        <Chip name={name} value="all" variant="light">
          {t('count.all', { count })}
        </Chip>
        {previewStatuses
          .filter((status) => counts.has(status))
          .map((status) => (
            <Chip key={status} name={name} value={status} variant="light">
              {t(`count.${status}`, { count: counts.get(status)! })}
            </Chip>
          ))}
      </Group>
    </Chip.Group>
  );
}

function RowTable({ rows, all }: { rows: readonly PreviewRow[]; all: readonly PreviewRow[] }) {
  const t = useTexts('add');
  const columnsOf = usePreviewColumns();
  const drafts = useMemo(() => all.map(({ draft }) => draft), [all]);
  const columns = columnsOf(drafts);
  return (
    <ScrollingTable
      label={t('preview')}
      end={
        rows.length > maxShownRows && (
          <Hint p="xs">{t('moreRows', { count: rows.length - maxShownRows })}</Hint>
        )
      }
    >
      <thead>
        <tr>
          <th>{t('line')}</th>
          <th>{t('previewStatus')}</th>
          <th>{t('field.email')}</th>
          {columns.map(({ field }) => (
            <th key={field}>{t(`field.${field}`)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, maxShownRows).map((row, index) => (
          <PreviewTableRow key={`${row.draft.line} ${index}`} row={row} columns={columns} />
        ))}
      </tbody>
    </ScrollingTable>
  );
}
