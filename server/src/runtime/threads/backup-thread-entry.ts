import { parentPort, workerData } from 'node:worker_threads';
import { publish } from '../../storage/sqlite/new-file.ts';
import { writeBackup } from '../../storage/sqlite/sqlite-backup.ts';
import { refuseEmptyFile } from '../../storage/sqlite/sqlite-file.ts';
import type { BackupThreadRequest, FromBackupThread } from './backup-thread.ts';
import { lowerPriority } from './thread.ts';

// The thread that makes one backup and ends.

lowerPriority('work');
const port = parentPort!;
const { database, file } = workerData as BackupThreadRequest;
let isStopping = false;
port.once('message', () => {
  isStopping = true;
});
try {
  refuseEmptyFile(database);
  await writeBackup(database, file, giveName, throwIfStopping);
  send({ ended: true });
} catch (error) {
  send({ fault: error instanceof Error ? error.message : String(error) });
} finally {
  port.close();
}

function giveName(copy: string): void {
  // False if another process was faster in the same second: its file is as good.
  if (publish(copy, file) !== undefined) return;
  throw new Error(
    'The copy was deleted before it was finished. Exclude *.part-* in the folder from cleaning.',
  );
}

/** Called after some pages have been copied; an error ends the copy. */
function throwIfStopping(): void {
  if (isStopping) throw new Error('Gatehouse is stopping.');
}

function send(message: FromBackupThread): void {
  port.postMessage(message);
}
