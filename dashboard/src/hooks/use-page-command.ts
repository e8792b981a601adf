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

/** How long a page may take to open. After that, a command would come as a surprise. */
const maxAge = 15_000;

let requested: { command: PageCommand; subject: string | undefined; at: number } | undefined;
const listeners = new Listeners();

/** Requests a command, for what it concerns. The page that supports it runs it once it is open. */
export function requestPageCommand(command: PageCommand, subject?: string): void {
  requested = { command, subject, at: Date.now() };
  listeners.notify();
}

/** Whether a command for a subject, or for whatever it concerns, was requested shortly before. */
export function isRequested(command: PageCommand, subject: string | undefined): boolean {
  return (
    requested?.command === command &&
    (subject === undefined || requested.subject === subject) &&
    Date.now() - requested.at <= maxAge
  );
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
  const isWanted = useSyncExternalStore(listeners.subscribe, () => isRequested(command, subject));
  useEffect(() => {
    if (!isWanted || !requested) return;
    const { subject } = requested;
    requested = undefined;
    // So that the same command runs again when it is requested again.
    listeners.notify();
    run(subject);
  }, [isWanted]);
}
