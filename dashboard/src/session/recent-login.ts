import { useSyncExternalStore } from 'react';

let waiting: { promise: Promise<boolean>; resolve: (isConfirmed: boolean) => void } | undefined;
const listeners = new Set<() => void>();

/**
 * Asks the operator to log in again, for a change that needs a recent login. Resolves to false if the operator cancels.
 * The page and its input stay.
 */
export function confirmLogin(): Promise<boolean> {
  if (!waiting) {
    waiting = Promise.withResolvers<boolean>();
    notifyListeners();
  }
  return waiting.promise;
}

/** Whether a change waits for the operator to log in again. */
export function useIsConfirmingLogin(): boolean {
  return useSyncExternalStore(subscribe, () => waiting !== undefined);
}

/** Sends the waiting changes again, or lets them fail. */
export function endConfirmation(isConfirmed: boolean): void {
  waiting?.resolve(isConfirmed);
  waiting = undefined;
  notifyListeners();
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
