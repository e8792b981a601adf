import { earlier, millisecondsPerDay, type Timestamp, timestampAfter } from '../../base/clock.ts';
import type { SiteView } from '../../storage/site-view.ts';
import type { Change } from '../events/change.ts';
import { generateToken, hashToken, isToken } from '../sessions/token.ts';
import { hashCode } from './code-hash.ts';
import { readTypedCode } from './code-text.ts';
import { type EnteredPageCode, type StoredPageCode, statusOf } from './page-code.ts';
import { lockPageCodeByHash, selectSettings, takeUse } from './page-code-store.ts';
import { deletePassRows, moveCodes, savePass, selectEnteredCodes } from './page-pass-store.ts';

export { findExpiredPasses, purgePasses } from './page-pass-store.ts';

/** How long a browser keeps access by a code that does not end earlier. */
const passDays = 30;

/** A code that somebody has typed, ready to be looked up. */
export interface TypedCode {
  /** Null for a text that is no code. */
  readonly codeHash: string | null;
  /** Whether chosen codes are not accepted for some time. */
  readonly isPaused: boolean;
}

/** Hashes what somebody has typed. @throws {StoreUnavailable} */
export async function hashTypedCode(view: SiteView, typed: string): Promise<TypedCode> {
  const settings = await selectSettings(view);
  const code = readTypedCode(typed);
  const isPaused = (settings?.pausedUntil ?? '') > view.now;
  return { codeHash: settings && code !== undefined ? await hashCode(code, settings.salt) : null, isPaused };
}

/** The browser in which a code is entered. */
export interface CodeEntry {
  readonly codeHash: string;
  /** The host at which it is entered. */
  readonly domain: string;
  /** The value of the cookie of the pass that the browser has, whatever it is. */
  readonly token: string | null;
}

/** The pass of a browser after a code was entered. */
export interface EnteredCode {
  /** For the cookie. It is new with each code, so that nobody else knows it. */
  readonly token: string;
  /** When the last of its codes ends. */
  readonly expiresAt: Timestamp;
}

/** Enters a code: it is added to the pass of the browser. Null if it is wrong, or not accepted now. */
export async function enterPageCode(change: Change, entry: CodeEntry): Promise<EnteredCode | null> {
  const { codeHash, domain } = entry;
  const { now } = change;
  const code = await lockPageCodeByHash(change, codeHash);
  if (!code) return null;
  const former = isToken(entry.token) ? { tokenHash: hashToken(entry.token), domain } : undefined;
  const entered = former ? await selectEnteredCodes(change, former) : [];
  const isKnown = entered.some(({ id }) => id === code.id);
  const settings = await selectSettings(change);
  const status = statusOf(code, settings?.pausedUntil ?? null, now);
  // Entered again, a code that is used up stays valid where it was entered.
  if (status !== 'active' && !(isKnown && status === 'used_up')) return null;
  if (!isKnown && !(await useCode(change, code))) return null;
  const token = generateToken();
  const pass = { tokenHash: hashToken(token), domain };
  const ends = former ? await moveCodes(change, former, pass.tokenHash) : [];
  const expiresAt = earlier(timestampAfter(now, passDays * millisecondsPerDay), code.expiresAt);
  await savePass(change, pass, code.id, expiresAt);
  return { token, expiresAt: [...ends, expiresAt].sort().at(-1)! };
}

/** Takes one use. The first one in an hour of the clock is recorded. */
async function useCode(change: Change, before: StoredPageCode): Promise<boolean> {
  const used = await takeUse(change, before.id);
  if (!used) return false;
  if (hourOf(before.lastUsedAt) !== hourOf(change.now)) {
    const { id: pageCodeId, label, usedCount } = used;
    change.record({ type: 'page-code.used', data: { pageCodeId, label, usedCount } });
  }
  return true;
}

function hourOf(time: Timestamp | null): string | undefined {
  return time?.slice(0, '2026-01-31T09'.length);
}

/** Ends the pass of a browser. */
export async function leavePages(
  change: Change,
  { token, domain }: Omit<CodeEntry, 'codeHash'>,
): Promise<void> {
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
