import type {
  DeliveryError,
  EventType,
  Webhook,
  WebhookContent,
  WebhookDisabledReason,
} from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';
import type { SecretBox } from '../../base/encryption/secret-box.ts';

/** The settings of a webhook that operators choose, beside its URL. */
export interface WebhookSettings {
  readonly description: string;
  /** Null for all. */
  readonly eventTypes: readonly EventType[] | null;
  /** Null for all events, those without a group too. */
  readonly groupIds: readonly string[] | null;
  readonly content: WebhookContent;
  readonly parallelism: number;
  readonly enabled: boolean;
}

export const defaultSettings: WebhookSettings = {
  description: '',
  eventTypes: null,
  groupIds: null,
  content: 'full',
  parallelism: 5,
  enabled: true,
};

/** A part of the feed that is sent again. */
export interface Replay {
  /** Another one for each request, so that the progress of an earlier one is not stored for it. */
  readonly id: string;
  readonly since: Timestamp;
  readonly until: Timestamp;
  readonly eventTypes: readonly EventType[] | null;
  /** The position with which it began. */
  readonly start: number;
  /** The position up to which it is done. */
  readonly position: number;
  /** Its last position. */
  readonly end: number;
}

/** The secrets that sign, encrypted. */
export interface SealedSecrets {
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly previousSecretUntil: Timestamp | null;
}

/** A URL as it is stored: the host may be shown, the rest may be secret. */
export interface SealedUrl {
  /** Encrypted. */
  readonly sealedUrl: string;
  readonly host: string;
}

export interface StoredWebhook extends WebhookSettings, SealedUrl, SealedSecrets {
  readonly id: string;
  readonly disabledReason: WebhookDisabledReason | null;
  /** Every event up to this position of the feed was sent, or waits as a delivery. */
  readonly position: number;
  readonly replay: Replay | null;
  /** Consecutive failed attempts. */
  readonly failures: number;
  readonly failingSince: Timestamp | null;
  readonly dueAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** After this number of consecutive failures a receiver is failing: one message at a time is sent, after a pause. */
export const failuresOfFailing = 5;

export function isFailing({ failures }: Pick<StoredWebhook, 'failures'>): boolean {
  return failures >= failuresOfFailing;
}

function toWebhook(stored: StoredWebhook, url: string): Webhook {
  const { id, description, eventTypes, groupIds, content, parallelism, enabled, replay } = stored;
  const { disabledReason, failingSince, dueAt, createdAt, updatedAt } = stored;
  const fails = enabled && isFailing(stored);
  return {
    id,
    url,
    description,
    content,
    parallelism,
    enabled,
    eventTypes: eventTypes && [...eventTypes],
    groupIds: groupIds && [...groupIds],
    status: statusOf(stored),
    disabledReason,
    failingSince,
    nextAttemptAt: fails ? dueAt : null,
    replay: replay && { since: replay.since, until: replay.until, percent: percentOf(replay) },
    previousSecretExpiresAt: stored.previousSecretUntil,
    createdAt,
    updatedAt,
  };
}

/** Whether it is sent to, and with success. */
export function statusOf(stored: StoredWebhook): Webhook['status'] {
  if (!stored.enabled) return 'disabled';
  return isFailing(stored) ? 'failing' : 'active';
}

function percentOf({ start, position, end }: Replay): number {
  if (end <= start) return 0;
  return Math.floor(((position - start) / (end - start)) * 100);
}

/** The URL as it is stored. */
export function sealUrl(secrets: SecretBox, siteId: string, webhookId: string, url: string): SealedUrl {
  return {
    sealedUrl: secrets.seal(url, placeOfWebhookUrl(siteId, webhookId)),
    host: new URL(url).host,
  };
}

/** The URL to send to. @throws {SecretUnreadable} */
export function openUrl(secrets: SecretBox, siteId: string, { id, sealedUrl }: StoredWebhook): string {
  return secrets.open(sealedUrl, placeOfWebhookUrl(siteId, id));
}

/** The webhook as the API shows it. Of a URL that cannot be decrypted, only the host can be shown. */
export function showWebhook(secrets: SecretBox, siteId: string, stored: StoredWebhook): Webhook {
  const { id, sealedUrl, host } = stored;
  const url = secrets.openIfPossible(sealedUrl, placeOfWebhookUrl(siteId, id));
  return toWebhook(stored, url ?? `https://${host}/`);
}

/** Where a URL belongs, so that it can be decrypted neither in another row nor as a secret that signs. */
export function placeOfWebhookUrl(siteId: string, webhookId: string): string {
  return `${placeOfWebhookSecret(siteId, webhookId)}/url`;
}

/** Where a secret belongs, so that it cannot be decrypted in another row. */
export function placeOfWebhookSecret(siteId: string, webhookId: string): string {
  return `${siteId}/webhooks/${webhookId}`;
}

export function webhookNotFound(): ApiError {
  return new ApiError('webhook_not_found', 'This site has no webhook with this ID. Check the ID.');
}

export function webhookDisabled(): ApiError {
  return new ApiError(
    'webhook_disabled',
    'This webhook is disabled, so that nothing is sent. Enable it, then repeat the request.',
  );
}

export const disabledError: DeliveryError = {
  code: 'disabled',
  message: 'The webhook was disabled or deleted before the message was sent.',
};
