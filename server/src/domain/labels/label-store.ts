import type { Label } from '@gatehouse/contract';
import sql, { empty } from 'sql-template-tag';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';

const columns = sql`id, name, created_at AS "createdAt"`;

export async function insertLabel(
  { db, siteId }: SiteData<Transaction>,
  { id, name, createdAt }: Label,
): Promise<void> {
  await db.run(sql`
    INSERT INTO labels (site_id, id, name, created_at) VALUES (${siteId}, ${id}, ${name}, ${createdAt})`);
}

export function selectLabel({ db, siteId }: SiteData, labelId: string): Promise<Label | undefined> {
  return db.get<Label>(sql`SELECT ${columns} FROM labels WHERE site_id = ${siteId} AND id = ${labelId}`);
}

/** The labels after a label, newest first. */
export function selectLabels(
  { db, siteId }: SiteData,
  after: string | undefined,
  limit: number,
): Promise<Label[]> {
  return db.all<Label>(sql`
    SELECT ${columns} FROM labels
    WHERE site_id = ${siteId} ${after === undefined ? empty : sql`AND id < ${after}`}
    ORDER BY id DESC LIMIT ${limit}`);
}

/** Deletes a label. Returns whether it existed. */
export async function deleteLabelRow(
  { db, siteId }: SiteData<Transaction>,
  labelId: string,
): Promise<boolean> {
  return (await db.run(sql`DELETE FROM labels WHERE site_id = ${siteId} AND id = ${labelId}`)) > 0;
}
