import type {
  CreatePageCode,
  PageCode,
  PageCodeType,
  ReplacePageCode,
  UpdatePageCode,
} from '@gatehouse/contract';
import { maxPageCodes, minChosenCodeLength } from '@gatehouse/contract/limits';
import { ApiError, invalidRequest, type Precondition, requireTimestamp } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';
import type { SecretBox } from '../../base/encryption/secret-box.ts';
import { newId, timeOfId } from '../../base/ids.ts';
import { type Page, type PageQuery, toPage } from '../../base/page.ts';
import { checkName } from '../../base/text/text.ts';
import type { Transaction } from '../../storage/database.ts';
import { isUniqueViolation } from '../../storage/errors.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { inBatches } from '../../storage/sql/batches.ts';
import { sealedTextsOf } from '../../storage/sql/sealed-columns.ts';
import { addTombstones, findTombstone } from '../cursors/cursor-tombstones.ts';
import type { Change } from '../events/change.ts';
import { changesBetween } from '../events/event.ts';
import { findSite } from '../sites/sites.ts';
import { hashCode, newSalt } from './code-hash.ts';
import { findWeakness, generateCode, type KnownNames, readTypedCode } from './code-text.ts';
import {
  pageCodeNotFound,
  pageCodeTaken,
  placeOfPageCode,
  type ShownAs,
  type StoredPageCode,
  showPageCode,
} from './page-code.ts';
import {
  countPageCodes,
  countPageCodesOf,
  deletePageCodeRow,
  insertPageCode,
  lockPageCodeRow,
  lockSettings,
  selectPageCode,
  selectPageCodes,
  selectSettings,
  updatePageCodeRow,
} from './page-code-store.ts';
import { deletePassesOfCode } from './page-pass-store.ts';

const listName = 'page-codes';

/** The codes that were generated. */
export const pageCodeSecrets = sealedTextsOf({
  table: 'page_codes',
  places: { sealed_code: placeOfPageCode },
  name: "'page code ' || label",
});

/** A code with its hash, which takes too long to be made in a transaction. */
export interface HashedCode {
  readonly type: PageCodeType;
  /** As it is shown, if it is. */
  readonly code: string;
  readonly salt: string;
  readonly codeHash: string;
}

/**
 * Generates a code, or checks a chosen one, and hashes it.
 * @param names from which it could be guessed, beside those of the site
 * @throws {ApiError} `invalid_request`
 */
export async function prepareCode(
  view: SiteData,
  { type, code }: ReplacePageCode,
  names: KnownNames,
): Promise<HashedCode> {
  const chosenType = type ?? (code === undefined ? 'words' : 'chosen');
  if (chosenType === 'chosen') {
    if (code === undefined)
      throw invalidRequest('/code', 'Add the code that you have chosen, or choose another type.');
    await requireStrength(view, code, names);
    return hashed(view, chosenType, code);
  }
  if (code !== undefined) throw invalidRequest('/code', 'Leave out the code, or set "type" to "chosen".');
  return hashed(view, chosenType, generateCode(chosenType));
}

async function hashed(view: SiteData, type: PageCodeType, code: string): Promise<HashedCode> {
  const salt = (await selectSettings(view))?.salt ?? newSalt();
  return { type, code, salt, codeHash: await hashCode(readTypedCode(code)!, salt) };
}

async function requireStrength(view: SiteData, code: string, names: KnownNames): Promise<void> {
  const read = readTypedCode(code);
  if (read === undefined) {
    throw invalidRequest(
      '/code',
      `A code needs at least ${minChosenCodeLength} letters and digits. Others do not count.`,
    );
  }
  const { title, slug, hosts } = await findSite(view);
  const domains = hosts.flatMap(({ domain }) => [domain, ...domain.split('.').slice(0, -1)]);
  const weakness = findWeakness(read, [...names, title, slug, ...domains]);
  if (weakness === undefined) return;
  throw invalidRequest(
    '/code',
    `Choose another code: ${weakness}. Some words that do not belong together are good.`,
  );
}

/** What is needed to store a page code. */
export interface NewPageCode {
  readonly input: Pick<CreatePageCode, 'label' | 'maxUses'>;
  /** Null for no end. */
  readonly expiresAt: Timestamp | null;
  readonly hashed: HashedCode;
}

/** @throws {ApiError} `invalid_request`, `page_code_taken`, `too_many_page_codes` */
export async function createPageCode(
  change: Change,
  { input, expiresAt, hashed }: NewPageCode,
  secrets: SecretBox,
): Promise<PageCode> {
  const { siteId } = change;
  const { pausedUntil, codeHash } = await lockedFor(change, hashed);
  if ((await countPageCodes(change)) >= maxPageCodes) {
    throw new ApiError(
      'too_many_page_codes',
      `The site has ${maxPageCodes} page codes, which is the maximum. Delete one that is no longer used.`,
    );
  }
  const id = newId();
  const createdAt = timeOfId(id);
  const code: StoredPageCode = {
    id,
    label: checkLabel(input.label),
    ...storedForm(siteId, id, hashed, secrets),
    codeHash,
    expiresAt,
    maxUses: input.maxUses ?? null,
    usedCount: 0,
    lastUsedAt: null,
    createdAt,
    updatedAt: createdAt,
  };
  await insertPageCode(change, code).catch(rejectTakenCode);
  change.record({ type: 'page-code.created', data: { pageCodeId: id, label: code.label } });
  return showPageCode(code, { siteId, now: change.now, pausedUntil, secrets });
}

/** The settings of the site, locked, and the hash with its salt: another first code may have brought another one. */
async function lockedFor(change: Change, { code, salt, codeHash }: HashedCode) {
  const settings = await lockSettings(change, salt);
  if (settings.salt === salt) return { ...settings, codeHash };
  return { ...settings, codeHash: await hashCode(readTypedCode(code)!, settings.salt) };
}

function storedForm(siteId: string, id: string, { type, code }: HashedCode, secrets: SecretBox) {
  const sealedCode = type === 'chosen' ? null : secrets.seal(code, placeOfPageCode(siteId, id));
  return { type, sealedCode };
}

/** @param secrets opens the codes; undefined for a caller who must not see them @throws {ApiError} `page_code_not_found` */
export async function findPageCode(
  view: SiteView,
  pageCodeId: string,
  secrets: SecretBox | undefined,
): Promise<PageCode> {
  return showPageCode(await findStoredPageCode(view, pageCodeId), await shownAs(view, secrets));
}

/** @throws {ApiError} `page_code_not_found` */
export async function findStoredPageCode(view: SiteData, pageCodeId: string): Promise<StoredPageCode> {
  const code = await selectPageCode(view, pageCodeId);
  if (!code) throw pageCodeNotFound();
  return code;
}

async function shownAs(view: SiteView, secrets: SecretBox | undefined): Promise<ShownAs> {
  const { siteId, now } = view;
  return { siteId, now, pausedUntil: (await selectSettings(view))?.pausedUntil ?? null, secrets };
}

/** Lists the page codes of a site, newest first. @throws {ApiError} `invalid_cursor` */
export async function listPageCodes(
  view: SiteView,
  { after, limit }: PageQuery,
  secrets: SecretBox | undefined,
): Promise<Page<PageCode>> {
  if (after !== undefined && !(await selectPageCode(view, after))) await findTombstone(view, listName, after);
  const rows = await selectPageCodes(view, after, limit + 1);
  const shown = await shownAs(view, secrets);
  return toPage(rows, limit, (code) => showPageCode(code, shown));
}

/** Rejects what the caller may not do. @throws {ApiError} `permission_denied` */
export type CheckEnd = (expiresAt: Timestamp | null) => void;

/** @throws {ApiError} `page_code_not_found`, `invalid_request`, `permission_denied` */
export async function updatePageCode(
  change: Change,
  pageCodeId: string,
  input: UpdatePageCode,
  { secrets, checkEnd, requireMatch }: ChangeParts,
): Promise<PageCode> {
  const before = await lockPageCode(change, pageCodeId);
  const shown = await shownAs(change, secrets);
  requireMatch(showPageCode(before, shown));
  const after: StoredPageCode = {
    ...before,
    label: input.label === undefined ? before.label : checkLabel(input.label),
    expiresAt: input.expiresAt === undefined ? before.expiresAt : checkExpiry(input.expiresAt, change.now),
    maxUses: input.maxUses === undefined ? before.maxUses : input.maxUses,
    updatedAt: change.now,
  };
  const changes = changesBetween(eventValues(before), eventValues(after), ['label', 'expiresAt', 'maxUses']);
  if (changes.length === 0) return showPageCode(before, shown);
  // A code that was over works again, as one that was created.
  if (changes.some(({ field }) => field !== 'label')) checkEnd(after.expiresAt);
  await updatePageCodeRow(change, after);
  change.record({ type: 'page-code.updated', data: { pageCodeId, changes } });
  return showPageCode(after, shown);
}

function eventValues({ label, expiresAt, maxUses }: StoredPageCode) {
  return { label, expiresAt, maxUses: maxUses === null ? null : String(maxUses) };
}

/** What a change of a page code needs. */
export interface ChangeParts {
  readonly secrets: SecretBox;
  readonly checkEnd: CheckEnd;
  readonly requireMatch: Precondition<PageCode>;
}

/** Replaces the code. Access by the former one ends. @throws {ApiError} `page_code_not_found`, `page_code_taken`, `permission_denied` */
export async function replacePageCode(
  change: Change,
  pageCodeId: string,
  hashed: HashedCode,
  { secrets, checkEnd }: Omit<ChangeParts, 'requireMatch'>,
): Promise<PageCode> {
  const { siteId, now } = change;
  const { pausedUntil, codeHash } = await lockedFor(change, hashed);
  const before = await lockPageCode(change, pageCodeId);
  checkEnd(before.expiresAt);
  const after: StoredPageCode = {
    ...before,
    ...storedForm(siteId, pageCodeId, hashed, secrets),
    codeHash,
    usedCount: 0,
    lastUsedAt: null,
    updatedAt: now,
  };
  await updatePageCodeRow(change, after).catch(rejectTakenCode);
  await deletePassesOfCode(change, pageCodeId);
  const changes = [{ field: 'code', from: null, to: null }, ...changesBetween(before, after, ['type'])];
  change.record({ type: 'page-code.updated', data: { pageCodeId, changes } });
  return showPageCode(after, { siteId, now, pausedUntil, secrets });
}

/** Revokes a page code. Access by it ends. @throws {ApiError} `page_code_not_found` */
export async function deletePageCode(
  change: Change,
  pageCodeId: string,
  secrets: SecretBox,
  requireMatch: Precondition<PageCode>,
): Promise<void> {
  const code = await lockPageCode(change, pageCodeId);
  requireMatch(showPageCode(code, await shownAs(change, secrets)));
  await deletePassesOfCode(change, pageCodeId);
  await deletePageCodeRow(change, pageCodeId);
  await addTombstones(change, [{ list: listName, id: pageCodeId }]);
  change.record({ type: 'page-code.revoked', data: { pageCodeId, label: code.label } });
}

/** @param pageCodeIds each one once @throws {ApiError} `page_code_not_found` unless all of them exist */
export async function requirePageCodes(view: SiteData, pageCodeIds: readonly string[]): Promise<void> {
  const counts = await inBatches(pageCodeIds, async (ids) => [await countPageCodesOf(view, ids)]);
  if (counts.reduce((sum, count) => sum + count, 0) < pageCodeIds.length) throw pageCodeNotFound();
}

/** The end of a code, checked. @throws {ApiError} `invalid_request` */
export function checkExpiry(text: string | null, now: Timestamp): Timestamp | null {
  if (text === null) return null;
  const expiresAt = requireTimestamp('/expiresAt', text);
  if (expiresAt <= now) throw invalidRequest('/expiresAt', 'expiresAt must be in the future.');
  return expiresAt;
}

async function lockPageCode(view: SiteData<Transaction>, pageCodeId: string): Promise<StoredPageCode> {
  const code = await lockPageCodeRow(view, pageCodeId);
  if (!code) throw pageCodeNotFound();
  return code;
}

function checkLabel(text: string): string {
  return checkName('label', text.trim().normalize('NFC'));
}

function rejectTakenCode(error: unknown): never {
  throw isUniqueViolation(error, 'page_codes_code_hash') ? pageCodeTaken() : error;
}
