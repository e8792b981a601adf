import sql from 'sql-template-tag';
import type { Settings } from '../../../app/settings/settings.ts';
import type { Queries } from '../../../storage/database.ts';
import { type Check, ok, warn } from './check.ts';

/** Those that the synchronization of sources opens in addition, in one of the workers. */
const maxSyncConnections = 4;

/** Whether PostgreSQL allows as many connections as the workers of this machine may open. */
export async function checkConnections(
  db: Queries,
  { workers, databasePoolSize }: Pick<Settings, 'workers' | 'databasePoolSize'>,
): Promise<Check> {
  const { allowed } = (await db.get<{ allowed: number }>(sql`
    SELECT current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int AS allowed`))!;
  // Each worker has one more, for the signals of other processes.
  const needed = workers * (databasePoolSize + 1) + Math.min(maxSyncConnections, databasePoolSize);
  const found = `at most ${needed} of this machine, and PostgreSQL allows ${allowed}`;
  return needed <= allowed
    ? ok('connections', found)
    : warn(
        'connections',
        found,
        'Raise max_connections of PostgreSQL, or lower GATEHOUSE_DATABASE_POOL_SIZE or GATEHOUSE_WORKERS.',
      );
}
