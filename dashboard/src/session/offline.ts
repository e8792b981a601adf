import { GatehouseError, type GatehouseErrorFacts } from '@gatehouse/client';

const code = 'offline';

/** Refuses what cannot be sent: nobody must wonder whether it was, and nothing is sent later by itself. @throws GatehouseError */
export function checkOnline(): void {
  if (navigator.onLine) return;
  throw new GatehouseError('The browser is offline.', { code } as unknown as GatehouseErrorFacts);
}

/** Whether something failed before it was sent, as the browser is offline; a file of the dashboard fails so too. */
export function isOffline(error: unknown): boolean {
  return error instanceof GatehouseError ? (error.code as string) === code : !navigator.onLine;
}
