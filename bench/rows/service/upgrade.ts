import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import type { Database } from '../../../server/src/storage/database.ts';
import { readMigration } from '../../../server/src/storage/migrations/migration-file.ts';
import { migrationsFor } from '../../../server/src/storage/migrations/migrations.ts';
import { openDatabase } from '../../../server/src/storage/open.ts';
import { embeddedPostgres, systemPostgres } from '../../../server/test/postgres-programs.ts';
import { startPostgres } from '../../../server/test/postgres-server.ts';
import { type Dataset, fillDatabase } from '../../data.ts';
import { type ServerProcess, startGatehouse } from '../../process.ts';
import { type Bench, type Line, type Row, round } from '../row.ts';

const events = 2_000_000;
const eventsAtOnce = 100_000;
const writers = 8;
const members = 1_000;
const secondsBefore = 5;
const maxMilliseconds = 500;

/** Writes while a migration adds a column and three indexes to a large table. */
export const upgrade: Row = async (bench) => {
  const programs = embeddedPostgres() ?? systemPostgres();
  if (!programs) throw new Error('PostgreSQL is not installed on this machine.');
  const postgres = await startPostgres(programs, { fsync: true, settings: { shared_buffers: '256MB' } });
  try {
    const dataset = await fillDatabase(await postgres.createDatabase(), members);
    const database = openDatabase(dataset.databaseUrl, {
      poolSize: 2,
      statementTimeoutMilliseconds: 600_000,
    });
    try {
      await addEvents(database, dataset.siteId, bench);
      return [await measure(database, dataset, bench)];
    } finally {
      await database.close();
    }
  } finally {
    await postgres.stop('immediate');
  }
};

function countOf({ quick }: Bench): number {
  return quick ? eventsAtOnce : events;
}

async function addEvents(database: Database, siteId: string, bench: Bench): Promise<void> {
  const head = await database.get<{ position: number }>(
    sql`SELECT position FROM event_heads WHERE site_id = ${siteId}`,
  );
  const last = head!.position + countOf(bench);
  await database.run(sql`UPDATE event_heads SET position = ${last} WHERE site_id = ${siteId}`);
  for (let first = head!.position + 1; first <= last; first += eventsAtOnce) {
    await database.run(sql`
      INSERT INTO events (site_id, position, id, type, occurred_at, actor_type, actor_id, actor_name, member_id, data)
      SELECT ${siteId}, number, gen_random_uuid(),
             (ARRAY['member.created', 'member.updated', 'member.login', 'membership.added'])[number % 4 + 1],
             now() - number * interval '1 second', 'api_key', gen_random_uuid()::text, 'Shop', gen_random_uuid(),
             '{"email":"ada@example.com","displayName":"Ada Lovelace","changed":["displayName"]}'
      FROM generate_series(${first}::bigint, ${Math.min(first + eventsAtOnce - 1, last)}::bigint) AS number`);
  }
  await database.run(sql`ANALYZE events`);
}

interface Write {
  readonly milliseconds: number;
  readonly status: number;
}

async function measure(database: Database, dataset: Dataset, bench: Bench): Promise<Line> {
  const server = await startGatehouse(dataset);
  try {
    const writes: Write[] = [];
    const stopWriting = startWriters(server, writes);
    await sleep(secondsBefore * 1_000);
    const before = writes.splice(0);
    const start = performance.now();
    await database.migrate(withMeasuredMigration());
    const seconds = (performance.now() - start) / 1_000;
    await stopWriting();
    const slowest = Math.max(...writes.map(({ milliseconds }) => milliseconds));
    const failed = writes.filter(({ status }) => status !== 201).length;
    return {
      work: `PostgreSQL: POST one member while a migration adds a column and three indexes to ${countOf(bench).toLocaleString('en')} events`,
      reference: `before: ${describeWrites(before)}`,
      gatehouse: `${describeWrites(writes)} in ${round(seconds)} s`,
      measured: `slowest ${round(slowest)} ms, ${failed} failed`,
      goal: `none above ${maxMilliseconds} ms, none failed`,
      met: slowest <= maxMilliseconds && failed === 0 && writes.length > 0,
    };
  } finally {
    await server.stop();
  }
}

/** The migrations of this version, and one of the next: a column and three indexes of the events. */
function withMeasuredMigration() {
  const known = migrationsFor('postgres');
  const text = `-- usable from: ${known.at(-1)!.name}
-- step: transaction
ALTER TABLE events ADD COLUMN network text;
-- step: concurrently
CREATE INDEX CONCURRENTLY events_measured_type ON events (site_id, actor_type, position);
-- step: concurrently
CREATE INDEX CONCURRENTLY events_measured_actor ON events (site_id, actor_id, position) WHERE actor_id IS NOT NULL;
-- step: concurrently
CREATE INDEX CONCURRENTLY events_measured_logins ON events (site_id, occurred_at) WHERE type = 'member.login';
`;
  return [...known, readMigration('postgres', '9999-measured', text)];
}

/** Writers that each wait for an answer before the next request. Returns how to stop them. */
function startWriters({ address, key }: ServerProcess, writes: Write[]): () => Promise<void> {
  let [stopped, number] = [false, 0];
  const write = async () => {
    while (!stopped) {
      const start = performance.now();
      const response = await fetch(`${address}/api/v1/members`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ email: `upgrade${++number}@example.com` }),
      });
      await response.text();
      writes.push({ milliseconds: performance.now() - start, status: response.status });
    }
  };
  const running = Array.from({ length: writers }, write);
  return async () => {
    stopped = true;
    await Promise.all(running);
  };
}

function describeWrites(writes: readonly Write[]): string {
  const sorted = writes.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  return `${writes.length.toLocaleString('en')} writes, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms`;
}
