import { type SecretBox, SecretUnreadable } from '../../base/encryption/secret-box.ts';
import { sealedTextsOf } from '../../storage/sql/sealed-columns.ts';
import { type ConnectedProvider, placeOfLoginProvider, type StoredLoginProvider } from './login-provider.ts';
import { ProviderLoginFailed } from './provider-account.ts';

export const loginProviderSecrets = sealedTextsOf({
  table: 'login_providers',
  places: { sealed_secret: placeOfLoginProvider },
  name: "'login provider ' || name",
});

/** The provider with its secret. @throws {ProviderLoginFailed} if the secret cannot be decrypted */
export function openLoginProvider(
  secrets: SecretBox,
  siteId: string,
  stored: StoredLoginProvider,
): ConnectedProvider {
  const { id, type, name, issuer, clientId, sealedSecret, settings, emailTrust, groupsClaim } = stored;
  const secret = openSecret(secrets, sealedSecret, placeOfLoginProvider(siteId, id));
  return { siteId, type, name, issuer, clientId, secret, emailTrust, groupsClaim, ...settings };
}

function openSecret(secrets: SecretBox, sealed: string, place: string): string {
  try {
    return secrets.open(sealed, place);
  } catch (error) {
    if (error instanceof SecretUnreadable) throw new ProviderLoginFailed('rejected', error.message, error);
    throw error;
  }
}
