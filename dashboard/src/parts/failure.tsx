import { notifications } from '@mantine/notifications';
import { ErrorNote } from './error-note.tsx';

/** Shows that something failed that has no place of its own on the page. It stays until it is closed, or the next one comes. */
export function showFailure(error: unknown): void {
  hideFailure();
  // The note is the alert.
  failure = notifications.show({
    autoClose: false,
    color: 'red',
    role: 'none',
    message: <ErrorNote error={error} isPlain />,
  });
}

let failure: string | undefined;

/** Takes it away, as the next try went well. */
export function hideFailure(): void {
  if (failure) notifications.hide(failure);
  failure = undefined;
}
