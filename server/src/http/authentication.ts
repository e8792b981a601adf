import type { Clock } from '../base/clock.ts';
import { Refusal } from '../base/refusal.ts';
import { type ApiKey, hashKey, isInForce, isWellFormedKey } from '../sites/api-key.ts';
import { findApiKeyBySecret } from '../sites/api-keys.ts';
import type { Database } from '../storage/database.ts';

const cacheMilliseconds = 10_000;
const cachedKeys = 10_000;

interface CachedKey {
  readonly apiKey: ApiKey;
  readonly foundAt: number;
  readonly signals: number;
}

/**
 * Finds the key of a request. A key that was found is remembered for at most 10 s, and looked up again as soon as
 * anybody may have changed it.
 */
export class Authentication {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #found = new Map<string, CachedKey>();
  #signals: number | undefined;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * `authorization` is the value of the header (RFC 6750, section 2.1).
   * @throws Refusal `missing_api_key`, `invalid_api_key`
   */
  async authenticate(authorization: string | undefined): Promise<ApiKey> {
    if (authorization === undefined) {
      throw new Refusal('missing_api_key', 'Send the header Authorization: Bearer <API key>.');
    }
    const secret = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (secret === undefined || !isWellFormedKey(secret)) throw invalidKey();
    const apiKey = await this.#find(secret);
    if (!apiKey || !isInForce(apiKey, this.#clock().toISOString())) throw invalidKey();
    return apiKey;
  }

  /** Asked once a turn of the event loop: requests that arrive together see the same. */
  #signalsOfThisTurn(): number {
    if (this.#signals === undefined) {
      this.#signals = this.#database.signals();
      setImmediate(() => {
        this.#signals = undefined;
      });
    }
    return this.#signals;
  }

  async #find(secret: string): Promise<ApiKey | undefined> {
    const hash = hashKey(secret);
    const signals = this.#signalsOfThisTurn();
    const now = performance.now();
    const known = this.#found.get(hash);
    if (known && known.signals === signals && now - known.foundAt < cacheMilliseconds) return known.apiKey;

    const apiKey = await findApiKeyBySecret(this.#database, secret);
    this.#found.delete(hash);
    if (!apiKey) return undefined;
    if (this.#found.size >= cachedKeys) this.#found.delete(this.#found.keys().next().value!);
    this.#found.set(hash, { apiKey, foundAt: now, signals });
    return apiKey;
  }
}

/** One code for a key that is malformed, unknown, revoked or expired, so that nothing is learnt by trying. */
function invalidKey(): Refusal {
  return new Refusal('invalid_api_key', 'Check the API key: it is not one that works here, or no longer.');
}
