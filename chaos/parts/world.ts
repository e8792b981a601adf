import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedTemporaryFolder } from '../../server/test/postgres-programs.ts';
import { Processes } from './processes.ts';
import { databaseUser } from './programs.ts';

/** Where a scenario runs: a folder, and the programs that it has started. */
export interface World {
  /** Every user of this machine can enter it. */
  readonly folder: string;
  readonly processes: Processes;
  /** Prints what happens. */
  say(text: string): void;
  /** Runs when the scenario ends, in the reverse order. */
  atEnd(work: () => unknown): void;
  /** A new folder that belongs to the user of the databases. */
  databaseFolder(name: string): string;
  /** Stops everything, and removes the folder unless it is kept to be looked at. */
  end(keepsFolder: boolean): Promise<void>;
}

export function createWorld(name: string): World {
  const folder = mkdtempSync(path.join(sharedTemporaryFolder(), `gatehouse-chaos-${name}-`));
  chmodSync(folder, 0o755);
  const processes = new Processes(folder);
  const works: (() => unknown)[] = [];
  const start = performance.now();
  return {
    folder,
    processes,
    say(text) {
      const seconds = ((performance.now() - start) / 1_000).toFixed(1);
      process.stderr.write(`  ${seconds.padStart(6)} s  ${text}\n`);
    },
    atEnd: (work) => void works.push(work),
    databaseFolder(own) {
      const created = path.join(folder, own);
      mkdirSync(created, { mode: 0o700 });
      const user = databaseUser();
      if (user) chownSync(created, user.uid, user.gid);
      return created;
    },
    async end(keepsFolder) {
      for (const work of works.reverse()) await Promise.resolve(work()).catch(() => {});
      await processes.stopAll();
      processes.endGuard();
      if (!keepsFolder) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until a condition holds. @throws {Error} after this time */
export async function until<T>(
  what: string,
  seconds: number,
  look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  for (const end = Date.now() + seconds * 1_000; ; ) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`${what}: not within ${seconds} s.`);
    await sleep(50);
  }
}
