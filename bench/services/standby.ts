import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import type { PostgresPrograms } from '../../server/test/postgres-programs.ts';
import { type PostgresServer, startPostgres } from '../../server/test/postgres-server.ts';

const startSeconds = 30;

/**
 * Starts a standby of a server, which must have `wal_level = replica`. From then on the server waits with every commit
 * until the standby has written it to its disk.
 */
export async function startStandby(
  programs: PostgresPrograms,
  primary: PostgresServer,
  settings: Record<string, string | number>,
): Promise<PostgresServer> {
  const standby = await startPostgres(programs, {
    fsync: true,
    settings: { ...settings, primary_conninfo: `host=127.0.0.1 port=${primary.port} user=postgres` },
  });
  const [from, to] = [primary, standby].map(({ folder }) => path.join(folder, 'data'));
  await standby.kill();
  await primary.kill();
  rmSync(to!, { recursive: true });
  execFileSync('cp', ['-a', from!, to!]);
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(path.join(to!, name), { force: true });
  // With the owner of the other files.
  execFileSync('cp', ['-a', path.join(to!, 'PG_VERSION'), path.join(to!, 'standby.signal')]);
  await primary.restart();
  await standby.restart();
  const sql = postgres(primary.url(), { max: 1 });
  try {
    await sql`ALTER SYSTEM SET synchronous_standby_names = '*'`;
    await sql`SELECT pg_reload_conf()`;
    for (const end = Date.now() + startSeconds * 1_000; Date.now() < end; await sleep(50)) {
      const [row] = await sql`SELECT sync_state FROM pg_stat_replication`;
      if (row?.sync_state === 'sync') return standby;
    }
    throw new Error(`The standby did not follow within ${startSeconds} s.`);
  } finally {
    await sql.end();
  }
}
