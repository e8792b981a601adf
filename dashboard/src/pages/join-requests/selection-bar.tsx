import { Checkbox, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { BottomBar } from '../../components/layout/bottom-bar.tsx';
import { useTexts } from '../../languages/texts.tsx';

interface SelectAllProps {
  count: number;
  total: number;
  selectAll: (isChecked: boolean) => void;
  /** What stands at the end. */
  children: ReactNode;
}

/** Selects all requests that are loaded. */
export function SelectAll({ count, total, selectAll, children }: SelectAllProps) {
  const t = useTexts('joinRequests');
  return (
    <Group justify="space-between" gap="xs" px="xs" mih={38}>
      <Checkbox
        size="xs"
        label={t('selectAll')}
        checked={count > 0 && count === total}
        indeterminate={count > 0 && count < total}
        onChange={(event) => selectAll(event.currentTarget.checked)}
      />
      {children}
    </Group>
  );
}

interface SelectionBarProps {
  count: number;
  /** Undefined for operators who may not approve. */
  approve: (() => void) | undefined;
  decline: () => void;
}

/** Decides the requests that are selected. */
export function SelectionBar({ count, approve, decline }: SelectionBarProps) {
  const t = useTexts('joinRequests');
  const selected = t('selected', { count });
  if (count === 0) return null;
  return (
    <BottomBar label={selected}>
      <span role="status">{selected}</span>
      {approve && <ActionButton label={t('approveSelected')} size="xs" onClick={approve} />}
      <ActionButton label={t('declineSelected')} size="xs" onClick={decline} />
    </BottomBar>
  );
}
