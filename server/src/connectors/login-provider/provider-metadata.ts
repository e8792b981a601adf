import type { ServerMetadata } from 'openid-client';
import type { ConnectedProvider } from '../../domain/login-providers/login-provider.ts';
import { ProviderLoginFailed } from '../../domain/login-providers/provider-account.ts';
import { textOf } from './oidc.ts';
import { causesOf, codeOf } from './provider-failure.ts';
import type { OidcProfile } from './provider-profile.ts';

/** A longer name of an issuer is cut off in messages. */
const maxNameLength = 200;

/**
 * Says why the response to a request for the metadata cannot be used, and what to do. Of its content, only the issuer is
 * named. Undefined for an error that is not of the response.
 */
export function metadataFailure(
  error: unknown,
  provider: ConnectedProvider,
  { status }: Response,
): ProviderLoginFailed | undefined {
  const url = `${provider.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  if (status >= 500) {
    const message = `The provider has a problem: ${url} answered ${status}. Try again later.`;
    return new ProviderLoginFailed('unavailable', message, error);
  }
  const causes = causesOf(error);
  const code = codeOf(causes);
  if (code === undefined && !causes.some(isInvalidUrl)) return undefined;
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
    return wrongIssuer(provider, issuerIn(causes), error);
  const found = status === 200 ? 'answered without the metadata of a provider' : `answered ${status}`;
  return new ProviderLoginFailed('rejected', `${url} ${found}. ${adviceOf(provider)}`, error);
}

/** The metadata are those of another issuer, or of the same one written differently. */
export function wrongIssuer(
  { issuer, type }: ConnectedProvider,
  named: unknown,
  cause?: unknown,
): ProviderLoginFailed {
  const advice = type === 'oidc' ? 'Use the issuer exactly as the provider writes it.' : adviceOf({ type });
  const message = `The provider calls itself ${String(named).slice(0, maxNameLength)}, not ${issuer}. ${advice}`;
  return new ProviderLoginFailed('rejected', message, cause);
}

/** The issuer of metadata that the library rejects, such as those of another issuer than expected. */
export function namedIssuerOf(error: unknown): string | null {
  return textOf(issuerIn(causesOf(error)));
}

/** Says what a login needs and the metadata exclude; undefined if they exclude nothing. Many leave out what they support. */
export function missingSupport(
  metadata: ServerMetadata,
  profile: OidcProfile | undefined,
): string | undefined {
  const excludes = (name: string, value: string): boolean => {
    const named = metadata[name];
    return Array.isArray(named) && !named.includes(value);
  };
  if (
    excludes('response_types_supported', 'code') ||
    excludes('grant_types_supported', 'authorization_code')
  ) {
    return 'The provider does not support the authorization code flow. Turn it on there, or use another provider.';
  }
  if (profile?.usesPkce !== false && excludes('code_challenge_methods_supported', 'S256')) {
    return 'The provider does not support PKCE with S256. Turn it on there, or use another provider.';
  }
  return undefined;
}

function isInvalidUrl(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_INVALID_URL';
}

function issuerIn(causes: readonly unknown[]): unknown {
  for (const cause of causes) {
    const { body } = ((cause as Error).cause ?? {}) as { body?: { issuer?: unknown } };
    if (body?.issuer !== undefined) return body.issuer;
  }
  return undefined;
}

function adviceOf({ type }: Pick<ConnectedProvider, 'type'>): string {
  if (type === 'oidc') return 'Check the issuer, character by character, with its path.';
  return type === 'microsoft' ? 'Check the directory ID.' : 'Try again later.';
}
