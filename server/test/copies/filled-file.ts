import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sql from 'sql-template-tag';
import { newId } from '../../src/base/ids.ts';
import { createSite } from '../../src/domain/sites/sites.ts';
import { sqlitePath } from '../../src/storage/database-url.ts';
import { migrate } from '../../src/storage/migrations/migrations.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { changing } from '../change.ts';
import { temporaryFolder } from '../command-line.ts';

export const membersOfFilledFile = 8_000;

/** A database in a file, with a site of many members, which takes some time to copy. */
export async function aFilledFile(): Promise<string> {
  filled ??= fill();
  const file = path.join(temporaryFolder(), 'gatehouse.db');
  copyFileSync(await filled, file);
  return `sqlite:${file}`;
}

/** Made once in a process. */
let filled: Promise<string> | undefined;

async function fill(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-filled-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const url = `sqlite:${path.join(folder, 'gatehouse.db')}`;
  const database = openDatabase(url);
  await migrate(database);
  const { id } = await changing(database, newId(), (change) => createSite(change, { slug: 'club' }));
  await database.run(sql`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${membersOfFilledFile})
    INSERT INTO members (site_id, id, email, search_text, status, created_at, updated_at)
    SELECT ${id}, printf('0197b000-0000-7000-8000-%012x', n), 'm' || n || '@example.com', 'm' || n, 'active',
      '2026-01-05T08:00:00.000Z', '2026-01-05T08:00:00.000Z' FROM numbers`);
  await database.close();
  return sqlitePath(url);
}
