import sql from 'sql-template-tag';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/command-line.ts';
import { migrate } from '../migrations/migrations.ts';
import { openSqlite, type SqliteDatabase } from './sqlite-database.ts';

describe('background transactions', () => {
  test('let those that somebody waits for go first', async () => {
    const database = await open();
    const background = database.background();
    const order: string[] = [];
    const add = (name: string) => async () => {
      order.push(name);
    };
    await Promise.all([
      background.transaction(add('job 1')),
      background.transaction(add('job 2')),
      database.transaction(add('request 1')),
      database.transaction(add('request 2')),
    ]);
    expect(order).toEqual(['request 1', 'request 2', 'job 1', 'job 2']);
  });

  test('run although there is always another one', async () => {
    const database = await open();
    let isDone = false;
    const job = database.background().run(sql`INSERT INTO numbers VALUES (1)`);
    job.finally(() => {
      isDone = true;
    });
    const end = Date.now() + 5_000;
    const keepBusy = async () => {
      while (!isDone && Date.now() < end) await database.run(sql`UPDATE numbers SET number = number + 1`);
    };
    await Promise.all([keepBusy(), keepBusy(), keepBusy()]);
    expect(isDone).toBe(true);
    await job;
  });

  test('fail like the others when the file cannot be written', async () => {
    const database = await open();
    const background = database.background();
    await database.run(sql`DROP TABLE numbers`);
    await expect(background.run(sql`INSERT INTO numbers VALUES (1)`)).rejects.toThrow(/numbers/);
  });
});

async function open(): Promise<SqliteDatabase> {
  const database = openSqlite(`${temporaryFolder()}/numbers.db`, {});
  onTestFinished(() => database.close());
  await migrate(database);
  await database.run(sql`CREATE TABLE numbers (number INTEGER)`);
  return database;
}
