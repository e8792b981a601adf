import { millisecondsPerDay, type Timestamp, timestampBefore } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Queries, Transaction } from '../storage/database.ts';
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
  deleteBrowsersUnusedSince,
  deleteKnownBrowsers,
  deleteSurplusBrowsers,
  insertKnownBrowser,
  insertSigningKey,
  lockBrowser,
  markBrowserUsed,
  renewToken,
  selectMembersOfBrowser,
  selectSigningKey,
} from './known-browser-store.ts';
import { generateToken, hashToken } from './token.ts';

/** A browser that members of a site have logged in with. */
export interface KnownBrowser {
  /** What its requests are counted by, whoever logs in there. */
  readonly key: string;
  /** By the address of each member: what the login requests of that member in this browser are counted by. */
  readonly idByEmail: ReadonlyMap<string, string>;
}

/** The browser that holds a device cookie; undefined where the cookie is none of the site's, or gives nothing any more. */
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

/**
 * Makes the browser known for a member who logs in with it, and whose row is locked. Gives its new device cookie: each
 * login replaces the token, so that a copy of the cookie, or one that somebody else planted, is worth nothing after it.
 */
export async function rememberBrowser(
  tx: Transaction,
  siteId: string,
  memberId: string,
  cookie: string | null,
  at: Timestamp,
): Promise<string> {
  const signingKey = await requireSigningKey(tx, siteId);
  const known = await verifyCookie(tx, siteId, cookie);
  const rows = known === undefined ? [] : await lockBrowser(tx, siteId, known);
  const own = rows.find(({ member_id }) => member_id === memberId);
  const others = rows.filter((row) => row !== own);
  const token = generateToken();
  const tokenHash = hashToken(token);

  const surplus = others.slice(maxMembersOfBrowser - 1);
  if (surplus.length > 0) await deleteKnownBrowsers(tx, siteId, idsOf(surplus));
  const kept = [...others.slice(0, maxMembersOfBrowser - 1), ...(own ? [own] : [])];
  if (kept.length > 0) await renewToken(tx, siteId, idsOf(kept), tokenHash);
  if (own) {
    await markBrowserUsed(tx, siteId, own.id, at);
  } else {
    const row = { id: newId(), member_id: memberId, token_hash: tokenHash, last_login_at: at };
    await insertKnownBrowser(tx, siteId, row);
    await deleteSurplusBrowsers(tx, siteId, memberId, maxBrowsersOfMember);
  }
  return signBrowserToken(siteId, signingKey, token);
}

/** The hash of the token of a device cookie that the site signed. */
export async function verifyCookie(
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

/** Removes a few browsers that are known no longer. Gives how many. */
export function purgeKnownBrowsers(
  tx: Transaction,
  siteId: string,
  now: Timestamp,
  limit: number,
): Promise<number> {
  return deleteBrowsersUnusedSince(tx, siteId, oldestLogin(now), limit);
}

function oldestLogin(now: Timestamp): Timestamp {
  return timestampBefore(now, knownBrowserDays * millisecondsPerDay);
}

/** Of many who log in for the first time on a site at once, all get the key of one. */
async function requireSigningKey(tx: Transaction, siteId: string): Promise<string> {
  const known = await selectSigningKey(tx, siteId);
  if (known !== undefined) return known;
  await insertSigningKey(tx, siteId, generateToken());
  return (await selectSigningKey(tx, siteId))!;
}

function idsOf(rows: readonly KnownBrowserRow[]): string[] {
  return rows.map(({ id }) => id);
}
