import type { Actor, Permission } from '@gatehouse/contract';
import { ApiError, invalidRequest } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';
import { idsOf, newId, timeOfId } from '../../base/ids.ts';
import { type Page, type PageQuery, pageOf } from '../../base/page.ts';
import { checkName } from '../../base/text/text.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { acquireSiteLock } from '../../storage/sql/row-lock.ts';
import { invalidCursor } from '../cursors/cursor-tombstones.ts';
import type { Change } from '../events/change.ts';
import { endInvitationsOf, handOverInvitations } from '../invitation-ends/invitation-ends.ts';
import { type ApiKey, generateKey, hashKey, isInForce } from './api-key.ts';
import {
  insertApiKey,
  markReplaced,
  markRevoked,
  selectApiKey,
  selectApiKeyByHash,
  selectApiKeysBefore,
  selectUsesOfKeys,
} from './api-key-store.ts';
import {
  fullAuthority,
  type KeyAuthority,
  type KeyPowers,
  powersByDefault,
  requireAuthority,
} from './key-authority.ts';

export interface NewApiKey {
  readonly name: string;
  readonly permissions?: readonly Permission[];
  readonly rateLimit?: number | null;
  readonly expiresAt?: Timestamp | null;
}

/** An API key with its secret, which is shown only once. */
export interface CreatedApiKey {
  readonly apiKey: ApiKey;
  readonly secret: string;
}

/**
 * Omitted fields get the values of the authority.
 * @throws {ApiError} `invalid_request`, `permission_denied`
 */
export async function createApiKey(
  change: Change,
  { name: wantedName, ...wanted }: NewApiKey,
  authority: KeyAuthority = fullAuthority,
): Promise<CreatedApiKey> {
  const powers = { ...powersByDefault(authority), ...withoutUndefined(wanted) };
  requireAuthority(authority, powers);
  const created = await addApiKey(change, checkName('name', wantedName.trim()), powers);
  const { id, name, permissions, expiresAt } = created.apiKey;
  change.record({
    type: 'api-key.created',
    data: { keyId: id, name, permissions: [...permissions], expiresAt },
  });
  return created;
}

/** Finds the key with a secret, whether or not it is still valid. */
export function findApiKeyBySecret(db: Queries, secret: string): Promise<ApiKey | undefined> {
  return selectApiKeyByHash(db, hashKey(secret));
}

/** A key that is in force. */
export async function findKeyInForce(view: SiteView, keyId: string): Promise<ApiKey | undefined> {
  const key = await selectApiKey(view, keyId);
  return key && isInForce(key, view.now) ? key : undefined;
}

export {
  saveUse as recordKeyUse,
  selectApiKeys as listApiKeys,
  selectHashesOfKeys as findKeysInForce,
} from './api-key-store.ts';

/** A key, and when it was last used; null if it was not. */
export interface ListedApiKey extends ApiKey {
  readonly lastUsedAt: Timestamp | null;
}

/** Lists the keys of a site page by page, newest first. @throws {ApiError} `invalid_cursor` */
export async function listApiKeyPage(
  view: SiteData,
  { after, limit }: PageQuery,
): Promise<Page<ListedApiKey>> {
  // Keys are never deleted, so the cursor must exist.
  if (after !== undefined && !(await selectApiKey(view, after))) throw invalidCursor();
  const { data, pagination } = pageOf(await selectApiKeysBefore(view, after, limit + 1), limit);
  const uses = await selectUsesOfKeys(view, idsOf(data));
  return { data: data.map((key) => ({ ...key, lastUsedAt: uses.get(key.id) ?? null })), pagination };
}

/**
 * The authority of a caller over keys. The keys of the site are locked, and the caller's is read again, because its
 * expiry may have changed since the request began.
 * @throws {ApiError} `invalid_api_key`
 */
export async function keyAuthorityOf(
  view: SiteView<Transaction>,
  caller: { readonly actor: Actor; readonly permissions: readonly Permission[] },
  defaultRateLimit: number,
): Promise<KeyAuthority> {
  const { actor, permissions } = caller;
  if (actor.type !== 'key') return { permissions, defaultRateLimit };
  await acquireSiteLock(view, 'api_keys');
  const key = await selectApiKey(view, actor.id!);
  if (!key || !isInForce(key, view.now)) {
    throw new ApiError(
      'invalid_api_key',
      'The API key expired or was revoked during the request. Use another key.',
    );
  }
  return { permissions: key.permissions, key, defaultRateLimit };
}

/** When the key of a caller expires; null if it does not, and for an operator. */
export async function findCallerEnd(view: SiteData, actor: Actor): Promise<Timestamp | null> {
  if (actor.type !== 'key') return null;
  return (await selectApiKey(view, actor.id!))?.expiresAt ?? null;
}

/**
 * Requires that a caller may grant or revoke something without an expiry or a rate limit, such as a role.
 * @throws {ApiError} `permission_denied`, `invalid_api_key`
 */
export async function requireUnlimitedCaller(
  view: SiteView<Transaction>,
  caller: { readonly actor: Actor; readonly permissions: readonly Permission[] },
  defaultRateLimit: number,
): Promise<void> {
  const authority = await keyAuthorityOf(view, caller, defaultRateLimit);
  requireAuthority(authority, { permissions: [], expiresAt: null, rateLimit: null });
}

/**
 * Creates a new key with the powers of an old one, which stays valid until `validUntil`.
 * @throws {ApiError} `key_not_found`, `key_not_in_force`, `permission_denied`
 */
export async function rotateApiKey(
  change: Change,
  keyId: string,
  validUntil: Timestamp,
  authority: KeyAuthority = fullAuthority,
): Promise<CreatedApiKey> {
  const { db } = change;
  await acquireSiteLock(change, 'api_keys');
  const old = await findApiKey(change, keyId);
  requireAuthority(authority, old);
  if (!isInForce(old, change.now) || old.replacedBy !== null) throw keyNotInForce();
  const created = await addApiKey(change, old.name, old);
  const ends = old.expiresAt !== null && old.expiresAt < validUntil ? old.expiresAt : validUntil;
  if (!(await markReplaced(change, keyId, created.apiKey.id, ends))) throw keyNotInForce();
  await handOverInvitations(change, keyId, created.apiKey.id);
  await db.signal();
  change.record({
    type: 'api-key.rotated',
    data: { keyId, replacedBy: created.apiKey.id, expiresAt: ends },
  });
  return created;
}

/**
 * Revokes a key. A key can always revoke itself. @throws {ApiError} `key_not_found`, `key_not_in_force`,
 * `permission_denied`
 */
export async function revokeApiKey(
  change: Change,
  keyId: string,
  authority: KeyAuthority = fullAuthority,
): Promise<void> {
  const { db } = change;
  await acquireSiteLock(change, 'api_keys');
  const key = await findApiKey(change, keyId);
  if (key.id !== authority.key?.id) requireAuthority(authority, key);
  if (!(await markRevoked(change, keyId))) throw keyNotInForce();
  await endInvitationsOf(change, keyId);
  await db.signal();
  change.record({ type: 'api-key.revoked', data: { keyId } });
}

async function findApiKey(view: SiteData, keyId: string): Promise<ApiKey> {
  const key = await selectApiKey(view, keyId);
  if (!key) throw new ApiError('key_not_found', 'This site has no API key with this ID. Check the ID.');
  return key;
}

async function addApiKey(
  change: Change,
  name: string,
  { permissions, expiresAt, rateLimit }: KeyPowers,
): Promise<CreatedApiKey> {
  const { db, siteId } = change;
  const secret = generateKey();
  const id = newId();
  if (expiresAt !== null && expiresAt <= change.now)
    throw invalidRequest('/expiresAt', 'expiresAt must be in the future.');
  const apiKey: ApiKey = {
    siteId,
    id,
    name,
    last4: secret.slice(-4),
    permissions: [...new Set(permissions)],
    rateLimit,
    createdAt: timeOfId(id),
    expiresAt,
    revokedAt: null,
    replacedBy: null,
  };
  await insertApiKey(db, apiKey, hashKey(secret));
  return { apiKey, secret };
}

/** Treats fields with the value `undefined` as omitted. */
function withoutUndefined<T extends object>(values: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as never;
}

function keyNotInForce(): ApiError {
  return new ApiError(
    'key_not_in_force',
    'This API key has been revoked or replaced, or has expired. Create a new key.',
  );
}
