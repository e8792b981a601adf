import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { forEachStore } from '../../../test/stores.ts';
import { openDatabase } from '../open.ts';
import { copiedTables, ownColumnsOfSqlite, uncopiedTables } from './copied-tables.ts';

/** A column of a migrated store. `key` is its place in the primary key, from 1, or 0. */
interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly key: number;
  readonly type: string;
  readonly collation: string;
}

const columnNames = new Map<string, string[]>();

forEachStore((store) => {
  async function readColumns(): Promise<ColumnRow[]> {
    const database = openDatabase(await store.migratedUrl());
    const rows = await database.all<ColumnRow>(
      store.dialect === 'sqlite'
        ? sql`SELECT t.name AS "table", c.name AS name, c.pk AS key, c.type AS type, 'C' AS collation
              FROM sqlite_schema t JOIN pragma_table_info(t.name) c
              WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE 'members_text_%'
                OR t.name = 'members_text_queue' AND t.type = 'table'`
        : sql`SELECT c.relname::text AS table, a.attname::text AS name,
                COALESCE(array_position(x.indkey::smallint[], a.attnum) + 1, 0) AS key,
                format_type(a.atttypid, NULL) AS type, COALESCE(l.collname, 'C')::text AS collation
              FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
              LEFT JOIN pg_index x ON x.indrelid = c.oid AND x.indisprimary
              LEFT JOIN pg_collation l ON l.oid = a.attcollation
              WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
                AND a.attnum > 0 AND NOT a.attisdropped`,
    );
    await database.close();
    return rows;
  }

  test('every table is copied, or is listed with the reason why not', async () => {
    const tables = new Set((await readColumns()).map(({ table }) => table));
    const listed = [...copiedTables.map(({ name }) => name), ...Object.keys(uncopiedTables)];
    const ofSqlite = ['members_text', 'members_text_queue'];
    const expected = listed.filter((name) => store.dialect === 'sqlite' || !ofSqlite.includes(name));
    expect([...tables].sort()).toEqual(expected.sort());
  });

  test('each key is the primary key, and both stores sort its values in the same order', async () => {
    const columns = await readColumns();
    for (const { name, key } of copiedTables) {
      const inKey = columns
        .filter((column) => column.table === name && column.key > 0)
        .toSorted((a, b) => a.key - b.key);
      expect([name, inKey.map(({ collation }) => collation)]).toEqual([name, inKey.map(() => 'C')]);
      // The number of a row is the key of these tables on SQLite; what is their key here is unique there too.
      if (store.dialect === 'sqlite' && name in ownColumnsOfSqlite) continue;
      expect([name, inKey.map((column) => column.name)]).toEqual([name, key]);
    }
  });

  test('both stores have the same columns, except those that SQLite fills itself', async () => {
    for (const { name } of copiedTables) {
      const own = store.dialect === 'sqlite' ? (ownColumnsOfSqlite[name] ?? []) : [];
      const names = (await columnsOf(name)).filter((column) => !own.includes(column)).sort();
      expect([name, names]).toEqual([name, columnNames.get(name) ?? names]);
      columnNames.set(name, names);
    }
  });

  let columns: Promise<ColumnRow[]> | undefined;
  async function columnsOf(name: string): Promise<string[]> {
    columns ??= readColumns();
    return (await columns).filter(({ table }) => table === name).map((column) => column.name);
  }
});
