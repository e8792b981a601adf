import { type SecretBox, SecretUnreadable } from '../../../base/encryption/secret-box.ts';
import { sealedTextsOf } from '../../../storage/sql/sealed-columns.ts';
import { WorkspaceUnavailable } from '../workspaces/workspace.ts';
import { placeOfSecret, type StoredSource } from './source.ts';

export const sourceSecrets = sealedTextsOf({
  table: 'sources',
  places: { secret: placeOfSecret },
  name: 'name',
});

/** The decrypted secret of a source that has one. @throws {WorkspaceUnavailable} */
export function openSecret(secrets: SecretBox, siteId: string, { id, secret }: StoredSource): string {
  try {
    return secrets.open(secret!, placeOfSecret(siteId, id));
  } catch (error) {
    if (error instanceof SecretUnreadable) throw new WorkspaceUnavailable('rejected', error.message);
    throw error;
  }
}
