import type { KnownCredentials } from '../credentials/known-credentials.ts';
import { addressBucket, type Bucket, bucketFor, type RateLimits } from './rate-limit.ts';

/** Limits the requests with a wrong access token. */
export interface WrongTokenLimits {
  readonly limits: RateLimits;
  /** Requests in 60 s, for each client address; 0 for no limit. */
  readonly wrongTokenLimit: number;
  /** Which tokens of clients over the limit are valid. */
  readonly known: KnownCredentials;
}

/** Where the requests of a client with a wrong access token are counted. */
export function wrongTokensOf(ipAddress: string | undefined): Bucket {
  return bucketFor('access token', addressBucket(ipAddress));
}

/** Whether an access token may be valid. Over its limit, a client pays next to nothing in the store for unknown ones. */
export function mayExist(
  { limits, known }: WrongTokenLimits,
  siteId: string,
  token: string,
  ipAddress: string | undefined,
): boolean | Promise<boolean> {
  if (limits.secondsExceeded(wrongTokensOf(ipAddress)) === 0) return true;
  return known.hasAccessToken(siteId, token);
}
