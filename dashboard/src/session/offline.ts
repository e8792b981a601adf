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

/**
 * A file of the dashboard could not be downloaded. Browsers do not download a script again that has failed once, until
 * the document is loaded again.
 */
export class DownloadError extends Error {
  constructor(cause: unknown) {
    super('A file of the dashboard could not be downloaded.', { cause });
  }
}

/** Loads the document again, unless the server cannot be reached: then this page says more than that of the browser. */
export async function reloadDocument(): Promise<void> {
  const isReachable = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
  if (isReachable) location.reload();
}

/** Whether something failed because the browser is offline; downloads of the dashboard's files fail that way too. */
export function isOffline(error: unknown): boolean {
  return error instanceof GatehouseError ? (error.code as string) === code : !navigator.onLine;
}
