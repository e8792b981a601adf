import { millisecondsPerDay, type Timestamp, timestampBefore } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { Change } from '../events/change.ts';
import { generateToken, hashToken } from '../sessions/token.ts';
import {
  isSignedBy,
  type KnownBrowserRow,
  knownBrowserDays,
  maxBrowsersOfMember,
  maxMembersOfBrowser,
  readBrowserCookie,
  signBrowserToken,
} from './known-browser.ts';
import {
  deleteBrowsersOfMembers,
  deleteBrowsersUnusedSince,
  deleteEveryKnownBrowser,
  deleteKnownBrowsers,
  deleteSurplusBrowsers,
  insertKnownBrowser,
  insertSigningKey,
  lockBrowser,
  markBrowserUsed,
  renewToken,
  selectBrowsersUnusedSince,
  selectHashesOfBrowsers,
  selectMembersOfBrowser,
  selectSigningKey,
} from './known-browser-store.ts';

/** A browser in which members of a site have logged in. */
export interface KnownBrowser {
  /** The key by which all its login requests are counted, for any member. */
  readonly key: string;
  /** By the email address of each member: the id by which that member's login requests in this browser are counted. */
  readonly idByEmail: ReadonlyMap<string, string>;
}

/** Finds the browser with a device cookie; undefined when the cookie is not from this site, or is no longer valid. */
export async function findKnownBrowser(
  db: Queries,
  siteId: string,
  cookie: string | undefined,
  now: Timestamp,
): Promise<KnownBrowser | undefined> {
  const tokenHash = await verifyCookie(db, siteId, cookie);
  if (tokenHash === undefined) return undefined;
  const members = await selectMembersOfBrowser(db, siteId, tokenHash, oldestLogin(now));
  if (members.length === 0) return undefined;
  return { key: tokenHash, idByEmail: new Map(members.map(({ id, email }) => [email, id])) };
}

/** Which of these hashes are those of the tokens of known browsers. */
export function findBrowsersByHash(
  db: Queries,
  siteId: string,
  hashes: readonly string[],
  now: Timestamp,
): Promise<string[]> {
  return selectHashesOfBrowsers(db, siteId, hashes, oldestLogin(now));
}

/**
 * Makes the browser known for a member who logs in with it and whose row is locked. Returns its new device cookie, and
 * whether the member had not logged in with it before.
 * Each login replaces the token, so that a copied cookie, or one planted by someone else, becomes useless.
 */
export async function recordKnownBrowser(
  { tx, siteId, at }: Change,
  memberId: string,
  cookie: string | null,
): Promise<{ deviceCookie: string; isNew: boolean }> {
  const signingKey = await requireSigningKey(tx, siteId);
  const known = await verifyCookie(tx, siteId, cookie);
  const rows = known === undefined ? [] : await lockBrowser(tx, siteId, known);
  const own = rows.find(({ member_id }) => member_id === memberId);
  const others = rows.filter((row) => row !== own);
  const token = generateToken();
  const tokenHash = hashToken(token);

  const surplus = others.slice(maxMembersOfBrowser - 1);
  if (surplus.length > 0) await deleteKnownBrowsers(tx, siteId, idsOf(surplus));
  const remaining = [...others.slice(0, maxMembersOfBrowser - 1), ...(own ? [own] : [])];
  if (remaining.length > 0) await renewToken(tx, siteId, idsOf(remaining), tokenHash);
  if (own) {
    await markBrowserUsed(tx, siteId, own.id, at);
  } else {
    const row = { id: newId(), member_id: memberId, token_hash: tokenHash, last_login_at: at };
    await insertKnownBrowser(tx, siteId, row);
    await deleteSurplusBrowsers(tx, siteId, memberId, maxBrowsersOfMember);
  }
  return { deviceCookie: signBrowserToken(siteId, signingKey, token), isNew: own === undefined };
}

/** The hash of the token in a device cookie, if the site signed it. */
async function verifyCookie(
  db: Queries,
  siteId: string,
  cookie: string | null | undefined,
): Promise<string | undefined> {
  const parts = readBrowserCookie(cookie);
  if (!parts) return undefined;
  const signingKey = await selectSigningKey(db, siteId);
  if (signingKey === undefined || !isSignedBy(siteId, signingKey, parts)) return undefined;
  return hashToken(parts.token);
}

/** Removes all known browsers of members, except the one with this cookie. Returns their number. */
export async function removeMembersFromBrowsers(
  { tx, siteId }: Change,
  memberIds: readonly string[],
  exceptCookie: string | null,
): Promise<number> {
  const except = await verifyCookie(tx, siteId, exceptCookie);
  return deleteBrowsersOfMembers(tx, siteId, memberIds, except ?? null);
}

export function deleteAllKnownBrowsers({ tx, siteId }: Change): Promise<void> {
  return deleteEveryKnownBrowser(tx, siteId);
}

/** A few browsers that are no longer known, over all sites. */
export function findExpiredBrowsers(db: Queries, now: Timestamp, limit: number) {
  return selectBrowsersUnusedSince(db, oldestLogin(now), limit);
}

/** Deletes browsers, unless a member has logged in with them since they were found. */
export function purgeKnownBrowsers(
  { tx, siteId, at }: Change,
  rows: readonly { readonly id: string }[],
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  return deleteBrowsersUnusedSince(tx, siteId, ids, oldestLogin(at));
}

function oldestLogin(now: Timestamp): Timestamp {
  return timestampBefore(now, knownBrowserDays * millisecondsPerDay);
}

/** When many members log in at the same time for the first time on a site, all use the same new key. */
async function requireSigningKey(tx: Transaction, siteId: string): Promise<string> {
  const known = await selectSigningKey(tx, siteId);
  if (known !== undefined) return known;
  await insertSigningKey(tx, siteId, generateToken());
  return (await selectSigningKey(tx, siteId))!;
}

function idsOf(rows: readonly KnownBrowserRow[]): string[] {
  return rows.map(({ id }) => id);
}
