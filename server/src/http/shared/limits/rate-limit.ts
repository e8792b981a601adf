import { type EventEmitter, once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { RateLimiterRes } from 'rate-limiter-flexible';
import { readAddress } from '../../../base/networks/networks.ts';
import { type Limiter, memoryLimiter, unlimited, windowSeconds } from './group-limits.ts';

export { windowSeconds } from './group-limits.ts';

/** The state of a bucket, for the headers. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in seconds at which the window ends. */
  readonly resetsAt: number;
  readonly secondsToReset: number;
  readonly exceeded: boolean;
}

/** What is counted together. A client at an IPv6 address is also counted with its wider network, which has more of them. */
export type Bucket = string | readonly [own: string, wider: string];

/** How many times the limit of one address a wider network has. */
export const widerFactor = 16;

export interface RateLimits {
  /**
   * Counts a request against a bucket, in windows of `seconds` (60 by default). A limit of 0 means no limit.
   * @param points what the request counts for, 1 by default
   */
  consume(bucket: Bucket, limit: number, seconds?: number, points?: number): Promise<Allowance>;
  /** The seconds for which the limit of a bucket stays exceeded, as far as this process has seen; 0 if it is not. */
  secondsExceeded(bucket: Bucket): number;
  close(): Promise<void>;
}

/**
 * Fixed windows. With Redis all processes share them; while Redis is unavailable each process counts on its own, so
 * that at most limit × processes requests pass. Redis is unavailable for a request if it has not answered in 250 ms.
 * @param own where this process counts without Redis: by default in its memory, or together with the group that it
 * belongs to
 */
export async function createRateLimits(
  redisUrl: string | undefined,
  onError: (error: Error) => void,
  own: Limiter = memoryLimiter(),
): Promise<RateLimits> {
  if (redisUrl === undefined) return limitsOn(own, async () => {});

  const { Redis } = await import('ioredis');
  const { RateLimiterRedis } = await import('rate-limiter-flexible');
  const redis = new Redis(redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 250,
  });
  redis.on('error', onError);
  await connected(redis);
  const shared = new RateLimiterRedis({
    points: unlimited,
    duration: windowSeconds,
    storeClient: redis,
    keyPrefix: 'gatehouse',
    rejectIfRedisNotReady: true,
  });
  return limitsOn(withFallback(shared, own, onError), async () => redis.disconnect());
}

const reportMilliseconds = 10_000;

/** Counts with the second limiter what the first one cannot count, and reports why, at most once in ten seconds. */
function withFallback(shared: Limiter, own: Limiter, onError: (error: Error) => void): Limiter {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return {
    consume: (...request) =>
      shared.consume(...request).catch((reason: unknown) => {
        if (!(reason instanceof Error)) throw reason;
        const now = performance.now();
        if (now - reportedAt >= reportMilliseconds) {
          reportedAt = now;
          onError(reason);
        }
        return own.consume(...request);
      }),
  };
}

const connectMilliseconds = 2_000;

/** Waits for the connection, because this process would count requests before it alone. Without Redis it continues. */
async function connected(redis: EventEmitter): Promise<void> {
  await once(redis, 'ready', { signal: AbortSignal.timeout(connectMilliseconds) }).catch(() => {});
}

/** The three `X-RateLimit` headers, and the two of the IETF draft (draft-ietf-httpapi-ratelimit-headers). */
export function rateLimitHeaders({ limit, remaining, resetsAt, secondsToReset }: Allowance) {
  return {
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': resetsAt,
    'ratelimit-policy': `"default";q=${limit};w=${windowSeconds}`,
    ratelimit: `"default";r=${remaining};t=${secondsToReset}`,
  };
}

/**
 * One bucket for each IPv4 address, and one for each IPv6 network that a customer usually gets (/64). Some get, or rent,
 * 65,536 of these as one network (/48), which is counted too.
 * @param address undefined if the client has already closed the connection
 */
export function addressBucket(address: string | undefined): Bucket {
  const plain = plainAddress(address ?? '');
  if (!isIPv6(plain)) return `address ${plain}`;
  return [`address ${networkOf(plain, 64)}`, `address ${networkOf(plain, 48)}`];
}

/** The bucket for one purpose. */
export function bucketFor(purpose: string, bucket: Bucket): Bucket {
  if (typeof bucket === 'string') return `${purpose} ${bucket}`;
  const [own, wider] = bucket;
  return [`${purpose} ${own}`, `${purpose} ${wider}`];
}

/** Mapped addresses and those of NAT64, also written out, and a few others. */
const mayStandForIPv4 = /^(?:::|0|64:)/;

/** Some proxies append the port, `192.0.2.1:4711` or `[2001:db8::1]:4711`, which differs for every connection. */
function plainAddress(address: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$|^(\d+(?:\.\d+){3}):\d+$/.exec(address);
  const [plain] = (bare?.[1] ?? bare?.[2] ?? address).toLowerCase().split('%');
  // The IPv4 addresses that a translator puts into one network of IPv6 belong to many customers.
  return isIPv6(plain!) && mayStandForIPv4.test(plain!) ? readAddress(plain!).toString() : plain!;
}

function limitsOn(limiter: Limiter, close: () => Promise<void>): RateLimits {
  const uncounted = memoryLimiter();
  const full = new FullBuckets();
  const count = async (
    bucket: string,
    limit: number,
    seconds: number,
    points: number,
  ): Promise<Allowance> => {
    // Without a limit it does not matter what the other processes have counted.
    const { consumedPoints, msBeforeNext } = await (limit === 0 ? uncounted : limiter)
      .consume(bucket, points, seconds === windowSeconds ? {} : { customDuration: seconds })
      .catch((over: RateLimiterRes) => over);
    // If the clock is set back, the window must not become longer.
    const milliseconds = Math.min(Math.max(msBeforeNext, 0), seconds * 1_000);
    const secondsToReset = Math.ceil(milliseconds / 1_000);
    const maxRequests = limit === 0 ? unlimited : limit;
    const exceeded = consumedPoints > maxRequests;
    if (exceeded) full.add(bucket, milliseconds);
    return {
      limit: maxRequests,
      remaining: Math.max(maxRequests - consumedPoints, 0),
      resetsAt: Math.ceil((Date.now() + milliseconds) / 1_000),
      secondsToReset,
      exceeded,
    };
  };
  return {
    close,
    secondsExceeded: (bucket) => Math.max(...[bucket].flat().map((each) => full.secondsOf(each))),
    async consume(bucket, limit, seconds = windowSeconds, points = 1) {
      const [own, wider] = typeof bucket === 'string' ? [bucket] : bucket;
      const allowance = await count(own, limit, seconds, points);
      // What is over its own limit does not use up that of its neighbors.
      if (wider === undefined || limit === 0 || allowance.exceeded) return allowance;
      const ofAll = await count(wider, limit * widerFactor, seconds, points);
      if (ofAll.remaining >= allowance.remaining && !ofAll.exceeded) return allowance;
      return { ...ofAll, limit: allowance.limit };
    },
  };
}

const maxFullBuckets = 10_000;

/** The buckets whose limit was exceeded, each until its window ends. */
class FullBuckets {
  readonly #ends = new Map<string, number>();

  add(bucket: string, milliseconds: number): void {
    this.#ends.delete(bucket);
    if (this.#ends.size >= maxFullBuckets) this.#ends.delete(this.#ends.keys().next().value!);
    this.#ends.set(bucket, performance.now() + milliseconds);
  }

  secondsOf(bucket: string): number {
    const end = this.#ends.get(bucket);
    if (end === undefined) return 0;
    const milliseconds = end - performance.now();
    if (milliseconds <= 0) this.#ends.delete(bucket);
    return Math.max(Math.ceil(milliseconds / 1_000), 0);
  }
}

function networkOf(address: string, bits: 48 | 64): string {
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(8 - before.length - after.length, 0);
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  return `${groups
    .slice(0, bits / 16)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/${bits}`;
}
