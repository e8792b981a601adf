import { Agent, type ClientRequest, type IncomingMessage, request as sendHttp } from 'node:http';
import { Agent as SecureAgent, request as sendHttps } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { LineLimit } from '../../base/text/line-limit.ts';
import { withoutToken } from '../shared/credentials/access-token-credential.ts';
import { isOwnCookie } from '../shared/credentials/cookie-names.ts';
import { hasBody } from '../shared/observe/arrival.ts';
import { contained } from '../shared/requests/contained.ts';
import { joinParts } from '../shared/requests/joined-parts.ts';
import type { TrustedProxies } from '../shared/requests/site-request.ts';
import { type BodyStart, receiveStart } from './body-start.ts';
import { ByteBudget } from './byte-budget.ts';
import type { SiteContent, Visit } from './content.ts';
import { sendMessage } from './messages.ts';
import { OpenWebSockets } from './open-web-sockets.ts';
import { readAhead } from './read-ahead.ts';
import { upstreamHeaders, visitorHeaders } from './upstream-headers.ts';

export interface UpstreamSettings {
  /** `http://127.0.0.1:3000` */
  readonly url: string;
  /** The maximum time without a byte from the program. */
  readonly timeoutSeconds: number;
}

const logMilliseconds = 60_000;

/** A body up to this size is complete before the program is connected to, and a response up to it read at once. */
const maxBufferBytes = 1024 * 1024;
/** For all requests of the process together. What exceeds it is passed on as the visitor sends or reads it. */
const maxBuffersBytes = 64 * 1024 * 1024;

class UpstreamTimeout extends Error {}

class UnwantedUpgrade extends Error {}

/** Whether a request may be sent twice: the program may have received it already (RFC 9110, section 9.2.2). */
function isRepeatable({ method }: IncomingMessage, body: BodyStart | undefined): boolean {
  return (method === 'GET' || method === 'HEAD') && body?.isComplete !== false;
}

/** Passes requests on to the program of the site. */
export class Upstream implements SiteContent {
  readonly opensFiles = false;
  readonly #url: URL;
  readonly #settings: UpstreamSettings;
  readonly #proxies: TrustedProxies;
  readonly #logger: FastifyBaseLogger;
  readonly #agent: Agent;
  readonly #webSockets: OpenWebSockets;
  readonly #buffers = new ByteBudget(maxBuffersBytes);
  readonly #slowLines = new LineLimit(1, logMilliseconds);
  readonly #failureLines = new LineLimit(1, logMilliseconds);
  #isFailureLogged = false;

  constructor(settings: UpstreamSettings, proxies: TrustedProxies, logger: FastifyBaseLogger) {
    this.#url = new URL(settings.url);
    this.#settings = settings;
    this.#proxies = proxies;
    this.#logger = logger;
    this.#agent = this.#isSecure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
    this.#webSockets = new OpenWebSockets(logger);
  }

  async send(visit: Visit): Promise<void> {
    const { request } = visit;
    if (!hasBody(request)) {
      request.resume();
      return this.#pass(visit, undefined, true);
    }
    if (!this.upgrades(request)) return this.#passWithBody(visit);
    request.resume();
    // No WebSocket is opened with a body (RFC 6455, section 4.1), and a program may not expect one.
    sendMessage(visit, 400, 'bad_request', { connection: 'close' });
  }

  readonly upgrades = ({ method, headers: { upgrade } }: IncomingMessage): boolean =>
    method === 'GET' && /^websocket$/i.test(upgrade ?? '');

  upgrade(visit: Visit, socket: Socket, head: Buffer): void {
    // The visitor has left while the gate decided.
    if (socket.destroyed) return;
    const headers = { ...upstreamHeaders(visit, this.#proxies), connection: 'Upgrade', upgrade: 'websocket' };
    const outgoing = this.#request(visit, headers, false);
    socket.once('close', () => outgoing.destroy());
    this.#listen(visit, outgoing, 'error', (error: Error) => this.#fail(visit, error));
    this.#listen(
      visit,
      outgoing,
      'response',
      (incoming: IncomingMessage) => void this.#passResponse(visit, incoming),
    );
    this.#listen(visit, outgoing, 'upgrade', (incoming: IncomingMessage, upstream: Duplex, first: Buffer) => {
      // An error of the program's connection before it is connected would have no listener.
      upstream.on('error', () => upstream.destroy());
      if (socket.destroyed) return void upstream.destroy();
      socket.once('close', () => upstream.destroy());
      visit.response.detachSocket(socket);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headerLines(incoming)}\r\n`, 'latin1');
      this.#webSockets.connect(visit, { socket, head }, { socket: upstream, head: first });
    });
    outgoing.end();
  }

  close(): void {
    this.#webSockets.close();
    this.#agent.destroy();
  }

  get #isSecure(): boolean {
    return this.#url.protocol === 'https:';
  }

  #request(visit: Visit, headers: object, agent: Agent | false): ClientRequest {
    const { hostname, port } = this.#url;
    const host = hostname.replace(/^\[|\]$/g, '');
    const outgoing = (this.#isSecure ? sendHttps : sendHttp)({
      host,
      port: port || undefined,
      // Names of servers are never addresses (RFC 6066, section 3).
      ...(isIP(host) === 0 && { servername: hostname }),
      method: visit.request.method,
      path: withoutToken(visit.target),
      headers: { ...headers },
      agent,
    });
    outgoing.setTimeout(this.#settings.timeoutSeconds * 1_000, () => outgoing.destroy(new UpstreamTimeout()));
    return outgoing;
  }

  /** A visitor who sends slowly must not occupy the program, which may have few workers. */
  async #passWithBody(visit: Visit): Promise<void> {
    const body = await receiveStart(visit.request, maxBufferBytes, this.#buffers);
    if (!body) return;
    await this.#pass(visit, body, true).finally(body.release);
  }

  #pass(visit: Visit, body: BodyStart | undefined, mayRepeat: boolean): Promise<void> {
    const { request, response } = visit;
    // The visitor has left meanwhile.
    if (response.destroyed) return Promise.resolve();
    const headers = upstreamHeaders(visit, this.#proxies);
    const outgoing = this.#request(visit, headers, this.#agent);
    const { socket } = request;
    // Browsers close a connection in both directions, and the program is not to work for no one.
    const leave = () => response.destroy();
    return new Promise((resolve, reject) => {
      socket.once('end', leave);
      response.once('close', () => {
        // The visitor has left, or the program has responded before it had read everything.
        socket.off('end', leave);
        outgoing.destroy();
        request.unpipe(outgoing);
        request.resume();
        resolve();
      });
      this.#listen(visit, outgoing, 'error', (error: NodeJS.ErrnoException) => {
        if (response.headersSent || response.destroyed) return;
        // The program closed an idle connection just when it was used again (RFC 9112, section 9.3.1).
        const isLost = outgoing.reusedSocket && error.code === 'ECONNRESET';
        if (mayRepeat && isLost && isRepeatable(request, body)) {
          return void this.#pass(visit, body, false).then(resolve, reject);
        }
        request.unpipe(outgoing);
        request.resume();
        this.#fail(visit, error);
      });
      this.#listen(
        visit,
        outgoing,
        'response',
        (incoming: IncomingMessage) => void this.#passResponse(visit, incoming),
      );
      this.#listen(visit, outgoing, 'upgrade', (_: IncomingMessage, upstream: Duplex) => {
        upstream.destroy();
        this.#fail(visit, new UnwantedUpgrade('The program changed the protocol of a plain request.'));
      });
      if (body) sendBody(request, body, outgoing);
      else outgoing.end();
    });
  }

  /** Listens to the program. An error in a listener closes the connection of the visitor. */
  #listen<Arguments extends unknown[]>(
    { request }: Visit,
    outgoing: ClientRequest,
    event: 'error' | 'response' | 'upgrade',
    listener: (...values: Arguments) => void,
  ): void {
    outgoing.on(event, contained(request.socket, this.#logger, listener));
  }

  async #passResponse(visit: Visit, incoming: IncomingMessage): Promise<void> {
    const { response } = visit;
    joinParts(incoming);
    this.#reached();
    try {
      response.writeHead(incoming.statusCode!, incoming.statusMessage, visitorHeaders(visit, incoming));
      response.flushHeaders();
      await readAhead(incoming, response, maxBufferBytes, this.#buffers);
    } catch {
      // The visitor learns that the response is incomplete, because the connection ends before it.
      incoming.destroy();
      response.destroy();
    }
  }

  #fail(visit: Visit, error: Error): void {
    const { response } = visit;
    if (response.headersSent || response.destroyed) return;
    const isSlow = error instanceof UpstreamTimeout;
    this.#log(error, isSlow);
    sendMessage(visit, isSlow ? 504 : 502, 'no_answer');
  }

  /**
   * A failure is logged once until the program responds again, and at most once a minute, as a request without a response is:
   * visitors may find one to which the program closes the connection.
   */
  #log(error: Error, isSlow: boolean): void {
    if (!isSlow && this.#isFailureLogged) return;
    if ((isSlow ? this.#slowLines : this.#failureLines).next() === undefined) return;
    if (!isSlow) this.#isFailureLogged = true;
    this.#logger.warn({ err: error }, `the program at ${this.#url.origin} does not answer`);
  }

  #reached(): void {
    if (this.#isFailureLogged) this.#logger.info(`the program at ${this.#url.origin} answers again`);
    this.#isFailureLogged = false;
  }
}

function sendBody(
  request: IncomingMessage,
  { bytes, isComplete, release }: BodyStart,
  outgoing: ClientRequest,
): void {
  outgoing.write(bytes, release);
  if (isComplete) outgoing.end();
  else request.pipe(outgoing);
}

/** The headers of a response as the program sent them, without cookies that only Gatehouse may set. */
function headerLines({ rawHeaders }: IncomingMessage): string {
  let lines = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name, value] = rawHeaders.slice(index, index + 2) as [string, string];
    const isOwn = /^set-cookie$/i.test(name) && isOwnCookie(value);
    if (!isOwn) lines += `${name}: ${value}\r\n`;
  }
  return lines;
}
