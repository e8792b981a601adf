import { GatehouseError, type GatehouseErrorFacts } from '@gatehouse/client';

const code = 'offline';

/**
 * Rejects a request while offline, so that it is clear that it was not sent and nothing is sent later. @throws
 * {GatehouseError}
 */
export function checkOnline(): void {
  if (navigator.onLine) return;
  throw new GatehouseError('The browser is offline.', { code } as unknown as GatehouseErrorFacts);
}

/** Whether something failed because the browser is offline; downloads of the dashboard's files fail that way too. */
export function isOffline(error: unknown): boolean {
  return error instanceof GatehouseError ? (error.code as string) === code : !navigator.onLine;
}
