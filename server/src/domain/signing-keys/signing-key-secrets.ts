import type { SecretBox } from '../../base/encryption/secret-box.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { placeOfSigningKey, type StoredSigningKey } from './signing-key.ts';
import { replaceSigningSecret, selectSigningKeys, selectSitesWithSigningKeys } from './signing-key-store.ts';

/** The sites with private keys that are sealed with an older secret key. */
export async function findSitesWithOldSigningKeys(db: Queries, secrets: SecretBox): Promise<string[]> {
  const { olderPrefixes } = secrets;
  return olderPrefixes.length === 0 ? [] : selectSitesWithSigningKeys(db, olderPrefixes);
}

/**
 * Seals the private keys of a site with the current secret key. Those that cannot be opened stay as they are. Nothing
 * that anyone sees changes, so there is no event.
 */
export async function renewSigningKeys(view: SiteData<Transaction>, secrets: SecretBox): Promise<void> {
  const { siteId } = view;
  for (const row of await selectSigningKeys(view)) {
    if (secrets.isCurrent(row.secret)) continue;
    const text = openSigningKey(secrets, siteId, row);
    if (text === undefined) continue;
    await replaceSigningSecret(view, row, secrets.seal(text, placeOfSigningKey(siteId, row.id)));
  }
}

/** The state of the stored private keys, as of other secrets. */
export async function inspectSigningKeys(view: SiteData, secrets: SecretBox) {
  const rows = await selectSigningKeys(view);
  const readable = rows.filter((row) => openSigningKey(secrets, view.siteId, row) !== undefined);
  return {
    stored: rows.length,
    old: readable.filter(({ secret }) => !secrets.isCurrent(secret)).length,
    unreadable: rows.filter((row) => !readable.includes(row)).map(({ id }) => `signing key ${id}`),
  };
}

/** The private key; undefined if it cannot be opened. */
export function openSigningKey(
  secrets: SecretBox,
  siteId: string,
  { id, secret }: Pick<StoredSigningKey, 'id' | 'secret'>,
): string | undefined {
  return secrets.openIfPossible(secret, placeOfSigningKey(siteId, id));
}
