import type { Event } from '@gatehouse/client';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { EntryRow } from './entry-row.tsx';
import type { EventEntry } from './event-entries.ts';
import { EventRow } from './event-row.tsx';
import classes from './events.module.css';

/** A list of events, each as a sentence. */
export function EventList({ events, label }: { events: readonly Event[]; label: string }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {events.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </ul>
  );
}

const defaultRowPixels = 39;
const rowsBeyondSight = 12;

/** Like `EventList`, but shows a bulk action as one row. */
export function EntryList({ entries, label }: { entries: readonly EventEntry[]; label: string }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {entries.map((entry) => (
        <EntryRow key={entry.key} entry={entry} />
      ))}
    </ul>
  );
}

/** Like `EntryList`, for thousands of rows: only the visible rows and some around them are rendered. */
export function LongEntryList({ entries, label }: { entries: readonly EventEntry[]; label: string }) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const { measureElement, getTotalSize, getVirtualItems } = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => defaultRowPixels,
    getItemKey: (index) => entries[index]!.key,
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
        <EntryRow
          key={key}
          entry={entries[index]!}
          place={{ index, count: entries.length }}
          measure={measureElement}
        />
      ))}
    </ul>
  );
}
