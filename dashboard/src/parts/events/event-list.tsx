import type { Event } from '@gatehouse/client';
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
