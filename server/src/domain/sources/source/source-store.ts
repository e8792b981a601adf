import sql, { type Sql } from 'sql-template-tag';
import type { Queries, Transaction } from '../../../storage/database.ts';
import type { SiteData } from '../../../storage/site-view.ts';
import { booleanColumn, jsonColumn, TableColumns } from '../../../storage/sql/columns.ts';
import { forUpdate } from '../../../storage/sql/row-lock.ts';
import { valueList } from '../../../storage/sql/value-list.ts';
import type { ConnectionState, StoredSource } from './source.ts';

/** A source as it is stored: with its connection in one column, in which what an earlier version did not know is missing. */
interface SourceRow extends Omit<StoredSource, keyof ConnectionState> {
  readonly connection: Partial<ConnectionState>;
}

const columns = new TableColumns<SourceRow>('sources', {
  id: 'id',
  name: 'name',
  type: 'type',
  enabled: booleanColumn('enabled'),
  connection: jsonColumn('settings'),
  secret: 'secret',
  intervalMinutes: 'interval_minutes',
  maxRemovedPeople: 'max_removed_people',
  maxRemovedPercent: 'max_removed_percent',
  graceDays: 'grace_days',
  onLeave: 'on_leave',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

function toRow({ host, webhookActive, webhookAwaitedUntil, ...source }: StoredSource): SourceRow {
  return { ...source, connection: { host, webhookActive, webhookAwaitedUntil } };
}

function toSource({ connection, ...source }: SourceRow): StoredSource {
  return { ...source, host: null, webhookActive: false, webhookAwaitedUntil: null, ...connection };
}

export async function insertSource(view: SiteData<Transaction>, source: StoredSource): Promise<void> {
  await columns.insert(view, [toRow(source)]);
}

export function selectSource({ db, siteId }: SiteData, sourceId: string): Promise<StoredSource | undefined> {
  return selectOne(db, sql`site_id = ${siteId} AND id = ${sourceId}`);
}

export function selectSourceByName(
  { db, siteId }: SiteData,
  name: string,
): Promise<StoredSource | undefined> {
  return selectOne(db, sql`site_id = ${siteId} AND name = ${name}`);
}

/** Locks a source, if it still exists, until the transaction ends. */
export function lockSourceIfExists(
  { db, siteId }: SiteData<Transaction>,
  sourceId: string,
): Promise<StoredSource | undefined> {
  return selectOne(db, sql`site_id = ${siteId} AND id = ${sourceId} ${forUpdate(db)}`);
}

async function selectOne(db: Queries, where: Sql): Promise<StoredSource | undefined> {
  const row = await columns.get(db, sql`SELECT ${columns.list} FROM sources WHERE ${where}`);
  return row && toSource(row);
}

/** A page of sources, newest first. */
export async function selectSources(
  view: SiteData,
  after: string | undefined,
  limit: number,
): Promise<StoredSource[]> {
  const rows = await columns.page(view, after, limit);
  return rows.map(toSource);
}

export function selectSourceNames(
  { db, siteId }: SiteData,
  sourceIds: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return db.all(sql`
    SELECT id, name FROM sources WHERE site_id = ${siteId} AND id IN ${valueList(sourceIds)}`);
}

export async function updateSourceRow(
  { db, siteId }: SiteData<Transaction>,
  source: StoredSource,
): Promise<void> {
  await db.run(sql`
    UPDATE sources SET ${columns.assignments(toRow(source), ['id', 'type', 'createdAt'])}
    WHERE site_id = ${siteId} AND id = ${source.id}`);
}

/** Deletes a source with what belongs to it, except its groups and the many rows that `purgeDeletedSources` deletes. */
export async function deleteSourceRows(
  { db, siteId }: SiteData<Transaction>,
  sourceId: string,
): Promise<void> {
  const ofSource = sql`WHERE site_id = ${siteId} AND source_id = ${sourceId}`;
  await db.run(sql`DELETE FROM source_runs ${ofSource}`);
  await db.run(sql`
    UPDATE source_members SET left_source = NULL, left_collection = NULL
    WHERE site_id = ${siteId} AND left_source = ${sourceId}`);
  await db.run(sql`DELETE FROM source_groups ${ofSource}`);
  await db.run(sql`DELETE FROM source_collections ${ofSource}`);
  await db.run(sql`DELETE FROM sources WHERE site_id = ${siteId} AND id = ${sourceId}`);
}
