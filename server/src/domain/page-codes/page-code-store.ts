import sql from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { Columns, TableColumns } from '../../storage/sql/columns.ts';
import { countOf, hasRow } from '../../storage/sql/results.ts';
import { forUpdate } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { PageCodeSettings, StoredPageCode } from './page-code.ts';

const pageCodes = new TableColumns<StoredPageCode>('page_codes', {
  id: 'id',
  label: 'label',
  type: 'type',
  codeHash: 'code_hash',
  sealedCode: 'sealed_code',
  expiresAt: 'expires_at',
  maxUses: 'max_uses',
  usedCount: 'used_count',
  lastUsedAt: 'last_used_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

const settings = new Columns<PageCodeSettings>({ salt: 'salt', pausedUntil: 'paused_until' });

/** Undefined for a site that never had a page code. */
export function selectSettings({ db, siteId }: SiteData): Promise<PageCodeSettings | undefined> {
  return settings.get(db, sql`SELECT ${settings.list} FROM page_code_settings WHERE site_id = ${siteId}`);
}

/**
 * Locks the settings of a site until the transaction ends, so that its codes can be counted.
 * @param salt for a site that has none yet
 */
export async function lockSettings(
  { db, siteId }: SiteData<Transaction>,
  salt: string,
): Promise<PageCodeSettings> {
  const locked = await settings.get(
    db,
    sql`INSERT INTO page_code_settings (site_id, salt) VALUES (${siteId}, ${salt})
      ON CONFLICT (site_id) DO UPDATE SET salt = page_code_settings.salt RETURNING ${settings.list}`,
  );
  return locked!;
}

/** The same for a site with page codes; undefined for one that never had any. */
export function lockExistingSettings({
  db,
  siteId,
}: SiteData<Transaction>): Promise<PageCodeSettings | undefined> {
  return settings.get(
    db,
    sql`SELECT ${settings.list} FROM page_code_settings WHERE site_id = ${siteId} ${forUpdate(db)}`,
  );
}

export async function savePause(
  { db, siteId }: SiteData<Transaction>,
  pausedUntil: Timestamp,
): Promise<void> {
  await db.run(sql`UPDATE page_code_settings SET paused_until = ${pausedUntil} WHERE site_id = ${siteId}`);
}

/** Whether a pause has an effect. */
export function hasChosenCode({ db, siteId, now }: SiteView): Promise<boolean> {
  return hasRow(
    db,
    sql`SELECT 1 FROM page_codes
      WHERE site_id = ${siteId} AND type = 'chosen' AND (expires_at IS NULL OR expires_at > ${now}) LIMIT 1`,
  );
}

export async function insertPageCode(view: SiteData<Transaction>, code: StoredPageCode): Promise<void> {
  await pageCodes.insert(view, [code]);
}

export function selectPageCode(view: SiteData, pageCodeId: string): Promise<StoredPageCode | undefined> {
  return pageCodes.first(view, sql`AND id = ${pageCodeId}`);
}

/** Locks a page code until the transaction ends. */
export function lockPageCodeRow(
  view: SiteData<Transaction>,
  pageCodeId: string,
): Promise<StoredPageCode | undefined> {
  return pageCodes.first(view, sql`AND id = ${pageCodeId} ${forUpdate(view.db)}`);
}

/** A page of page codes, newest first. */
export function selectPageCodes(
  view: SiteData,
  after: string | undefined,
  limit: number,
): Promise<StoredPageCode[]> {
  return pageCodes.page(view, after, limit);
}

/** @param pageCodeIds each one once */
export function countPageCodesOf({ db, siteId }: SiteData, pageCodeIds: readonly string[]): Promise<number> {
  return countOf(
    db,
    sql`SELECT count(*) AS count FROM page_codes WHERE site_id = ${siteId} AND id IN ${valueList(pageCodeIds)}`,
  );
}

export function countPageCodes({ db, siteId }: SiteData): Promise<number> {
  return countOf(db, sql`SELECT count(*) AS count FROM page_codes WHERE site_id = ${siteId}`);
}

export async function updatePageCodeRow(
  { db, siteId }: SiteData<Transaction>,
  code: StoredPageCode,
): Promise<void> {
  await db.run(sql`
    UPDATE page_codes SET ${pageCodes.assignments(code, ['id', 'createdAt'])}
    WHERE site_id = ${siteId} AND id = ${code.id}`);
}

export async function deletePageCodeRow(
  { db, siteId }: SiteData<Transaction>,
  pageCodeId: string,
): Promise<void> {
  await db.run(sql`DELETE FROM page_codes WHERE site_id = ${siteId} AND id = ${pageCodeId}`);
}

export function selectPageCodeByHash(view: SiteData, codeHash: string): Promise<StoredPageCode | undefined> {
  return pageCodes.first(view, sql`AND code_hash = ${codeHash}`);
}

/** The code with a hash, locked until the transaction ends: it is neither replaced nor deleted meanwhile. */
export function lockPageCodeByHash(
  view: SiteData<Transaction>,
  codeHash: string,
): Promise<StoredPageCode | undefined> {
  return pageCodes.first(view, sql`AND code_hash = ${codeHash} ${forUpdate(view.db)}`);
}

/** Takes one use of a code. Undefined if it has none left. */
export function takeUse(
  { db, siteId, now }: SiteView<Transaction>,
  pageCodeId: string,
): Promise<StoredPageCode | undefined> {
  return pageCodes.get(
    db,
    sql`UPDATE page_codes SET used_count = used_count + 1, last_used_at = ${now}
      WHERE site_id = ${siteId} AND id = ${pageCodeId} AND (max_uses IS NULL OR used_count < max_uses)
      RETURNING ${pageCodes.list}`,
  );
}
