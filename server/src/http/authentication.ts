import { type Actor, type Permission, rolePermissions } from '@gatehouse/contract';
import type { Clock } from '../base/clock.ts';
import { Refusal } from '../base/refusal.ts';
import { hashOperatorToken, operatorActor } from '../operators/operator.ts';
import { findActingOperator } from '../operators/operator-tokens.ts';
import { type ApiKey, hashKey, isInForce, isWellFormedKey } from '../sites/api-key.ts';
import { findApiKeyBySecret } from '../sites/api-keys.ts';
import type { Database } from '../storage/database.ts';
import { Remembered } from '../storage/remembered.ts';

/** Who speaks to the API: a program with a key, or an operator by way of the dashboard. */
export interface Caller {
  readonly siteId: string;
  readonly actor: Actor;
  readonly permissions: readonly Permission[];
  /** What its requests are counted by. */
  readonly bucket: string;
  /** Requests in 60 s; null for the default of the server, 0 for no limit. */
  readonly rateLimit: number | null;
}

/** Finds out whose a request is. */
export class Authentication {
  readonly #database: Database;
  readonly #realmId: string;
  readonly #clock: Clock;
  readonly #keys: Remembered<ApiKey>;

  /** @param realmId that of the operators' hidden site */
  constructor(database: Database, realmId: string, clock: Clock) {
    this.#database = database;
    this.#realmId = realmId;
    this.#clock = clock;
    this.#keys = new Remembered(database);
  }

  /**
   * `authorization` is the value of the header (RFC 6750, section 2.1).
   * @throws Refusal `missing_api_key`, `invalid_api_key`
   */
  async authenticate(authorization: string | undefined): Promise<Caller> {
    if (authorization === undefined) {
      throw new Refusal(
        'missing_api_key',
        'No API key was sent. Send the header Authorization: Bearer <API key>.',
      );
    }
    const secret = secretOf(authorization);
    if (secret === undefined) throw invalidKey();
    return isWellFormedKey(secret) ? this.#findKey(secret) : this.#findOperator(secret);
  }

  async #findKey(secret: string): Promise<Caller> {
    const apiKey = await this.#keys.find(hashKey(secret), () => findApiKeyBySecret(this.#database, secret));
    if (!apiKey || !isInForce(apiKey, this.#clock().toISOString())) throw invalidKey();
    const { siteId, id, name, permissions, rateLimit } = apiKey;
    return { siteId, actor: { type: 'key', id, name }, permissions, bucket: `key ${id}`, rateLimit };
  }

  async #findOperator(token: string): Promise<Caller> {
    if (hashOperatorToken(token) === undefined) throw invalidKey();
    const now = this.#clock().toISOString();
    const operator = await findActingOperator(this.#database, this.#realmId, token, now);
    if (!operator) throw invalidKey();
    const { siteId, id, role } = operator;
    return {
      siteId,
      actor: operatorActor(operator),
      permissions: rolePermissions[role],
      bucket: `operator ${id} ${siteId}`,
      rateLimit: null,
    };
  }
}

/** What the header carries (RFC 6750, section 2.1), whether or not it is a key. */
export function secretOf(authorization: string): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/** One code for a key that is malformed, unknown, revoked or expired, so that nothing is learnt by trying. */
function invalidKey(): Refusal {
  return new Refusal(
    'invalid_api_key',
    'This API key does not work here, or no longer. Check that it was copied whole, and was neither revoked nor expired.',
  );
}
