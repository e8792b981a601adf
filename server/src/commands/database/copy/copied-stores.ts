import { lchownSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import sql from 'sql-template-tag';
import { describeFailure } from '../../../app/describe-failure.ts';
import { CommandFailure } from '../../../app/failure.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { whileLocked } from '../../../storage/copy/source-lock.ts';
import { createDatabase } from '../../../storage/create.ts';
import type { Database } from '../../../storage/database.ts';
import { dialectOf, sqlitePath } from '../../../storage/database-url.ts';
import { DatabaseInUse } from '../../../storage/errors.ts';
import { migrate } from '../../../storage/migrations/migrations.ts';
import { openSqlite } from '../../../storage/sqlite/sqlite-database.ts';
import { lockSqliteFile } from '../../../storage/sqlite/sqlite-file.ts';
import { openForCommand, requireFile } from '../../shared/store.ts';
import { applicationNameIn, placeOf, withApplicationName } from './target-url.ts';

const applicationName = 'gatehouse copy';
/** Of the target: the rows of a table come in one order, and belong to other places of each index. */
const cacheKibibytes = 16_384;
/** How long the tables of PostgreSQL can stay locked. */
const maxCopyMilliseconds = 7 * 86_400_000;

type SourceSettings = Pick<Settings, 'databaseUrl' | 'databaseDirectUrl'>;

/**
 * Opens the database of the settings, so that no other program writes to it meanwhile.
 * @param work gets a function that throws if this is no longer so
 * @throws {CommandFailure} when a service uses it
 */
export async function withLockedSource<T>(
  { databaseUrl, databaseDirectUrl }: SourceSettings,
  work: (source: Database, requireLocks: () => Promise<void>) => Promise<T>,
): Promise<T> {
  requireFile(databaseUrl);
  const url = databaseDirectUrl ?? databaseUrl;
  if (dialectOf(url) === 'sqlite')
    return withLockedFile(sqlitePath(url), (source) => work(source, async () => {}));
  const named = { databaseUrl: withApplicationName(url, applicationName), databaseDirectUrl: undefined };
  const source = await openForCommand(named);
  const locking = await openForCommand(named, { statementTimeoutMilliseconds: maxCopyMilliseconds });
  try {
    return await whileLocked(locking, applicationNameIn(databaseUrl), (requireLocks) =>
      work(source, requireLocks),
    );
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error;
    throw new CommandFailure(
      'database_in_use',
      `${error.message} Stop every Gatehouse that uses it, and try again. If none is running, a pooler keeps its ` +
        'connections: let it close them, for example with RECONNECT in the console of PgBouncer.',
    );
  } finally {
    await Promise.all([source.close(), locking.close()]);
  }
}

/** One connection reads and writes, and locks the file until it is closed, however the process ends. */
async function withLockedFile<T>(path: string, work: (source: Database) => Promise<T>): Promise<T> {
  const lock = lockSqliteFile(path);
  if (lock === undefined) {
    throw new CommandFailure('database_in_use', `A service is using ${path}. Stop it first, then try again.`);
  }
  lock.release();
  const source = openSqlite(path, { exclusive: true });
  try {
    // That it is closed must outlast a power failure.
    await source.all(sql`PRAGMA synchronous = FULL`);
    return await work(source);
  } finally {
    await source.close();
  }
}

/** Opens the target. An SQLite file is created with its tables. @throws {CommandFailure} */
export async function openTarget(url: string): Promise<Database> {
  try {
    const isNew = await createDatabase(url, async (database) => void (await migrate(database)));
    if (isNew) giveToOwnerOfFolder(sqlitePath(url));
    const named = dialectOf(url) === 'sqlite' ? url : withApplicationName(url, applicationName);
    const target = await openForCommand(
      { databaseUrl: named, databaseDirectUrl: undefined },
      { cacheKibibytes },
    );
    await target.get(sql`SELECT 1`);
    return target;
  } catch (error) {
    const { code, message } = describeFailure(error);
    throw new CommandFailure(
      code,
      `${placeOf(url)} cannot become the copy. ${message.replaceAll('GATEHOUSE_DATABASE_URL', '--to')}`,
    );
  }
}

/** The service may run as another user than this command. A link that this user has put there is not followed. */
function giveToOwnerOfFolder(path: string): void {
  const { uid, gid } = statSync(dirname(path));
  if (process.getuid?.() === 0) lchownSync(path, uid, gid);
}
