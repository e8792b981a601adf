import type { CollectionColumns } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import type { Transaction } from '../../../storage/database.ts';
import type { SiteData, SiteView } from '../../../storage/site-view.ts';
import { jsonColumn, TableColumns } from '../../../storage/sql/columns.ts';
import { valueList } from '../../../storage/sql/value-list.ts';
import type { SourceCollection } from './collection.ts';

/** A collection as it is stored: with an object without columns where it has none. */
type CollectionRow = SourceCollection & { readonly columns: Partial<CollectionColumns> };

const columns = new TableColumns<CollectionRow>('source_collections', {
  key: 'key',
  name: 'name',
  columns: jsonColumn('columns'),
  token: 'token',
  removedAt: 'removed_at',
  missingSince: 'missing_since',
});

function toCollection(row: CollectionRow): SourceCollection {
  return row.columns.email === undefined ? { ...row, columns: null } : row;
}

export async function selectCollections(view: SiteData, sourceId: string): Promise<SourceCollection[]> {
  const rows = await columns.find(view, sql`AND source_id = ${sourceId} ORDER BY key`);
  return rows.map(toCollection);
}

export async function selectCollection(
  view: SiteData,
  sourceId: string,
  key: string,
): Promise<SourceCollection | undefined> {
  const row = await columns.first(view, sql`AND source_id = ${sourceId} AND key = ${key}`);
  return row && toCollection(row);
}

function columnsText(columns: SourceCollection['columns']): string {
  return JSON.stringify(columns ?? {});
}

/** Adds a collection, or chooses one again. A version that was read with other columns is forgotten. */
export async function upsertCollection(
  { db, siteId }: SiteData<Transaction>,
  sourceId: string,
  { key, name, columns }: Pick<SourceCollection, 'key' | 'name' | 'columns'>,
): Promise<void> {
  await db.run(sql`
    INSERT INTO source_collections (site_id, source_id, key, name, columns)
    VALUES (${siteId}, ${sourceId}, ${key}, ${name}, ${columnsText(columns)})
    ON CONFLICT (site_id, source_id, key) DO UPDATE
    SET removed_at = NULL, columns = excluded.columns,
        token = CASE WHEN source_collections.columns = excluded.columns THEN source_collections.token END`);
}

/** Collections that are no longer chosen. */
export async function removeCollections(
  { db, siteId, now }: SiteView<Transaction>,
  sourceId: string,
  keys: readonly string[],
): Promise<void> {
  await db.run(sql`
    UPDATE source_collections SET removed_at = ${now}
    WHERE site_id = ${siteId} AND source_id = ${sourceId} AND key IN ${valueList(keys)} AND removed_at IS NULL`);
}

/**
 * Stores what the last synchronization found out about a collection. A version that was read with other columns than the
 * present ones is not remembered.
 */
export async function updateCollection(
  { db, siteId }: SiteData<Transaction>,
  sourceId: string,
  { key, name, columns, token, missingSince }: SourceCollection,
): Promise<void> {
  await db.run(sql`
    UPDATE source_collections
    SET name = ${name}, missing_since = ${missingSince},
        token = CASE WHEN columns = ${columnsText(columns)} THEN ${token} END
    WHERE site_id = ${siteId} AND source_id = ${sourceId} AND key = ${key}`);
}

/** Deletes a collection that is no longer chosen. */
export async function deleteCollectionRow(
  { db, siteId }: SiteData<Transaction>,
  sourceId: string,
  key: string,
): Promise<void> {
  await db.run(sql`
    DELETE FROM source_collections
    WHERE site_id = ${siteId} AND source_id = ${sourceId} AND key = ${key} AND removed_at IS NOT NULL`);
}
