import { ApiError } from '../../base/api-error.ts';
import { OutgoingRequestError } from '../../base/networks/outgoing-error.ts';
import type { OutgoingSettings } from '../../base/networks/outgoing-url.ts';
import { systemTimers } from '../../base/timers.ts';
import type { Tracing } from '../../base/traces/tracing.ts';
import type { LoadedPage, OwnPages, PageLoader } from '../../domain/access-rules/page-checks/page-loader.ts';
import { AwaitedRequests } from '../awaited-requests.ts';
import type { OutgoingHttp } from '../outgoing/outgoing-http.ts';

/** Requests pages of sites, with one client for all of them. */
export class HttpPageLoader implements PageLoader {
  readonly #outgoing: OutgoingSettings;
  readonly #tracing: Tracing | undefined;
  readonly #requests = new AwaitedRequests(
    { activity: 'checking pages', tooSlow: pageTooSlow },
    systemTimers,
  );
  #http: Promise<OutgoingHttp> | undefined;

  constructor(outgoing: OutgoingSettings, tracing: Tracing | undefined) {
    this.#outgoing = outgoing;
    this.#tracing = tracing;
  }

  load(siteId: string, address: URL, pages: OwnPages): Promise<LoadedPage> {
    return this.#requests.use(siteId, async (signal) => {
      const { PageVisit } = await import('./page-visit.ts');
      this.#http ??= this.#openHttp();
      return new PageVisit(await this.#http, pages, signal).load(address).catch(explain);
    });
  }

  /** Closes all connections to sites. */
  async close(): Promise<void> {
    await (await this.#http)?.close();
  }

  async #openHttp(): Promise<OutgoingHttp> {
    const { OutgoingHttp } = await import('../outgoing/outgoing-http.ts');
    return new OutgoingHttp(this.#outgoing, { tracing: this.#tracing });
  }
}

function explain(error: unknown): never {
  if (error instanceof OutgoingRequestError) throw new ApiError('page_unavailable', error.message);
  if ((error as Partial<Error>)?.name === 'TimeoutError') throw pageTooSlow();
  throw error;
}

function pageTooSlow(): ApiError {
  return new ApiError(
    'page_unavailable',
    'The server of the page did not respond in time. Try again in a minute.',
  );
}
