import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Timestamp } from '../../base/clock.ts';
import { isToken } from '../sessions/token.ts';

/** How long a browser stays known after a login. Browsers store no cookie longer (RFC 6265bis, section 5.5). */
export const knownBrowserDays = 400;
/** The maximum number of members known in one browser; the member with the oldest login there is removed first. */
export const maxMembersOfBrowser = 10;
/** The maximum number of known browsers of a member; the one with the oldest login is removed first. */
export const maxBrowsersOfMember = 20;

/** A member who has logged in with a browser. */
export interface KnownMember {
  readonly id: string;
  readonly memberId: string;
  readonly lastLoginAt: Timestamp;
}

const version = '1';
const cookieLength = version.length + 1 + 43 + 1 + 43;

/**
 * The value of a device cookie: its version, a random token, and the signature of the site (HMAC-SHA-256, RFC 2104),
 * so that a forged cookie is rejected without a query. It contains no personal data.
 */
export function signBrowserToken(siteId: string, signingKey: string, token: string): string {
  return `${version}.${token}.${signatureOf(siteId, signingKey, token)}`;
}

/** Parses the form of a device cookie; undefined for any other length or form. */
export function readBrowserCookie(
  cookie: string | null | undefined,
): { token: string; signature: string } | undefined {
  if (typeof cookie !== 'string' || cookie.length !== cookieLength) return undefined;
  const [first, token, signature, ...others] = cookie.split('.');
  if (first !== version || others.length > 0 || !isToken(token) || !isToken(signature)) return undefined;
  return { token, signature };
}

/** Whether the site signed the cookie. Runs in constant time. */
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
