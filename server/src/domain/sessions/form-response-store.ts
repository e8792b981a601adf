import sql from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { firstValue } from '../../storage/sql/results.ts';

export interface FormResponse {
  readonly formHash: string;
  /** Null if the form did not log in. */
  readonly sessionId: string | null;
  /** Encrypted. */
  readonly response: string;
}

export async function saveResponse(
  { db, siteId, now }: SiteView<Transaction>,
  { formHash, sessionId, response }: FormResponse,
): Promise<void> {
  await db.run(sql`
    INSERT INTO form_responses (site_id, form_hash, session_id, reply, created_at)
    VALUES (${siteId}, ${formHash}, ${sessionId}, ${response}, ${now})
    ON CONFLICT (site_id, form_hash) DO UPDATE
    SET session_id = excluded.session_id, reply = excluded.reply, created_at = excluded.created_at`);
}

/** The response to a form that was sent between two times, while its session is valid, if it has one. */
export function selectResponse(
  { db, siteId }: SiteData,
  formHash: string,
  { from, to, now }: { readonly from: Timestamp; readonly to: Timestamp; readonly now: Timestamp },
): Promise<string | undefined> {
  return firstValue(
    db,
    sql`SELECT r.reply FROM form_responses r
    LEFT JOIN sessions s ON s.site_id = ${siteId} AND s.id = r.session_id AND s.expires_at > ${now}
    WHERE r.site_id = ${siteId} AND r.form_hash = ${formHash} AND r.created_at BETWEEN ${from} AND ${to}
      AND (r.session_id IS NULL OR s.id IS NOT NULL)`,
  );
}
