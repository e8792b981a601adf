import type { ApiKey } from '@gatehouse/client';
import { Code } from '@mantine/core';
import { EndText } from '../../components/end-text.tsx';
import { type State, StateText } from '../../components/state/state-text.tsx';
import { DataCell, type DataColumn, DataRow, DataTable } from '../../components/tables/data-table.tsx';
import { LabeledTime } from '../../components/tables/labeled-time.tsx';
import { TimeText, timeText, useMinutes } from '../../components/time-text.tsx';
import { passFocusOn } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';
import { KeyMenu } from './key-menu.tsx';
import { type KeyState, keyState } from './key-state.ts';
import { PermissionsCell } from './permissions/permissions-cell.tsx';

interface KeyTableProps {
  label: string;
  keys: readonly ApiKey[];
  rotate: (key: ApiKey) => void;
  revoke: (key: ApiKey) => void;
}

/** API keys, each with what it may do and until when. */
export function KeyTable({ label, keys, rotate, revoke }: KeyTableProps) {
  const t = useTexts('keys');
  const columns: DataColumn[] = [
    { name: 'name', title: t('name') },
    { name: 'status', title: t('status'), width: 136, from: 'md' },
    { name: 'key', title: t('key'), width: 80, from: 'md' },
    { name: 'permissions', title: t('permissions') },
    { name: 'used', title: t('lastUsed'), width: 152 },
    { name: 'end', title: t('end'), width: 112 },
    { name: 'actions', title: t('actions'), width: 44, isUntitled: true },
  ];
  return (
    <DataTable label={label} columns={columns}>
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} rotate={() => rotate(key)} revoke={() => revoke(key)} />
      ))}
    </DataTable>
  );
}

const states: Readonly<Record<KeyState, State>> = {
  in_force: 'good',
  replaced: 'attention',
  expired: 'neutral',
  revoked: 'neutral',
};

interface KeyRowProps {
  apiKey: ApiKey;
  rotate: () => void;
  revoke: () => void;
}

function KeyRow({ apiKey, rotate, revoke }: KeyRowProps) {
  const t = useTexts('keys');
  const { name, last4, createdAt, lastUsedAt } = apiKey;
  const state = keyState(apiKey, Date.now());
  return (
    <DataRow ref={passFocusOn}>
      <DataCell title={name}>{name}</DataCell>
      <DataCell>
        <StateText state={states[state]}>{t(`state.${state}`)}</StateText>
      </DataCell>
      <DataCell>
        <Code>…{last4}</Code>
      </DataCell>
      <PermissionsCell apiKey={apiKey} />
      <DataCell quiet title={t('createdOn', { day: timeText(createdAt, 'date') })}>
        <LastUse at={lastUsedAt} />
      </DataCell>
      <DataCell quiet>
        <KeyEnd apiKey={apiKey} />
      </DataCell>
      <DataCell holds="actions">
        <KeyMenu apiKey={apiKey} state={state} rotate={rotate} revoke={revoke} />
      </DataCell>
    </DataRow>
  );
}

/** The last use of a key, which is stored to the hour. */
function LastUse({ at }: { at: string | null }) {
  const t = useTexts('keys');
  useMinutes();
  if (at === null) return t('neverUsed');
  const isLately = Date.now() - Date.parse(at) < 3_600_000;
  const words = isLately ? t('usedLately') : undefined;
  return <LabeledTime at={at} words={words} text={(time) => t.rich('used', { time })} />;
}

function KeyEnd({ apiKey: { expiresAt, revokedAt } }: { apiKey: ApiKey }) {
  const t = useTexts('keys');
  if (revokedAt !== null) return <TimeText at={revokedAt} />;
  return expiresAt === null ? t('noEnd') : <EndText at={expiresAt} as="day" />;
}
