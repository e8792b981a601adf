import type { FastifyRequest } from 'fastify';
import { StoreUnavailable } from '../../storage/errors.ts';
import { Semaphore } from '../../storage/semaphore.ts';
import { addressBucket, bucketFor, type RateLimits } from '../shared/limits/rate-limit.ts';

/** Wrong codes of one client address on a site in 15 minutes. */
const maxWrong = 10;
/** Right codes are counted too: each costs as much time as a wrong one, and a row. No class has so many people. */
const maxAttempts = 500;
const countedSeconds = 15 * 60;
/** As many as are hashed at once. */
const maxAtOnce = 2;
/** The last of these waits for about 10 s. Connections on which nothing is sent for 20 s are closed. */
const maxWaiting = 100;
const waitMilliseconds = 15_000;

/**
 * The attempts of a client wait for each other. A class behind one address enters its code at once, and each attempt counts
 * as a wrong one until it is checked. And no client fills the queue of those that are hashed.
 */
export class PageCodeAttempts {
  readonly #limits: RateLimits;
  readonly #queues = new Map<string, ClientQueue>();

  constructor(limits: RateLimits) {
    this.#limits = limits;
  }

  /**
   * Counts an attempt before it is checked, so that none of many at once is free.
   * @param check returns whether the code was right
   * @returns the seconds to wait, if the attempt was not checked, and 0 otherwise
   * @throws {StoreUnavailable} while too many attempts wait
   */
  check(request: FastifyRequest, check: () => Promise<boolean>): Promise<number> {
    return this.#afterOthers(clientOf(request), async () => {
      const wait =
        (await this.#count(request, 'page-code attempt', maxAttempts, 1)) ||
        (await this.#count(request, 'page-code', maxWrong, 1));
      if (wait > 0) return wait;
      if (await check()) await this.#count(request, 'page-code', maxWrong, -1);
      return 0;
    });
  }

  async #count(
    { site, ip }: FastifyRequest,
    purpose: string,
    limit: number,
    points: 1 | -1,
  ): Promise<number> {
    const bucket = bucketFor(`${purpose} ${site!.id}`, addressBucket(ip));
    const { exceeded, secondsToReset } = await this.#limits.consume(bucket, limit, countedSeconds, points);
    return exceeded ? Math.max(secondsToReset, 1) : 0;
  }

  async #afterOthers<T>(client: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(client) ?? {
      turns: new Semaphore(maxAtOnce, waitMilliseconds),
      length: 0,
    };
    if (queue.turns.waiting >= maxWaiting)
      throw new StoreUnavailable(new Error('Too many page codes are checked.'));
    this.#queues.set(client, queue);
    queue.length += 1;
    try {
      return await queue.turns.use(work);
    } finally {
      queue.length -= 1;
      if (queue.length === 0) this.#queues.delete(client);
    }
  }
}

interface ClientQueue {
  readonly turns: Semaphore;
  /** Of those that wait or are checked. */
  length: number;
}

/** The address; of IPv6 the widest network that a client usually has. */
function clientOf({ ip }: FastifyRequest): string {
  return [addressBucket(ip)].flat().at(-1)!;
}
