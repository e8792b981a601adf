import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { MemberRows } from './member-rows.ts';

const rowHeight = 38;
/** On a phone, a row is a block of two lines. */
const blockHeight = 54;
/** The number of rows that are rendered and loaded beyond the visible ones. */
const overscan = 8;
/** What covers the rows at the top of the window, the header and the headings, and at its bottom. */
const covered = { scrollPaddingStart: 56 + rowHeight + 8, scrollPaddingEnd: 80 };

/** The visible rows, and the space above and below them. */
export function useVirtualRows(rows: MemberRows, isPhone: boolean) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    const { top } = body.current!.getBoundingClientRect();
    setScrollMargin(Math.round(top + window.scrollY));
  });
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: rows.count,
    estimateSize: () => (isPhone ? blockHeight : rowHeight),
    overscan,
    scrollMargin,
    ...covered,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0];
  const last = items.at(-1);
  useEffect(() => {
    if (first && last) rows.show(first.index, last.index);
  });
  return {
    body,
    virtualizer,
    top: first ? first.start - scrollMargin : 0,
    bottom: last ? virtualizer.getTotalSize() - (last.end - scrollMargin) : 0,
  };
}
