import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Clock, systemClock } from '../src/base/clock.ts';
import {
  NotionDatabase,
  NotionDataSource,
  type NotionRow,
  NotionUser,
  type PropertyType,
  toMinute,
  type UserInformation,
} from './notion-model.ts';

// The part of Notion's API that sources use, written from its reference: developers.notion.com/reference.

type Json = Record<string, unknown>;

export interface NotionRequest {
  readonly method: string;
  /** Without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Json;
}

/** A response instead of the usual one. A text is a body that is not from Notion. */
export interface OtherResponse {
  readonly status: number;
  readonly code?: string;
  readonly retryAfterSeconds?: number;
  readonly text?: string;
}

/** Starts an empty workspace of Notion with its API. */
export async function startNotionServer({
  clock = systemClock,
}: {
  clock?: Clock;
} = {}): Promise<NotionServer> {
  const notion = new NotionServer(clock);
  await notion.listen();
  return notion;
}

export class NotionServer {
  /** Of the integration. */
  token = `ntn_${randomUUID().replaceAll('-', '')}`;
  url = '';
  /** What the integration may do. */
  readsContent = true;
  userInformation: UserInformation = 'with_addresses';
  /** The maximum number of rows that a query returns, on all of its pages together. */
  maxQueryRows = 10_000;
  /** Called before each response; a returned one replaces it. */
  onRequest: (request: NotionRequest) => OtherResponse | undefined = () => undefined;
  readonly requests: NotionRequest[] = [];
  readonly #clock: Clock;
  readonly #dataSources = new Map<string, NotionDataSource>();
  readonly #databases = new Map<string, NotionDatabase>();
  readonly #users: NotionUser[] = [];
  readonly #server: Server;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#server = createServer((request, response) => void this.#respond(request, response));
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Adds a database, and returns its only data source. */
  database(title: string, properties: Readonly<Record<string, PropertyType>>): NotionDataSource {
    const database = new NotionDatabase(title);
    this.#databases.set(database.id, database);
    return new NotionDataSource(database, title, properties, this.#clock);
  }

  person(name: string, email: string): NotionUser {
    return this.#user('person', name, email);
  }

  /** A guest of the workspace, whose address the API does not show. */
  personOutside(name: string): NotionUser {
    return this.#user('guest', name, null);
  }

  bot(name: string): NotionUser {
    return this.#user('bot', name, null);
  }

  group(name: string): NotionUser {
    return this.#user('group', name, null);
  }

  /** Answers every `count`-th request in another way. */
  failEvery(count: number, response: OtherResponse): void {
    let received = 0;
    this.onRequest = () => (++received % count === 0 ? response : undefined);
  }

  /** Answers the next requests in other ways. */
  failNext(...responses: readonly OtherResponse[]): void {
    const left = [...responses];
    this.onRequest = () => left.shift();
  }

  #user(kind: NotionUser['kind'], name: string, email: string | null): NotionUser {
    const user = new NotionUser(kind, name, email);
    this.#users.push(user);
    return user;
  }

  async #respond(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body, headers = {} } = await this.#answer(message);
    const type = typeof body === 'string' ? 'text/html' : 'application/json; charset=utf-8';
    response.writeHead(status, { 'content-type': type, ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  async #answer(message: IncomingMessage): Promise<Answer> {
    const { pathname: path, searchParams: query } = new URL(message.url ?? '/', this.url);
    try {
      const body = parsed(await text(message));
      const request = { method: message.method ?? '', path, query, body };
      this.requests.push(request);
      const other = this.onRequest(request);
      if (other) return otherAnswer(other);
      this.#authorize(message);
      return { status: 200, body: { ...this.#result(request), request_id: randomUUID() } };
    } catch (error) {
      if (error instanceof NotionError) return error.answer();
      return new NotionError(500, 'internal_server_error', String(error)).answer();
    }
  }

  #authorize({ headers }: IncomingMessage): void {
    if (headers.authorization !== `Bearer ${this.token}`) {
      throw new NotionError(401, 'unauthorized', 'API token is invalid.');
    }
    const version = headers['notion-version'];
    if (version === undefined) {
      const problem = 'Notion-Version header should be defined, instead was `undefined`.';
      throw new NotionError(400, 'missing_version', `Notion-Version header failed validation: ${problem}`);
    }
    if (version !== '2026-03-11') throw invalid('Notion-Version header failed validation.');
  }

  #result(request: NotionRequest): Json {
    const { method, path } = request;
    const [, version, kind = '', id = '', ...rest] = path.split('/');
    const route = `${method} ${[kind, ...(id && kind !== 'users' ? ['*'] : [id]), rest[0]].filter(Boolean).join('/')}`;
    if (version !== 'v1') throw new NotionError(400, 'invalid_request_url', 'Invalid request URL.');
    if (kind !== 'users' && !this.readsContent) throw restricted();
    switch (route) {
      case 'POST search':
        return this.#search(request);
      case 'GET databases/*':
        return this.#database(id).shown();
      case 'GET data_sources/*':
        return this.#dataSource(id).shown();
      case 'POST data_sources/*/query':
        return this.#query(this.#dataSource(id), request);
      case 'GET pages/*/properties':
        return this.#pageProperty(id, decodeURIComponent(rest[1] ?? ''), request);
      case 'GET users/me':
        return { object: 'user', id: 'bot', type: 'bot', name: 'Gatehouse', avatar_url: null, bot: {} };
      case 'GET users':
        return this.#listUsers(request);
      default:
        throw new NotionError(400, 'invalid_request_url', 'Invalid request URL.');
    }
  }

  #search({ body }: NotionRequest): Json {
    const filter = body.filter as Json | undefined;
    if (filter && (filter.property !== 'object' || filter.value !== 'data_source'))
      throw invalid('body.filter');
    const found = this.#allDataSources().filter(({ isShared, inTrash }) => isShared && !inTrash);
    const page = pageOf(found, body.start_cursor, body.page_size);
    return { ...page.list, type: 'page_or_data_source', results: page.items.map((each) => each.shown()) };
  }

  #query(dataSource: NotionDataSource, { body, query }: NotionRequest): Json {
    const from = lowestCreatedTime(body.filter);
    const inOrder = orderOf(body.sorts, dataSource.rowsInOrder);
    const matching = inOrder.filter(({ created }) => from === undefined || toMinute(created) >= from);
    const wanted = query.getAll('filter_properties');
    for (const id of wanted) {
      const isKnown = dataSource.properties.some(
        (each) => decodeURIComponent(each.id) === id || each.name === id,
      );
      if (!isKnown) throw invalid(`Could not find property with name or id: ${id}`);
    }
    const returned = matching.slice(0, this.maxQueryRows);
    const page = pageOf(returned, body.start_cursor, body.page_size);
    const shown = wanted.length > 0 ? new Set(wanted) : undefined;
    const incomplete = { type: 'incomplete', incomplete_reason: 'query_result_limit_reached' };
    return {
      ...page.list,
      type: 'page_or_data_source',
      results: page.items.map((row) => row.shown(this.userInformation, shown)),
      request_status: returned.length < matching.length ? incomplete : { type: 'complete' },
    };
  }

  #pageProperty(pageId: string, propertyId: string, { query }: NotionRequest): Json {
    const row = this.#row(pageId);
    const property = row.dataSource.properties.find(({ id }) => decodeURIComponent(id) === propertyId);
    if (!property) throw notFound(`Could not find property with ID: ${propertyId}.`);
    const { id, type } = property;
    const items = row.items(property, this.userInformation);
    if (!items) throw invalid('The test server only has properties with items.');
    const listed = items.map((item, index) => ({ id: String(index), item }));
    const page = pageOf(
      listed,
      query.get('start_cursor') ?? undefined,
      Number(query.get('page_size') ?? 100),
    );
    return {
      ...page.list,
      type: 'property_item',
      property_item: { id, next_url: null, type, [type]: {} },
      results: page.items.map(({ item }) => ({ object: 'property_item', id, type, [type]: item })),
    };
  }

  #listUsers({ query }: NotionRequest): Json {
    if (this.userInformation === 'none') throw restricted();
    const listed = this.#users.filter(({ kind }) => kind === 'person' || kind === 'bot');
    const page = pageOf(
      listed,
      query.get('start_cursor') ?? undefined,
      Number(query.get('page_size') ?? 100),
    );
    return {
      ...page.list,
      type: 'user',
      results: page.items.map((user) => user.shown(this.userInformation)),
    };
  }

  #allDataSources(): NotionDataSource[] {
    return [...this.#databases.values()].flatMap(({ dataSources }) => dataSources);
  }

  #dataSource(id: string): NotionDataSource {
    const known = this.#dataSources.get(id) ?? this.#allDataSources().find((each) => each.id === id);
    if (!known?.isShared) throw notFound(`Could not find data_source with ID: ${id}.`);
    this.#dataSources.set(id, known);
    return known;
  }

  #database(id: string): NotionDatabase {
    const found = this.#databases.get(id);
    if (!found?.dataSources.some(({ isShared }) => isShared)) {
      throw notFound(`Could not find database with ID: ${id}.`);
    }
    return found;
  }

  #row(id: string): NotionRow {
    for (const { isShared, rows } of this.#allDataSources()) {
      const found = isShared ? rows.find((row) => row.id === id && !row.inTrash) : undefined;
      if (found) return found;
    }
    throw notFound(`Could not find page with ID: ${id}.`);
  }
}

interface Answer {
  readonly status: number;
  readonly body: Json | string;
  readonly headers?: Record<string, string>;
}

class NotionError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  answer(): Answer {
    const { status, code, message } = this;
    return { status, body: { object: 'error', status, code, message, request_id: randomUUID() } };
  }
}

function notFound(message: string): NotionError {
  const hint = 'Make sure the relevant pages and databases are shared with your integration.';
  return new NotionError(404, 'object_not_found', `${message} ${hint}`);
}

function invalid(message: string): NotionError {
  return new NotionError(400, 'validation_error', message);
}

function restricted(): NotionError {
  return new NotionError(403, 'restricted_resource', 'Insufficient permissions for this endpoint.');
}

const codes: Readonly<Record<number, string>> = {
  400: 'validation_error',
  401: 'unauthorized',
  403: 'restricted_resource',
  404: 'object_not_found',
  409: 'conflict_error',
  429: 'rate_limited',
  500: 'internal_server_error',
  503: 'service_unavailable',
  529: 'service_overload',
};

function otherAnswer({
  status,
  code = codes[status] ?? '',
  retryAfterSeconds,
  text: body,
}: OtherResponse): Answer {
  const headers = retryAfterSeconds === undefined ? undefined : { 'retry-after': String(retryAfterSeconds) };
  if (body !== undefined) return { status, body, ...(headers && { headers }) };
  return { ...new NotionError(status, code, 'Something failed.').answer(), ...(headers && { headers }) };
}

function parsed(body: string): Json {
  if (body === '') return {};
  try {
    return JSON.parse(body);
  } catch {
    throw new NotionError(400, 'invalid_json', 'Error parsing JSON body.');
  }
}

/** A page of a list. Like in Notion, a cursor is the id of the next item, and invalid when that is gone. */
function pageOf<T extends { readonly id: string }>(all: readonly T[], cursor: unknown, size: unknown = 100) {
  const pageSize = Number(size);
  if (!(Number.isInteger(pageSize) && pageSize >= 1 && pageSize <= 100)) {
    throw invalid('body failed validation: body.page_size should be ≤ `100`.');
  }
  const start = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor);
  if (start < 0) throw invalid(`The start_cursor provided is invalid: ${cursor}`);
  const next = all[start + pageSize];
  return {
    items: all.slice(start, start + pageSize),
    list: { object: 'list', next_cursor: next?.id ?? null, has_more: next !== undefined },
  };
}

function lowestCreatedTime(filter: unknown): string | undefined {
  if (filter === undefined) return undefined;
  const { timestamp, created_time: created } = filter as { timestamp?: string; created_time?: Json };
  const from = created?.on_or_after;
  if (timestamp !== 'created_time' || typeof from !== 'string') throw invalid('body.filter');
  return new Date(from).toISOString();
}

/** Without an order that is asked for, the row that was edited last comes first. */
function orderOf(sorts: unknown, rows: NotionRow[]): NotionRow[] {
  if (sorts === undefined) return rows.sort((one, other) => other.edited - one.edited);
  const [sort] = sorts as { timestamp?: string; direction?: string }[];
  if (sort?.timestamp !== 'created_time') throw invalid('body.sorts');
  return sort.direction === 'descending' ? rows.reverse() : rows;
}
