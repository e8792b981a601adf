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
  | 'shortcuts';

let requested: PageCommand | undefined;
const listeners = new Listeners();

/** Requests a command. The page that supports it runs it once it is open. */
export function requestPageCommand(command: PageCommand): void {
  requested = command;
  listeners.notify();
}

/** Runs a command when it is requested, also if that was before this component was mounted. */
export function usePageCommand(command: PageCommand, run: () => void): void {
  const isRequested = useSyncExternalStore(listeners.subscribe, () => requested === command);
  useEffect(() => {
    if (!isRequested) return;
    requested = undefined;
    run();
  }, [isRequested]);
}
