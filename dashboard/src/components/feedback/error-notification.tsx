import { notifications } from '@mantine/notifications';
import { ErrorNote } from './error-note.tsx';

/** Shows an error that has no place on the page. It stays until it is closed or replaced. */
export function showFailure(error: unknown): void {
  hideFailure();
  // The note itself has the role `alert`.
  failure = notifications.show({
    autoClose: false,
    color: 'red',
    role: 'none',
    message: <ErrorNote error={error} isPlain />,
  });
}

let failure: string | undefined;

/** Hides the error after a successful retry. */
export function hideFailure(): void {
  if (failure) notifications.hide(failure);
  failure = undefined;
}
