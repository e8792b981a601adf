import sql from 'sql-template-tag';
import { millisecondsPerDay, type Timestamp, timestampBefore } from '../base/clock.ts';
import { invalidRequest, Refusal } from '../base/refusal.ts';
import type { Transaction } from '../storage/database.ts';
import { type Call, type Idempotency, type Outcome, refused } from './call.ts';
import { openAnswer, sealAnswer } from './stored-answer.ts';

const longestKey = 255;
const lifetimeMilliseconds = millisecondsPerDay;
const bare = /^[\x21\x23-\x7e][\x21-\x7e]*$/; // what begins with a quote is a string, or a mistake
const quoted = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/; // a string of RFC 9651, section 3.3.3

/**
 * Runs a call unless its key was used before; then it gives the stored answer again. The answer is stored in the
 * transaction of the effect, so there is never one without the other, and sealed with a key that only the caller's API
 * key gives. A refusal undoes its effects and is stored too.
 * @throws Refusal `idempotency_in_progress`, `idempotency_key_reused`
 */
export async function performOnce(
  tx: Transaction,
  call: Call,
  { key, fingerprint, answerKey }: Idempotency,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  const { siteId, cause } = call;
  if (!(await tx.tryLock(`idempotency ${siteId} ${key}`))) {
    throw new Refusal(
      'idempotency_in_progress',
      'The first request with this Idempotency-Key is still running. Wait a moment and repeat the request.',
    );
  }
  const stored = await tx.get<{ fingerprint: string; answer: string }>(sql`
    SELECT fingerprint, answer FROM idempotency_keys
    WHERE site_id = ${siteId} AND key = ${key} AND created_at > ${timestampBefore(cause.at, lifetimeMilliseconds)}`);
  if (stored) {
    if (stored.fingerprint !== fingerprint) {
      throw new Refusal(
        'idempotency_key_reused',
        'This Idempotency-Key belongs to a request with another body or path, or made with another API key. Use a new one.',
      );
    }
    const first = openAnswer(answerKey, stored.answer);
    return { ...first, headers: { ...first.headers, 'idempotency-replayed': 'true' } };
  }
  const outcome = await tx.attempt(run).catch((error) => {
    // What was too early once is not so for a day.
    if (error instanceof Refusal && error.retryAfterSeconds === undefined) return refused(error);
    throw error;
  });
  await tx.run(sql`
    INSERT INTO idempotency_keys (site_id, key, fingerprint, answer, created_at)
    VALUES (${siteId}, ${key}, ${fingerprint}, ${sealAnswer(answerKey, lasting(outcome))}, ${cause.at})
    ON CONFLICT (site_id, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at`);
  return outcome;
}

/** Forgets a few keys whose day is over. Gives how many. */
export function forgetIdempotencyKeys(
  tx: Transaction,
  siteId: string,
  now: Timestamp,
  limit: number,
): Promise<number> {
  return tx.run(sql`
    DELETE FROM idempotency_keys WHERE site_id = ${siteId} AND key IN (
      SELECT key FROM idempotency_keys
      WHERE site_id = ${siteId} AND created_at <= ${timestampBefore(now, lifetimeMilliseconds)} LIMIT ${limit})`);
}

/** Reads the header, bare or as a quoted string. @throws Refusal `invalid_request` */
export function parseIdempotencyKey(header: string): string {
  const key = quoted.exec(header)?.[1]?.replace(/\\(.)/g, '$1') ?? (bare.test(header) ? header : '');
  if (key.length > 0 && key.length <= longestKey) return key;
  throw invalidRequest(
    '/Idempotency-Key',
    `Idempotency-Key takes 1 to ${longestKey} printable ASCII characters.`,
  );
}

/** What of an outcome is answered again: what it set off was set off by the first request. */
function lasting(outcome: Outcome): Outcome {
  if (outcome.kind === 'refused') return outcome;
  const { kind, payload, headers } = outcome;
  return { kind, payload, headers };
}
