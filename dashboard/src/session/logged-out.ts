import { useSyncExternalStore } from 'react';
import { dashboardApi, isLoggedOut, isLoginNotRecent } from './dashboard-api.ts';
import { OperatorStep } from './listeners.ts';
import { confirmLogin } from './recent-login.ts';

/** Notifies the other tabs of this browser of a login. */
const channel = new BroadcastChannel('gatehouse-session');

const login = new OperatorStep<void>();

/**
 * Runs a call of the operator's session. If the session has ended, the call waits until the operator has logged in
 * again. It also waits if the change needs a recent login.
 */
export async function whileLoggedIn<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (isLoginNotRecent(error) && (await confirmLogin())) continue;
      if (!isLoggedOut(error)) throw error;
      await login.wait();
    }
  }
}

/** Whether calls are waiting for the operator to log in again. */
export function useIsLoggedOut(): boolean {
  return useSyncExternalStore(login.subscribe, () => login.isAwaited);
}

/** Resumes the waiting calls if the operator has logged in again. */
export async function checkLogin(): Promise<void> {
  const me = await dashboardApi.me().catch(() => undefined);
  if (me) login.end();
}

/** Notifies the pages in other tabs that wait for a login. */
export function announceLogin(): void {
  channel.postMessage('logged-in');
}

/** Calls back when an operator has logged in in another tab. */
export function onLogin(callback: () => void): () => void {
  channel.addEventListener('message', callback);
  return () => channel.removeEventListener('message', callback);
}
