import { parentPort, workerData } from 'node:worker_threads';
import { publish } from '../storage/sqlite/new-file.ts';
import { writeBackup } from '../storage/sqlite/sqlite-backup.ts';
import { refuseEmptyFile } from '../storage/sqlite/sqlite-file.ts';
import type { BackupThreadRequest, FromBackupThread } from './backup-thread.ts';
import { lowerPriority } from './thread.ts';

// The thread that makes one backup and ends.

lowerPriority();
const port = parentPort!;
const { database, file } = workerData as BackupThreadRequest;
let isStopping = false;
port.once('message', () => {
  isStopping = true;
});
try {
  refuseEmptyFile(database);
  // If another process was faster in the same second, its file is as good.
  await writeBackup(database, file, (copy) => void publish(copy, file), throwIfStopping);
  send({ ended: true });
} catch (error) {
  send({ fault: error instanceof Error ? error.message : String(error) });
} finally {
  port.close();
}

/** Called after some pages have been copied; an error ends the copy. */
function throwIfStopping(): void {
  if (isStopping) throw new Error('Gatehouse is stopping.');
}

function send(message: FromBackupThread): void {
  port.postMessage(message);
}
