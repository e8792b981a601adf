import { generateKeyPairSync } from 'node:crypto';
import type { RotateSigningKeys, SigningKey } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { type Timestamp, timestampAfter } from '../../base/clock.ts';
import type { SecretBox } from '../../base/encryption/secret-box.ts';
import { idsOf, newId } from '../../base/ids.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import type { ExpiredRow } from '../../storage/sql/expiring-rows.ts';
import type { Change } from '../events/change.ts';
import { lockSite } from '../sites/sites.ts';
import {
  isPublished,
  placeOfSigningKey,
  publishedAfterMilliseconds,
  publishedAheadMilliseconds,
  type StoredSigningKey,
  signingAt,
  toPublicJwk,
  toSigningKey,
} from './signing-key.ts';
import {
  deleteSigningKeys,
  insertSigningKey,
  selectSigningKeys,
  setEndOfSigningKey,
} from './signing-key-store.ts';

/** The published keys of a site, newest first. */
export async function listSigningKeys(view: SiteView): Promise<SigningKey[]> {
  return (await findPublished(view)).map(toSigningKey);
}

/** The public parts of the published keys: a JSON Web Key Set (RFC 7517, section 5). */
export async function findKeySet(view: SiteView) {
  return { keys: (await findPublished(view)).map(toPublicJwk) };
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
  const { db, siteId, now } = change;
  await lockSite(change);
  const known = await selectSigningKeys(change);
  const current = revokeOld ? undefined : signingAt(known, now);
  const ended = known.filter((key) => !current || !isPublished(key, now) || key.signsFrom > now);
  if (ended.length > 0) await deleteSigningKeys(change, idsOf(ended));
  const key = newSigningKey(siteId, secrets, current ? timestampAfter(now, publishedAheadMilliseconds) : now);
  const until = timestampAfter(key.signsFrom, publishedAfterMilliseconds);
  if (current) await setEndOfSigningKey(change, current.id, until);
  await insertSigningKey(change, key);
  await db.signal();
  const withdrawnKeyIds = idsOf(ended.filter((each) => isPublished(each, now)));
  change.record({
    type: 'signing-key.created',
    data: { signingKeyId: key.id, signsFrom: key.signsFrom, withdrawnKeyIds },
  });
  return toSigningKey(key);
}

/** @throws {ApiError} `signing_key_missing` */
export async function requireSigningKey(view: SiteData): Promise<void> {
  if ((await selectSigningKeys(view)).length > 0) return;
  throw new ApiError(
    'signing_key_missing',
    'The site has no signing key, so no identity token can be signed. Create a signing key first.',
  );
}

export { findEndedSigningKeys } from './signing-key-store.ts';

export async function purgeSigningKeys(change: Change, rows: readonly ExpiredRow[]): Promise<void> {
  // A rotation may have prolonged a key since it was found.
  const ended = (await selectSigningKeys(change)).filter((key) => !isPublished(key, change.now));
  const ids = idsOf(rows).filter((id) => ended.some((key) => key.id === id));
  if (ids.length > 0) await deleteSigningKeys(change, ids);
}

async function findPublished(view: SiteView): Promise<StoredSigningKey[]> {
  return (await selectSigningKeys(view)).filter((key) => isPublished(key, view.now));
}

function newSigningKey(siteId: string, secrets: SecretBox, signsFrom: Timestamp): StoredSigningKey {
  const id = newId();
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return {
    id,
    publicKey: x!,
    secret: secrets.seal(d!, placeOfSigningKey(siteId, id)),
    signsFrom,
    publishedUntil: null,
  };
}
