import type { Event } from '@gatehouse/client';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { EventRow } from './event-row.tsx';
import classes from './events.module.css';

/** Events, each as a sentence. */
export function EventList({ events, label }: { events: readonly Event[]; label: string }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {events.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </ul>
  );
}

const usualRowPixels = 64;
const rowsBeyondSight = 12;

/** As `EventList`, for thousands of them: there are only those rows that are in sight or near it. */
export function LongEventList({ events, label }: { events: readonly Event[]; label: string }) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const { measureElement, getTotalSize, getVirtualItems } = useWindowVirtualizer({
    count: events.length,
    estimateSize: () => usualRowPixels,
    getItemKey: (index) => events[index]!.id,
    overscan: rowsBeyondSight,
    scrollMargin: top,
  });
  const rows = getVirtualItems();
  const before = (rows[0]?.start ?? top) - top;
  const after = getTotalSize() - ((rows.at(-1)?.end ?? top) - top);
  return (
    <ul
      ref={list}
      className={classes.list}
      aria-label={label}
      style={{ paddingBlockStart: before, paddingBlockEnd: after }}
    >
      {rows.map(({ index, key }) => (
        <EventRow
          key={key}
          event={events[index]!}
          place={{ index, count: events.length }}
          measure={measureElement}
        />
      ))}
    </ul>
  );
}
