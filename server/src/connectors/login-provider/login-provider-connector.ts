import type { Configuration } from 'openid-client';
import type { ConnectedProvider } from '../../domain/login-providers/login-provider.ts';
import {
  type LoginBeginning,
  type LoginCallback,
  type ProviderAccount,
  type ProviderConnector,
  ProviderLoginFailed,
  type ProviderTest,
} from '../../domain/login-providers/provider-account.ts';
import { accountOf } from './account-claims.ts';
import { authorizationParameters } from './authorization-parameters.ts';
import { readGitHubAccount } from './github.ts';
import { profileOf } from './profiles.ts';
import { withKnownFailures } from './provider-failure.ts';
import type { ClaimedEmail, Claims, OidcProfile } from './provider-profile.ts';
import { type ProviderConnections, ProviderSession } from './provider-session.ts';
import { testProvider } from './provider-test.ts';

/**
 * Logs in with accounts of other servers (OpenID Connect Core 1.0; OAuth 2.0 with RFC 7636 and RFC 9700). Their metadata
 * and keys are read at each login, so that changed ones count at once. The library is loaded with the first login.
 */
export class LoginProviderConnector implements ProviderConnector {
  readonly #connections: ProviderConnections;

  constructor(connections: ProviderConnections) {
    this.#connections = connections;
  }

  begin(provider: ConnectedProvider, login: LoginBeginning): Promise<URL> {
    return withKnownFailures(async () => {
      const client = await import('openid-client');
      const configuration = await new ProviderSession(provider, this.#connections).configure();
      const parameters = authorizationParameters(provider, configuration.serverMetadata(), login);
      return client.buildAuthorizationUrl(configuration, parameters);
    });
  }

  finish(provider: ConnectedProvider, login: LoginCallback): Promise<ProviderAccount> {
    return withKnownFailures(async () => {
      const session = new ProviderSession(provider, this.#connections);
      const configuration = await session.configure();
      const profile = profileOf(provider.type);
      return profile === undefined
        ? finishWithoutIdToken(session, configuration, login)
        : finishWithIdToken(session, configuration, login, profile);
    });
  }

  test(provider: ConnectedProvider, redirectUri: string): Promise<ProviderTest> {
    return testProvider(provider, redirectUri, this.#connections);
  }
}

async function finishWithoutIdToken(
  session: ProviderSession,
  configuration: Configuration,
  { callback, state, codeVerifier }: LoginCallback,
): Promise<ProviderAccount> {
  const client = await import('openid-client');
  const tokens = await client.authorizationCodeGrant(configuration, callback, {
    expectedState: state,
    pkceCodeVerifier: codeVerifier,
  });
  return readGitHubAccount(session, tokens.access_token);
}

async function finishWithIdToken(
  { provider }: ProviderSession,
  configuration: Configuration,
  { callback, state, nonce, codeVerifier }: LoginCallback,
  profile: OidcProfile,
): Promise<ProviderAccount> {
  const client = await import('openid-client');
  const tokens = await client.authorizationCodeGrant(configuration, callback, {
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
    ...(profile.usesPkce && { pkceCodeVerifier: codeVerifier }),
  });
  const claims: Claims | undefined = tokens.claims();
  if (claims === undefined) throw new ProviderLoginFailed('rejected', 'The provider sent no ID token.');
  const subject = String(claims.sub);
  const needsMore = profile.usesUserInfo && lacksClaims(claims, provider);
  if (!needsMore || configuration.serverMetadata().userinfo_endpoint === undefined) {
    return accountOf(provider, subject, profile.emailOf(claims), claims);
  }
  const more: Claims = await client.fetchUserInfo(configuration, tokens.access_token, subject);
  return accountOf(provider, subject, emailOfBoth(profile, claims, more), { ...more, ...claims });
}

function lacksClaims(claims: Claims, { groupsClaim }: ConnectedProvider): boolean {
  return (
    claims.email === undefined ||
    claims.email_verified === undefined ||
    (groupsClaim !== null && claims[groupsClaim] === undefined)
  );
}

/** An address and its verification come from one document: together they could say what neither does. */
function emailOfBoth(profile: OidcProfile, claims: Claims, more: Claims): ClaimedEmail {
  const isComplete = claims.email !== undefined && claims.email_verified !== undefined;
  return profile.emailOf(isComplete || more.email === undefined ? claims : more);
}
