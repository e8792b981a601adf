import type { JoinRequest } from '@gatehouse/client';
import { Checkbox, Group } from '@mantine/core';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { ListRow } from '../../components/layout/list.tsx';
import { passFocusOn } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';
import { nameOf } from './decisions/person-name.ts';
import { RequestFacts } from './request-row.tsx';

/** What the operator may do with requests. */
export interface RequestActions {
  readonly toggle: ((request: JoinRequest) => void) | undefined;
  readonly approve: ((requests: readonly JoinRequest[]) => void) | undefined;
  readonly decline: ((requests: readonly JoinRequest[]) => void) | undefined;
}

interface PendingRowProps {
  request: JoinRequest;
  /** Whether keys act on it. */
  isActive: boolean;
  isSelected: boolean;
  actions: RequestActions;
  activate: (request: JoinRequest) => void;
}

/** A request that waits for a decision. */
export function PendingRow({ request, isActive, isSelected, actions, activate }: PendingRowProps) {
  const t = useTexts('joinRequests');
  const { toggle, approve, decline } = actions;
  const name = nameOf(request);
  return (
    <ListRow
      ref={passFocusOn}
      isTall
      isSelected={isSelected}
      data-id={request.id}
      onFocus={() => activate(request)}
      tabIndex={isActive ? 0 : -1}
      leading={
        toggle && (
          <Checkbox
            size="xs"
            aria-label={t('select', { name })}
            checked={isSelected}
            onChange={() => toggle(request)}
          />
        )
      }
      trailing={
        <Group gap="xs">
          {approve && (
            <ActionButton
              label={t('approve')}
              aria-label={t('approveOne', { name })}
              size="xs"
              onClick={() => approve([request])}
            />
          )}
          {decline && (
            <ActionButton
              label={t('decline')}
              aria-label={t('declineOne', { name })}
              size="xs"
              onClick={() => decline([request])}
            />
          )}
        </Group>
      }
    >
      <RequestFacts request={request} />
    </ListRow>
  );
}
