import { cpSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkout } from './service.ts';
import type { World } from './world.ts';

const copied = ['server', 'contract', 'client', 'member-lists', 'scripts'];
const migrations = 'server/src/storage/migrations';
const newestName = '9000-notes';

/**
 * Copies this version of Gatehouse, with one more migration: a column that is filled, and three indexes, all on the
 * table of events. Returns its folder.
 */
export function makeNewerVersion(world: World): string {
  const folder = path.join(world.folder, 'newer');
  for (const name of copied) {
    cpSync(path.join(checkout, name), path.join(folder, name), {
      recursive: true,
      filter: (source) => !/\/(?:node_modules|dist|test)$|\.test\.ts$/.test(source),
    });
  }
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.json']) {
    cpSync(path.join(checkout, name), path.join(folder, name));
  }
  symlinkSync(path.join(checkout, 'node_modules'), path.join(folder, 'node_modules'));
  const previous = newestMigration();
  const write = (dialect: string, text: string) =>
    writeFileSync(path.join(folder, migrations, `${newestName}.${dialect}.sql`), text);
  write('postgres', postgresMigration(previous));
  write('sqlite', `-- usable from: ${previous}\nALTER TABLE events ADD COLUMN note text;\n`);
  return folder;
}

/** The name of the newest migration of this version, without the ending for the store. */
function newestMigration(): string {
  const ending = '.postgres.sql';
  const files = readdirSync(path.join(checkout, migrations)).filter((file) => file.endsWith(ending));
  return files.sort().at(-1)!.slice(0, -ending.length);
}

function postgresMigration(previous: string): string {
  return `-- usable from: ${previous}
-- step: transaction
ALTER TABLE events ADD COLUMN note text COLLATE "C";
-- step: batches of events by site_id, position
UPDATE events SET note = 'a note of ' || type WHERE note IS NULL AND :batch;
-- step: concurrently
CREATE INDEX CONCURRENTLY events_by_note ON events (site_id, note, position);
-- step: concurrently
CREATE INDEX CONCURRENTLY events_by_note_and_time ON events (site_id, note, occurred_at, position);
-- step: concurrently
CREATE INDEX CONCURRENTLY events_with_note ON events (site_id, position) WHERE note IS NOT NULL;
`;
}
