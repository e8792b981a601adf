import { useSyncExternalStore } from 'react';
import { dashboardApi, isSignedOut } from './dashboard-api.ts';

/** Tells the other tabs of this browser that somebody has signed in. */
const channel = new BroadcastChannel('gatehouse-session');

let waiting: { promise: Promise<void>; goOn: () => void } | undefined;
const listeners = new Set<() => void>();

/** Runs a call of the operator's session. When that is over the call waits until the operator has signed in again. */
export async function whileSignedIn<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      await signedInAgain();
    }
  }
}

/** Whether calls wait for the operator to sign in again. */
export function useIsSignedOut(): boolean {
  return useSyncExternalStore(subscribe, () => waiting !== undefined);
}

/** Lets the waiting calls go on if the operator is back. */
export async function lookForSignIn(): Promise<void> {
  const me = await dashboardApi.me().catch(() => undefined);
  if (me) endWaiting();
}

/** Tells the pages in other tabs that wait for it. */
export function announceSignIn(): void {
  channel.postMessage('signed-in');
}

/** Calls back when another tab has a signed-in operator. */
export function onSignIn(callback: () => void): () => void {
  channel.addEventListener('message', callback);
  return () => channel.removeEventListener('message', callback);
}

function signedInAgain(): Promise<void> {
  if (!waiting) {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting = { promise, goOn: resolve };
    tell();
  }
  return waiting.promise;
}

function endWaiting(): void {
  waiting?.goOn();
  waiting = undefined;
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
