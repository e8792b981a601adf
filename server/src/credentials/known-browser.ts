import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Timestamp } from '../base/clock.ts';
import { isToken } from './token.ts';

/** How long a browser stays known after a login. Browsers keep no cookie longer (RFC 6265bis, section 5.5). */
export const knownBrowserDays = 400;
/** So many members are known in one browser; the one who has not logged in there for longest makes room. */
export const maxMembersOfBrowser = 10;
/** So many browsers are known of one member; the one not logged in with for longest makes room. */
export const maxBrowsersOfMember = 20;

/** A member who has logged in with a browser. */
export interface KnownBrowserRow {
  id: string;
  member_id: string;
  token_hash: string;
  last_login_at: Timestamp;
}

const version = '1';
const cookieLength = version.length + 1 + 43 + 1 + 43;

/**
 * The value of a device cookie: its version, a random token, and the signature of the site (HMAC-SHA-256, RFC 2104) by
 * which a forged one is refused before the store is asked. It says nothing about anybody.
 */
export function signBrowserToken(siteId: string, signingKey: string, token: string): string {
  return `${version}.${token}.${signatureOf(siteId, signingKey, token)}`;
}

/** The parts of what could be a device cookie; undefined for anything of another length or form. */
export function readBrowserCookie(
  cookie: string | null | undefined,
): { token: string; signature: string } | undefined {
  if (typeof cookie !== 'string' || cookie.length !== cookieLength) return undefined;
  const [first, token, signature, ...others] = cookie.split('.');
  if (first !== version || others.length > 0 || !isToken(token) || !isToken(signature)) return undefined;
  return { token, signature };
}

/** Whether the site signed it. Takes the same time whatever is wrong. */
export function isSignedBy(
  siteId: string,
  signingKey: string,
  { token, signature }: { token: string; signature: string },
): boolean {
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(siteId, signingKey, token)));
}

function signatureOf(siteId: string, signingKey: string, token: string): string {
  return createHmac('sha256', signingKey)
    .update(`known browser ${version} ${siteId} ${token}`)
    .digest('base64url');
}
