import type { Virtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../../../hooks/shortcuts/use-shortcuts.ts';
import type { MemberRows } from './member-rows.ts';
import { type Place, presentIndex } from './page-chain.ts';

interface RowKeys {
  rows: MemberRows;
  body: RefObject<HTMLTableSectionElement | null>;
  virtualizer: Virtualizer<Window, HTMLTableRowElement>;
  toggle: (memberId: string, withRange: boolean) => void;
}

/**
 * Moves the focus from row to row with the keyboard, also to rows that are not rendered yet, and selects rows. The active
 * row stays that of the same member when others are added or deleted.
 */
export function useRowKeys({ rows, body, virtualizer, toggle }: RowKeys) {
  const [last, setLast] = useState<Place>();
  const idAt = (index: number) => rows.at(index)?.id;
  const active = last && presentIndex(last, idAt);
  const waiting = useRef<number | null>(null);
  useEffect(() => {
    if (waiting.current === null) return;
    const link = body.current?.querySelector<HTMLElement>(`[data-index="${waiting.current}"] a`);
    if (!link) return;
    waiting.current = null;
    link.focus({ preventScroll: true });
  });

  function move(step: 1 | -1): void {
    const next = active === undefined ? firstInSight(body.current) : Math.min(active + step, rows.count - 1);
    if (next < 0) return;
    waiting.current = next;
    setLast({ index: next, id: idAt(next) });
    virtualizer.scrollToIndex(next);
  }

  function select(withRange: boolean): void {
    const id = active === undefined ? undefined : idAt(active);
    if (id !== undefined) toggle(id, withRange);
  }

  const open = () => body.current?.querySelector<HTMLElement>(`[data-index="${active}"] a`)?.click();
  const isOff = active === undefined;
  useShortcuts(
    [
      { keys: 'j', name: 'next', run: () => move(1) },
      { keys: 'k', name: 'previous', run: () => move(-1) },
      { keys: ['o', 'e', 'Enter'], name: 'open', run: open, isOff },
      { keys: 'x', name: 'select', run: () => select(false), isOff },
      { keys: 'shift+x', name: 'selectRange', run: () => select(true), isOff },
    ],
    'list',
  );

  /** The row that has the focus is the one from which the keys move on. */
  function follow({ target }: FocusEvent): void {
    const row = target.closest('[data-index]');
    if (!row) return;
    const index = Number(row.getAttribute('data-index'));
    setLast({ index, id: idAt(index) });
  }

  return { active, follow };
}

/** The first row below what covers the top of the window. */
function firstInSight(body: HTMLElement | null): number {
  const rows = [...(body?.querySelectorAll('[data-index]') ?? [])];
  const visible = rows.find((row) => row.getBoundingClientRect().top >= 56);
  return Number(visible?.getAttribute('data-index') ?? 0);
}
