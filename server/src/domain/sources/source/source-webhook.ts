import type { SourceWebhook } from '@gatehouse/contract';
import { sourceWebhookMinutes } from '@gatehouse/contract/limits';
import { sourceTypeNames, sourceTypes } from '@gatehouse/contract/source-types';
import { ApiError } from '../../../base/api-error.ts';
import { type Timestamp, timestampAfter } from '../../../base/clock.ts';
import type { SiteView } from '../../../storage/site-view.ts';
import type { Change } from '../../events/change.ts';
import { requestRunAfterChange } from '../runs/next-run.ts';
import type { SignedRequest } from '../workspaces/connector.ts';
import { WorkspaceUnavailable } from '../workspaces/workspace.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { lockSource } from './locked-source.ts';
import { placeOfSecret, type StoredSource, type TokenSecret } from './source.ts';
import { openSecret } from './source-secrets.ts';
import { selectSource, updateSourceRow } from './source-store.ts';
import { findStoredSource } from './sources.ts';

/** The path of the requests that a workspace sends when something has changed. */
function webhookPath(siteId: string, { id, type }: StoredSource): string {
  return `/hooks/${type}/${siteId}/${id}`;
}

/**
 * The webhook of a source. Its verification token is shown until the first signed request has come.
 * @param publicUrl of Gatehouse
 * @throws {ApiError} `source_not_found`, `source_without_webhook`, `workspace_rejected`
 */
export async function findSourceWebhook(
  view: SiteView,
  workspaces: Workspaces,
  sourceId: string,
  publicUrl: string,
): Promise<SourceWebhook> {
  const { siteId, now } = view;
  const source = requireWebhook(workspaces, await findStoredSource(view, sourceId));
  const address = publicUrl + webhookPath(siteId, source);
  const { webhook } = readSecret(workspaces, siteId, source);
  if (webhook === undefined) {
    const awaitedUntil = isAwaited(source, now) ? source.webhookAwaitedUntil : null;
    return { address, status: 'none', awaitedUntil, verificationToken: null };
  }
  return source.webhookActive
    ? { address, status: 'active', awaitedUntil: null, verificationToken: null }
    : { address, status: 'waiting', awaitedUntil: null, verificationToken: webhook };
}

/** Whether a verification token is accepted: anyone who knows the address can send one. */
function isAwaited({ webhookAwaitedUntil }: StoredSource, now: Timestamp): boolean {
  return webhookAwaitedUntil !== null && webhookAwaitedUntil > now;
}

/**
 * Deletes the verification token, and accepts another one for some minutes, so that the workspace can be connected.
 * @param callerEnd when the caller's key ends, and with it what it has requested; null if it does not
 * @throws {ApiError} `source_not_found`, `source_without_webhook`
 */
export async function resetSourceWebhook(
  change: Change,
  workspaces: Workspaces,
  sourceId: string,
  callerEnd: Timestamp | null,
): Promise<void> {
  const { siteId, now } = change;
  const source = requireWebhook(workspaces, await lockSource(change, sourceId));
  const { token, webhook } = readSecret(workspaces, siteId, source);
  const secret = webhook === undefined ? source.secret : sealSecret(workspaces, siteId, source, { token });
  const latest = timestampAfter(now, sourceWebhookMinutes * 60_000);
  const webhookAwaitedUntil = callerEnd !== null && callerEnd < latest ? callerEnd : latest;
  const reset = { secret, webhookActive: false, webhookAwaitedUntil, updatedAt: now };
  await updateSourceRow(change, { ...source, ...reset });
  if (isAwaited(source, now)) return;
  const changes = [{ field: 'webhook', from: stateBefore(source, webhook), to: 'expected' }];
  change.record({ type: 'source.updated', data: { sourceId, changes } });
}

function stateBefore({ webhookActive }: StoredSource, webhook: string | undefined): string | null {
  if (webhook === undefined) return null;
  return webhookActive ? 'active' : 'waiting';
}

/** A verification token came that no one has requested, or too late. */
export interface UnexpectedToken {
  readonly kind: 'unexpected';
}

/** What a request to the webhook of a source means. */
export type Notification =
  | { readonly kind: 'change'; readonly sourceId: string }
  /** The workspace has sent its verification token: the secret before and after. */
  | {
      readonly kind: 'verification';
      readonly sourceId: string;
      readonly before: string;
      readonly after: string;
    };

/**
 * Checks a request to the webhook of a source. Returns undefined if it must be rejected.
 * @throws {ApiError} `workspace_rejected` if the secret of the source cannot be decrypted
 */
export async function readNotification(
  view: SiteView,
  workspaces: Workspaces,
  { sourceId, type }: { readonly sourceId: string; readonly type: string },
  request: SignedRequest,
): Promise<Notification | UnexpectedToken | undefined> {
  const { siteId, now } = view;
  const source = await selectSource(view, sourceId);
  if (source?.type !== type) return undefined;
  const readWebhook = workspaces.connectorOf(source.type)?.readWebhook;
  if (!readWebhook) return undefined;
  const secret = readSecret(workspaces, siteId, source);
  const read = readWebhook(request, secret.webhook ?? null);
  if (read.kind === 'rejected') return undefined;
  if (read.kind === 'change') return { kind: 'change', sourceId };
  if (!isAwaited(source, now)) return { kind: 'unexpected' };
  const after = sealSecret(workspaces, siteId, source, { ...secret, webhook: read.token });
  return { kind: 'verification', sourceId, before: source.secret!, after };
}

/** Stores the verification token of a workspace, or plans a run because something has changed there. */
export async function acceptNotification(change: Change, notification: Notification): Promise<void> {
  const { now } = change;
  const { sourceId } = notification;
  const source = await lockSource(change, sourceId);
  if (notification.kind === 'change') {
    if (!source.webhookActive) {
      await updateSourceRow(change, { ...source, webhookActive: true });
      const changes = [{ field: 'webhook', from: 'waiting', to: 'active' }];
      change.record({ type: 'source.updated', data: { sourceId, changes } });
    }
    return requestRunAfterChange(change, source);
  }
  // Someone may have changed the secret since it was read.
  if (source.secret !== notification.before || !isAwaited(source, now)) return;
  const secret = notification.after;
  await updateSourceRow(change, { ...source, secret, webhookAwaitedUntil: null, updatedAt: now });
  const changes = [{ field: 'webhook', from: 'expected', to: 'waiting' }];
  change.record({ type: 'source.updated', data: { sourceId, changes } });
}

/** The types whose workspaces report changes. */
const reporting = sourceTypeNames.filter((type) => sourceTypes[type].reportsChanges);

function requireWebhook(workspaces: Workspaces, source: StoredSource): StoredSource {
  if (workspaces.connectorOf(source.type)?.readWebhook) return source;
  throw new ApiError(
    'source_without_webhook',
    `Only a source of the type "${reporting.join('" or "')}" has a webhook. Other sources are synchronized on schedule.`,
  );
}

/** @throws {ApiError} `workspace_rejected` */
function readSecret(workspaces: Workspaces, siteId: string, source: StoredSource): TokenSecret {
  try {
    return JSON.parse(openSecret(workspaces.secrets, siteId, source));
  } catch (error) {
    if (error instanceof WorkspaceUnavailable) throw new ApiError('workspace_rejected', error.message);
    throw error;
  }
}

function sealSecret(
  { secrets }: Workspaces,
  siteId: string,
  { id }: StoredSource,
  secret: TokenSecret,
): string {
  return secrets.seal(JSON.stringify(secret), placeOfSecret(siteId, id));
}
