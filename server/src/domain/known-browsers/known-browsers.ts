import { millisecondsPerDay, type Timestamp, timestampBefore } from '../../base/clock.ts';
import { idsOf, timeOfId } from '../../base/ids.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import type { Change } from '../events/change.ts';
import { generateToken, hashToken } from '../sessions/token.ts';
import {
  isSignedBy,
  knownBrowserDays,
  maxBrowsersOfMember,
  maxMembersOfBrowser,
  readBrowserCookie,
  signBrowserToken,
} from './known-browser.ts';
import {
  deleteBrowsersOfMembers,
  deleteKnownBrowsers,
  deleteSurplusBrowsers,
  insertKnownBrowser,
  insertSigningKey,
  lockBrowser,
  markBrowserUsed,
  renewToken,
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
  view: SiteView,
  cookie: string | undefined,
): Promise<KnownBrowser | undefined> {
  const tokenHash = await verifyCookie(view, cookie);
  if (tokenHash === undefined) return undefined;
  const members = await selectMembersOfBrowser(view, tokenHash, oldestLogin(view.now));
  if (members.length === 0) return undefined;
  return { key: tokenHash, idByEmail: new Map(members.map(({ id, email }) => [email, id])) };
}

/** Whether the session of a member that began at a time is the first login of the member in a browser. */
export async function isFirstLoginInBrowser(
  view: SiteView,
  cookie: string | undefined,
  email: string,
  sessionStart: Timestamp,
): Promise<boolean> {
  const id = (await findKnownBrowser(view, cookie))?.idByEmail.get(email);
  return id !== undefined && timeOfId(id) >= sessionStart;
}

/** Which of these hashes are those of the tokens of known browsers. */
export function findBrowsersByHash(view: SiteView, hashes: readonly string[]): Promise<string[]> {
  return selectHashesOfBrowsers(view, hashes, oldestLogin(view.now));
}

/**
 * Makes the browser known for a member who logs in with it and whose row is locked. Returns its new device cookie, and
 * whether the member had not logged in with it before.
 * Each login replaces the token, so that a copied cookie, or one planted by someone else, becomes useless.
 */
export async function recordKnownBrowser(
  change: Change,
  memberId: string,
  cookie: string | null,
): Promise<{ deviceCookie: string; isNew: boolean }> {
  const { siteId } = change;
  const signingKey = await requireSigningKey(change);
  const known = await verifyCookie(change, cookie);
  const rows = known === undefined ? [] : await lockBrowser(change, known);
  const own = rows.find((each) => each.memberId === memberId);
  const others = rows.filter((row) => row !== own);
  const token = generateToken();
  const tokenHash = hashToken(token);

  const surplus = others.slice(maxMembersOfBrowser - 1);
  if (surplus.length > 0) await deleteKnownBrowsers(change, idsOf(surplus));
  const remaining = [...others.slice(0, maxMembersOfBrowser - 1), ...(own ? [own] : [])];
  if (remaining.length > 0) await renewToken(change, idsOf(remaining), tokenHash);
  if (own) {
    await markBrowserUsed(change, own.id);
  } else {
    await insertKnownBrowser(change, memberId, tokenHash);
    await deleteSurplusBrowsers(change, memberId, maxBrowsersOfMember);
  }
  return { deviceCookie: signBrowserToken(siteId, signingKey, token), isNew: own === undefined };
}

/** The hash of the token in a device cookie, if the site signed it. */
async function verifyCookie(view: SiteData, cookie: string | null | undefined): Promise<string | undefined> {
  const parts = readBrowserCookie(cookie);
  if (!parts) return undefined;
  const signingKey = await selectSigningKey(view);
  if (signingKey === undefined || !isSignedBy(view.siteId, signingKey, parts)) return undefined;
  return hashToken(parts.token);
}

/** Removes all known browsers of members, except the one with this cookie. Returns their number. */
export async function removeMembersFromBrowsers(
  change: Change,
  memberIds: readonly string[],
  exceptCookie: string | null,
): Promise<number> {
  const except = await verifyCookie(change, exceptCookie);
  return deleteBrowsersOfMembers(change, memberIds, except ?? null);
}

export {
  deleteEveryKnownBrowser as deleteAllKnownBrowsers,
  findExpiredBrowsers,
  purgeKnownBrowsers,
} from './known-browser-store.ts';

function oldestLogin(now: Timestamp): Timestamp {
  return timestampBefore(now, knownBrowserDays * millisecondsPerDay);
}

/** When many members log in at the same time for the first time on a site, all use the same new key. */
async function requireSigningKey(view: SiteData<Transaction>): Promise<string> {
  const known = await selectSigningKey(view);
  if (known !== undefined) return known;
  await insertSigningKey(view, generateToken());
  return (await selectSigningKey(view))!;
}
