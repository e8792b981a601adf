import { randomBytes } from 'node:crypto';
import type { Timestamp } from '../../base/clock.ts';
import type { SecretBox } from '../../base/encryption/secret-box.ts';
import { sealedTextsOf } from '../../storage/sql/sealed-columns.ts';
import { placeOfWebhookSecret, placeOfWebhookUrl, type StoredWebhook } from './webhook.ts';

export { findEndedWebhookSecrets, purgeWebhookSecrets } from './webhook-store.ts';

const secretBytes = 24;

/** The secrets and URLs. */
export const webhookSecrets = sealedTextsOf({
  table: 'webhooks',
  places: { url: placeOfWebhookUrl, secret: placeOfWebhookSecret, previous_secret: placeOfWebhookSecret },
  name: "'webhook ' || id",
});

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
