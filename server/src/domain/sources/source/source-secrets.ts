import { type SecretBox, SecretUnreadable } from '../../../base/encryption/secret-box.ts';
import type { Queries, Transaction } from '../../../storage/database.ts';
import type { SiteData } from '../../../storage/site-view.ts';
import { WorkspaceUnavailable } from '../workspaces/workspace.ts';
import { placeOfSecret, type StoredSource } from './source.ts';
import {
  replaceSecret,
  type SourceSecretRow,
  selectSecrets,
  selectSitesWithSecrets,
} from './source-secret-store.ts';

/** The decrypted secret of a source that has one. @throws {WorkspaceUnavailable} */
export function openSecret(secrets: SecretBox, siteId: string, { id, secret }: StoredSource): string {
  try {
    return secrets.open(secret!, placeOfSecret(siteId, id));
  } catch (error) {
    if (error instanceof SecretUnreadable) throw new WorkspaceUnavailable('rejected', error.message);
    throw error;
  }
}

/** The sites with secrets that are sealed with an older key. */
export async function findSitesWithOldSecrets(db: Queries, secrets: SecretBox): Promise<string[]> {
  const { olderPrefixes } = secrets;
  return olderPrefixes.length === 0 ? [] : selectSitesWithSecrets(db, olderPrefixes);
}

/**
 * Seals the secrets of a site with the current key. Those that cannot be opened stay as they are. Nothing that anyone
 * sees changes, so there is no event.
 */
export async function renewSecrets(view: SiteData<Transaction>, secrets: SecretBox): Promise<void> {
  for (const row of await selectSecrets(view)) {
    if (secrets.isCurrent(row.secret)) continue;
    const place = placeOfSecret(view.siteId, row.id);
    const text = secrets.openIfPossible(row.secret, place);
    if (text !== undefined) await replaceSecret(view, row, secrets.seal(text, place));
  }
}

export interface SecretsState {
  readonly stored: number;
  /** How many can be opened only with an older key. */
  readonly old: number;
  /** The names of the sources whose secrets cannot be opened. */
  readonly unreadable: readonly string[];
}

export async function inspectSecrets(view: SiteData, secrets: SecretBox): Promise<SecretsState> {
  const rows = await selectSecrets(view);
  const isReadable = (row: SourceSecretRow) =>
    secrets.openIfPossible(row.secret, placeOfSecret(view.siteId, row.id)) !== undefined;
  const readable = rows.filter(isReadable);
  return {
    stored: rows.length,
    old: readable.filter(({ secret }) => !secrets.isCurrent(secret)).length,
    unreadable: rows.filter((row) => !readable.includes(row)).map(({ name }) => name),
  };
}
