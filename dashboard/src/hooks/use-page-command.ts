import { useEffect, useSyncExternalStore } from 'react';
import { Listeners } from '../session/listeners.ts';

/** A command of the search or a shortcut to a page or part that may not be open yet, which opens a dialog. */
export type PageCommand =
  | 'new-group'
  | 'connect'
  | 'new-rule'
  | 'new-page-code'
  | 'new-key'
  | 'new-webhook'
  | 'invite'
  | 'new-invitation'
  | 'new-site'
  | 'search'
  | 'block'
  | 'unblock'
  | 'edit-rule'
  | 'shortcuts';

let requested: { command: PageCommand; subject: string | undefined } | undefined;
const listeners = new Listeners();

/** Requests a command, for what it concerns. The page that supports it runs it once it is open. */
export function requestPageCommand(command: PageCommand, subject?: string): void {
  requested = { command, subject };
  listeners.notify();
}

/**
 * Runs a command when it is requested, also if that was before this component was mounted. With `subject`, only for the one
 * that the page shows.
 */
export function usePageCommand(
  command: PageCommand,
  run: (subject: string | undefined) => void,
  subject?: string,
): void {
  const isRequested = useSyncExternalStore(
    listeners.subscribe,
    () => requested?.command === command && (subject === undefined || requested.subject === subject),
  );
  useEffect(() => {
    if (!isRequested) return;
    const { subject } = requested!;
    requested = undefined;
    run(subject);
  }, [isRequested]);
}
