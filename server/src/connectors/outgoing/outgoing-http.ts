import type { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { OutgoingRequestRejected } from '../../base/networks/outgoing-error.ts';
import { type OutgoingSettings, readOutgoingUrl } from '../../base/networks/outgoing-url.ts';
import { systemTimers, type Timers } from '../../base/timers.ts';
import { inSpan, type Tracing } from '../../base/traces/tracing.ts';
import { checkedConnector, type ResolveName, resolveLikeSystem } from './checked-connector.ts';
import { Exchange, type ExchangeLimits } from './exchange.ts';
import { acceptedEncoding, limitedBody } from './response-body.ts';

/** The request of `fetch`, with limits. A body that is a stream is read before it is sent. */
export interface OutgoingRequest extends Pick<RequestInit, 'method' | 'headers' | 'body'>, ExchangeLimits {
  /**
   * `none` is the default: a redirect is an error that names the origin of its target. With `follow`, up to three redirects of a
   * GET are followed, and each URL is checked like the first. On another origin only headers without secrets are sent.
   * With `manual`, the redirect is returned, without its body.
   */
  readonly redirects?: 'none' | 'follow' | 'manual' | undefined;
}

/** What a test replaces, and where requests are traced. */
export interface OutgoingSurroundings {
  readonly resolve?: ResolveName;
  readonly timers?: Timers;
  /** A PEM to trust instead of the authorities of Node. */
  readonly certificateAuthority?: string;
  readonly tracing?: Tracing | undefined;
}

interface PreparedRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array | null;
}

/**
 * Sends requests to addresses that someone else chose, and to nothing else. Only public addresses are connected to,
 * and those in the allowed networks; proxies from the environment are not used.
 */
export class OutgoingHttp {
  readonly #settings: OutgoingSettings;
  readonly #agent: Agent;
  readonly #timers: Timers;
  readonly #tracing: Tracing | undefined;

  constructor(settings: OutgoingSettings, surroundings: OutgoingSurroundings = {}) {
    const {
      resolve = resolveLikeSystem,
      timers = systemTimers,
      certificateAuthority,
      tracing,
    } = surroundings;
    this.#settings = settings;
    this.#tracing = tracing;
    this.#timers = timers;
    this.#agent = new Agent({
      connect: checkedConnector(settings.allowedNetworks, resolve, certificateAuthority),
      // Servers may ask to keep connections longer, but the address of a name may change.
      keepAliveMaxTimeout: maxIdleMilliseconds,
    });
  }

  /**
   * Like `fetch`, except for redirects. Reading the body may fail with the same errors.
   * @throws {OutgoingRequestRejected} for a URL, an address or a redirect that is not allowed
   * @throws {OutgoingRequestFailed} if there is no complete response within the limits
   */
  async fetch(address: string | URL, init: OutgoingRequest = {}): Promise<Response> {
    const exchange = new Exchange(init, this.#timers);
    try {
      const request = await readRequest(this.#requireUrl(String(address)), init);
      const { redirects = 'none' } = init;
      const followed = redirects === 'follow' && request.method !== 'GET' ? 'none' : redirects;
      // The path may contain secrets, so it is not recorded. The id of the trace is not sent to other services.
      const attributes = { 'http.request.method': request.method, 'server.address': request.url.hostname };
      const facts = { name: `outgoing ${request.method}`, kind: 'client', attributes } as const;
      return await inSpan(this.#tracing, facts, async (span) => {
        const response = await this.#send(request, followed, exchange);
        span?.setAttribute('http.response.status_code', response.status);
        return response;
      });
    } catch (error) {
      exchange.abort(error);
      throw error;
    }
  }

  /** Closes all connections. Requests that are still running fail. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #send(
    request: PreparedRequest,
    followed: NonNullable<OutgoingRequest['redirects']>,
    exchange: Exchange,
  ): Promise<Response> {
    let current = request;
    for (let redirects = 0; ; redirects++) {
      const { host } = current.url;
      try {
        exchange.signal.throwIfAborted();
        const response = await exchange.within(this.#agent.request(optionsFor(current, exchange)));
        if (!redirectStatuses.has(response.statusCode)) {
          return responseTo(current, response, redirects > 0, exchange);
        }
        if (followed === 'manual') return redirectTo(current, response, exchange);
        discard(response.body);
        const target = targetOf(current.url, response);
        if (followed === 'none') throw redirectNotFollowed(host, target);
        if (redirects === maxRedirects) {
          throw redirectRejected(`${host} redirects once more, after ${maxRedirects} redirects. ${useLast}`);
        }
        current = this.#redirected(current, target);
      } catch (error) {
        throw exchange.errorFor(error, host);
      }
    }
  }

  #redirected(request: PreparedRequest, target: URL): PreparedRequest {
    const { host, protocol, origin } = request.url;
    if (protocol === 'https:' && target.protocol === 'http:') {
      throw redirectRejected(`${host} redirects from https to http, which is not encrypted. ${useLast}`);
    }
    const url = this.#requireUrl(target.href);
    return url.origin === origin
      ? { ...request, url }
      : { ...request, url, headers: withoutSecrets(request.headers) };
  }

  #requireUrl(text: string): URL {
    const read = readOutgoingUrl(text, this.#settings);
    if (read.problem !== undefined) throw new OutgoingRequestRejected(read.reason, read.problem);
    return read.url;
  }
}

const maxRedirects = 3;
const maxIdleMilliseconds = 10_000;
export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The statuses of responses without a body (Fetch Standard, section 2.2.3). */
const statusesWithoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** Every other header may be a secret of the first origin. */
const headersForEveryOrigin = [
  'accept',
  'accept-language',
  'user-agent',
  'if-none-match',
  'if-modified-since',
];

const useLast = 'Use the URL that it finally leads to.';

/** @throws {TypeError} for an invalid method, header or body, as `fetch` does */
async function readRequest(url: URL, { method, headers, body }: OutgoingRequest): Promise<PreparedRequest> {
  const init = {
    method: method ?? 'GET',
    headers: headers ?? {},
    body: body ?? null,
    duplex: 'half' as const,
  };
  const read = new Request(url, init);
  // It would decide which certificate is expected.
  read.headers.delete('host');
  if (!read.headers.has('user-agent')) read.headers.set('user-agent', 'Gatehouse');
  return { url, method: read.method, headers: read.headers, body: read.body && (await read.bytes()) };
}

function optionsFor(
  { url, method, headers, body }: PreparedRequest,
  { signal }: Exchange,
): Dispatcher.RequestOptions {
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: { ...Object.fromEntries(headers), 'accept-encoding': acceptedEncoding },
    body,
    signal,
  };
}

function responseTo(
  { url, method }: PreparedRequest,
  { statusCode: status, statusText, headers, body }: Dispatcher.ResponseData,
  isRedirected: boolean,
  exchange: Exchange,
): Response {
  const received = new Headers();
  for (const [name, values] of Object.entries(headers)) {
    for (const value of [values ?? []].flat()) received.append(name, value);
  }
  const hasBody = method !== 'HEAD' && !statusesWithoutBody.has(status);
  const encoding = received.get('content-encoding') ?? '';
  const limited = hasBody ? limitedBody(body, encoding, exchange, url.host) : null;
  if (limited === null) {
    // What cannot have a body has ended (RFC 9112, section 6.3), which closing would take for an interruption.
    if (status === 205) discard(body);
    else body.on('error', () => {}).resume();
    exchange.end();
  }
  const response = new Response(limited, { status, statusText, headers: received });
  // The constructor cannot set these two.
  return Object.defineProperties(response, { url: { value: url.href }, redirected: { value: isRedirected } });
}

function redirectTo(
  { url }: PreparedRequest,
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  exchange: Exchange,
): Response {
  discard(body);
  exchange.end();
  const location = [headers.location ?? []].flat()[0];
  const response = new Response(null, { status, ...(location && { headers: { location } }) });
  return Object.defineProperty(response, 'url', { value: url.href });
}

/** Closes the connection, unless the body was empty: there are no limits for what no one reads. */
function discard(body: Readable): void {
  body.on('error', () => {}).destroy();
}

function targetOf(url: URL, { headers }: Dispatcher.ResponseData): URL {
  const location = [headers.location ?? []].flat()[0];
  const target = location === undefined ? null : URL.parse(location, url);
  if (target !== null && /^https?:$/.test(target.protocol)) return target;
  throw redirectRejected(
    `${url.host} redirects without a valid target. Ask the administrator of the server.`,
  );
}

/** A path or a query may contain secrets, such as a token or a signature. */
function redirectNotFollowed(host: string, { origin }: URL): OutgoingRequestRejected {
  return redirectRejected(`${host} redirects to a URL at ${origin}. Use the URL that it redirects to.`);
}

function redirectRejected(message: string): OutgoingRequestRejected {
  return new OutgoingRequestRejected('redirect_not_allowed', message);
}

function withoutSecrets(headers: Headers): Headers {
  const passed = headersForEveryOrigin.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] satisfies [string, string]];
  });
  return new Headers(passed);
}
