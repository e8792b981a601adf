// Creates each database whose path it receives, as a first start does, and sends whether it did.

import sql from 'sql-template-tag';
import { migrate } from '../../src/storage/migrations/migrations.ts';
import { createSqliteFile } from '../../src/storage/sqlite/new-sqlite-file.ts';

process.on('message', async (path: string) => {
  const created = await createSqliteFile(path, async (database) => {
    await migrate(database);
    await database.run(sql`CREATE TABLE made_once (id TEXT)`);
  }).catch(String);
  process.send!(created);
});
process.send!('ready');
