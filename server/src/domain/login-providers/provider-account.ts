import type { ProviderCheckName } from '@gatehouse/contract';
import type { ConnectedProvider } from './login-provider.ts';

/** The account with which somebody has logged in at a provider. */
export interface ProviderAccount {
  /** With `subject`, the identity. Names and addresses may change hands. */
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** Whether the address may name a member, by the trust that was set for the provider. */
  readonly emailVerified: boolean;
  /** How the person knows the account, such as its email. */
  readonly label: string;
  /** The values of the claim of groups; null changes no membership. */
  readonly groups: readonly string[] | null;
}

export interface LoginAttempt {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
}

export interface LoginBeginning extends LoginAttempt {
  /** By S256 (RFC 7636, section 4.2). */
  readonly codeChallenge: string;
}

export interface LoginCallback extends LoginAttempt {
  /** The redirect URI with the parameters that came to it. */
  readonly callback: URL;
  readonly codeVerifier: string;
}

export interface ProviderCheck {
  readonly check: ProviderCheckName;
  /** `unknown`: the provider did not say. */
  readonly status: 'ok' | 'failed' | 'unknown';
  /** What was found, and what to do if it failed. */
  readonly message: string;
}

export interface ProviderTest {
  readonly ok: boolean;
  /** As its metadata names it; null if they cannot be read, or are known. */
  readonly issuer: string | null;
  readonly checks: ProviderCheck[];
}

/** Speaks with the servers of login providers. */
export interface ProviderConnector {
  /**
   * Returns the page of the provider to which the browser is led.
   * @throws {ProviderLoginFailed}
   */
  begin(provider: ConnectedProvider, login: LoginBeginning): Promise<URL>;
  /**
   * Exchanges the code of a callback for the account.
   * @throws {ProviderLoginFailed}
   */
  finish(provider: ConnectedProvider, login: LoginCallback): Promise<ProviderAccount>;
  /** Says what is wrong with the settings, without anyone logging in. */
  test(provider: ConnectedProvider, redirectUri: string): Promise<ProviderTest>;
}

/** `denied`: the person, or the provider, did not agree. `unavailable`: try later. `rejected`: the response is not valid. */
export type ProviderFailureReason = 'denied' | 'unavailable' | 'rejected';

/** A login at a provider has no account as its result. The message contains no secret and is for operators. */
export class ProviderLoginFailed extends Error {
  readonly reason: ProviderFailureReason;

  constructor(reason: ProviderFailureReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ProviderLoginFailed';
    this.reason = reason;
  }
}
