import sql from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { valueList } from '../../storage/sql/value-list.ts';

export interface FormResponseRow {
  readonly form_hash: string;
  readonly session_id: string;
  /** Encrypted. */
  readonly response: string;
  readonly created_at: Timestamp;
}

export async function saveResponse(
  { db, siteId }: SiteData<Transaction>,
  row: FormResponseRow,
): Promise<void> {
  await db.run(sql`
    INSERT INTO form_responses (site_id, form_hash, session_id, reply, created_at)
    VALUES (${siteId}, ${row.form_hash}, ${row.session_id}, ${row.response}, ${row.created_at})
    ON CONFLICT (site_id, form_hash) DO UPDATE
    SET session_id = excluded.session_id, reply = excluded.reply, created_at = excluded.created_at`);
}

/** The response to a form that was sent between two times, while its session is valid. */
export async function selectResponse(
  { db, siteId }: SiteData,
  formHash: string,
  { from, to, now }: { readonly from: Timestamp; readonly to: Timestamp; readonly now: Timestamp },
): Promise<string | undefined> {
  const row = await db.get<{ reply: string }>(sql`
    SELECT r.reply FROM form_responses r
    JOIN sessions s ON s.site_id = ${siteId} AND s.id = r.session_id AND s.expires_at > ${now}
    WHERE r.site_id = ${siteId} AND r.form_hash = ${formHash} AND r.created_at BETWEEN ${from} AND ${to}`);
  return row?.reply;
}

/** A few responses from before a time, over all sites. */
export function selectOldResponses(
  db: Queries,
  end: Timestamp,
  limit: number,
): Promise<{ site_id: string; form_hash: string }[]> {
  return db.all(sql`
    SELECT site_id, form_hash FROM form_responses WHERE created_at <= ${end} ORDER BY created_at LIMIT ${limit}`);
}

export async function deleteOldResponses(
  { db, siteId }: SiteData<Transaction>,
  formHashes: readonly string[],
  end: Timestamp,
): Promise<void> {
  await db.run(sql`
    DELETE FROM form_responses
    WHERE site_id = ${siteId} AND form_hash IN ${valueList(formHashes)} AND created_at <= ${end}`);
}
