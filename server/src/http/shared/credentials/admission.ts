import {
  furtherPermissionsFor,
  grants,
  type Operation,
  type Permission,
  permissionsOf,
} from '@gatehouse/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../base/api-error.ts';
import { loginNotRecent } from '../../../domain/operators/operator.ts';
import { StoreUnavailable } from '../../../storage/errors.ts';
import {
  type Allowance,
  addressBucket,
  type RateLimits,
  rateLimitHeaders,
  windowSeconds,
} from '../limits/rate-limit.ts';
import type { Authentication, Caller } from './authentication.ts';
import type { KnownCredentials } from './known-credentials.ts';

export interface AdmissionSettings {
  /** Requests in 60 s of a key without its own limit; 0 for no limit. */
  readonly rateLimit: number;
  /** Requests in 60 s of one client address without a valid key; 0 for no limit. */
  readonly unauthenticatedRateLimit: number;
}

/** Authenticates and rate-limits requests before their bodies are read, in the order that the contract defines. */
export class Admission {
  readonly #authentication: Authentication;
  readonly #limits: RateLimits;
  readonly #settings: AdmissionSettings;

  constructor(authentication: Authentication, limits: RateLimits, settings: AdmissionSettings) {
    this.#authentication = authentication;
    this.#limits = limits;
    this.#settings = settings;
  }

  /** Someone has claimed the first ownership. */
  operatorClaimed(): void {
    this.#authentication.observer?.operatorSeen();
  }

  /**
   * @throws {ApiError} `missing_api_key`, `invalid_api_key`, `rate_limited`, `permission_denied`, `login_not_recent`
   */
  async admitCaller(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: Operation | undefined,
  ): Promise<Caller> {
    let caller: Caller;
    try {
      const { authorization } = request.headers;
      caller = await this.#authentication.authenticate(authorization, () => this.isOverLimit(request));
    } catch (error) {
      // While the store is unavailable no key can be verified, so these requests must not count against the limit.
      if (error instanceof StoreUnavailable) this.admitUncounted(reply);
      else await this.admitAddress(request, reply);
      throw error;
    }
    // From here on the log names the key of a rejected request.
    request.caller = caller;
    const limit = caller.rateLimit ?? this.#settings.rateLimit;
    enforce(reply, await this.#limits.consume(caller.bucket, limit));
    if (operation && !namesOwnKey(operation, request, caller)) {
      requireAdmission(caller, operation);
    }
    return caller;
  }

  /**
   * Authenticates the caller again after the body has arrived and its shape was checked. The request is not counted
   * again.
   * @throws {ApiError} `invalid_api_key`, `permission_denied`, `login_not_recent`
   */
  async admitAgain(request: FastifyRequest, operation: Operation): Promise<Caller> {
    const { headers, body } = request;
    const caller = await this.#authentication.authenticate(headers.authorization, () =>
      this.isOverLimit(request),
    );
    requireAdmission(caller, operation);
    for (const permission of furtherPermissionsFor(operation, body)) requirePermission(caller, permission);
    return caller;
  }

  /**
   * Counts a valid request for an operation with a limit of its own, also if keys have none: it protects others. The
   * headers are still about the limit of the key.
   * @throws {ApiError} `rate_limited`
   */
  async countCostly(reply: FastifyReply, { bucket }: Caller, { id, maxPerMinute }: Operation): Promise<void> {
    if (!maxPerMinute) return;
    const allowance = await this.#limits.consume(`${id} of ${bucket}`, maxPerMinute);
    if (allowance.exceeded) enforce(reply, allowance);
  }

  /** Checks that the caller of a stream may still read it. @throws {ApiError} `invalid_api_key`, `permission_denied` */
  async admitStream(authorization: string | undefined, operation: Operation): Promise<void> {
    const caller = await this.#authentication.authenticate(authorization);
    requireAdmission(caller, operation);
  }

  /** Counts a request of the dashboard that is not for the API, by its operator. @throws {ApiError} `rate_limited` */
  async countOperator(reply: FastifyReply, personId: string): Promise<void> {
    enforce(reply, await this.#limits.consume(`dashboard ${personId}`, this.#settings.rateLimit));
  }

  /** Which credentials of clients over their limit are valid. */
  get known(): KnownCredentials {
    return this.#authentication.known;
  }

  /** Whether the address of a client is over its limit, as far as this process has seen. */
  isOverLimit({ ip }: FastifyRequest): boolean {
    return this.#limits.secondsExceeded(addressBucket(ip)) > 0;
  }

  /** A request without a key. @throws {ApiError} `rate_limited` */
  async admitAddress(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const limit = this.#settings.unauthenticatedRateLimit;
    enforce(reply, await this.#limits.consume(addressBucket(request.ip), limit));
  }

  /**
   * A request without a key, from a browser in which an operator has logged in before. @throws {ApiError}
   * `rate_limited`
   */
  async admitKnownBrowser(reply: FastifyReply, browserKey: string): Promise<void> {
    const limit = this.#settings.unauthenticatedRateLimit;
    enforce(reply, await this.#limits.consume(`known browser ${browserKey}`, limit));
  }

  /** A request that is not counted, such as a health check. */
  admitUncounted(reply: FastifyReply): void {
    const limit = this.#settings.unauthenticatedRateLimit || 1_000_000_000;
    const resetsAt = Math.ceil(Date.now() / 1_000) + windowSeconds;
    enforce(reply, { limit, remaining: limit, resetsAt, secondsToReset: windowSeconds, exceeded: false });
  }
}

/** A program can revoke its own lost key with that key alone. */
function namesOwnKey({ ownKey }: Operation, { params }: FastifyRequest, { actor }: Caller): boolean {
  if (ownKey === undefined || actor.type !== 'key') return false;
  return (params as Record<string, string>)[ownKey]?.toLowerCase() === actor.id;
}

/** @throws {ApiError} `permission_denied`, `login_not_recent` */
function requireAdmission(caller: Caller, operation: Operation): void {
  for (const permission of permissionsOf(operation)) requirePermission(caller, permission);
  if (operation.recentLogin && !caller.hasRecentLogin) throw loginNotRecent();
}

function requirePermission({ permissions }: Caller, permission: Permission): void {
  if (grants(permissions, permission)) return;
  throw new ApiError(
    'permission_denied',
    `This API key lacks the permission ${permission}. Use a key that has it.`,
  );
}

function enforce(reply: FastifyReply, allowance: Allowance): void {
  reply.headers(rateLimitHeaders(allowance));
  if (!allowance.exceeded) return;
  reply.header('retry-after', Math.max(allowance.secondsToReset, 1));
  throw new ApiError(
    'rate_limited',
    `The rate limit is exceeded. Wait ${allowance.secondsToReset} s and repeat the request.`,
  );
}
