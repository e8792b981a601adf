import { ApiError } from '../base/api-error.ts';

const maxRequestsOfSite = 2;
const maxRequests = 8;
/** The time that a workspace has to respond; a request ends after 15 s. */
const timeoutMilliseconds = 10_000;
const retryAfterSeconds = 5;

/**
 * The requests of this process that look into a workspace while the caller waits. Their number is limited, because
 * each of them holds a connection, and up to a megabyte of a list, for as long as ten seconds.
 */
export class WorkspaceRequests {
  readonly #ofSites = new Map<string, number>();
  #inAll = 0;

  /**
   * @param work its signal is aborted when the workspace has taken too long
   * @throws {ApiError} `rate_limited` at once, because the caller can wait better than the service
   */
  async use<Result>(siteId: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const ofSite = this.#ofSites.get(siteId) ?? 0;
    if (ofSite >= maxRequestsOfSite) throw tooMany(`${maxRequestsOfSite} requests of this site`);
    if (this.#inAll >= maxRequests) throw tooMany('Too many requests');
    this.#count(siteId, 1);
    try {
      return await work(AbortSignal.timeout(timeoutMilliseconds));
    } finally {
      this.#count(siteId, -1);
    }
  }

  #count(siteId: string, change: 1 | -1): void {
    this.#inAll += change;
    const ofSite = (this.#ofSites.get(siteId) ?? 0) + change;
    if (ofSite === 0) this.#ofSites.delete(siteId);
    else this.#ofSites.set(siteId, ofSite);
  }
}

function tooMany(which: string): ApiError {
  const message = `${which} are looking into a workspace already. Wait ${retryAfterSeconds} s and repeat the request.`;
  return new ApiError('rate_limited', message, undefined, retryAfterSeconds);
}
