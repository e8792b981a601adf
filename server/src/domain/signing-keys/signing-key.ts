import type { SigningKey } from '@gatehouse/contract';
import type { Timestamp } from '../../base/clock.ts';
import { timeOfId } from '../../base/ids.ts';

/** How long a new key is published before it signs: longer than programs keep the published keys. */
export const publishedAheadMilliseconds = 5 * 60_000;
/** How long a replaced key stays published: much longer than its last token is valid. */
export const publishedAfterMilliseconds = 60 * 60_000;

export interface SigningKeyRow {
  readonly id: string;
  /** The `x` of RFC 8037, section 2. */
  readonly public_key: string;
  /** The sealed `d` of RFC 8037, section 2. */
  readonly secret: string;
  readonly signs_from: Timestamp;
  /** Null for the newest key. */
  readonly published_until: Timestamp | null;
}

export function toSigningKey({ id, signs_from, published_until }: SigningKeyRow): SigningKey {
  return { id, createdAt: timeOfId(id), signsFrom: signs_from, publishedUntil: published_until };
}

export function isPublished(
  { published_until }: Pick<SigningKeyRow, 'published_until'>,
  now: Timestamp,
): boolean {
  return published_until === null || published_until > now;
}

/** The key that signs now: the one that began last. */
export function signingAt<Row extends Pick<SigningKeyRow, 'id' | 'signs_from' | 'published_until'>>(
  rows: readonly Row[],
  now: Timestamp,
): Row | undefined {
  let found: Row | undefined;
  for (const row of rows) {
    if (row.signs_from > now || !isPublished(row, now)) continue;
    if (
      !found ||
      row.signs_from > found.signs_from ||
      (row.signs_from === found.signs_from && row.id > found.id)
    )
      found = row;
  }
  return found;
}

/** Where a private key belongs, so that it cannot be decrypted in another row. */
export function placeOfSigningKey(siteId: string, keyId: string): string {
  return `${siteId}/signing-keys/${keyId}`;
}

/** A public key as a JSON Web Key (RFC 7517; RFC 8037, section 2). */
export function toPublicJwk({ id, public_key }: Pick<SigningKeyRow, 'id' | 'public_key'>) {
  return { kty: 'OKP', crv: 'Ed25519', x: public_key, kid: id, alg: 'EdDSA', use: 'sig' };
}
