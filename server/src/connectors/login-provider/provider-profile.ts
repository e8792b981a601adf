import type { ConnectedProvider } from '../../domain/login-providers/login-provider.ts';
import type { OutgoingRequest } from '../outgoing/outgoing-http.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** The email of an account, and whether the provider says that it belongs to the person. */
export interface ClaimedEmail {
  readonly email: string | null;
  readonly isVerified: boolean;
}

/** What differs between the types of providers that follow OpenID Connect. */
export interface OidcProfile {
  readonly scope: string;
  /** More parameters of the page of the provider. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Whether PKCE is used (RFC 7636). The nonce binds the code in any case. */
  readonly usesPkce: boolean;
  /** `post` sends the secret in the body; otherwise as the metadata of the provider says. */
  readonly secretIn?: 'post';
  readonly secretOf: (provider: ConnectedProvider, now: Date) => Promise<string>;
  readonly emailOf: (claims: Claims) => ClaimedEmail;
  /** Whether claims that the ID token lacks are fetched. */
  readonly usesUserInfo: boolean;
}

export type ProviderRequest = Omit<OutgoingRequest, 'maxBytes' | 'timeoutMilliseconds'>;

/** The requests of one step of a login. */
export interface ProviderRequests {
  readonly provider: ConnectedProvider;
  load(url: string, init: ProviderRequest): Promise<Response>;
}
