import type { JoinRequest } from '@gatehouse/client';
import { useLocalStorage, useWindowEvent } from '@mantine/hooks';
import { useLayoutEffect, useRef, useState } from 'react';
import type { RequestActions } from './pending-row.tsx';

const storageName = 'gatehouse-request-keys';
/** Where keys have another meaning. */
const elsewhere =
  'input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=menu]';

interface RowKeys {
  requests: readonly JoinRequest[];
  /** The selected ones. */
  chosen: readonly JoinRequest[];
  actions: RequestActions;
}

/**
 * Moves between the rows with j and k or the arrows, selects with x, approves with a and declines with d. Not while
 * something is typed; and because speech input presses keys too, it can be turned off (WCAG 2.2, 2.1.4).
 */
export function useRowKeys({ requests, chosen, actions }: RowKeys) {
  const [isOn, setIsOn] = useLocalStorage({
    key: storageName,
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  const [last, setLast] = useState<{ id: string; index: number }>();
  const list = useRef<HTMLUListElement>(null);
  const known = requests.findIndex(({ id }) => id === last?.id);
  // After a decision, the row that takes the place of the decided one is the next.
  const index = known >= 0 || !last ? known : Math.min(last.index, requests.length - 1);
  const active = requests[index];
  useMovedFocus(list, active?.id, last?.id);

  function move(by: number): void {
    const next = index < 0 ? 0 : Math.min(Math.max(index + by, 0), requests.length - 1);
    const request = requests[next];
    if (request) focusRow(list.current, request.id);
  }

  const some = chosen.length > 0 ? chosen : active && [active];
  const commands: Readonly<Record<string, (() => void) | undefined>> = {
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    x: actions.toggle && active && (() => actions.toggle!(active)),
    a: actions.approve && some && (() => actions.approve!(some)),
    d: actions.decline && some && (() => actions.decline!(some)),
  };
  useWindowEvent('keydown', (event) => {
    const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event;
    const command = commands[key];
    if (!isOn || !command || altKey || ctrlKey || metaKey || shiftKey || event.defaultPrevented) return;
    if (target instanceof Element && target.closest(elsewhere)) return;
    event.preventDefault();
    command();
  });
  /** The row with the focus is the active one. */
  const activate = ({ id }: JoinRequest) =>
    setLast({ id, index: requests.findIndex((request) => request.id === id) });
  return { list, activeId: active?.id ?? requests[0]?.id, activate, isOn, setIsOn };
}

/** Takes the focus along to the row that has replaced the active one. */
function useMovedFocus(
  list: { readonly current: HTMLUListElement | null },
  activeId: string | undefined,
  lastId: string | undefined,
): void {
  useLayoutEffect(() => {
    const isFree = document.activeElement === document.body || list.current?.contains(document.activeElement);
    if (activeId !== undefined && lastId !== undefined && activeId !== lastId && isFree)
      focusRow(list.current, activeId);
  }, [activeId, lastId]);
}

function focusRow(list: HTMLElement | null, id: string): void {
  const row = list?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
}
