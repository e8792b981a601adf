import type { SecretBox } from '../../base/encryption/secret-box.ts';
import { sealedTextsOf } from '../../storage/sql/sealed-columns.ts';
import { placeOfSigningKey, type StoredSigningKey } from './signing-key.ts';

/** The private keys. */
export const signingKeySecrets = sealedTextsOf({
  table: 'signing_keys',
  places: { secret: placeOfSigningKey },
  name: "'signing key ' || id",
});

/** The private key; undefined if it cannot be opened. */
export function openSigningKey(
  secrets: SecretBox,
  siteId: string,
  { id, secret }: StoredSigningKey,
): string | undefined {
  return secrets.openIfPossible(secret, placeOfSigningKey(siteId, id));
}
