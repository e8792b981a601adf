import { expect, test } from 'vitest';
import { MigrationBlocked } from '../../errors.ts';
import { readMigration } from '../../migrations/migration-file.ts';
import type { PostgresConnection } from '../connections/postgres-connection.ts';
import { MigrationSteps } from './migration-steps.ts';

test('a migration of a table that is in use all the time fails after about five minutes, and names who uses it', async () => {
  const migration = readMigration('postgres', '0002-a', 'ALTER TABLE members ADD COLUMN a text;');
  const statements: string[] = [];
  // PostgreSQL with a table that is never free.
  const query = async (text: string) => {
    statements.push(text);
    if (text.includes('ALTER TABLE')) throw Object.assign(new Error('lock timeout'), { code: '55P03' });
    const user = { pid: 7, name: 'pg_dump', since: '2026-01-05 08:00:00' };
    if (text.includes('pg_dist_partition')) return { rows: [{ found: false }], count: 1 };
    return { rows: text.includes('pg_stat_activity') ? [user] : [], count: 1 };
  };
  const reports: string[] = [];
  let waited = 0;
  const steps = new MigrationSteps(
    { query } as unknown as PostgresConnection,
    migration,
    (message) => reports.push(message),
    async (milliseconds) => {
      waited += milliseconds;
    },
  );
  const error = await steps.apply(1).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(MigrationBlocked);
  expect((error as Error).message).toContain(
    'The oldest open transaction is that of process 7 of PostgreSQL (pg_dump), since 2026-01-05 08:00:00 UTC. End it',
  );
  expect(Math.round(waited / 60_000)).toBe(5);
  expect(reports[0]).toBe('0002-a: adds the column a to members');
  expect(reports[1]).toContain('a table is in use, trying again until it is free.');
  // Between two attempts nothing is locked.
  const ends = statements.filter((text) => text === 'ROLLBACK').length;
  expect(ends).toBe(statements.filter((text) => text.startsWith('BEGIN')).length);
});
