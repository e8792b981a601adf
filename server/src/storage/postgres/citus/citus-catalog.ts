import sql, { type Sql } from 'sql-template-tag';

/** How Citus stores a table: in shards, whole on every node, or only on the coordinator. */
export type TableKind = 'distributed' | 'reference' | 'local';

/** A table of the schema as it is now. */
export interface CatalogTable {
  readonly name: string;
  readonly kind: TableKind;
  /** The column that decides about the shard of a row; null for a table without shards. */
  readonly distributionColumn: string | null;
  /** Tables with the same number have the rows of a site on the same node. */
  readonly colocation: number;
  readonly hasSite: boolean;
  readonly uniqueIndexes: readonly { readonly name: string; readonly columns: readonly string[] }[];
  readonly triggers: readonly string[];
}

export interface ForeignKey {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly referencedTable: string;
  readonly referencedColumns: readonly string[];
  /** As `ALTER TABLE … ADD CONSTRAINT` takes it. */
  readonly definition: string;
}

export interface CitusCatalog {
  readonly tables: readonly CatalogTable[];
  readonly foreignKeys: readonly ForeignKey[];
  /** Foreign keys that were dropped and are not there again. */
  readonly droppedForeignKeys: readonly Pick<ForeignKey, 'name' | 'table' | 'definition'>[];
}

/** Reads rows, of a database or of a single connection. */
export type ReadRows = <Row>(statement: Sql) => Promise<Row[]>;

/** Holds the foreign keys that were dropped to distribute tables, until they are there again. */
export const droppedKeysTable = 'dropped_foreign_keys';

export async function hasCitus(read: ReadRows): Promise<boolean> {
  const [row] = await read<{ found: boolean }>(
    sql`SELECT to_regclass('pg_dist_partition') IS NOT NULL AS found`,
  );
  return row!.found;
}

/** Reads the tables and foreign keys of the schema, and what Citus knows about them. */
export async function readCitusCatalog(read: ReadRows): Promise<CitusCatalog> {
  const [tables, known, foreignKeys] = [
    await read<TableRow>(tablesOfSchema),
    await read<KnownTableRow>(tablesOfCitus),
    await read<ForeignKeyRow>(foreignKeysOfSchema),
  ];
  const knownTables = new Map(known.map((row) => [row.name, row]));
  const isInterrupted = tables.some(({ name }) => name === droppedKeysTable);
  return {
    tables: tables
      .filter(({ name }) => name !== droppedKeysTable)
      .map((row) => toTable(row, knownTables.get(row.name))),
    foreignKeys: foreignKeys.map(toForeignKey),
    droppedForeignKeys: isInterrupted ? await read(droppedKeys) : [],
  };
}

interface TableRow {
  readonly name: string;
  readonly has_site: boolean;
  readonly unique_indexes: string | null;
  readonly triggers: string | null;
}

interface KnownTableRow {
  readonly name: string;
  readonly replication: string;
  readonly colocation: number;
  readonly distribution_column: string | null;
}

interface ForeignKeyRow {
  readonly name: string;
  readonly table: string;
  readonly columns: string;
  readonly referenced_table: string;
  readonly referenced_columns: string;
  readonly definition: string;
}

// The shards that a coordinator itself may hold are no tables of the schema; nor are the tables of an extension.
const tablesOfSchema = sql`
  SELECT c.relname AS name,
    EXISTS (
      SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'site_id' AND NOT a.attisdropped
    ) AS has_site,
    (SELECT json_agg(json_build_object('name', i.relname, 'columns', (
        SELECT json_agg(a.attname) FROM generate_series(0, x.indnkeyatts - 1) AS part
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = x.indkey[part]))
      ORDER BY i.relname)::text
     FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid WHERE x.indrelid = c.oid AND x.indisunique
    ) AS unique_indexes,
    (SELECT json_agg(t.tgname)::text FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal) AS triggers
  FROM pg_class c
  WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
    AND c.relname !~ '_[0-9]{6,}$'
    AND NOT EXISTS (
      SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY c.relname`;

const tablesOfCitus = sql`
  SELECT c.relname AS name, p.repmodel::text AS replication, p.colocationid AS colocation,
    column_to_column_name(p.logicalrelid, p.partkey) AS distribution_column
  FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
  WHERE c.relnamespace = current_schema()::regnamespace`;

const foreignKeysOfSchema = sql`
  SELECT k.conname AS name, c.relname AS table, r.relname AS referenced_table, pg_get_constraintdef(k.oid) AS definition,
    (SELECT json_agg(a.attname ORDER BY part.place)::text
     FROM unnest(k.conkey) WITH ORDINALITY AS part (number, place)
     JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = part.number) AS columns,
    (SELECT json_agg(a.attname ORDER BY part.place)::text
     FROM unnest(k.confkey) WITH ORDINALITY AS part (number, place)
     JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = part.number) AS referenced_columns
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
  WHERE k.contype = 'f' AND c.relnamespace = current_schema()::regnamespace AND c.relname !~ '_[0-9]{6,}$'
  ORDER BY c.relname, k.conname`;

const droppedKeys = sql`
  SELECT table_name AS table, name, definition FROM dropped_foreign_keys ORDER BY table_name, name`;

function toTable(row: TableRow, known: KnownTableRow | undefined): CatalogTable {
  const distributionColumn = known?.distribution_column ?? null;
  const undistributed = known?.replication === 't' ? 'reference' : 'local';
  return {
    name: row.name,
    kind: distributionColumn === null ? undistributed : 'distributed',
    distributionColumn,
    colocation: known?.colocation ?? 0,
    hasSite: row.has_site,
    uniqueIndexes: JSON.parse(row.unique_indexes ?? '[]'),
    triggers: JSON.parse(row.triggers ?? '[]'),
  };
}

function toForeignKey(row: ForeignKeyRow): ForeignKey {
  return {
    name: row.name,
    table: row.table,
    columns: JSON.parse(row.columns),
    referencedTable: row.referenced_table,
    referencedColumns: JSON.parse(row.referenced_columns),
    definition: row.definition,
  };
}
