import { hash } from 'node:crypto';
import { earlier, millisecondsPerDay, type Timestamp, timestampAfter } from '../../base/clock.ts';
import type { SiteView } from '../../storage/site-view.ts';
import type { Change } from '../events/change.ts';
import { hashToken, isToken } from '../sessions/token.ts';
import { hostOf, type VisitedSite } from '../sites/visited-site.ts';
import { hashCode } from './code-hash.ts';
import { readTypedCode } from './code-text.ts';
import { type EnteredPageCode, type StoredPageCode, statusOf } from './page-code.ts';
import { lockPageCodeByHash, selectPageCodeByHash, selectSettings, takeUse } from './page-code-store.ts';
import { deletePassRows, moveCodes, type PagePass, savePass, selectEnteredCodes } from './page-pass-store.ts';

export { findExpiredPasses, purgePasses } from './page-pass-store.ts';

/** How long a browser keeps access by a code that does not end earlier. */
const passDays = 30;

/** A code that somebody has typed. */
export interface TypedCode {
  /** Null if the site has no such code, or it is not accepted in this browser. */
  readonly codeHash: string | null;
  /** Whether chosen codes are not accepted for some time. */
  readonly isPaused: boolean;
}

/** The host to which a pass is bound; the same text at all addresses at which a site without a domain is tried out. */
export function passDomainOf(site: VisitedSite): string {
  return hostOf(site) ?? '';
}

/**
 * Hashes what somebody has typed, and looks it up. All codes that are not accepted take the same time: while chosen codes
 * are paused, nobody can find out which one is right.
 * @param pass of the browser: a code that is used up can be entered again where it was entered
 * @throws {StoreUnavailable}
 */
export async function findTypedCode(view: SiteView, typed: string, pass: SentPass): Promise<TypedCode> {
  const settings = await selectSettings(view);
  const code = readTypedCode(typed);
  const isPaused = (settings?.pausedUntil ?? '') > view.now;
  if (!settings || code === undefined) return { codeHash: null, isPaused };
  const codeHash = await hashCode(code, settings.salt);
  const found = await selectPageCodeByHash(view, codeHash);
  const status = found && statusOf(found, settings.pausedUntil, view.now);
  const isAccepted = status === 'active' || (status === 'used_up' && (await hasCode(view, pass, found!.id)));
  return { codeHash: isAccepted ? codeHash : null, isPaused };
}

async function hasCode(view: SiteView, { token, domain }: SentPass, pageCodeId: string): Promise<boolean> {
  return (await findEnteredCodes(view, token, domain)).some(({ id }) => id === pageCodeId);
}

/**
 * The token of a pass that is made with a form, for the cookie. Nobody else knows it, and a form that is sent twice at once
 * makes it twice, so that it takes one use.
 * @param formToken the secret that only the browser and this request have
 */
export function passTokenFor(formToken: string, codeHash: string): string {
  return hash('sha256', JSON.stringify(['the token of a pass', formToken, codeHash]), 'base64url');
}

/** The pass that a browser sends. */
export interface SentPass {
  /** The value of the cookie, whatever it is. */
  readonly token: string | null;
  /** That of the host to which it is sent. */
  readonly domain: string;
}

/** The browser in which a code is entered. */
export interface CodeEntry extends SentPass {
  readonly codeHash: string;
  /** The token of the pass that it gets. It is another one with each code, so that nobody else knows it. */
  readonly newToken: string;
}

/**
 * Enters a code: it is added to the pass of the browser. Returns when the last code of the pass ends; null if the code is
 * wrong, or not accepted now.
 */
export async function enterPageCode(change: Change, entry: CodeEntry): Promise<Timestamp | null> {
  const { codeHash, domain } = entry;
  const { now } = change;
  const code = await lockPageCodeByHash(change, codeHash);
  if (!code) return null;
  const pass = { tokenHash: hashToken(entry.newToken), domain };
  const former = isToken(entry.token) ? { tokenHash: hashToken(entry.token), domain } : pass;
  const entered = [
    ...(await selectEnteredCodes(change, former)),
    ...(await selectEnteredCodes(change, pass)),
  ];
  const isKnown = entered.some(({ id }) => id === code.id);
  const settings = await selectSettings(change);
  const status = statusOf(code, settings?.pausedUntil ?? null, now);
  // Entered again, a code that is used up stays valid where it was entered.
  if (status !== 'active' && !(isKnown && status === 'used_up')) return null;
  if (!isKnown && !(await useCode(change, code))) return null;
  const ends = former.tokenHash === pass.tokenHash ? [] : await replacePass(change, former, pass);
  const expiresAt = earlier(timestampAfter(now, passDays * millisecondsPerDay), code.expiresAt);
  await savePass(change, pass, code.id, expiresAt);
  return [...ends, expiresAt].sort().at(-1)!;
}

/** Ends a pass: its codes are those of another one from now on. Returns when they end there. */
async function replacePass(change: Change, former: PagePass, pass: PagePass): Promise<Timestamp[]> {
  const ends = await moveCodes(change, former, pass.tokenHash);
  await deletePassRows(change, former);
  return ends;
}

/** Takes one use. The first one in an hour of the clock is recorded. */
async function useCode(change: Change, before: StoredPageCode): Promise<boolean> {
  const used = await takeUse(change, before.id);
  if (!used) return false;
  if (hourOf(before.lastUsedAt) !== hourOf(change.now)) {
    const { id: pageCodeId, label, usedCount } = used;
    change.bySystem().record({ type: 'page-code.used', data: { pageCodeId, label, usedCount } });
  }
  return true;
}

function hourOf(time: Timestamp | null): string | undefined {
  return time?.slice(0, '2026-01-31T09'.length);
}

/** Ends the pass of a browser. */
export async function leavePages(change: Change, { token, domain }: SentPass): Promise<void> {
  if (isToken(token)) await deletePassRows(change, { tokenHash: hashToken(token), domain });
}

/** The codes that were entered in the browser with a pass and are valid. @param domain that of the host it is sent to */
export async function findEnteredCodes(
  view: SiteView,
  token: string | null | undefined,
  domain: string,
): Promise<readonly EnteredPageCode[]> {
  return isToken(token) ? selectEnteredCodes(view, { tokenHash: hashToken(token), domain }) : [];
}
