import { type Actor, type Permission, rolePermissions } from '@gatehouse/contract';
import { ApiError } from '../../../base/api-error.ts';
import type { Clock, Timestamp } from '../../../base/clock.ts';
import { type ApiKey, hashKey, isInForce, isWellFormedKey } from '../../../domain/api-keys/api-key.ts';
import { findApiKeyBySecret } from '../../../domain/api-keys/api-keys.ts';
import { hashOperatorToken, isRecentLogin, operatorActor } from '../../../domain/operators/operator.ts';
import { findActingOperator } from '../../../domain/operators/operator-tokens.ts';
import { passkeyRequired } from '../../../domain/passkeys/passkey.ts';
import type { Database } from '../../../storage/database.ts';
import { InvalidatingCache } from '../../../storage/invalidating-cache.ts';
import { KnownCredentials } from './known-credentials.ts';

/** The caller of the API: a program with a key, or an operator through the dashboard. */
export interface Caller {
  readonly siteId: string;
  readonly actor: Actor;
  /** The person, if it is an operator. The site never sees this id, which is the same on all sites. */
  readonly personId?: string;
  readonly permissions: readonly Permission[];
  /** Whether the operator logged in a short time ago. True for a key, which cannot log in. */
  readonly hasRecentLogin: boolean;
  /** The rate limit bucket of its requests. */
  readonly bucket: string;
  /** Requests in 60 s; null for the default of the server, 0 for no limit. */
  readonly rateLimit: number | null;
}

/** Whether the address of a client is over its limit. It is asked only when a statement would be needed. */
type OverLimit = () => boolean;
const never: OverLimit = () => false;

/** Learns which callers were accepted. */
export interface CallerObserver {
  /** A key was accepted. */
  keyUsed(hash: string): void;
  /** An operator was accepted. */
  operatorSeen(): void;
}

export interface AuthenticationOptions {
  /** Whether operators have to log in with a passkey. */
  readonly requiresPasskey?: boolean;
  readonly observer?: CallerObserver | undefined;
  /** Called with each key that is accepted, to record when it was used. */
  readonly recordUse?: (key: ApiKey, now: Timestamp) => void;
}

/** Identifies the caller of a request. */
export class Authentication {
  readonly #database: Database;
  readonly #tenantId: string;
  readonly #clock: Clock;
  readonly #keys: InvalidatingCache<ApiKey>;
  readonly #options: AuthenticationOptions;
  /** For clients over the limit of their address. */
  readonly known: KnownCredentials;
  /** @param tenantId the ID of the operators' hidden site */
  constructor(database: Database, tenantId: string, clock: Clock, options: AuthenticationOptions = {}) {
    this.#database = database;
    this.#tenantId = tenantId;
    this.#clock = clock;
    this.#options = options;
    this.#keys = new InvalidatingCache(database);
    this.known = new KnownCredentials(database, tenantId, clock);
  }

  get observer(): CallerObserver | undefined {
    return this.#options.observer;
  }

  /**
   * `authorization` is the value of the header (RFC 6750, section 2.1).
   * @param isOverLimit if so, unknown keys cost no statement each
   * @throws {ApiError} `missing_api_key`, `invalid_api_key`, `passkey_required`
   */
  async authenticate(authorization: string | undefined, isOverLimit: OverLimit = never): Promise<Caller> {
    if (authorization === undefined) {
      throw new ApiError(
        'missing_api_key',
        'No API key was sent. Send the header Authorization: Bearer <API key>.',
      );
    }
    const secret = secretOf(authorization);
    if (secret === undefined) throw invalidKey();
    return isWellFormedKey(secret)
      ? this.#findKey(secret, isOverLimit)
      : this.#findOperator(secret, isOverLimit);
  }

  async #findKey(secret: string, isOverLimit: OverLimit): Promise<Caller> {
    const hash = hashKey(secret);
    const now = this.#clock().toISOString();
    const last = this.#keys.last(hash);
    const wasValid = last !== undefined && isInForce(last, now);
    if (!wasValid && isOverLimit() && !(await this.known.hasKey(hash))) throw invalidKey();
    const apiKey = await this.#keys.find(hash, () => findApiKeyBySecret(this.#database, secret));
    if (!apiKey || !isInForce(apiKey, now)) throw invalidKey();
    this.observer?.keyUsed(hash);
    this.#options.recordUse?.(apiKey, now);
    const { siteId, id, name, permissions, rateLimit } = apiKey;
    const actor = { type: 'key', id, name } as const;
    return { siteId, actor, permissions, hasRecentLogin: true, bucket: `key ${id}`, rateLimit };
  }

  async #findOperator(token: string, isOverLimit: OverLimit): Promise<Caller> {
    const hash = hashOperatorToken(token);
    if (hash === undefined) throw invalidKey();
    if (isOverLimit() && !(await this.known.hasOperatorToken(hash))) throw invalidKey();
    const now = this.#clock().toISOString();
    const tenant = { db: this.#database, siteId: this.#tenantId, now };
    const operator = await findActingOperator(tenant, token);
    if (!operator) throw invalidKey();
    if (this.#options.requiresPasskey && operator.method !== 'passkey') throw passkeyRequired();
    this.observer?.operatorSeen();
    const { siteId, personId, role, loggedInAt } = operator;
    return {
      siteId,
      actor: operatorActor(operator),
      personId,
      permissions: rolePermissions[role],
      hasRecentLogin: isRecentLogin(loggedInAt, now),
      bucket: `operator ${personId} ${siteId}`,
      rateLimit: null,
    };
  }
}

/** The bearer token of the header (RFC 6750, section 2.1), whether or not it is a key. */
export function secretOf(authorization: string): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/** One code for a malformed, unknown, revoked or expired key, so that an attacker learns nothing by trying. */
function invalidKey(): ApiError {
  return new ApiError(
    'invalid_api_key',
    'This API key is unknown, revoked or expired. Check that you copied the whole key, or use another one.',
  );
}
