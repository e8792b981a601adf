import type { Timestamp } from '../base/clock.ts';

/** How long a login link works, from the moment its mail leaves. */
export const loginLinkLifetimeMinutes = 10;
/** How long a link is remembered: its mail may wait for a day, and then works for its ten minutes. */
export const loginLinkKeptHours = 25;
/** How often a code may be typed wrongly before it is dead. */
export const mostCodeTries = 5;

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
  state: 'asked' | 'answered';
  created_at: Timestamp;
  expires_at: Timestamp;
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
  'state',
  'created_at',
  'expires_at',
] as const satisfies readonly (keyof LoginLinkRow)[];
