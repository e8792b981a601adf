import { publish } from '../../storage/sqlite/new-file.ts';
import { writeBackup } from '../../storage/sqlite/sqlite-backup.ts';
import { refuseEmptyFile } from '../../storage/sqlite/sqlite-file.ts';
import type { BackupCalls } from './backup-thread.ts';
import { serveCalls } from './serve-calls.ts';

// The thread that makes one backup.

await serveCalls<BackupCalls>('work', () => ({
  calls: {
    async make({ database, file }, { signal }) {
      const throwIfStopping = () => {
        if (signal.aborted) throw new Error('Gatehouse is stopping.');
      };
      refuseEmptyFile(database);
      // Between some pages and others, an error ends the copy.
      await writeBackup(database, file, (copy) => giveName(copy, file), throwIfStopping);
    },
  },
}));

function giveName(copy: string, file: string): void {
  // False if another process was faster in the same second: its file is as good.
  if (publish(copy, file) !== undefined) return;
  throw new Error(
    'The copy was deleted before it was finished. Exclude *.part-* in the folder from cleaning.',
  );
}
