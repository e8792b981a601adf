import type { Actor, Permission } from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import type { Timestamp } from '../base/clock.ts';
import { newId, timeOfId } from '../base/ids.ts';
import { invalidRequest, Refusal } from '../base/refusal.ts';
import { checkName } from '../base/text.ts';
import { recordEvents } from '../events/events.ts';
import { invalidCursor } from '../routing/departed-items.ts';
import { type Page, toPage } from '../routing/page.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { type ApiKey, type ApiKeyRow, generateKey, hashKey, isInForce, toApiKey } from './api-key.ts';
import {
  insertApiKey,
  lockApiKeys,
  markReplaced,
  markRevoked,
  selectApiKey,
  selectApiKeyByHash,
  selectApiKeys,
  selectApiKeysBefore,
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

/** A key together with its secret, which is shown this once and never again. */
export interface CreatedApiKey {
  readonly apiKey: ApiKey;
  readonly secret: string;
}

/**
 * What the input leaves out is as the authority has it.
 * @throws Refusal `invalid_request`, `permission_denied`
 */
export async function createApiKey(
  tx: Transaction,
  siteId: string,
  { name: wantedName, ...wanted }: NewApiKey,
  cause: Cause,
  authority: KeyAuthority = fullAuthority,
): Promise<CreatedApiKey> {
  const powers = { ...powersByDefault(authority), ...withoutUndefined(wanted) };
  requireAuthority(authority, powers);
  const created = await addApiKey(tx, siteId, checkName('name', wantedName.trim()), powers, cause);
  const { id, name, permissions, expiresAt } = created.apiKey;
  await recordEvents(tx, siteId, cause, [
    { type: 'key.created', data: { keyId: id, name, permissions: [...permissions], expiresAt } },
  ]);
  return created;
}

/** Finds the key that a secret opens, whether or not it is still in force. */
export async function findApiKeyBySecret(db: Queries, secret: string): Promise<ApiKey | undefined> {
  const row = await selectApiKeyByHash(db, hashKey(secret));
  return row && toApiKey(row);
}

export async function listApiKeys(db: Queries, siteId: string): Promise<ApiKey[]> {
  return (await selectApiKeys(db, siteId)).map(toApiKey);
}

export interface ApiKeyQuery {
  readonly after?: string;
  readonly limit: number;
}

/** Lists a site's keys page by page, newest first. @throws Refusal `invalid_cursor` */
export async function listApiKeyPage(
  db: Queries,
  siteId: string,
  { after, limit }: ApiKeyQuery,
): Promise<Page<ApiKey>> {
  // A key is never deleted.
  if (after !== undefined && !(await selectApiKey(db, siteId, after))) throw invalidCursor();
  return toPage(await selectApiKeysBefore(db, siteId, after, limit + 1), limit, toApiKey);
}

/**
 * How far a caller can go with keys. A key is read anew and stays locked, together with the one that it is about to
 * change: it may have been given an end since the request began.
 * @throws Refusal `invalid_api_key`
 */
export async function keyAuthorityOf(
  tx: Transaction,
  siteId: string,
  caller: { readonly actor: Actor; readonly permissions: readonly Permission[] },
  defaultRateLimit: number,
  now: Timestamp,
  changedKeyId?: string,
): Promise<KeyAuthority> {
  const { actor, permissions } = caller;
  if (actor.type !== 'key') return { permissions, defaultRateLimit };
  const rows = await lockApiKeys(tx, siteId, [
    actor.id!,
    ...(changedKeyId === undefined ? [] : [changedKeyId]),
  ]);
  const key = rows.map(toApiKey).find(({ id }) => id === actor.id);
  if (!key || !isInForce(key, now)) {
    throw new Refusal(
      'invalid_api_key',
      'The API key ended while the request was under way. Use another one.',
    );
  }
  return { permissions: key.permissions, key, defaultRateLimit };
}

/**
 * Makes sure that a caller may give or take away what has neither an end nor a limit of its own, such as a role.
 * @throws Refusal `permission_denied`, `invalid_api_key`
 */
export async function requireUnlimitedCaller(
  tx: Transaction,
  siteId: string,
  caller: { readonly actor: Actor; readonly permissions: readonly Permission[] },
  defaultRateLimit: number,
  now: Timestamp,
): Promise<void> {
  const authority = await keyAuthorityOf(tx, siteId, caller, defaultRateLimit, now);
  requireAuthority(authority, { permissions: [], expiresAt: null, rateLimit: null });
}

/**
 * Makes a new key like an old one, which goes on working until `validUntil`.
 * @throws Refusal `key_not_found`, `key_not_in_force`, `permission_denied`
 */
export async function rotateApiKey(
  tx: Transaction,
  siteId: string,
  keyId: string,
  validUntil: Timestamp,
  cause: Cause,
  authority: KeyAuthority = fullAuthority,
): Promise<CreatedApiKey> {
  const old = await findApiKey(tx, siteId, keyId);
  requireAuthority(authority, old);
  if (!isInForce(old, cause.at) || old.replacedBy !== null) throw keyNotInForce();
  const created = await addApiKey(tx, siteId, old.name, old, cause);
  const ends = old.expiresAt !== null && old.expiresAt < validUntil ? old.expiresAt : validUntil;
  if (!(await markReplaced(tx, siteId, keyId, created.apiKey.id, ends))) throw keyNotInForce();
  await tx.signal();
  await recordEvents(tx, siteId, cause, [
    { type: 'key.rotated', data: { keyId, replacedBy: created.apiKey.id, validUntil: ends } },
  ]);
  return created;
}

/** A key can always revoke itself. @throws Refusal `key_not_found`, `key_not_in_force`, `permission_denied` */
export async function revokeApiKey(
  tx: Transaction,
  siteId: string,
  keyId: string,
  cause: Cause,
  authority: KeyAuthority = fullAuthority,
): Promise<void> {
  const key = await findApiKey(tx, siteId, keyId);
  if (key.id !== authority.key?.id) requireAuthority(authority, key);
  if (!(await markRevoked(tx, siteId, keyId, cause.at))) throw keyNotInForce();
  await tx.signal();
  await recordEvents(tx, siteId, cause, [{ type: 'key.revoked', data: { keyId } }]);
}

async function findApiKey(db: Queries, siteId: string, keyId: string): Promise<ApiKey> {
  const row = await selectApiKey(db, siteId, keyId);
  if (!row) throw new Refusal('key_not_found', 'This site has no API key with this id. Check the id.');
  return toApiKey(row);
}

async function addApiKey(
  tx: Transaction,
  siteId: string,
  name: string,
  { permissions, expiresAt, rateLimit }: KeyPowers,
  cause: Cause,
): Promise<CreatedApiKey> {
  const secret = generateKey();
  const id = newId();
  if (expiresAt !== null && expiresAt <= cause.at)
    throw invalidRequest('/expiresAt', 'expiresAt lies in the past.');
  const row: ApiKeyRow = {
    site_id: siteId,
    id,
    name,
    ending: secret.slice(-4),
    permissions: JSON.stringify([...new Set(permissions)]),
    rate_limit: rateLimit,
    created_at: timeOfId(id),
    expires_at: expiresAt,
    revoked_at: null,
    replaced_by: null,
  };
  await insertApiKey(tx, row, hashKey(secret));
  return { apiKey: toApiKey(row), secret };
}

/** A field that is there without a value counts as left out. */
function withoutUndefined<T extends object>(values: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as never;
}

function keyNotInForce(): Refusal {
  return new Refusal(
    'key_not_in_force',
    'This key was revoked or replaced before, or has expired. Create a new one.',
  );
}
