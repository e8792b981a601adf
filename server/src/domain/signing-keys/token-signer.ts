import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Timestamp } from '../../base/clock.ts';
import type { SecretBox } from '../../base/encryption/secret-box.ts';
import type { Database } from '../../storage/database.ts';
import { InvalidatingCache } from '../../storage/invalidating-cache.ts';
import { type StoredSigningKey, signingAt } from './signing-key.ts';
import { openSigningKey } from './signing-key-secrets.ts';
import { selectSigningKeys } from './signing-key-store.ts';

/** What a token is for. A token for one purpose is never accepted for the other. */
export type TokenPurpose = 'edge' | 'identity';

/** With the tolerance of the verifiers for clocks that differ, a token is valid for at most 60 s. */
const tokenSeconds = 55;

export interface TokenClaims {
  /** The host that the token is for. */
  readonly aud: string;
  /** The member; left out for an anonymous visitor. */
  readonly sub?: string;
  readonly [name: string]: unknown;
}

/** A key that signs, with its private part if that can be opened. */
interface LoadedKey extends Pick<StoredSigningKey, 'id' | 'signsFrom' | 'publishedUntil'> {
  readonly privateKey: KeyObject | undefined;
}

/** The key that signs now. */
export type CurrentKey = LoadedKey & { readonly privateKey: KeyObject };

/** Signs tokens with the keys of sites: JSON Web Tokens (RFC 7519) with EdDSA (RFC 8037, section 3.1). */
export class TokenSigner {
  readonly #database: Database;
  readonly #secrets: SecretBox;
  readonly #keys: InvalidatingCache<readonly LoadedKey[]>;

  constructor(database: Database, secrets: SecretBox) {
    this.#database = database;
    this.#secrets = secrets;
    this.#keys = new InvalidatingCache(database);
  }

  /** Undefined if the site has no key, or one that cannot be decrypted. @throws {StoreUnavailable} */
  async currentKey(siteId: string, now: Timestamp): Promise<CurrentKey | undefined> {
    const keys = await this.#keys.find(siteId, () => this.#load(siteId));
    const key = signingAt(keys!, now);
    return key?.privateKey && (key as CurrentKey);
  }

  /** Signs a token that is valid from now on. */
  async sign(
    key: CurrentKey,
    siteId: string,
    purpose: TokenPurpose,
    claims: TokenClaims,
    now: Timestamp,
  ): Promise<string> {
    // Loaded at the first use, because most installations sign nothing.
    const { SignJWT } = await import('jose');
    const issuedAt = Math.floor(Date.parse(now) / 1000);
    return new SignJWT({ ...claims, iss: siteId, purpose, iat: issuedAt, exp: issuedAt + tokenSeconds })
      .setProtectedHeader({ alg: 'EdDSA', typ: `gatehouse-${purpose}+jwt`, kid: key.id })
      .sign(key.privateKey);
  }

  async #load(siteId: string): Promise<readonly LoadedKey[]> {
    const rows = await selectSigningKeys({ db: this.#database, siteId });
    return rows.map((row) => {
      const { id, signsFrom, publishedUntil } = row;
      return { id, signsFrom, publishedUntil, privateKey: this.#privateKey(siteId, row) };
    });
  }

  #privateKey(siteId: string, row: StoredSigningKey): KeyObject | undefined {
    const d = openSigningKey(this.#secrets, siteId, row);
    if (d === undefined) return undefined;
    return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x: row.publicKey, d }, format: 'jwk' });
  }
}
