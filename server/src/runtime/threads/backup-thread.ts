import { threadEntry } from '../../base/installation.ts';
import { startWorker } from './thread.ts';

const defaultEntry = threadEntry('runtime/threads/backup-thread-entry');

/** Plain data, which is passed to the thread. */
export interface BackupThreadRequest {
  readonly database: string;
  readonly file: string;
}

export type FromBackupThread = { readonly ended: true } | { readonly fault: string };

/**
 * Makes a backup of an SQLite database in a thread of its own, because the check of the copy reads every page without a
 * pause. When `stopping` is aborted, the copy is discarded.
 */
export async function makeBackupInThread(request: BackupThreadRequest, stopping: AbortSignal): Promise<void> {
  const worker = startWorker(defaultEntry, request);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => worker.postMessage('stop');
  worker.once('message', (message: FromBackupThread) => {
    if ('fault' in message) reject(new Error(message.fault));
    else resolve();
  });
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('The thread of the backup has ended.')));
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  await promise.finally(() => stopping.removeEventListener('abort', stop));
}
