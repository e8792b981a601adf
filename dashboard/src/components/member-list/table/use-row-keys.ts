import type { Virtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../../../hooks/shortcuts/use-shortcuts.ts';
import type { MemberRows } from './member-rows.ts';

interface RowKeys {
  rows: MemberRows;
  body: RefObject<HTMLTableSectionElement | null>;
  virtualizer: Virtualizer<Window, HTMLTableRowElement>;
  toggle: (memberId: string, withRange: boolean) => void;
}

/** Moves the focus from row to row with the keyboard, also to rows that are not rendered yet, and selects rows. */
export function useRowKeys({ rows, body, virtualizer, toggle }: RowKeys) {
  const [active, setActive] = useState<number | null>(null);
  const waiting = useRef<number | null>(null);
  useEffect(() => {
    if (waiting.current === null) return;
    const link = body.current?.querySelector<HTMLElement>(`[data-index="${waiting.current}"] a`);
    if (!link) return;
    waiting.current = null;
    link.focus({ preventScroll: true });
  });

  function move(step: 1 | -1): void {
    const next = active === null ? firstInSight(body.current) : active + step;
    if (next < 0 || next >= rows.count) return;
    waiting.current = next;
    setActive(next);
    virtualizer.scrollToIndex(next);
  }

  function select(withRange: boolean): void {
    const member = active === null ? undefined : rows.at(active);
    if (member) toggle(member.id, withRange);
  }

  const open = () => body.current?.querySelector<HTMLElement>(`[data-index="${active}"] a`)?.click();
  const isOff = active === null;
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
    if (row) setActive(Number(row.getAttribute('data-index')));
  }

  return { active, follow };
}

/** The first row below what covers the top of the window. */
function firstInSight(body: HTMLElement | null): number {
  const rows = [...(body?.querySelectorAll('[data-index]') ?? [])];
  const visible = rows.find((row) => row.getBoundingClientRect().top >= 56);
  return Number(visible?.getAttribute('data-index') ?? 0);
}
