import '@mantine/notifications/styles.css';
import { Notifications as Notes } from '@mantine/notifications';
import { type RefObject, useEffect, useRef } from 'react';
import classes from './notifications.module.css';

/**
 * Shows notifications in the free center of the header, where they cover no button. While a dialog is open, they are
 * shown at the bottom, where they do not cover it.
 */
export function Notifications() {
  const place = useRef<HTMLDivElement>(null);
  useMeasuredHeight(place);
  return (
    <div ref={place}>
      <Notes classNames={{ root: classes.notes! }} position="top-center" withinPortal={false} limit={3} />
    </div>
  );
}

/** Space below and above the notifications, in pixels. */
const gap = 24;

/** Tells the style sheet how much space the notifications take. */
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
