import type { Timestamp } from '../../base/clock.ts';
import type { SecretBox } from '../../base/encryption/secret-box.ts';
import type { ClaimedWebhook } from '../../domain/webhooks/deliveries/delivery-claims.ts';
import { type ReceiverHealth, storedHealth } from '../../domain/webhooks/deliveries/retry-policy.ts';
import { openUrl, type StoredWebhook } from '../../domain/webhooks/webhook.ts';
import { signingSecrets } from '../../domain/webhooks/webhook-secrets.ts';

/** A receiver as the settings of one time name it. What fails counts for the settings with which it failed. */
export interface Receiver {
  readonly url: string;
  health: ReceiverHealth;
}

/** A webhook as it was last read from the store, with what attempts need of it. */
export class CurrentWebhook {
  readonly #siteId: string;
  readonly #secrets: SecretBox;
  #stored: StoredWebhook;
  #receiver: Receiver;
  #signingSecrets: readonly string[];

  /** @throws {SecretUnreadable} */
  constructor({ siteId, webhook }: ClaimedWebhook, secrets: SecretBox, now: Timestamp) {
    this.#siteId = siteId;
    this.#secrets = secrets;
    this.#stored = webhook;
    this.#receiver = this.#receiverOf(webhook);
    this.#signingSecrets = signingSecrets(secrets, siteId, webhook, now);
  }

  get stored(): StoredWebhook {
    return this.#stored;
  }

  get receiver(): Receiver {
    return this.#receiver;
  }

  /** The secrets that sign, decrypted. */
  get signingSecrets(): readonly string[] {
    return this.#signingSecrets;
  }

  /** Whether a webhook that was read has the same settings. */
  hasSettingsOf({ updatedAt }: StoredWebhook): boolean {
    return updatedAt === this.#stored.updatedAt;
  }

  /** Continues with a webhook that was read. @throws {SecretUnreadable} */
  update(webhook: StoredWebhook, now: Timestamp): void {
    if (!this.hasSettingsOf(webhook)) this.#receiver = this.#receiverOf(webhook);
    this.#stored = webhook;
    this.#signingSecrets = signingSecrets(this.#secrets, this.#siteId, webhook, now);
  }

  #receiverOf(webhook: StoredWebhook): Receiver {
    return { url: openUrl(this.#secrets, this.#siteId, webhook), health: storedHealth(webhook) };
  }
}
