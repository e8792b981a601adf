import sql, { empty } from 'sql-template-tag';
import type { Queries, Transaction } from '../../../storage/database.ts';
import { forUpdate } from '../../../storage/sql/row-lock.ts';
import type { SourceRow, StoredSource } from './source.ts';

const columns = sql`
  id, name, type, enabled, settings, secret, interval_minutes, max_removed_people, max_removed_percent, grace_days,
  on_leave, created_at, updated_at`;

export async function insertSource(tx: Transaction, siteId: string, source: StoredSource): Promise<void> {
  await tx.run(sql`
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

export function selectSource(db: Queries, siteId: string, sourceId: string): Promise<SourceRow | undefined> {
  return db.get<SourceRow>(
    sql`SELECT ${columns} FROM sources WHERE site_id = ${siteId} AND id = ${sourceId}`,
  );
}

export function selectSourceByName(
  db: Queries,
  siteId: string,
  name: string,
): Promise<SourceRow | undefined> {
  return db.get<SourceRow>(sql`SELECT ${columns} FROM sources WHERE site_id = ${siteId} AND name = ${name}`);
}

/** Locks a source until the transaction ends. */
export function lockSourceRow(
  tx: Transaction,
  siteId: string,
  sourceId: string,
): Promise<SourceRow | undefined> {
  return tx.get<SourceRow>(
    sql`SELECT ${columns} FROM sources WHERE site_id = ${siteId} AND id = ${sourceId} ${forUpdate(tx)}`,
  );
}

/** A page of sources, newest first. */
export function selectSources(
  db: Queries,
  siteId: string,
  after: string | undefined,
  limit: number,
): Promise<SourceRow[]> {
  return db.all<SourceRow>(sql`
    SELECT ${columns} FROM sources
    WHERE site_id = ${siteId} ${after === undefined ? empty : sql`AND id < ${after}`}
    ORDER BY id DESC LIMIT ${limit}`);
}

export async function updateSourceRow(tx: Transaction, siteId: string, source: StoredSource): Promise<void> {
  await tx.run(sql`
    UPDATE sources
    SET name = ${source.name}, enabled = ${source.enabled}, settings = ${settingsOf(source)},
        secret = ${source.secret}, interval_minutes = ${source.intervalMinutes}, max_removed_people = ${source.maxRemovedPeople}, max_removed_percent = ${source.maxRemovedPercent},
        grace_days = ${source.graceDays}, on_leave = ${source.onLeave}, updated_at = ${source.updatedAt}
    WHERE site_id = ${siteId} AND id = ${source.id}`);
}

/** Deletes a source with what belongs to it, except its groups and the many rows that `purgeDeletedSources` deletes. */
export async function deleteSourceRows(tx: Transaction, siteId: string, sourceId: string): Promise<void> {
  const ofSource = sql`WHERE site_id = ${siteId} AND source_id = ${sourceId}`;
  await tx.run(sql`DELETE FROM source_runs ${ofSource}`);
  await tx.run(sql`
    UPDATE source_members SET left_source = NULL, left_collection = NULL
    WHERE site_id = ${siteId} AND left_source = ${sourceId}`);
  await tx.run(sql`DELETE FROM source_groups ${ofSource}`);
  await tx.run(sql`DELETE FROM source_collections ${ofSource}`);
  await tx.run(sql`DELETE FROM sources WHERE site_id = ${siteId} AND id = ${sourceId}`);
}
