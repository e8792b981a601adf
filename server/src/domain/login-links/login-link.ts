import { loginLinkLifetimeMinutes } from '@gatehouse/contract/limits';
import { type Timestamp, timestampAfter } from '../../base/clock.ts';

/**
 * How long a link is retained: its email may wait for a day (`jobs/email-delivery`), and then the link works for
 * `loginLinkLifetimeMinutes`, here in whole hours.
 */
export const loginLinkRetentionHours = 24 + Math.ceil(loginLinkLifetimeMinutes / 60);
/** The maximum number of wrong attempts for a code. */
export const maxCodeTries = 5;
/** The maximum number of working links of one email address. */
const maxOpenLinks = 3;

/** What somebody has entered who requested a login in order to join the site, or to ask for that. */
export interface Joining {
  /** The invitation with which to join; null to ask for it. */
  readonly invitationId: string | null;
  readonly displayName: string | null;
  readonly message: string | null;
  /** The path of the site from which the person came; null if none is known. */
  readonly path: string | null;
}

/**
 * A login request from a login page, or a link created through the API. Every request has a row, whether or not from a
 * member; only a link for a visitor who has access ever gets a token.
 */
export interface StoredLoginLink {
  readonly id: string;
  readonly email: string;
  /** Null for an anonymous visitor, including one who becomes a member by logging in. */
  readonly memberId: string | null;
  readonly tokenHash: string | null;
  /** The browser that requested the link; null when none did. */
  readonly browserHash: string | null;
  /** The known browser of this address's member that requested the link; null for other browsers, and when none did. */
  readonly knownBrowserId: string | null;
  /** Six digits, until the email is written. */
  readonly code: string | null;
  readonly codeHash: string | null;
  readonly tries: number;
  readonly next: string;
  readonly language: string;
  /** The site URL of the link, `https://club.example.org`; null for the site's domain. */
  readonly origin: string | null;
  /**
   * The session that the link opened in a browser that had not requested it. The link is used up, but the code still
   * works in the browser that did. Null otherwise.
   */
  readonly usedSessionId: string | null;
  readonly status: 'requested' | 'processed';
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
  /** When the session ends at the latest that begins with the link; null if only its own limits apply. */
  readonly sessionEndsAt: Timestamp | null;
  /** Null for an ordinary login. */
  readonly joining: Joining | null;
}

/** When a link stops working whose email is sent, or that is created, at this time. */
export function linkEnd(at: Timestamp): Timestamp {
  return timestampAfter(at, loginLinkLifetimeMinutes * 60_000);
}

/** A link that has not been used yet. */
export interface OpenLink extends Pick<StoredLoginLink, 'id' | 'browserHash' | 'knownBrowserId'> {
  /** Whether the link works, or will work once its email is sent. */
  readonly works: boolean;
}

/** Whether the right code logs in. That of a request without an email, and of a closed link, never does. */
export function codeLogsIn(link: StoredLoginLink): boolean {
  return link.tokenHash !== null || link.usedSessionId !== null;
}

/**
 * Whether anyone could have requested the link. Links of a known browser, and those created by operators and programs,
 * must not be closed by requests that anyone can make, as often as the limits allow.
 */
export function isPublicRequest(link: Pick<StoredLoginLink, 'browserHash' | 'knownBrowserId'>): boolean {
  return link.browserHash !== null && link.knownBrowserId === null;
}

/**
 * The links to close before one more link of an address can be opened, given the open ones, oldest first: the oldest
 * that anyone could have requested, or else the oldest. Undefined when the new link must not be opened: anyone could
 * have requested it, and all open links are from a known browser, an operator or a program.
 */
export function linksToClose(open: readonly OpenLink[], isNewPublic: boolean): string[] | undefined {
  const working = open.filter(({ works }) => works);
  const over = open.filter(({ works }) => !works);
  const count = Math.max(working.length - (maxOpenLinks - 1), 0);
  const first = working.filter(isPublicRequest);
  const candidates = isNewPublic ? first : [...first, ...working.filter((link) => !isPublicRequest(link))];
  if (candidates.length < count) return undefined;
  return [...over, ...candidates.slice(0, count)].map(({ id }) => id);
}
