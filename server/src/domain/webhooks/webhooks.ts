import type {
  CreatedWebhook,
  CreateWebhook,
  UpdateWebhook,
  Webhook,
  WebhookSecret,
} from '@gatehouse/contract';
import { maxEnabledWebhooks, maxWebhookDescriptionLength } from '@gatehouse/contract/limits';
import type { Precondition } from '../../base/api-error.ts';
import { ApiError, invalidRequest } from '../../base/api-error.ts';
import { millisecondsPerDay, timestampAfter } from '../../base/clock.ts';
import type { SecretBox } from '../../base/encryption/secret-box.ts';
import { newId, timeOfId } from '../../base/ids.ts';
import { type OutgoingSettings, readOutgoingUrl } from '../../base/networks/outgoing-url.ts';
import { type Page, type PageQuery, toPage } from '../../base/page.ts';
import { checkName } from '../../base/text/text.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { requireAccessGroups } from '../access-groups/access-groups.ts';
import { addTombstones, findTombstone } from '../cursors/cursor-tombstones.ts';
import type { Change } from '../events/change.ts';
import { changesBetween } from '../events/event.ts';
import { findFeedPosition } from '../events/events.ts';
import { endWaitingDeliveries, makeDeliveriesDue } from './deliveries/delivery-store.ts';
import {
  defaultSettings,
  placeOfWebhookSecret,
  type SealedUrl,
  type StoredWebhook,
  sealUrl,
  showWebhook,
  type WebhookSettings,
  webhookNotFound,
} from './webhook.ts';
import { newWebhookSecret } from './webhook-secrets.ts';
import {
  countEnabledWebhooks,
  deleteWebhookRow,
  insertWebhook,
  lockWebhookRow,
  makeWebhookDue,
  selectWebhook,
  selectWebhooks,
  updateWebhookRow,
} from './webhook-store.ts';

const listName = 'webhooks';
/** How long a secret signs after it was replaced. */
const previousSecretMilliseconds = millisecondsPerDay;

/** What is needed to store a webhook. */
export interface WebhookParts {
  readonly outgoing: OutgoingSettings;
  readonly secrets: SecretBox;
}

/** @throws {ApiError} `invalid_request`, `access_group_not_found`, `too_many_webhooks` */
export async function createWebhook(
  change: Change,
  input: CreateWebhook,
  parts: WebhookParts,
): Promise<CreatedWebhook> {
  const { db, siteId } = change;
  const url = checkUrl(input.url, parts.outgoing);
  const settings = checkSettings(input, defaultSettings);
  await requireAccessGroups(change, settings.groupIds ?? []);
  if (settings.enabled) await requireRoom(change);
  const id = newId();
  const secret = newWebhookSecret();
  const createdAt = timeOfId(id);
  const webhook: StoredWebhook = {
    ...settings,
    ...sealUrl(parts.secrets, siteId, id, url),
    id,
    disabledReason: settings.enabled ? null : 'request',
    secret: parts.secrets.seal(secret, placeOfWebhookSecret(siteId, id)),
    previousSecret: null,
    previousSecretUntil: null,
    replay: null,
    position: (await findFeedPosition(change)) ?? 0,
    failures: 0,
    failingSince: null,
    dueAt: null,
    createdAt,
    updatedAt: createdAt,
  };
  await insertWebhook(change, webhook);
  // Processes that have seen no webhook do not look for due ones until then.
  await db.signal();
  change.record({ type: 'webhook.created', data: { webhookId: id, host: webhook.host } });
  return { ...showWebhook(parts.secrets, siteId, webhook), secret };
}

/** @throws {ApiError} `webhook_not_found` */
export async function findWebhook(view: SiteData, webhookId: string, secrets: SecretBox): Promise<Webhook> {
  return showWebhook(secrets, view.siteId, await findStoredWebhook(view, webhookId));
}

/** @throws {ApiError} `webhook_not_found` */
export async function findStoredWebhook(view: SiteData, webhookId: string): Promise<StoredWebhook> {
  const webhook = await selectWebhook(view, webhookId);
  if (!webhook) throw webhookNotFound();
  return webhook;
}

/** Finds a webhook and locks it until the transaction ends. @throws {ApiError} `webhook_not_found` */
export async function lockWebhook(view: SiteData<Transaction>, webhookId: string): Promise<StoredWebhook> {
  const webhook = await lockWebhookRow(view, webhookId);
  if (!webhook) throw webhookNotFound();
  return webhook;
}

/** Lists the webhooks of a site, newest first. @throws {ApiError} `invalid_cursor` */
export async function listWebhooks(
  view: SiteView,
  { after, limit }: PageQuery,
  secrets: SecretBox,
): Promise<Page<Webhook>> {
  if (after !== undefined && !(await selectWebhook(view, after))) await findTombstone(view, listName, after);
  const rows = await selectWebhooks(view, after, limit + 1);
  return toPage(rows, limit, (webhook) => showWebhook(secrets, view.siteId, webhook));
}

/** @throws {ApiError} `webhook_not_found`, `invalid_request`, `access_group_not_found`, `too_many_webhooks` */
export async function updateWebhook(
  change: Change,
  webhookId: string,
  input: UpdateWebhook,
  parts: WebhookParts,
  requireMatch: Precondition<Webhook>,
): Promise<Webhook> {
  const { siteId, now } = change;
  const { secrets } = parts;
  const before = await lockWebhook(change, webhookId);
  const shownBefore = showWebhook(secrets, siteId, before);
  requireMatch(shownBefore);
  const settings = checkSettings(input, before);
  const newUrl = changedUrl(input.url, shownBefore, siteId, parts);
  if (input.groupIds) await requireAccessGroups(change, settings.groupIds ?? []);
  const changes = changesBetween(shown(before), shown(settings), settingNames);
  // Two URLs of the same host differ in what is not shown.
  if (newUrl) changes.unshift({ field: 'url', from: before.host, to: newUrl.host });
  if (changes.length === 0) return shownBefore;
  if (settings.enabled && !before.enabled) await requireRoom(change);
  const restarted = await restart(change, before, settings, newUrl !== undefined);
  const after = { ...restarted, ...newUrl, updatedAt: now };
  await updateWebhookRow(change, after);
  if (before.enabled && !after.enabled) await endWaitingDeliveries(change, webhookId);
  if (newUrl) await makeDeliveriesDue(change, webhookId);
  if (after.enabled) await makeWebhookDue(change, webhookId, now);
  change.record({ type: 'webhook.updated', data: { webhookId, changes } });
  return showWebhook(secrets, siteId, after);
}

/** The URL that was submitted, sealed; undefined if it is the one of before, or none was submitted. */
function changedUrl(
  submitted: string | undefined,
  { id, url }: Webhook,
  siteId: string,
  { outgoing, secrets }: WebhookParts,
): SealedUrl | undefined {
  const checked = submitted === undefined ? url : checkUrl(submitted, outgoing);
  return checked === url ? undefined : sealUrl(secrets, siteId, id, checked);
}

/** The webhook with new settings: one that is enabled again begins with what happens now, and a new URL is tried at once. */
async function restart(
  change: Change,
  before: StoredWebhook,
  settings: WebhookSettings,
  hasNewUrl: boolean,
): Promise<StoredWebhook> {
  const after = { ...before, ...settings };
  if (!settings.enabled)
    return { ...after, disabledReason: before.disabledReason ?? 'request', replay: null, dueAt: null };
  const healthy = { failures: 0, failingSince: null, disabledReason: null };
  if (!before.enabled) return { ...after, ...healthy, position: (await findFeedPosition(change)) ?? 0 };
  return hasNewUrl ? { ...after, ...healthy } : after;
}

/** @throws {ApiError} `webhook_not_found` */
export async function deleteWebhook(
  change: Change,
  webhookId: string,
  { secrets }: WebhookParts,
  requireMatch: Precondition<Webhook>,
): Promise<void> {
  const { db, siteId } = change;
  const webhook = await lockWebhook(change, webhookId);
  requireMatch(showWebhook(secrets, siteId, webhook));
  await endWaitingDeliveries(change, webhookId);
  await deleteWebhookRow(change, webhookId);
  await db.signal();
  await addTombstones(change, [{ list: listName, id: webhookId }]);
  change.record({ type: 'webhook.deleted', data: { webhookId, host: webhook.host } });
}

/** Replaces the secret. The one before signs for another day. @throws {ApiError} `webhook_not_found` */
export async function rotateWebhookSecret(
  change: Change,
  webhookId: string,
  { secrets }: WebhookParts,
): Promise<WebhookSecret> {
  const { siteId, now } = change;
  const webhook = await lockWebhook(change, webhookId);
  const secret = newWebhookSecret();
  const previousSecretExpiresAt = timestampAfter(now, previousSecretMilliseconds);
  await updateWebhookRow(change, {
    ...webhook,
    secret: secrets.seal(secret, placeOfWebhookSecret(siteId, webhookId)),
    previousSecret: webhook.secret,
    previousSecretUntil: previousSecretExpiresAt,
    updatedAt: now,
  });
  const changes = [{ field: 'secret', from: null, to: null }];
  change.record({ type: 'webhook.updated', data: { webhookId, changes } });
  return { secret, previousSecretExpiresAt };
}

/** The settings with those that were submitted. @throws {ApiError} `invalid_request` */
function checkSettings(input: UpdateWebhook, before: WebhookSettings): WebhookSettings {
  const { description = before.description, groupIds = before.groupIds } = input;
  return {
    description: checkDescription(description),
    eventTypes: uniqueSorted(input.eventTypes === undefined ? before.eventTypes : input.eventTypes),
    groupIds: uniqueSorted(groupIds?.map((id) => id.toLowerCase()) ?? null),
    content: input.content ?? before.content,
    parallelism: input.parallelism ?? before.parallelism,
    enabled: input.enabled ?? before.enabled,
  };
}

function checkUrl(text: string, outgoing: OutgoingSettings): string {
  const read = readOutgoingUrl(text.trim(), outgoing);
  if (read.problem !== undefined) throw invalidRequest('/url', `url: ${read.problem}`);
  return read.url.href;
}

function checkDescription(text: string): string {
  const description = text.trim().normalize('NFC');
  return description === '' ? '' : checkName('description', description, maxWebhookDescriptionLength);
}

function uniqueSorted<Text extends string>(values: readonly Text[] | null): Text[] | null {
  return values && [...new Set(values)].sort();
}

async function requireRoom(view: SiteData<Transaction>): Promise<void> {
  if ((await countEnabledWebhooks(view)) < maxEnabledWebhooks) return;
  throw new ApiError(
    'too_many_webhooks',
    `This site has ${maxEnabledWebhooks} enabled webhooks, which is the maximum. Disable or delete one.`,
  );
}

const settingNames = ['description', 'eventTypes', 'groupIds', 'content', 'parallelism', 'enabled'] as const;

/** The settings as values of events, without the URL. */
function shown({ description, eventTypes, groupIds, content, parallelism, enabled }: WebhookSettings) {
  return {
    eventTypes: eventTypes?.join(', ') ?? null,
    groupIds: groupIds?.join(', ') ?? null,
    parallelism: String(parallelism),
    description,
    content,
    enabled,
  };
}
