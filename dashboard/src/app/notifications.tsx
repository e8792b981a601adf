import '@mantine/notifications/styles.css';
import { Notifications as Notes } from '@mantine/notifications';
import { type RefObject, useEffect, useRef } from 'react';
import { useUndoKey } from '../parts/undo-note.tsx';
import classes from './notifications.module.css';

/**
 * Notifications. They cover the free middle of the header, and no button that is pressed next; beside a dialog
 * they are at the bottom, and cover nothing of it.
 */
export function Notifications() {
  const place = useRef<HTMLDivElement>(null);
  useUndoKey();
  useMeasuredHeight(place);
  return (
    <div ref={place}>
      <Notes classNames={{ root: classes.notes! }} position="top-center" withinPortal={false} limit={3} />
    </div>
  );
}

/** Room below and above the notes, in pixels. */
const gap = 24;

/** Tells the style sheet how much room the notes take. */
function useMeasuredHeight(place: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const notes = place.current!.querySelector('[data-position=top-center]')!;
    const observer = new ResizeObserver(() => {
      const height = notes.clientHeight;
      document.documentElement.style.setProperty(
        '--gatehouse-notes-height',
        `${height === 0 ? 0 : height + gap}px`,
      );
    });
    observer.observe(notes);
    return () => observer.disconnect();
  }, [place]);
}
