import { useSyncExternalStore } from 'react';
import { OperatorStep } from './listeners.ts';

const confirmation = new OperatorStep<boolean>();

/**
 * Asks the operator to log in again, for a change that needs a recent login. Resolves to false if the operator cancels.
 * The page and its input stay.
 */
export function confirmLogin(): Promise<boolean> {
  return confirmation.wait();
}

/** Whether a change waits for the operator to log in again. */
export function useIsConfirmingLogin(): boolean {
  return useSyncExternalStore(confirmation.subscribe, () => confirmation.isAwaited);
}

/** Sends the waiting changes again, or lets them fail. */
export function endConfirmation(isConfirmed: boolean): void {
  confirmation.end(isConfirmed);
}
