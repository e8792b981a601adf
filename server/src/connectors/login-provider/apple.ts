import type { ConnectedProvider } from '../../domain/login-providers/login-provider.ts';
import { ProviderLoginFailed } from '../../domain/login-providers/provider-account.ts';
import { textOf } from './oidc.ts';
import type { Claims, OidcProfile } from './provider-profile.ts';

const secretLifetimeSeconds = 300;

/** Apple returns the code by a POST when the email is requested, and documents no PKCE. */
export const appleProfile: OidcProfile = {
  scope: 'openid email name',
  parameters: { response_mode: 'form_post' },
  usesPkce: false,
  secretIn: 'post',
  secretOf: signedSecret,
  // Apple sends the claim as a boolean or as a text.
  emailOf: ({ email, email_verified }: Claims) => ({
    email: textOf(email),
    isVerified: email_verified === true || email_verified === 'true',
  }),
  usesUserInfo: false,
};

/** A client secret for one request, signed with the key of the team: a stored one would end after six months. */
async function signedSecret(provider: ConnectedProvider, now: Date): Promise<string> {
  const { importPKCS8, SignJWT } = await import('jose');
  const { teamId, privateKeyId, issuer, clientId, secret } = provider;
  const key = await importPKCS8(secret, 'ES256').catch((error) => {
    throw new ProviderLoginFailed(
      'rejected',
      'The private key cannot be read. Paste the whole .p8 file.',
      error,
    );
  });
  const issuedAt = Math.floor(now.getTime() / 1_000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: privateKeyId ?? '' })
    .setIssuer(teamId ?? '')
    .setSubject(clientId)
    .setAudience(issuer)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + secretLifetimeSeconds)
    .sign(key);
}
