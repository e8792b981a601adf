import { hash } from 'node:crypto';
import type { Change } from '../events/change.ts';
import { findEnabledProvider } from '../login-providers/enabled-providers.ts';
import type { StoredLoginProvider } from '../login-providers/login-provider.ts';
import { isRecentLoginByEmail, type StoredSession } from '../sessions/session.ts';
import { generateToken, hashToken, isToken } from '../sessions/token.ts';
import {
  maxLoginsOfBrowser,
  maxParameterLength,
  type ProviderLogin,
  providerLoginEnd,
} from './provider-login.ts';
import {
  deleteProviderLogin,
  deleteSurplusLogins,
  insertProviderLogin,
  storeCode,
} from './provider-login-store.ts';

export { findExpiredProviderLogins, purgeProviderLogins } from './provider-login-store.ts';

export interface ProviderLoginRequest {
  readonly providerId: string;
  /** The token that identifies the browser. */
  readonly browserToken: string;
  /** A path on the site to continue to after the login. */
  readonly next: string;
  readonly language: string;
}

/** With what a browser is led to a provider. */
export interface BegunProviderLogin {
  readonly provider: StoredLoginProvider;
  readonly state: string;
  readonly nonce: string;
  readonly codeChallenge: string;
}

/**
 * Begins a login at a provider, in one browser. Undefined if nobody can log in with the provider, or if the session in
 * which an account is to be linked is not a recent login by email.
 * @param session in which a member links an account; null for a login
 */
export async function beginProviderLogin(
  change: Change,
  { providerId, browserToken, next, language }: ProviderLoginRequest,
  session: StoredSession | null,
): Promise<BegunProviderLogin | undefined> {
  const { now } = change;
  if (!isToken(browserToken)) return undefined;
  if (session !== null && !isRecentLoginByEmail(session, now)) return undefined;
  const provider = await findEnabledProvider(change, providerId);
  if (!provider) return undefined;
  const [state, nonce, codeVerifier] = [generateToken(), generateToken(), generateToken()];
  const browserHash = hashToken(browserToken);
  await deleteSurplusLogins(change, browserHash, maxLoginsOfBrowser - 1);
  await insertProviderLogin(change, {
    stateHash: hashToken(state),
    browserHash,
    providerId,
    nonce,
    codeVerifier,
    next,
    language,
    memberId: session?.memberId ?? null,
    sessionId: session?.id ?? null,
    code: null,
    createdAt: now,
    expiresAt: providerLoginEnd(now),
  });
  return { provider, state, nonce, codeChallenge: challengeOf(codeVerifier) };
}

/** S256 (RFC 7636, section 4.2). */
function challengeOf(codeVerifier: string): string {
  return hash('sha256', codeVerifier, 'base64url');
}

/**
 * Stores the code that the page of Apple sends with a POST, which has no cookies of the site. It is of use only to the
 * browser that began. Returns false when no login waits for it.
 */
export async function storeProviderCode(
  change: Change,
  { state, code }: { readonly state: string; readonly code: string },
): Promise<boolean> {
  if (!isToken(state) || code === '' || code.length > maxParameterLength) return false;
  return storeCode(change, hashToken(state), code, 'apple');
}

/** A login that the browser which began it continues. */
export interface TakenProviderLogin extends Omit<ProviderLogin, 'stateHash' | 'browserHash'> {
  readonly provider: StoredLoginProvider;
}

/** Takes the login of a state, once, in the browser that began it. In any other one, the login is not changed. */
export async function takeProviderLogin(
  change: Change,
  { state, browserToken }: { readonly state: string; readonly browserToken: string | undefined },
): Promise<TakenProviderLogin | undefined> {
  if (!isToken(state) || !isToken(browserToken)) return undefined;
  const login = await deleteProviderLogin(change, hashToken(state), hashToken(browserToken));
  if (!login || login.expiresAt <= change.now) return undefined;
  const provider = await findEnabledProvider(change, login.providerId);
  if (!provider) return undefined;
  const { stateHash: _, browserHash: __, ...taken } = login;
  return { ...taken, provider };
}
