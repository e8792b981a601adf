import type { DecideJoinRequests, JoinRequest } from '@gatehouse/client';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { showUndo } from '../../../components/feedback/undo-notification.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { nameOf } from './person-name.ts';
import { useSendDecisions } from './use-send-decisions.tsx';
import { type Decision, WaitingDecisions } from './waiting-decisions.ts';

/** Decides requests after a time in which that can be undone. Leaving the page sends what waits. */
export function useDecisions() {
  const t = useTexts('joinRequests');
  const send = useSendDecisions();
  const [waiting] = useState(() => new WaitingDecisions());
  const waitingIds = useSyncExternalStore(waiting.subscribe, () => waiting.ids);
  useEffect(() => {
    const flush = () => waiting.flush();
    addEventListener('pagehide', flush);
    return () => {
      removeEventListener('pagehide', flush);
      flush();
    };
  }, [waiting]);

  function decide(requests: readonly JoinRequest[], decisions: readonly DecideJoinRequests[]): void {
    const [{ decision: kind }] = decisions as [DecideJoinRequests];
    const names = { count: requests.length, name: nameOf(requests[0]!) };
    const decision: Decision = {
      ids: requests.map(({ id }) => id),
      send: () => send(requests, decisions),
      onEnd: () => hide(),
    };
    waiting.add(decision);
    const hide = showUndo({
      done: t(requests.length === 1 ? `done.${kind}.one` : `done.${kind}`, names),
      undo: () => waiting.undo(decision),
      onHold: (isHeld) => waiting.hold(decision, isHeld),
    });
  }

  return {
    /** The requests whose decision waits. */
    waitingIds,
    approve: decide,
    decline: (requests: readonly JoinRequest[]) =>
      decide(requests, [{ decision: 'decline', joinRequestIds: requests.map(({ id }) => id) }]),
  };
}
