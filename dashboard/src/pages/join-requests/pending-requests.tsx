import type { JoinRequest } from '@gatehouse/client';
import { useState } from 'react';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { List } from '../../components/layout/list.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useJoinRequests } from '../../queries/ways-in/join-requests.ts';
import { useMay } from '../../session/site.ts';
import { ApproveDialog } from './approve-dialog.tsx';
import { useDecisions } from './decisions/use-decisions.ts';
import { KeyHints } from './key-hints.tsx';
import { NothingToDecide } from './nothing-to-decide.tsx';
import { PendingRow } from './pending-row.tsx';
import { SelectAll, SelectionBar } from './selection-bar.tsx';
import { useRequestSelection } from './use-request-selection.ts';
import { useRowKeys } from './use-row-keys.ts';

/** The requests that wait for a decision, which operators with the permission decide with buttons or keys. */
export function PendingRequests() {
  const t = useTexts('joinRequests');
  const requests = useJoinRequests('pending');
  const { waitingIds, approve, decline } = useDecisions();
  const [approving, setApproving] = useState<readonly JoinRequest[] | null>(null);
  const mayDecline = useMay('join-requests:write');
  const mayApprove = useMay('join-requests:write', 'members:write');
  const shown = (requests.data ?? []).filter(({ id }) => !waitingIds.has(id));
  const selection = useRequestSelection(shown);
  const { chosen } = selection;
  const declineAll = (some: readonly JoinRequest[]) => {
    selection.clear();
    decline(some);
  };
  const actions = {
    toggle: mayDecline ? selection.toggle : undefined,
    approve: mayApprove ? setApproving : undefined,
    decline: mayDecline ? declineAll : undefined,
  };
  const keys = useRowKeys({ requests: shown, chosen, actions });
  if (shown.length === 0) return <Nothing query={requests} hasData={requests.data !== undefined} />;
  return (
    <>
      {mayDecline && (
        <SelectAll count={chosen.length} total={shown.length} selectAll={selection.selectAll}>
          <KeyHints mayApprove={mayApprove} />
        </SelectAll>
      )}
      <List label={t('tab.pending')} ref={keys.list}>
        {shown.map((request) => (
          <PendingRow
            key={request.id}
            request={request}
            isActive={request.id === keys.activeId}
            isSelected={selection.ids.has(request.id)}
            actions={actions}
            activate={keys.activate}
          />
        ))}
      </List>
      <QueryState query={requests} />
      <SelectionBar
        count={chosen.length}
        approve={actions.approve && (() => setApproving(chosen))}
        decline={() => declineAll(chosen)}
      />
      <ApproveDialog
        requests={approving}
        close={() => setApproving(null)}
        approve={(some, decisions) => {
          setApproving(null);
          selection.clear();
          approve(some, decisions);
        }}
      />
    </>
  );
}

interface NothingProps {
  query: ReturnType<typeof useJoinRequests>;
  hasData: boolean;
}

function Nothing({ query, hasData }: NothingProps) {
  return (
    <>
      {hasData && !query.hasNextPage && <NothingToDecide />}
      <QueryState query={query} />
    </>
  );
}
