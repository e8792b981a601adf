import sql from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { expiryOf } from '../../storage/sql/expiring-rows.ts';
import { allValues } from '../../storage/sql/results.ts';
import type { EnteredPageCode } from './page-code.ts';

/** A browser in which a page code was entered, at one host. */
export interface PagePass {
  readonly tokenHash: string;
  readonly domain: string;
}

/** The codes of a pass that are valid, in one statement because the gate waits for it. */
export function selectEnteredCodes(
  { db, siteId, now }: SiteView,
  { tokenHash, domain }: PagePass,
): Promise<EnteredPageCode[]> {
  return db.all(sql`
    SELECT c.id, c.label FROM page_passes p
    JOIN page_codes c ON c.site_id = ${siteId} AND c.id = p.page_code_id
    WHERE p.site_id = ${siteId} AND p.token_hash = ${tokenHash} AND p.domain || '' = ${domain}
      AND p.expires_at > ${now} AND (c.expires_at IS NULL OR c.expires_at > ${now})
    ORDER BY c.id`);
}

/** Gives the codes of a pass to one with another token, which may have some of them. Returns when the others end there. */
export function moveCodes(
  { db, siteId, now }: SiteView<Transaction>,
  { tokenHash, domain }: PagePass,
  toHash: string,
): Promise<Timestamp[]> {
  return allValues(
    db,
    sql`UPDATE page_passes SET token_hash = ${toHash}
      WHERE site_id = ${siteId} AND token_hash = ${tokenHash} AND domain || '' = ${domain} AND expires_at > ${now}
        AND page_code_id NOT IN (
          SELECT page_code_id FROM page_passes WHERE site_id = ${siteId} AND token_hash = ${toHash})
      RETURNING expires_at`,
  );
}

/** Adds a code to a pass, or prolongs it there. */
export async function savePass(
  { db, siteId, now }: SiteView<Transaction>,
  { tokenHash, domain }: PagePass,
  pageCodeId: string,
  expiresAt: Timestamp,
): Promise<void> {
  await db.run(sql`
    INSERT INTO page_passes (site_id, token_hash, page_code_id, domain, created_at, expires_at)
    VALUES (${siteId}, ${tokenHash}, ${pageCodeId}, ${domain}, ${now}, ${expiresAt})
    ON CONFLICT (site_id, token_hash, page_code_id) DO UPDATE SET expires_at = excluded.expires_at`);
}

/** Ends access by a code for everyone who has entered it. */
export async function deletePassesOfCode(
  { db, siteId }: SiteData<Transaction>,
  pageCodeId: string,
): Promise<void> {
  await db.run(sql`DELETE FROM page_passes WHERE site_id = ${siteId} AND page_code_id = ${pageCodeId}`);
}

export async function deletePassRows(
  { db, siteId }: SiteData<Transaction>,
  { tokenHash, domain }: PagePass,
): Promise<void> {
  await db.run(sql`
    DELETE FROM page_passes
    WHERE site_id = ${siteId} AND token_hash = ${tokenHash} AND domain || '' = ${domain}`);
}

/** Passes that have expired, and their deletion. */
export const { find: findExpiredPasses, purge: purgePasses } = expiryOf({
  table: 'page_passes',
  time: 'expires_at',
  key: 'token_hash',
});
