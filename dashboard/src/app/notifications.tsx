import '@mantine/notifications/styles.css';
import { Notifications as Notes } from '@mantine/notifications';
import { useUndoKey } from '../parts/undo-note.tsx';

/** What is told for a while. It covers the free middle of the header, and no button that is pressed next. */
export function Notifications() {
  useUndoKey();
  return <Notes position="top-center" withinPortal={false} limit={3} />;
}
