import { DatabaseSync } from 'node:sqlite';
import { type AppliedMigration, migrationsFor } from '../migrations/migrations.ts';
import { createMigrationsTable } from './migrations-table.ts';

/** A table, an index, a trigger or a view, as in `sqlite_schema`. */
export interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  /** Null for an index of a constraint. */
  readonly sql: string | null;
}

export const selectSchema = 'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name';

/** Statistics of SQLite itself, which `ANALYZE` creates. */
const ownTables = /^sqlite_stat[134]$/;

/**
 * Says what in a database is not as its migrations have made it: whoever changed it could let SQLite run more with each
 * statement, or change what is stored.
 * @param applied its migrations. What ones that this version does not know have made cannot be compared: then only
 * tables and indexes may be added or changed
 */
export function findForeignSchema(
  found: readonly SchemaObject[],
  applied: readonly AppliedMigration[],
): string[] {
  const names = new Set(applied.map(({ name }) => name));
  const known = migrationsFor('sqlite').filter(({ name }) => names.has(name));
  const scripts = known.flatMap(({ steps }) => steps.map(({ script }) => script));
  const expected = buildSchema(scripts, recordsVersions(found));
  const mayDiffer = known.length < names.size;
  const rest = new Map(expected.map((object) => [keyOf(object), object]));
  const problems: string[] = [];
  for (const object of found.filter(({ type, name }) => type !== 'table' || !ownTables.test(name))) {
    const counterpart = rest.get(keyOf(object));
    rest.delete(keyOf(object));
    const isData = mayDiffer && ['table', 'index'].includes(object.type);
    if (!counterpart && !isData) problems.push(`the ${labelOf(object)} is not of Gatehouse`);
    if (counterpart && !isData && !isSame(object, counterpart, expected))
      problems.push(`the ${labelOf(object)} was changed`);
  }
  if (!mayDiffer) for (const object of rest.values()) problems.push(`the ${labelOf(object)} is missing`);
  return problems;
}

/** Whether the table of migrations has the column for versions, which a start adds to a table of before. */
function recordsVersions(found: readonly SchemaObject[]): boolean {
  const table = found.find(({ type, name }) => type === 'table' && name === 'migrations');
  return /\bversion\b/.test(table?.sql ?? '');
}

/** The schema that migrations make, without the statistics. */
function buildSchema(scripts: readonly string[], withVersions: boolean): SchemaObject[] {
  const database = new DatabaseSync(':memory:');
  try {
    createMigrationsTable(database);
    if (!withVersions) database.exec('ALTER TABLE migrations DROP COLUMN version');
    for (const script of scripts) database.exec(script);
    const objects = database.prepare(selectSchema).all() as unknown as SchemaObject[];
    return objects.filter(({ name }) => !ownTables.test(name));
  } finally {
    database.close();
  }
}

function keyOf({ type, name }: SchemaObject): string {
  return `${type} ${name}`;
}

function labelOf({ type, name }: SchemaObject): string {
  return `${type} ${JSON.stringify(name.slice(0, maxShownLength))}`;
}

const maxShownLength = 100;

function isSame(found: SchemaObject, expected: SchemaObject, all: readonly SchemaObject[]): boolean {
  if (found.tbl_name !== expected.tbl_name) return false;
  // Those of a virtual table are written by SQLite, each version in its own way.
  if (expected.type === 'table' && isShadowTable(expected, all)) return true;
  return normalized(found.sql) === normalized(expected.sql);
}

function isShadowTable({ name }: SchemaObject, all: readonly SchemaObject[]): boolean {
  return all.some(
    (table) => /^CREATE VIRTUAL TABLE/i.test(table.sql ?? '') && name.startsWith(`${table.name}_`),
  );
}

/** A text, a quoted name, a comment, a word or another character. */
const tokens = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\w+|\S/g;

/** The statement without comments, white space, and the quotes that SQLite adds when a table is renamed. */
function normalized(statement: string | null): string | null {
  const found = statement?.match(tokens)?.filter((token) => !/^(?:--|\/\*)/.test(token));
  return (
    found
      ?.map((token) => (token.startsWith("'") ? token : token.replace(/^"(\w+)"$/, '$1').toLowerCase()))
      .join(' ') ?? null
  );
}
