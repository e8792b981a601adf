import sql, { empty } from 'sql-template-tag';
import type { Transaction } from '../../../storage/database.ts';
import type { SiteData } from '../../../storage/site-view.ts';
import { forUpdate } from '../../../storage/sql/row-lock.ts';
import type { SourceRow, StoredSource } from './source.ts';

const columns = sql`
  id, name, type, enabled, settings, secret, interval_minutes, max_removed_people, max_removed_percent, grace_days,
  on_leave, created_at, updated_at`;

export async function insertSource(
  { db, siteId }: SiteData<Transaction>,
  source: StoredSource,
): Promise<void> {
  await db.run(sql`
    INSERT INTO sources
      (site_id, id, name, type, enabled, settings, secret, interval_minutes, max_removed_people, max_removed_percent,
       grace_days, on_leave, created_at, updated_at)
    VALUES (${siteId}, ${source.id}, ${source.name}, ${source.type}, ${source.enabled}, ${settingsOf(source)},
            ${source.secret}, ${source.intervalMinutes}, ${source.maxRemovedPeople}, ${source.maxRemovedPercent},
            ${source.graceDays}, ${source.onLeave}, ${source.createdAt}, ${source.updatedAt})`);
}

function settingsOf({ host, webhookActive, webhookAwaitedUntil }: StoredSource): string {
  return JSON.stringify({ host, webhookActive, webhookAwaitedUntil });
}

export function selectSource({ db, siteId }: SiteData, sourceId: string): Promise<SourceRow | undefined> {
  return db.get<SourceRow>(
    sql`SELECT ${columns} FROM sources WHERE site_id = ${siteId} AND id = ${sourceId}`,
  );
}

export function selectSourceByName({ db, siteId }: SiteData, name: string): Promise<SourceRow | undefined> {
  return db.get<SourceRow>(sql`SELECT ${columns} FROM sources WHERE site_id = ${siteId} AND name = ${name}`);
}

/** Locks a source until the transaction ends. */
export function lockSourceRow(
  { db, siteId }: SiteData<Transaction>,
  sourceId: string,
): Promise<SourceRow | undefined> {
  return db.get<SourceRow>(
    sql`SELECT ${columns} FROM sources WHERE site_id = ${siteId} AND id = ${sourceId} ${forUpdate(db)}`,
  );
}

/** A page of sources, newest first. */
export function selectSources(
  { db, siteId }: SiteData,
  after: string | undefined,
  limit: number,
): Promise<SourceRow[]> {
  return db.all<SourceRow>(sql`
    SELECT ${columns} FROM sources
    WHERE site_id = ${siteId} ${after === undefined ? empty : sql`AND id < ${after}`}
    ORDER BY id DESC LIMIT ${limit}`);
}

export async function updateSourceRow(
  { db, siteId }: SiteData<Transaction>,
  source: StoredSource,
): Promise<void> {
  await db.run(sql`
    UPDATE sources
    SET name = ${source.name}, enabled = ${source.enabled}, settings = ${settingsOf(source)},
        secret = ${source.secret}, interval_minutes = ${source.intervalMinutes}, max_removed_people = ${source.maxRemovedPeople}, max_removed_percent = ${source.maxRemovedPercent},
        grace_days = ${source.graceDays}, on_leave = ${source.onLeave}, updated_at = ${source.updatedAt}
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
