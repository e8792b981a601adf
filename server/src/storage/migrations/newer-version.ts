import sql, { empty } from 'sql-template-tag';
import type { Dialect, Queries } from '../database.ts';
import { migrationsFor } from './migrations.ts';

/**
 * The version of Gatehouse that has applied the newest migration of the database, if this program does not know that
 * migration: another process of a newer version has done so, and this one has to be replaced.
 */
export async function findNewerVersion(db: Queries): Promise<string | undefined> {
  // A migration that still runs is not reported.
  const isComplete = db.dialect === 'postgres' ? sql`AND remaining_steps = 0` : empty;
  // On PostgreSQL the next migration adds the column to a table of before.
  const version = db.dialect === 'postgres' ? sql`to_jsonb(migrations) ->> 'version'` : sql`version`;
  const newest = await db.get<{ version: string | null }>(sql`
    SELECT ${version} AS version FROM migrations WHERE name > ${newestKnown(db.dialect)} ${isComplete} ORDER BY name DESC LIMIT 1`);
  return newest?.version ?? undefined;
}

const newestNames = new Map<Dialect, string>();

/** The files are read once. */
function newestKnown(dialect: Dialect): string {
  const name = newestNames.get(dialect) ?? migrationsFor(dialect).at(-1)!.name;
  newestNames.set(dialect, name);
  return name;
}
