import type { PageCode } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { EndText } from '../../../components/end-text.tsx';
import { DataCell, type DataColumn, DataRow, DataTable } from '../../../components/tables/data-table.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { passFocusOn } from '../../../hooks/focus.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSavedRules } from '../../../queries/access/access-rules.ts';
import { CodeActions } from './code-actions.tsx';
import type { CodeStep } from './code-dialog.tsx';
import { CodeStatus } from './code-status.tsx';
import { CodeText } from './code-text.tsx';
import { pathsIn, rulesWithCode } from './rules-with-code.ts';

interface CodeTableProps {
  codes: readonly PageCode[];
  mayWrite: boolean;
  open: (step: CodeStep) => void;
}

export function CodeTable({ codes, mayWrite, open }: CodeTableProps) {
  const t = useTexts('codes');
  const columns: DataColumn[] = [
    { name: 'label', title: t('label'), width: 'fill' },
    { name: 'code', title: t('code'), width: 170 },
    { name: 'status', title: t('status'), width: 110 },
    { name: 'entered', title: t('entered'), width: 100, from: 'md' },
    { name: 'last-used', title: t('lastUsed'), width: 130, from: 'md' },
    { name: 'end', title: t('end'), width: 120 },
    ...(mayWrite ? [{ name: 'actions', title: t('actions'), width: 48, isUntitled: true }] : []),
  ];
  return (
    <DataTable label={t('title')} columns={columns}>
      {codes.map((code) => (
        <CodeRow key={code.id} code={code} mayWrite={mayWrite} open={open} />
      ))}
    </DataTable>
  );
}

interface CodeRowProps {
  code: PageCode;
  mayWrite: boolean;
  open: (step: CodeStep) => void;
}

function CodeRow({ code, mayWrite, open }: CodeRowProps) {
  const t = useTexts('codes');
  const { label, usedCount, maxUses, lastUsedAt, expiresAt, status } = code;
  return (
    <DataRow ref={passFocusOn}>
      <DataCell>
        <Text component="span" fw={500} title={label}>
          {label}
        </Text>{' '}
        <UsedBy code={code} />
      </DataCell>
      <DataCell>
        <CodeText code={code} />
      </DataCell>
      <DataCell>
        <CodeStatus status={status} />
      </DataCell>
      <DataCell quiet={usedCount === 0}>
        {maxUses === null
          ? t('times', { count: usedCount })
          : t('timesOf', { count: usedCount, max: maxUses })}
      </DataCell>
      <DataCell quiet>{lastUsedAt === null ? t('never') : <TimeText at={lastUsedAt} />}</DataCell>
      <DataCell quiet={expiresAt === null}>
        {expiresAt === null ? t('noEnd') : <EndText at={expiresAt} as="day" />}
      </DataCell>
      {mayWrite && (
        <DataCell holds="actions">
          <CodeActions code={code} open={open} />
        </DataCell>
      )}
    </DataRow>
  );
}

/** The rules that accept the code. Without one it opens nothing. */
function UsedBy({ code }: { code: PageCode }) {
  const t = useTexts('codes');
  const rules = useSavedRules().data?.data;
  if (!rules) return null;
  const used = rulesWithCode(rules, code.id);
  return (
    <Text component="span" size="xs" c="dimmed">
      {used.length === 0 ? t('unused') : t('usedBy', { paths: pathsIn(used) })}
    </Text>
  );
}
