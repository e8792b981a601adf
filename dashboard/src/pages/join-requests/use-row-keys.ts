import type { JoinRequest } from '@gatehouse/client';
import { useActiveRow } from '../../hooks/shortcuts/use-active-row.ts';
import { useShortcuts } from '../../hooks/shortcuts/use-shortcuts.ts';
import type { RequestActions } from './pending-row.tsx';

interface RowKeys {
  requests: readonly JoinRequest[];
  /** The selected ones. */
  chosen: readonly JoinRequest[];
  actions: RequestActions;
}

/** Moves between the rows with j and k or the arrows, selects with x, approves with a and declines with d. */
export function useRowKeys({ requests, chosen, actions: { toggle, approve, decline } }: RowKeys) {
  const { active, ...row } = useActiveRow(requests);
  const some = chosen.length > 0 ? chosen : active && [active];
  useShortcuts(
    [
      { keys: 'x', name: 'select', run: () => toggle?.(active!), isOff: !toggle || !active },
      { keys: 'a', name: 'approve', run: () => approve?.(some!), isOff: !approve || !some },
      { keys: 'd', name: 'decline', run: () => decline?.(some!), isOff: !decline || !some },
    ],
    'list',
  );
  return row;
}
