import { randomBytes } from 'node:crypto';
import type { Timestamp } from '../../base/clock.ts';
import type { SecretBox } from '../../base/encryption/secret-box.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { placeOfWebhookSecret, placeOfWebhookUrl, type StoredWebhook, sealUrl } from './webhook.ts';
import {
  replaceWebhookSecrets,
  replaceWebhookUrl,
  selectSitesWithWebhookSecrets,
  selectWebhookSecrets,
  type WebhookSecretRow,
} from './webhook-secret-store.ts';

export { findEndedWebhookSecrets, purgeWebhookSecrets } from './webhook-store.ts';

const secretBytes = 24;

export interface WebhookSecretsState {
  /** How many webhooks there are. */
  readonly stored: number;
  /** How many can be opened only with an older key. */
  readonly old: number;
  readonly unreadable: readonly string[];
}

/** A new secret as in Standard Webhooks 1.0.0, "Symmetric": 192 random bits in Base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

/** The secrets that sign at this time, the newest first. @throws {SecretUnreadable} */
export function signingSecrets(
  secrets: SecretBox,
  siteId: string,
  { id, secret, previousSecret, previousSecretUntil }: StoredWebhook,
  now: Timestamp,
): string[] {
  const place = placeOfWebhookSecret(siteId, id);
  const isPreviousValid = previousSecretUntil !== null && previousSecretUntil > now;
  const sealed = [secret, ...(previousSecret !== null && isPreviousValid ? [previousSecret] : [])];
  return sealed.map((each) => secrets.open(each, place));
}

/** The sites with secrets or URLs that are sealed with an older key. */
export async function findSitesWithOldWebhookSecrets(db: Queries, secrets: SecretBox): Promise<string[]> {
  const { olderPrefixes } = secrets;
  return olderPrefixes.length === 0 ? [] : selectSitesWithWebhookSecrets(db, olderPrefixes);
}

/**
 * Seals the secrets and URLs of a site with the current key. Those that cannot be opened stay as they are. Nothing that
 * anyone sees changes, so there is no event.
 */
export async function renewWebhookSecrets(view: SiteData<Transaction>, secrets: SecretBox): Promise<void> {
  for (const row of await selectWebhookSecrets(view)) {
    await renewUrl(view, row, secrets);
    const place = placeOfWebhookSecret(view.siteId, row.id);
    const renewed = (sealed: string) => {
      if (secrets.isCurrent(sealed)) return sealed;
      const text = secrets.openIfPossible(sealed, place);
      return text === undefined ? sealed : secrets.seal(text, place);
    };
    const secret = renewed(row.secret);
    const previous = row.previous_secret === null ? null : renewed(row.previous_secret);
    if (secret === row.secret && previous === row.previous_secret) continue;
    await replaceWebhookSecrets(view, row, { secret, previous_secret: previous });
  }
}

async function renewUrl(
  view: SiteData<Transaction>,
  row: WebhookSecretRow,
  secrets: SecretBox,
): Promise<void> {
  const { siteId } = view;
  if (secrets.isCurrent(row.url)) return;
  const url = openedUrl(secrets, siteId, row);
  if (url !== undefined) await replaceWebhookUrl(view, row, sealUrl(secrets, siteId, row.id, url));
}

/** Undefined if it cannot be opened. */
function openedUrl(secrets: SecretBox, siteId: string, { id, url }: WebhookSecretRow): string | undefined {
  return secrets.openIfPossible(url, placeOfWebhookUrl(siteId, id));
}

/** The state of the stored secrets and URLs, as of other secrets. */
export async function inspectWebhookSecrets(
  view: SiteData,
  secrets: SecretBox,
): Promise<WebhookSecretsState> {
  const { siteId } = view;
  const rows = await selectWebhookSecrets(view);
  const isReadable = (row: WebhookSecretRow) =>
    secrets.openIfPossible(row.secret, placeOfWebhookSecret(siteId, row.id)) !== undefined &&
    openedUrl(secrets, siteId, row) !== undefined;
  const readable = rows.filter(isReadable);
  return {
    stored: rows.length,
    old: readable.filter((row) => needsOlderKey(secrets, row)).length,
    unreadable: rows.filter((row) => !readable.includes(row)).map(({ id }) => `webhook ${id}`),
  };
}

function needsOlderKey(secrets: SecretBox, { url, secret }: WebhookSecretRow): boolean {
  return !secrets.isCurrent(secret) || !secrets.isCurrent(url);
}
