import type { Clock } from '../base/clock.ts';
import { Refusal } from '../base/refusal.ts';
import { type ApiKey, hashKey, isInForce, isWellFormedKey } from '../sites/api-key.ts';
import { findApiKeyBySecret } from '../sites/api-keys.ts';
import type { Database } from '../storage/database.ts';
import { Remembered } from '../storage/remembered.ts';

/** Finds the key of a request. */
export class Authentication {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #keys: Remembered<ApiKey>;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#keys = new Remembered(database);
  }

  /**
   * `authorization` is the value of the header (RFC 6750, section 2.1).
   * @throws Refusal `missing_api_key`, `invalid_api_key`
   */
  async authenticate(authorization: string | undefined): Promise<ApiKey> {
    if (authorization === undefined) {
      throw new Refusal('missing_api_key', 'Send the header Authorization: Bearer <API key>.');
    }
    const secret = secretOf(authorization);
    if (secret === undefined || !isWellFormedKey(secret)) throw invalidKey();
    const apiKey = await this.#keys.find(hashKey(secret), () => findApiKeyBySecret(this.#database, secret));
    if (!apiKey || !isInForce(apiKey, this.#clock().toISOString())) throw invalidKey();
    return apiKey;
  }
}

/** What the header carries (RFC 6750, section 2.1), whether or not it is a key. */
export function secretOf(authorization: string): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/** One code for a key that is malformed, unknown, revoked or expired, so that nothing is learnt by trying. */
function invalidKey(): Refusal {
  return new Refusal('invalid_api_key', 'Check the API key: it is not one that works here, or no longer.');
}
