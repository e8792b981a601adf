import { useEffect, useSyncExternalStore } from 'react';

/** What the search can have a page do that may not be open yet: it opens a dialog there. */
export type Command = 'new-group' | 'new-rule' | 'new-key' | 'invite' | 'new-site';

let requested: Command | undefined;
const listeners = new Set<() => void>();

/** Asks whichever page knows the command to run it, once it is there. */
export function requestCommand(command: Command): void {
  requested = command;
  for (const listener of listeners) listener();
}

/** Runs a command as soon as it is requested, also when that was before this was shown. */
export function useCommand(command: Command, run: () => void): void {
  const isRequested = useSyncExternalStore(subscribe, () => requested === command);
  useEffect(() => {
    if (!isRequested) return;
    requested = undefined;
    run();
  }, [isRequested]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
