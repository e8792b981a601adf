import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pauseAfter, type RetrySchedule } from '@gatehouse/contract/backoff';
import {
  Client,
  type DataSourceObjectResponse,
  type GetPagePropertyResponse,
  type QueryDataSourceParameters,
  type QueryDataSourceResponse,
  type SearchResponse,
} from '@notionhq/client';
import { type Clock, systemClock } from '../../base/clock.ts';
import { CollectionGone } from '../../domain/sources/workspaces/workspace.ts';
import type { OutgoingHttp } from '../outgoing/outgoing-http.ts';
import { failureOf, NotionRestricted, notFromNotion } from './notion-failure.ts';
import { paceOf, type RequestPace } from './request-pace.ts';

export interface NotionAccess {
  /** The secret of the integration. */
  readonly token: string;
  /** Of the API, without `/v1`: `https://api.notion.com`. */
  readonly baseUrl: string;
  readonly http: OutgoingHttp;
  readonly clock?: Clock;
  /** Waits, and ends with an error if the signal is aborted. A test does not wait. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export const pageSize = 100;

const notionVersion = '2026-03-11';
/** The pauses before each further attempt. All wait together, so that the pace of Notion is enough. */
const retries: RetrySchedule = { pauses: [1_000, 2_000, 4_000, 8_000], spread: [1, 1] };
const maxAttempts = retries.pauses.length + 1;
/** Short enough for a run to keep its lease meanwhile. */
const maxWaitMilliseconds = 20_000;

/**
 * The requests of one reading, sent at the pace that Notion allows, and repeated if it fails for a moment. The retries
 * of the client are not used: they ignore the signal, failed connections, and failed requests with POST.
 */
export class NotionRequests {
  readonly #signal: AbortSignal;
  readonly #clock: Clock;
  readonly #wait: NonNullable<NotionAccess['wait']>;
  readonly #pace: RequestPace;
  readonly #client: Client;

  constructor(
    { token, baseUrl, http, clock = systemClock, wait = waitReally }: NotionAccess,
    signal: AbortSignal,
  ) {
    this.#signal = signal;
    this.#clock = clock;
    this.#wait = wait;
    const hash = createHash('sha256').update(`${baseUrl}\n${token}`).digest('base64');
    this.#pace = paceOf(hash, clock().getTime());
    this.#client = new Client({
      auth: token,
      baseUrl,
      notionVersion,
      retry: false,
      logger: () => {},
      fetch: (url, { method = 'GET', headers = {}, body } = {}) =>
        http.fetch(url, { method, headers, body: body ?? null, signal }),
    });
  }

  /** @throws {CollectionGone} also if it is in the trash */
  async dataSource(id: string): Promise<DataSourceObjectResponse> {
    // It becomes a part of the path.
    if (!uuid.test(id)) throw new CollectionGone();
    const found = await this.#send('data_source', () =>
      this.#client.dataSources.retrieve({ data_source_id: id }),
    );
    if (!('title' in found)) throw new NotionRestricted();
    if (found.in_trash) throw new CollectionGone();
    return found;
  }

  query(parameters: QueryDataSourceParameters): Promise<QueryDataSourceResponse> {
    return this.#list(() => this.#client.dataSources.query(parameters));
  }

  searchDataSources(cursor: string | undefined): Promise<SearchResponse> {
    const filter = { property: 'object', value: 'data_source' } as const;
    const start = cursor === undefined ? {} : { start_cursor: cursor };
    return this.#list(() => this.#client.search({ filter, page_size: pageSize, ...start }));
  }

  async pageProperty(pageId: string, propertyId: string, cursor: string | undefined): Promise<PropertyItems> {
    const start = cursor === undefined ? {} : { start_cursor: cursor };
    const parameters = { page_id: pageId, property_id: propertyId, page_size: pageSize, ...start };
    const found = await this.#list(() => this.#client.pages.properties.retrieve(parameters));
    return found as PropertyItems;
  }

  /** The title of a database, and how many data sources it has. */
  async database(id: string): Promise<{ readonly title: string; readonly dataSources: number }> {
    const found = await this.#send('database', () => this.#client.databases.retrieve({ database_id: id }));
    if (!('title' in found)) throw new NotionRestricted();
    return {
      title: found.title.map(({ plain_text }) => plain_text).join(''),
      dataSources: found.data_sources.length,
    };
  }

  /** Whether Notion shows email addresses to the integration. */
  async showsAddresses(): Promise<boolean> {
    try {
      for (let cursor: string | undefined; ; ) {
        const start = cursor === undefined ? {} : { start_cursor: cursor };
        const parameters = { page_size: pageSize, ...start };
        const { results, next_cursor } = await this.#list(() => this.#client.users.list(parameters));
        const people = results.filter((user) => 'type' in user && user.type === 'person');
        if (people.length > 0)
          return people.some((user) => 'person' in user && user.person.email !== undefined);
        if (next_cursor === null) return false;
        cursor = next_cursor;
      }
    } catch (error) {
      if (error instanceof NotionRestricted) return false;
      throw error;
    }
  }

  async #list<T extends object>(send: () => Promise<T>): Promise<T> {
    const response = await this.#send('list', send);
    const { results, has_more, next_cursor } = response as Partial<QueryDataSourceResponse>;
    // Without a cursor, the rest of a list cannot be read, and it must not look complete.
    if (!Array.isArray(results) || (has_more !== false && typeof next_cursor !== 'string'))
      throw notFromNotion();
    return response;
  }

  async #send<T extends object>(kind: string, send: () => Promise<T>): Promise<T> {
    const begun = this.#clock().getTime();
    for (let attempt = 1; ; attempt++) {
      const delay = this.#pace.plan(this.#clock().getTime());
      if (delay > 0) await this.#wait(delay, this.#signal);
      this.#signal.throwIfAborted();
      try {
        const response = await send();
        if ((response as { object?: unknown } | null)?.object !== kind) throw notFromNotion();
        return response;
      } catch (error) {
        this.#signal.throwIfAborted();
        const now = this.#clock();
        const { error: meaning, isTemporary, retryAfterSeconds } = failureOf(error, now);
        const pause =
          retryAfterSeconds === undefined ? pauseAfter(retries, attempt) : retryAfterSeconds * 1000;
        const waited = now.getTime() - begun;
        if (!isTemporary || attempt === maxAttempts || waited + pause > maxWaitMilliseconds) throw meaning;
        this.#pace.pause(now.getTime(), pause);
      }
    }
  }
}

/** A page of the items of a property, such as the people in it. */
export type PropertyItems = Extract<GetPagePropertyResponse, { object: 'list' }>;

const uuid = /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i;

async function waitReally(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal });
}
