import { ApiError } from '../base/api-error.ts';
import type { Timers } from '../base/timers.ts';

const maxRequestsOfSite = 2;
const maxRequests = 8;
/** The time that the other service has to respond. */
const timeoutMilliseconds = 10_000;
/** When the caller gets a response in any case, because a connection without one is closed after 20 s. */
const limitMilliseconds = 12_000;
const retryAfterSeconds = 5;

/** What is said to the caller. */
export interface AwaitedWork {
  /** What too many requests are doing: `looking into a workspace`. */
  readonly activity: string;
  readonly tooSlow: () => ApiError;
}

/**
 * The requests of this process to another service for which a caller waits. Their number is limited, because each of
 * them holds a connection, and up to a megabyte, for as long as ten seconds.
 */
export class AwaitedRequests {
  readonly #work: AwaitedWork;
  readonly #timers: Timers;
  readonly #ofSites = new Map<string, number>();
  #inAll = 0;

  constructor(work: AwaitedWork, timers: Timers) {
    this.#work = work;
    this.#timers = timers;
  }

  /**
   * @param work its signal is aborted when the service has taken too long. It may end later, and is counted until then:
   *   on a busy machine, the thread that reads lists may be slow.
   * @throws {ApiError} `rate_limited` at once, because the caller can wait better than Gatehouse; that of `tooSlow`
   */
  async use<Result>(siteId: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const ofSite = this.#ofSites.get(siteId) ?? 0;
    if (ofSite >= maxRequestsOfSite) throw this.#tooMany(`${maxRequestsOfSite} requests of this site`);
    if (this.#inAll >= maxRequests) throw this.#tooMany('Too many requests');
    this.#count(siteId, 1);
    const result = work(AbortSignal.timeout(timeoutMilliseconds)).finally(() => this.#count(siteId, -1));
    const { promise: limit, reject } = Promise.withResolvers<never>();
    const cancel = this.#timers.after(limitMilliseconds, () => reject(this.#work.tooSlow()));
    return Promise.race([result, limit]).finally(cancel);
  }

  #count(siteId: string, change: 1 | -1): void {
    this.#inAll += change;
    const ofSite = (this.#ofSites.get(siteId) ?? 0) + change;
    if (ofSite === 0) this.#ofSites.delete(siteId);
    else this.#ofSites.set(siteId, ofSite);
  }

  #tooMany(which: string): ApiError {
    const { activity } = this.#work;
    const message = `${which} are ${activity} already. Wait ${retryAfterSeconds} s and repeat the request.`;
    return new ApiError('rate_limited', message, undefined, retryAfterSeconds);
  }
}
