import type { Caller } from '../shared/credentials/authentication.ts';
import type { RateLimits } from '../shared/limits/rate-limit.ts';

/** Counted in parts of this size, because limits count up to a billion. */
const partBytes = 256;
const partsOfMebibyte = (1_024 * 1_024) / partBytes;
const windowSeconds = 24 * 60 * 60;

/**
 * How much the replies may take that are stored for the idempotency keys of one caller in 24 hours. It is counted where
 * rate limits are, so that no request pays a statement for it.
 */
export class StoredResponseBudget {
  readonly #limits: RateLimits;
  readonly #maxParts: number;

  /** @param mebibytes 0 for no limit */
  constructor(limits: RateLimits, mebibytes: number) {
    this.#limits = limits;
    this.#maxParts = mebibytes * partsOfMebibyte;
  }

  /** The seconds until another reply of the caller can be stored; 0 for now. */
  secondsToWait(caller: Caller): number {
    return this.#limits.secondsExceeded(bucketOf(caller));
  }

  /** Counts a stored response. Its own response does not wait for it. */
  async count(caller: Caller, bytes: number): Promise<void> {
    if (this.#maxParts === 0) return;
    const parts = Math.ceil(bytes / partBytes);
    await this.#limits.consume(bucketOf(caller), this.#maxParts, windowSeconds, parts);
  }
}

function bucketOf({ bucket }: Caller): string {
  return `stored responses of ${bucket}`;
}
