import { threadEntry } from '../../base/installation.ts';
import { ThreadClient } from './thread-client.ts';

const entry = threadEntry('runtime/threads/backup-thread-entry');

/** Plain data, which is passed to the thread. */
export interface BackupRequest {
  readonly database: string;
  readonly file: string;
}

export interface BackupCalls {
  make(request: BackupRequest): void;
}

/**
 * Makes a backup of an SQLite database in a thread of its own, because the check of the copy reads every page without a
 * pause. When `stopping` is aborted, the copy is discarded.
 */
export async function makeBackupInThread(request: BackupRequest, stopping: AbortSignal): Promise<void> {
  const thread = new ThreadClient<BackupCalls>({ entry, description: 'The thread of the backup' });
  await thread.call('make', request, { signal: stopping }).finally(() => thread.stop());
}
