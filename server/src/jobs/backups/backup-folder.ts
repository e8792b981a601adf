import { access, constants, readdir, rm, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { millisecondsPerDay, type Timestamp, timestampBefore } from '../../base/clock.ts';
import { unfinishedMark } from '../../storage/sqlite/sqlite-backup.ts';
import type { BackupRetention } from './backup-schedule.ts';

/** A copy that nothing was written to for so long was left by a process that is gone. */
const leftoverMilliseconds = millisecondsPerDay;

export interface BackupFile {
  readonly name: string;
  /** When the copy was begun. */
  readonly at: Timestamp;
}

/**
 * The backups that one installation has made in a folder. Their names consist of the name of the database, the time and
 * the mark of the installation: `gatehouse-2026-11-24T03-00-00Z-5f3a9c1d.db`. No other file is touched, also none of
 * another installation with the same folder.
 */
export class BackupFolder {
  readonly path: string;
  readonly #start: string;
  readonly #end: string;

  /** @param installationId a UUID that the database contains, and that no other installation has */
  constructor(path: string, database: string, installationId: string) {
    this.path = path;
    const extension = extname(database);
    this.#start = `${basename(database, extension)}-`;
    this.#end = `-${installationId.slice(-8)}${extension}`;
  }

  /** @throws {Error} with what to do when the folder cannot be used */
  async requireUsable(): Promise<void> {
    const found = await stat(this.path).catch(() => undefined);
    if (!found?.isDirectory()) {
      throw new Error(`There is no folder ${this.path}. Create it, or correct the folder of the backups.`);
    }
    await access(this.path, constants.W_OK | constants.X_OK).catch(() => {
      throw new Error(`The user of this process cannot write to ${this.path}. Give it the permission.`);
    });
  }

  /** The path of a backup that begins now. */
  fileFor(at: Timestamp): string {
    return join(this.path, `${this.#start}${at.slice(0, 19).replaceAll(':', '-')}Z${this.#end}`);
  }

  /**
   * The backups, the newest first. Those from later than now were made with a wrong clock, and are left to people.
   * @throws when the folder cannot be read
   */
  async list(now: Timestamp): Promise<readonly BackupFile[]> {
    return (await readdir(this.path))
      .flatMap((name) => {
        const at = this.#timeOf(name);
        return at !== undefined && at <= now ? [{ name, at }] : [];
      })
      .sort((one, other) => (one.at < other.at ? 1 : -1));
  }

  /** Deletes the backups that need not be kept. Returns their names. */
  async deleteOld(retention: BackupRetention, now: Timestamp): Promise<readonly string[]> {
    const { count = Number.POSITIVE_INFINITY, days } = retention;
    const oldest = days === undefined ? '' : timestampBefore(now, days * millisecondsPerDay);
    const old = (await this.list(now))
      .filter(({ at }, index) => index > 0 && (index >= count || at < oldest))
      .map(({ name }) => name);
    for (const name of old) await rm(join(this.path, name), { force: true });
    return old;
  }

  /** Deletes copies that processes which are gone have not finished. */
  async deleteLeftovers(now: Timestamp): Promise<void> {
    for (const name of await readdir(this.path)) {
      const [backup = '', rest] = name.split(unfinishedMark);
      if (rest === undefined || !/^\d+(-journal)?$/.test(rest) || this.#timeOf(backup) === undefined)
        continue;
      const file = join(this.path, name);
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
      if (mtimeMs < Date.parse(now) - leftoverMilliseconds) await rm(file, { force: true });
    }
  }

  #timeOf(name: string): Timestamp | undefined {
    if (!name.startsWith(this.#start) || !name.endsWith(this.#end)) return undefined;
    const time = name.slice(this.#start.length, -this.#end.length);
    const [, date, hours, minutes, seconds] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/.exec(time) ?? [];
    return date && `${date}T${hours}:${minutes}:${seconds}.000Z`;
  }
}
