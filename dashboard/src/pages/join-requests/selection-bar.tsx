import { Checkbox, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { useTexts } from '../../languages/texts.tsx';
import classes from './join-requests.module.css';

interface SelectionBarProps {
  count: number;
  total: number;
  selectAll: (isChecked: boolean) => void;
  /** Undefined for operators who may not approve. */
  approve: (() => void) | undefined;
  decline: () => void;
  /** What stands at the end. */
  children: ReactNode;
}

/** Selects all requests that are loaded, and decides those that are selected. */
export function SelectionBar({ count, total, selectAll, approve, decline, children }: SelectionBarProps) {
  const t = useTexts('joinRequests');
  return (
    <Group className={classes.bar!} justify="space-between" gap="xs">
      <Group gap="sm">
        <Checkbox
          label={count === 0 ? t('selectAll') : t('selected', { count })}
          checked={count > 0 && count === total}
          indeterminate={count > 0 && count < total}
          onChange={(event) => selectAll(event.currentTarget.checked)}
        />
        {count > 0 && (
          <Group gap="xs">
            {approve && <ActionButton label={t('approveSelected')} size="xs" onClick={approve} />}
            <ActionButton label={t('declineSelected')} size="xs" onClick={decline} />
          </Group>
        )}
      </Group>
      {children}
    </Group>
  );
}
