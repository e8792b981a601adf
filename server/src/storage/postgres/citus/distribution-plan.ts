import type { CatalogTable, CitusCatalog, ForeignKey, TableKind } from './citus-catalog.ts';
import { droppedKeysTable } from './citus-catalog.ts';

/** The column that decides on which node a row is. */
const distributionColumn = 'site_id';

/**
 * Tables that are whole on every node, because their rows are found before the site is known, or joined with those of
 * another site. Each write goes to every node, so only administration writes them.
 */
export const referenceTables: ReadonlySet<string> = new Set([
  'api_keys',
  'operator_roles',
  'site_hosts',
  'sites',
]);

/** Tables of the installation that only the coordinator has. */
export const localTables: ReadonlySet<string> = new Set(['job_leases', 'migrations']);

/** The statements of one transaction. */
export type Step = readonly string[];

/**
 * The transactions that bring the tables to the nodes where they belong. Citus accepts a foreign key only between
 * tables that it already has, so the foreign keys of new tables are dropped and recorded first, and made again at the
 * end. A plan that was interrupted is continued by the next one.
 */
export function planDistribution(catalog: CitusCatalog): readonly Step[] {
  const isNew = ({ kind, name }: CatalogTable) => kind === 'local' && wantedKind(name) !== 'local';
  const newTables = catalog.tables.filter(isNew).map(({ name }) => name);
  const dropped = catalog.foreignKeys.filter(
    ({ table, referencedTable }) => newTables.includes(table) || newTables.includes(referencedTable),
  );
  const missing = [...catalog.droppedForeignKeys, ...dropped];
  return [
    ...(dropped.length === 0 ? [] : [dropForeignKeys(dropped)]),
    ...newTables.filter((name) => wantedKind(name) === 'reference').map(toReferenceTable),
    ...toDistributedTables(newTables, catalog.tables),
    ...missing.map(addForeignKey),
    ...(missing.length === 0 ? [] : [[`DROP TABLE ${droppedKeysTable}`]]),
  ];
}

/** What keeps Citus from distributing the tables: sentences that name the table and the reason. */
export function findObstacles({ tables, foreignKeys }: CitusCatalog): string[] {
  return [...tables.flatMap(obstaclesOf), ...foreignKeys.flatMap(obstaclesOfKey)];
}

/** The tables that are not where they belong, as sentences. */
export function findMisplaced(catalog: CitusCatalog): string[] {
  const distributed = catalog.tables.filter(({ kind }) => kind === 'distributed');
  const colocation = distributed[0]?.colocation;
  return [
    ...catalog.tables
      .filter(({ kind, name }) => kind !== wantedKind(name))
      .map(({ kind, name }) => `${name} is a ${kind} table instead of a ${wantedKind(name)} one`),
    ...distributed
      .filter((table) => table.distributionColumn !== distributionColumn)
      .map((table) => `${table.name} is distributed by ${table.distributionColumn}`),
    ...distributed
      .filter((table) => table.colocation !== colocation)
      .map(({ name }) => `${name} is not on the same nodes as ${distributed[0]!.name}`),
    ...catalog.droppedForeignKeys.map(({ name, table }) => `${table} is without its foreign key ${name}`),
  ];
}

/** Whether the tables of Gatehouse have been given to Citus. */
export function isDistributed({ tables }: CitusCatalog): boolean {
  return tables.some(({ name, kind }) => name === 'sites' && kind === 'reference');
}

function wantedKind(name: string): TableKind {
  if (referenceTables.has(name)) return 'reference';
  return localTables.has(name) ? 'local' : 'distributed';
}

function dropForeignKeys(keys: readonly ForeignKey[]): Step {
  return [
    `CREATE TABLE IF NOT EXISTS ${droppedKeysTable} (
      table_name text NOT NULL, name text NOT NULL, definition text NOT NULL, PRIMARY KEY (table_name, name))`,
    ...keys.flatMap(({ table, name, definition }) => [
      `INSERT INTO ${droppedKeysTable} VALUES (${literal(table)}, ${literal(name)}, ${literal(definition)})`,
      `ALTER TABLE ${identifier(table)} DROP CONSTRAINT ${identifier(name)}`,
    ]),
  ];
}

function addForeignKey({ table, name, definition }: Pick<ForeignKey, 'name' | 'table' | 'definition'>): Step {
  return [
    `ALTER TABLE ${identifier(table)} ADD CONSTRAINT ${identifier(name)} ${definition}`,
    `DELETE FROM ${droppedKeysTable} WHERE table_name = ${literal(table)} AND name = ${literal(name)}`,
  ];
}

function toReferenceTable(name: string): Step {
  return [`SELECT create_reference_table(${table(name)})`, truncateLocalRows(name)];
}

/** The first table of all gets a group of nodes of its own, and every other one is put with it. */
function toDistributedTables(newTables: readonly string[], tables: readonly CatalogTable[]): Step[] {
  const wanted = newTables.filter((name) => wantedKind(name) === 'distributed');
  const first = tables.find(({ kind }) => kind === 'distributed')?.name ?? wanted[0];
  return wanted.map((name) => {
    const place = name === first ? "'none'" : table(first!);
    return [
      `SELECT create_distributed_table(${table(name)}, ${literal(distributionColumn)}, colocate_with => ${place})`,
      truncateLocalRows(name),
    ];
  });
}

/** Citus copies the rows and leaves the originals in the table on the coordinator, where no statement sees them. */
function truncateLocalRows(name: string): string {
  return `SELECT truncate_local_data_after_distributing_table(${table(name)})`;
}

function obstaclesOf({ name, kind, hasSite, uniqueIndexes, triggers }: CatalogTable): string[] {
  const wanted = wantedKind(name);
  if (wanted !== 'distributed') return [];
  if (!hasSite) return [`${name} has no column ${distributionColumn}`];
  return [
    ...(kind === 'reference'
      ? [`${name} is a reference table: run SELECT undistribute_table('${name}')`]
      : []),
    ...uniqueIndexes
      .filter(({ columns }) => !columns.includes(distributionColumn))
      .map((index) => `the unique index ${index.name} of ${name} is without ${distributionColumn}`),
    ...triggers.map((trigger) => `${name} has the trigger ${trigger}`),
  ];
}

function obstaclesOfKey({ name, table, columns, referencedTable, referencedColumns }: ForeignKey): string[] {
  const [from, to] = [wantedKind(table), wantedKind(referencedTable)];
  const key = `the foreign key ${name} of ${table}`;
  if (from !== 'local' && to === 'local') return [`${key} leads to the local table ${referencedTable}`];
  if (to !== 'distributed') return [];
  if (from !== 'distributed')
    return [`${key} leads from a ${from} table to the distributed ${referencedTable}`];
  const place = columns.indexOf(distributionColumn);
  return place !== -1 && referencedColumns[place] === distributionColumn
    ? []
    : [`${key} does not connect ${distributionColumn} with that of ${referencedTable}`];
}

/** A table as an argument of a function of Citus. */
function table(name: string): string {
  return literal(identifier(name));
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
