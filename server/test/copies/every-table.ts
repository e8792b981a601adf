import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { SecretBox } from '../../src/base/encryption/secret-box.ts';
import { placeOfInvitationCode } from '../../src/domain/invitations/invitation.ts';
import { placeOfLoginProvider } from '../../src/domain/login-providers/login-provider.ts';
import { placeOfPageCode } from '../../src/domain/page-codes/page-code.ts';
import { placeOfSigningKey } from '../../src/domain/signing-keys/signing-key.ts';
import { placeOfSecret } from '../../src/domain/sources/source/source.ts';
import { placeOfWebhookSecret, placeOfWebhookUrl } from '../../src/domain/webhooks/webhook.ts';
import { copiedTables, ownColumnsOfSqlite } from '../../src/storage/copy/copied-tables.ts';
import { readLayouts } from '../../src/storage/copy/table-columns.ts';
import { readRows } from '../../src/storage/copy/table-rows.ts';
import { sqlitePath } from '../../src/storage/database-url.ts';
import { migrate } from '../../src/storage/migrations/migrations.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { secretKey } from '../secret-key.ts';

type SqliteValue = string | number | null;
type Row = Record<string, SqliteValue>;

/** The types of columns on PostgreSQL, by `table.column`. */
export type ColumnTypes = ReadonlyMap<string, string>;

export async function readColumnTypes(databaseUrl: string): Promise<ColumnTypes> {
  const database = openDatabase(databaseUrl);
  const rows = await database.all<{ name: string; type: string }>(sql`
    SELECT c.relname || '.' || a.attname AS name, format_type(a.atttypid, NULL) AS type
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0`);
  await database.close();
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/** How many rows of each table a site gets. */
const rowsOfSite = 3;

/** Returns numbers from 0 to below 1, the same ones for the same seed. */
export type Random = () => number;

export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Creates a database with random rows in every copied table, as the tables allow them, whatever Gatehouse itself would
 * write.
 * @param types those of PostgreSQL; without them, times and IDs are texts as all others
 */
export async function createFullDatabase(
  databaseUrl: string,
  types: ColumnTypes,
  random: Random,
  texts: readonly string[],
): Promise<void> {
  const database = openDatabase(databaseUrl);
  await migrate(database);
  await database.close();
  const file = new DatabaseSync(sqlitePath(databaseUrl));
  file.exec('PRAGMA foreign_keys = ON');
  const rows = new Map<string, Row[]>();
  const values = new RandomValues(random, texts);
  for (const { name } of copiedTables) {
    rows.set(name, insertRows(file, name, { types, rows, values }));
  }
  file.exec(
    'INSERT INTO members_text (rowid, search_text) SELECT key, search_text FROM members_text_queue; DELETE FROM members_text_queue',
  );
  file.close();
}

interface Filling {
  readonly types: ColumnTypes;
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  readonly values: RandomValues;
}

function insertRows(file: DatabaseSync, table: string, filling: Filling): Row[] {
  const columns = columnsOf(file, table);
  const sites = filling.rows.get('sites') ?? [];
  const inserted: Row[] = [];
  const keyOfSite = copiedTables.find(({ name }) => name === table)!.key;
  const count = keyOfSite.length === 1 ? 1 : rowsOfSite;
  for (const siteId of table === 'sites' ? [undefined, undefined] : sites.map(({ id }) => id!)) {
    for (let index = 0; index < count; index += 1) {
      const row = randomRow(file, table, columns, { siteId, index }, filling);
      const names = Object.keys(row);
      file
        .prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
        .run(...Object.values(row));
      inserted.push(row);
    }
  }
  return inserted;
}

interface SqliteColumn {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  /** The values that a check allows. */
  readonly allowed: readonly SqliteValue[] | undefined;
}

function columnsOf(file: DatabaseSync, table: string): SqliteColumn[] {
  const { sql: text } = file.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(table) as {
    sql: string;
  };
  const own = ownColumnsOfSqlite[table] ?? [];
  const found = file.prepare('SELECT name, type, "notnull" AS required FROM pragma_table_info(?)').all(table);
  return found
    .map(({ name, type, required }) => {
      const [, list] = new RegExp(`CHECK\\s*\\(\\s*${name} IN \\(([^)]*)\\)`).exec(text) ?? [];
      const allowed = list
        ?.split(',')
        .map((each) => JSON.parse(each.trim().replaceAll("'", '"')) as SqliteValue);
      return { name: String(name), type: String(type), isNullable: required === 0, allowed };
    })
    .filter(({ name }) => !own.includes(name));
}

function randomRow(
  file: DatabaseSync,
  table: string,
  columns: readonly SqliteColumn[],
  { siteId, index }: { siteId: SqliteValue | undefined; index: number },
  { types, rows, values }: Filling,
): Row {
  const row: Row = {};
  for (const { name, type, isNullable, allowed } of columns) {
    row[name] = values.of(types.get(`${table}.${name}`) ?? type, isNullable, allowed);
  }
  if (siteId === undefined) return row;
  row.site_id = siteId;
  for (const [referenced, pairs] of referencesOf(file, table)) {
    if (referenced === 'sites') continue;
    const parents = rows.get(referenced)!.filter((each) => each.site_id === siteId);
    for (const [from, to] of pairs) row[from] = parents[index % parents.length]![to]!;
  }
  for (const [column, placeOf] of Object.entries(sealedColumns[table] ?? {})) {
    if (row[column] !== null)
      row[column] = secrets.seal(String(row[column]), placeOf(String(siteId), String(row.id)));
  }
  return row;
}

const secrets = new SecretBox([secretKey]);

/** The texts that have to be encrypted, and for which place. */
const sealedColumns: Readonly<
  Record<string, Readonly<Record<string, (siteId: string, id: string) => string>>>
> = {
  sources: { secret: placeOfSecret },
  signing_keys: { secret: placeOfSigningKey },
  invitations: { sealed_code: placeOfInvitationCode },
  page_codes: { sealed_code: placeOfPageCode },
  login_providers: { sealed_secret: placeOfLoginProvider },
  webhooks: { url: placeOfWebhookUrl, secret: placeOfWebhookSecret, previous_secret: placeOfWebhookSecret },
};

/** The foreign keys of a table: the referenced tables, and which columns lead to which. */
function referencesOf(file: DatabaseSync, table: string): [string, [string, string][]][] {
  const found = file.prepare('SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?)').all(table);
  const byId = Map.groupBy(found, ({ id }) => id);
  return [...byId.values()].map((list) => [
    String(list[0]!.table),
    list.map(({ from, to }) => [String(from), String(to)]),
  ]);
}

class RandomValues {
  readonly #random: Random;
  readonly #texts: readonly string[];

  constructor(random: Random, texts: readonly string[]) {
    this.#random = random;
    this.#texts = texts;
  }

  choose<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)]!;
  }

  of(type: string, isNullable: boolean, allowed: readonly SqliteValue[] | undefined): SqliteValue {
    if (isNullable && this.#below(3) === 0) return null;
    if (allowed !== undefined) return this.choose(allowed);
    const small = this.#below(2) === 0;
    switch (type) {
      case 'uuid':
        return this.#uuid();
      case 'boolean':
        return this.#below(2);
      case 'timestamp with time zone':
        return new Date(this.#below(4_102_444_800_000)).toISOString();
      case 'bigint':
        return this.#below(small ? 1_000 : Number.MAX_SAFE_INTEGER);
      case 'integer':
      case 'INTEGER':
        return this.#below(small ? 1_000 : 2 ** 31);
      default:
        // Unique, as some columns have to be: hosts up to their port.
        return `${this.choose(this.#texts).replaceAll(':', '')}${this.#uuid()}${this.choose(this.#texts)}`;
    }
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #uuid(): string {
    const digits = Array.from({ length: 32 }, () => this.#below(16).toString(16)).join('');
    return digits.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
  }
}

/** Texts with every kind of character that both stores can have, in a random order. */
export const hostileTexts = fc
  .array(fc.string({ unit: 'grapheme', maxLength: 12 }), { minLength: 1, maxLength: 20 })
  .map((texts) => [
    ...texts.map((text) => text.replaceAll('\0', '')),
    '',
    "'; DROP TABLE members; --",
    '\\x00\\\\N',
    '\t\r\n\v\u0001\u007f',
    'ß İ ſ ﬀ é e\u0301 \u202e \u2028 \ufeff \u{1f469}\u200d\u{1f680}',
    '$1 ? :name {a,"b"} NULL',
  ]);

/**
 * Every copied row of a database, by table.
 * @param like a database of the store whose types the values get
 */
export async function contentOf(databaseUrl: string, like = databaseUrl): Promise<Record<string, string[]>> {
  const [database, typed] = [openDatabase(databaseUrl), openDatabase(like)];
  const content: Record<string, string[]> = {};
  for (const layout of await readLayouts(database, typed)) {
    const rows = [];
    for (let last: Awaited<ReturnType<typeof readRows>>[number] | undefined; ; ) {
      const some = await readRows(database, layout, last);
      if (some.length === 0) break;
      rows.push(...some.map((row) => JSON.stringify(row)));
      last = some.at(-1);
    }
    content[layout.name] = rows;
  }
  await Promise.all([database.close(), typed.close()]);
  return content;
}
