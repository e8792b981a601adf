import { useLayoutEffect, useRef, useState } from 'react';
import { useShortcuts } from './use-shortcuts.ts';

/**
 * The row of a list on which shortcuts act: the one that has, or last had, the focus. `j`, `k` and the arrows move it.
 * `list` is the ref of the list; each row has its id as `data-id`, and the one with `activeId` a tab index of 0. Once that
 * row is gone, the one in its place is active.
 */
export function useActiveRow<Item extends { readonly id: string }>(items: readonly Item[]) {
  const [last, setLast] = useState<{ id: string; index: number }>();
  const list = useRef<HTMLUListElement>(null);
  const known = items.findIndex(({ id }) => id === last?.id);
  const index = known >= 0 || !last ? known : Math.min(last.index, items.length - 1);
  const active = items[index];
  useMovedFocus(list, active?.id, last?.id);

  function move(by: number): void {
    const next = index < 0 ? 0 : Math.min(Math.max(index + by, 0), items.length - 1);
    const item = items[next];
    if (item) focusRow(list.current, item.id);
  }
  useShortcuts(
    [
      { keys: ['j', 'ArrowDown'], name: 'next', run: () => move(1) },
      { keys: ['k', 'ArrowUp'], name: 'previous', run: () => move(-1) },
    ],
    'list',
  );

  /** To be called with the row that gets the focus. */
  const activate = ({ id }: Item) => setLast({ id, index: items.findIndex((each) => each.id === id) });
  return { list, active, activeId: active?.id ?? items[0]?.id, activate };
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
