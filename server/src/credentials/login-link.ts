import type { Timestamp } from '../base/clock.ts';

/** How long a login link works, from the moment its mail leaves. */
export const loginLinkLifetimeMinutes = 10;
/** How long a link is remembered: its mail may wait for a day, and then works for its ten minutes. */
export const loginLinkKeptHours = 25;
/** How often a code may be typed wrongly before it is dead. */
export const mostCodeTries = 5;
/** So many links of one address work side by side. */
export const maxOpenLinks = 3;

/**
 * What was asked for on a login page, or made by API. Whoever asks has one, member or not; only that of somebody who
 * may come in is ever given a token.
 */
export interface LoginLinkRow {
  id: string;
  email: string;
  /** Null for a stranger, and for one who is to be enrolled by logging in. */
  member_id: string | null;
  token_hash: string | null;
  /** The browser that asked; null where none did. */
  browser_hash: string | null;
  /** The known browser of this address's member that requested it; null for any other browser, and where none did. */
  known_browser_id: string | null;
  /** Six digits, until the mail is written. */
  code: string | null;
  code_hash: string | null;
  tries: number;
  next_path: string;
  language: string;
  /** Where it leads, `https://club.example.org`; null for the site's domain. */
  origin: string | null;
  state: 'asked' | 'answered';
  created_at: Timestamp;
  expires_at: Timestamp;
}

/** A link that nobody has used yet. */
export interface OpenLink extends Pick<LoginLinkRow, 'id' | 'browser_hash' | 'known_browser_id'> {
  /** Whether it works, or will once its mail leaves. */
  readonly works: boolean;
}

/**
 * Whether anybody could have requested a link. Those of a known browser, and those that operators and programs made, make
 * no room for one that anybody may request, as often as the limits let through.
 */
export function isFromAnybody(link: Pick<LoginLinkRow, 'browser_hash' | 'known_browser_id'>): boolean {
  return link.browser_hash !== null && link.known_browser_id === null;
}

/**
 * The links that have to close so that one more of an address can open, given those that are open, oldest first:
 * the oldest that anybody could have requested, or else the oldest. Undefined where the one more has to stay out: anybody
 * may have requested it, and each open link is of a known browser or made by those who run the site.
 */
export function linksToClose(open: readonly OpenLink[], isNewFromAnybody: boolean): string[] | undefined {
  const working = open.filter(({ works }) => works);
  const over = open.filter(({ works }) => !works);
  const count = Math.max(working.length - (maxOpenLinks - 1), 0);
  const first = working.filter(isFromAnybody);
  const candidates = isNewFromAnybody ? first : [...first, ...working.filter((link) => !isFromAnybody(link))];
  if (candidates.length < count) return undefined;
  return [...over, ...candidates.slice(0, count)].map(({ id }) => id);
}

export const loginLinkColumns = [
  'id',
  'email',
  'member_id',
  'token_hash',
  'browser_hash',
  'known_browser_id',
  'code',
  'code_hash',
  'tries',
  'next_path',
  'language',
  'origin',
  'state',
  'created_at',
  'expires_at',
] as const satisfies readonly (keyof LoginLinkRow)[];
