import {
  defaultPermissions,
  permissions as everyPermission,
  grants,
  type Permission,
} from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import type { Timestamp } from '../base/clock.ts';
import { newId, timeOfId } from '../base/ids.ts';
import { invalidRequest, Refusal } from '../base/refusal.ts';
import { hasControlCharacters, lengthOf } from '../base/text.ts';
import { recordEvents } from '../events/events.ts';
import { invalidCursor } from '../routing/departed-items.ts';
import { type Page, toPage } from '../routing/page.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { type ApiKey, type ApiKeyRow, generateKey, hashKey, isInForce, toApiKey } from './api-key.ts';
import {
  insertApiKey,
  markReplaced,
  markRevoked,
  selectApiKey,
  selectApiKeyByHash,
  selectApiKeys,
  selectApiKeysBefore,
} from './api-key-store.ts';

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
 * `carried` is what the caller itself may do: it can hand on no more than that.
 * @throws Refusal `invalid_request`, `permission_denied`
 */
export async function createApiKey(
  tx: Transaction,
  siteId: string,
  input: NewApiKey,
  cause: Cause,
  carried: readonly Permission[] = everyPermission,
): Promise<CreatedApiKey> {
  requireCarried(carried, input.permissions ?? defaultPermissions);
  const created = await addApiKey(tx, siteId, input, cause);
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
 * Makes a new key like an old one, which goes on working until `validUntil`.
 * `carried` as for `createApiKey`: the new key is told to the caller.
 * @throws Refusal `key_not_found`, `key_not_in_force`, `permission_denied`
 */
export async function rotateApiKey(
  tx: Transaction,
  siteId: string,
  keyId: string,
  validUntil: Timestamp,
  cause: Cause,
  carried: readonly Permission[] = everyPermission,
): Promise<CreatedApiKey> {
  const old = await findApiKey(tx, siteId, keyId);
  requireCarried(carried, old.permissions);
  if (!isInForce(old, cause.at) || old.replacedBy !== null) throw keyNotInForce();
  const created = await addApiKey(tx, siteId, { ...old, expiresAt: old.expiresAt }, cause);
  const ends = old.expiresAt !== null && old.expiresAt < validUntil ? old.expiresAt : validUntil;
  if (!(await markReplaced(tx, siteId, keyId, created.apiKey.id, ends))) throw keyNotInForce();
  await tx.signal();
  await recordEvents(tx, siteId, cause, [
    { type: 'key.rotated', data: { keyId, replacedBy: created.apiKey.id, validUntil: ends } },
  ]);
  return created;
}

/** @throws Refusal `key_not_found`, `key_not_in_force` */
export async function revokeApiKey(
  tx: Transaction,
  siteId: string,
  keyId: string,
  cause: Cause,
): Promise<void> {
  await findApiKey(tx, siteId, keyId);
  if (!(await markRevoked(tx, siteId, keyId, cause.at))) throw keyNotInForce();
  await tx.signal();
  await recordEvents(tx, siteId, cause, [{ type: 'key.revoked', data: { keyId } }]);
}

function requireCarried(carried: readonly Permission[], handedOn: readonly Permission[]): void {
  const missing = handedOn.filter((permission) => !grants(carried, permission));
  if (missing.length === 0) return;
  throw new Refusal(
    'permission_denied',
    `You lack permissions that the key was to have: ${missing.join(', ')}. Leave them out.`,
  );
}

async function findApiKey(db: Queries, siteId: string, keyId: string): Promise<ApiKey> {
  const row = await selectApiKey(db, siteId, keyId);
  if (!row) throw new Refusal('key_not_found', 'This site has no API key with this id. Check the id.');
  return toApiKey(row);
}

async function addApiKey(
  tx: Transaction,
  siteId: string,
  input: NewApiKey,
  cause: Cause,
): Promise<CreatedApiKey> {
  const secret = generateKey();
  const id = newId();
  const expiresAt = input.expiresAt ?? null;
  if (expiresAt !== null && expiresAt <= cause.at)
    throw invalidRequest('/expiresAt', 'expiresAt lies in the past.');
  const row: ApiKeyRow = {
    site_id: siteId,
    id,
    name: checkName(input.name),
    ending: secret.slice(-4),
    permissions: JSON.stringify([...new Set(input.permissions ?? defaultPermissions)]),
    rate_limit: input.rateLimit ?? null,
    created_at: timeOfId(id),
    expires_at: expiresAt,
    revoked_at: null,
    replaced_by: null,
  };
  await insertApiKey(tx, row, hashKey(secret));
  return { apiKey: toApiKey(row), secret };
}

function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed !== '' && lengthOf(trimmed) <= 100 && !hasControlCharacters(trimmed)) return trimmed;
  throw invalidRequest('/name', 'name takes 1 to 100 characters on one line.');
}

function keyNotInForce(): Refusal {
  return new Refusal(
    'key_not_in_force',
    'This key was revoked or replaced before, or has expired. Create a new one.',
  );
}
