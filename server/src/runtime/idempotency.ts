import sql from 'sql-template-tag';
import { ApiError, invalidRequest } from '../base/api-error.ts';
import { millisecondsPerDay, timestampBefore } from '../base/clock.ts';
import type { Change } from '../domain/events/change.ts';
import { expiryOf } from '../storage/sql/expiring-rows.ts';
import { type CallResponse, errorResponse, type Idempotency } from './call.ts';
import { decryptResponse, encryptResponse } from './stored-response.ts';

const maxKeyLength = 255;
const lifetimeMilliseconds = millisecondsPerDay;
/** What a stored response takes beside its texts, with the indexes. */
const rowBytes = 150;
const bare = /^[\x21\x23-\x7e][\x21-\x7e]*$/; // a value that begins with a quote is a quoted string, or invalid
const quoted = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/; // a string of RFC 9651, section 3.3.3

/**
 * Runs a call unless its key was used before; in that case returns the stored response. The response is stored in the same
 * transaction as the changes, so neither exists without the other, and encrypted with a key that is derived from the
 * caller's API key. An `ApiError` rolls the changes back and is stored too.
 * @throws {ApiError} `idempotency_in_progress`, `idempotency_key_reused`, `rate_limited`
 */
export async function runIdempotently(
  change: Change,
  { key, fingerprint, responseKey, secondsToWait }: Idempotency,
  run: () => Promise<CallResponse>,
): Promise<CallResponse> {
  const { db, siteId, now } = change;
  if (!(await db.tryLock(`idempotency ${siteId} ${key}`))) {
    throw new ApiError(
      'idempotency_in_progress',
      'The first request with this Idempotency-Key is still running. Wait a moment, then repeat the request.',
    );
  }
  const stored = await db.get<{ fingerprint: string; response: string }>(sql`
    SELECT fingerprint, response FROM idempotency_keys
    WHERE site_id = ${siteId} AND key = ${key} AND created_at > ${timestampBefore(now, lifetimeMilliseconds)}`);
  if (stored) {
    if (stored.fingerprint !== fingerprint) {
      throw new ApiError(
        'idempotency_key_reused',
        'This Idempotency-Key was used for a request with a different body, path or API key. Use a new key.',
      );
    }
    const first = decryptResponse(responseKey, stored.response);
    return { ...first, headers: { ...first.headers, 'idempotency-replayed': 'true' } };
  }
  if (secondsToWait > 0) throw budgetExhausted(secondsToWait);
  const response = await change.savepoint(run).catch((error) => {
    // A rate limit error is temporary and must not be repeated for a day.
    if (error instanceof ApiError && error.retryAfterSeconds === undefined) return errorResponse(error);
    throw error;
  });
  const sealed = encryptResponse(responseKey, withoutSideEffects(response));
  await db.run(sql`
    INSERT INTO idempotency_keys (site_id, key, fingerprint, response, created_at)
    VALUES (${siteId}, ${key}, ${fingerprint}, ${sealed}, ${now})
    ON CONFLICT (site_id, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, response = excluded.response, created_at = excluded.created_at`);
  return { ...response, storedBytes: key.length + fingerprint.length + sealed.length + rowBytes };
}

/** Nothing was done, so the request can be sent again. Replies that are stored already are still returned. */
function budgetExhausted(secondsToWait: number): ApiError {
  return new ApiError(
    'rate_limited',
    'The responses that are stored for the idempotency keys of this API key have reached the maximum of 24 hours. ' +
      `Nothing was done. Wait ${secondsToWait} s and repeat the request, or send it without Idempotency-Key.`,
    undefined,
    secondsToWait,
  );
}

/** Keys that have expired. Those that have been used again since they were found stay. */
export const { find: findExpiredIdempotencyKeys, purge: purgeIdempotencyKeys } = expiryOf({
  table: 'idempotency_keys',
  time: 'created_at',
  key: 'key',
  retentionMilliseconds: lifetimeMilliseconds,
});

/** Parses the header, bare or as a quoted string. @throws {ApiError} `invalid_request` */
export function parseIdempotencyKey(header: string): string {
  const key = quoted.exec(header)?.[1]?.replace(/\\(.)/g, '$1') ?? (bare.test(header) ? header : '');
  if (key.length > 0 && key.length <= maxKeyLength) return key;
  throw invalidRequest(
    '/Idempotency-Key',
    `Idempotency-Key must have 1 to ${maxKeyLength} printable ASCII characters.`,
  );
}

/** The part of a response that is stored for repeated requests; side effects belong to the first request only. */
function withoutSideEffects(response: CallResponse): CallResponse {
  if (response.kind === 'rejected') return response;
  const { kind, payload, headers } = response;
  return { kind, payload, headers };
}
