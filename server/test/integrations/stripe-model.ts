import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An object as the API of Stripe returns it. */
// biome-ignore lint/suspicious/noExplicitAny: the tests read and change any field of such an object
export type StripeObject = Record<string, any> & { id: string };

/** A request that the model has received. */
export interface StripeRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

/** The part of the API of Stripe that the example uses, as a server on this machine. */
export interface StripeModel {
  readonly url: string;
  readonly customers: Map<string, StripeObject>;
  readonly subscriptions: Map<string, StripeObject>;
  readonly sessions: Map<string, StripeObject>;
  readonly events: StripeObject[];
  readonly requests: StripeRequest[];
  /** Customers that the search does not find yet. */
  readonly notIndexed: Set<string>;
  /** Decides whether a request fails, with which status. */
  failure: ((request: StripeRequest) => number | undefined) | undefined;
  /** Runs after a request was answered. */
  afterwards: ((request: StripeRequest) => void) | undefined;
  stop(): Promise<void>;
}

/** Small, so that every list has several pages, and every object only a part of its own list. */
const pageSize = 2;
const includedItems = 1;

/** @param apiVersion what requests have to name, as the library does */
export async function startStripeModel(key: string, apiVersion: string): Promise<StripeModel> {
  const server = createServer(async (request, response) => {
    const { status, body, received } = await answerTo(request);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body), () => received && model.afterwards?.(received));
  });

  async function answerTo(request: IncomingMessage) {
    const { pathname: path, searchParams: query } = new URL(request.url!, 'http://localhost');
    const received: StripeRequest = { method: request.method!, path, query };
    model.requests.push(received);
    const form = new URLSearchParams(await text(request));
    const { authorization, 'stripe-version': version } = request.headers;
    if (authorization !== `Bearer ${key}`) return error(401, 'Invalid API Key provided.');
    if (version !== apiVersion) return error(400, `Unexpected version: ${version}`);
    const status = model.failure?.(received);
    if (status !== undefined) return error(status, 'An unknown error occurred.');
    const body = request.method === 'POST' ? update(path, form) : read(path, query);
    return body ? { status: 200, body, received } : error(404, `No such object: ${path}`);
  }

  function read(path: string, query: URLSearchParams): unknown {
    const [, , resource, second, third, fourth] = path.split('/');
    if (resource === 'customers' && second === 'search') return search(path, query);
    if (resource === 'customers' && second) return model.customers.get(second);
    if (resource === 'customers') return list(path, query, customersWith(query.get('email')));
    if (resource === 'subscriptions') return list(path, query, subscriptionsWith(query).map(withoutItems));
    if (resource === 'subscription_items') {
      return list(path, query, model.subscriptions.get(query.get('subscription')!)!.items.data);
    }
    if (fourth === 'line_items') return list(path, query, model.sessions.get(third!)!.line_items.data);
    if (resource === 'checkout') return list(path, query, sessionsWith(query));
    if (resource === 'events') return list(path, query, eventsWith(query));
    return undefined;
  }

  function customersWith(email: string | null): StripeObject[] {
    return [...model.customers.values()].filter((each) => !each.deleted && each.email === email);
  }

  /** Without a status, those that have not ended. */
  function subscriptionsWith(query: URLSearchParams): StripeObject[] {
    const isListed = ({ status, customer }: StripeObject) =>
      (query.get('status') === 'all' || status !== 'canceled') && matches(customer, query.get('customer'));
    return [...model.subscriptions.values()].filter(isListed);
  }

  function sessionsWith(query: URLSearchParams): StripeObject[] {
    const expanded = [...query.entries()]
      .filter(([name]) => name.startsWith('expand'))
      .map(([, path]) => path);
    return [...model.sessions.values()]
      .filter(({ customer }) => matches(customer, query.get('customer')))
      .filter(({ status }) => matches(status, query.get('status')))
      .map(({ line_items: lines, payment_intent: intent, ...session }) => ({
        ...(session as StripeObject),
        ...(expanded.includes('data.line_items') && { line_items: partOf(lines) }),
        payment_intent: expanded.includes('data.payment_intent.latest_charge')
          ? intent
          : (intent?.id ?? null),
      }));
  }

  function eventsWith(query: URLSearchParams): StripeObject[] {
    const earliest = Number(query.get('created[gte]') ?? 0);
    return model.events.filter(({ type, created }) => type === query.get('type') && created >= earliest);
  }

  function search(path: string, query: URLSearchParams): unknown {
    const [, name, value] = /^metadata\['(\w+)'\]:'([\w-]+)'$/.exec(query.get('query')!)!;
    const found = [...model.customers.values()].filter(
      ({ id, metadata }) => metadata?.[name!] === value && !model.notIndexed.has(id),
    );
    const start = Number(query.get('page') ?? 0);
    const end = start + pageSize;
    const hasMore = end < found.length;
    return {
      object: 'search_result',
      url: path,
      data: found.slice(start, end),
      has_more: hasMore,
      next_page: hasMore ? String(end) : null,
    };
  }

  /** Only the metadata of customers; an empty value removes its key. */
  function update(path: string, form: URLSearchParams): unknown {
    const customer = model.customers.get(path.split('/')[3]!);
    if (!customer || customer.deleted) return undefined;
    for (const [name, value] of form) {
      const key = /^metadata\[([\w-]{1,40})\]$/.exec(name)![1]!;
      if (value === '') delete customer.metadata[key];
      else customer.metadata[key] = value;
    }
    return customer;
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const model: StripeModel = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    customers: new Map(),
    subscriptions: new Map(),
    sessions: new Map(),
    events: [],
    requests: [],
    notIndexed: new Set(),
    failure: undefined,
    afterwards: undefined,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return model;
}

function matches(value: unknown, filter: string | null): boolean {
  return filter === null || filter === 'all' || value === filter;
}

function withoutItems(subscription: StripeObject): StripeObject {
  return { ...subscription, items: partOf(subscription.items) };
}

function partOf(all: { data: StripeObject[] }) {
  return { ...all, data: all.data.slice(0, includedItems), has_more: all.data.length > includedItems };
}

/** A page, after `starting_after`. */
function list(url: string, query: URLSearchParams, all: readonly StripeObject[]) {
  const after = query.get('starting_after');
  const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const data = all.slice(start, start + pageSize);
  return { object: 'list', url, data, has_more: start + pageSize < all.length };
}

function error(status: number, message: string) {
  return { status, body: { error: { type: 'api_error', message } }, received: undefined };
}
