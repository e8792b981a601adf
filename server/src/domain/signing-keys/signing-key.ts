import type { SigningKey } from '@gatehouse/contract';
import type { Timestamp } from '../../base/clock.ts';
import { timeOfId } from '../../base/ids.ts';

/** How long a new key is published before it signs: longer than programs keep the published keys. */
export const publishedAheadMilliseconds = 5 * 60_000;
/** How long a replaced key stays published: much longer than its last token is valid. */
export const publishedAfterMilliseconds = 60 * 60_000;

/** A key as it is stored. */
export interface StoredSigningKey {
  readonly id: string;
  /** The `x` of RFC 8037, section 2. */
  readonly publicKey: string;
  /** The sealed `d` of RFC 8037, section 2. */
  readonly secret: string;
  readonly signsFrom: Timestamp;
  /** Null for the newest key. */
  readonly publishedUntil: Timestamp | null;
}

export function toSigningKey({ id, signsFrom, publishedUntil }: StoredSigningKey): SigningKey {
  return { id, createdAt: timeOfId(id), signsFrom, publishedUntil };
}

export function isPublished(
  { publishedUntil }: Pick<StoredSigningKey, 'publishedUntil'>,
  now: Timestamp,
): boolean {
  return publishedUntil === null || publishedUntil > now;
}

/** The key that signs now: the one that began last. */
export function signingAt<Row extends Pick<StoredSigningKey, 'id' | 'signsFrom' | 'publishedUntil'>>(
  rows: readonly Row[],
  now: Timestamp,
): Row | undefined {
  let found: Row | undefined;
  for (const row of rows) {
    if (row.signsFrom > now || !isPublished(row, now)) continue;
    if (!found || row.signsFrom > found.signsFrom || (row.signsFrom === found.signsFrom && row.id > found.id))
      found = row;
  }
  return found;
}

/** Where a private key belongs, so that it cannot be decrypted in another row. */
export function placeOfSigningKey(siteId: string, keyId: string): string {
  return `${siteId}/signing-keys/${keyId}`;
}

/** A public key as a JSON Web Key (RFC 7517; RFC 8037, section 2). */
export function toPublicJwk({ id, publicKey }: Pick<StoredSigningKey, 'id' | 'publicKey'>) {
  return { kty: 'OKP', crv: 'Ed25519', x: publicKey, kid: id, alg: 'EdDSA', use: 'sig' };
}
