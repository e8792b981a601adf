import type { ConnectedProvider } from '../../domain/login-providers/login-provider.ts';
import type { ClaimedEmail, Claims, OidcProfile } from './provider-profile.ts';

/** Any provider with OpenID Connect, such as Keycloak, authentik or Pocket ID. */
export const oidcProfile: OidcProfile = {
  scope: 'openid email profile',
  usesPkce: true,
  secretOf: storedSecret,
  emailOf: emailVerifiedByClaim,
  usesUserInfo: true,
};

async function storedSecret({ secret }: ConnectedProvider): Promise<string> {
  return secret;
}

/** Only `true` counts: a text may be anything (OpenID Connect Core 1.0, section 5.1). */
function emailVerifiedByClaim({ email, email_verified }: Claims): ClaimedEmail {
  return { email: textOf(email), isVerified: email_verified === true };
}

/** Null for a claim that is missing, empty or not a text. */
export function textOf(claim: unknown): string | null {
  return typeof claim === 'string' && claim !== '' ? claim : null;
}
