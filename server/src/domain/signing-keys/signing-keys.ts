import { generateKeyPairSync } from 'node:crypto';
import type { RotateSigningKeys, SigningKey } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { type Timestamp, timestampAfter } from '../../base/clock.ts';
import type { SecretBox } from '../../base/encryption/secret-box.ts';
import { newId } from '../../base/ids.ts';
import type { Queries } from '../../storage/database.ts';
import type { Change } from '../events/change.ts';
import { lockSite } from '../sites/sites.ts';
import {
  isPublished,
  placeOfSigningKey,
  publishedAfterMilliseconds,
  publishedAheadMilliseconds,
  type SigningKeyRow,
  signingAt,
  toPublicJwk,
  toSigningKey,
} from './signing-key.ts';
import {
  deleteSigningKeys,
  insertSigningKey,
  selectEndedSigningKeys,
  selectSigningKeys,
  setEndOfSigningKey,
} from './signing-key-store.ts';

/** The published keys of a site, newest first. */
export async function listSigningKeys(db: Queries, siteId: string, now: Timestamp): Promise<SigningKey[]> {
  return (await findPublished(db, siteId, now)).map(toSigningKey);
}

/** The public parts of the published keys: a JSON Web Key Set (RFC 7517, section 5). */
export async function findKeySet(db: Queries, siteId: string, now: Timestamp) {
  return { keys: (await findPublished(db, siteId, now)).map(toPublicJwk) };
}

/**
 * Creates a key. The first one signs immediately; a later one when every program that verifies tokens knows it, unless
 * the older keys must no longer be used.
 * @throws {SecretKeyMissing}
 */
export async function rotateSigningKeys(
  change: Change,
  { revokeOld = false }: RotateSigningKeys,
  secrets: SecretBox,
): Promise<SigningKey> {
  const { tx, siteId, at } = change;
  await lockSite(tx, siteId);
  const known = await selectSigningKeys(tx, siteId);
  const current = revokeOld ? undefined : signingAt(known, at);
  const ended = known.filter((key) => !current || !isPublished(key, at) || key.signs_from > at);
  if (ended.length > 0)
    await deleteSigningKeys(
      tx,
      siteId,
      ended.map(({ id }) => id),
    );
  const key = newSigningKey(siteId, secrets, current ? timestampAfter(at, publishedAheadMilliseconds) : at);
  const until = timestampAfter(key.signs_from, publishedAfterMilliseconds);
  if (current) await setEndOfSigningKey(tx, siteId, current.id, until);
  await insertSigningKey(tx, siteId, key);
  await tx.signal();
  const withdrawnKeyIds = ended.filter((each) => isPublished(each, at)).map(({ id }) => id);
  change.record({
    type: 'signing-key.created',
    data: { signingKeyId: key.id, signsFrom: key.signs_from, withdrawnKeyIds },
  });
  return toSigningKey(key);
}

/** @throws {ApiError} `signing_key_missing` */
export async function requireSigningKey(db: Queries, siteId: string): Promise<void> {
  if ((await selectSigningKeys(db, siteId)).length > 0) return;
  throw new ApiError(
    'signing_key_missing',
    'The site has no signing key, so no identity token can be signed. Create a signing key first.',
  );
}

/** A few keys that are no longer published, over all sites. */
export function findEndedSigningKeys(db: Queries, now: Timestamp, limit: number) {
  return selectEndedSigningKeys(db, now, limit);
}

export async function purgeSigningKeys(
  { tx, siteId, at }: Change,
  rows: readonly { readonly id: string }[],
): Promise<void> {
  // A rotation may have prolonged a key since it was found.
  const ended = (await selectSigningKeys(tx, siteId)).filter((key) => !isPublished(key, at));
  const ids = rows.map(({ id }) => id).filter((id) => ended.some((key) => key.id === id));
  if (ids.length > 0) await deleteSigningKeys(tx, siteId, ids);
}

async function findPublished(db: Queries, siteId: string, now: Timestamp): Promise<SigningKeyRow[]> {
  return (await selectSigningKeys(db, siteId)).filter((key) => isPublished(key, now));
}

function newSigningKey(siteId: string, secrets: SecretBox, signsFrom: Timestamp): SigningKeyRow {
  const id = newId();
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return {
    id,
    public_key: x!,
    secret: secrets.seal(d!, placeOfSigningKey(siteId, id)),
    signs_from: signsFrom,
    published_until: null,
  };
}
