import { connect as connectHttp2, type OutgoingHttpHeaders } from 'node:http2';
import { connect as connectPlainly, type Socket } from 'node:net';
import { connect, createSecureContext, type SecureContext, TLSSocket } from 'node:tls';

/** A response as received. */
export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly cookies: readonly string[];
  readonly text: string;
}

export interface ProxiedSite {
  readonly port: number;
  /** The site's host name, with a port if the site has one. */
  readonly host: string;
  /** PEM; without one, connections are not encrypted. */
  readonly certificate?: string;
  /** The address from which visitors connect. */
  readonly from?: string;
}

/** Lines of a header; a name may occur several times. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

const maxWaitMilliseconds = 10_000;
const maxRequestsAtOnce = 6;
/** A server that has responded and waits for another request gets none. */
const maxPauseMilliseconds = 1_000;

const contexts = new Map<string, SecureContext>();

/** Parsing a certificate takes longer than a request. */
function contextOf(certificate: string): SecureContext {
  const context = contexts.get(certificate) ?? createSecureContext({ ca: certificate });
  contexts.set(certificate, context);
  return context;
}

/** TLS sessions by port and host. A resumed one (RFC 8446, section 2.2) checks no certificate again, as in browsers. */
const sessions = new Map<string, Buffer>();

function connectSecurely(
  { port, host }: ProxiedSite,
  address: { host: string; localAddress?: string },
  certificate: string,
): TLSSocket {
  const place = `${port} ${host}`;
  const session = sessions.get(place);
  return connect({
    ...address,
    ...(session && { session }),
    port,
    servername: withoutPort(host),
    secureContext: contextOf(certificate),
    ALPNProtocols: ['http/1.1'],
  }).on('session', (ticket) => sessions.set(place, ticket));
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '');
}

/** Sends bytes unchanged, over TLS to a proxy, and returns everything received until the connection is closed. */
export async function sendBytes(
  proxied: ProxiedSite,
  bytes: string | Uint8Array,
  waitMilliseconds = maxWaitMilliseconds,
): Promise<string> {
  const { certificate } = proxied;
  const address = {
    host: '127.0.0.1',
    ...(proxied.from !== undefined && { localAddress: proxied.from }),
  };
  const socket: Socket =
    certificate === undefined
      ? connectPlainly({ ...address, port: proxied.port })
      : connectSecurely(proxied, address, certificate);
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    const done = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    socket.setTimeout(waitMilliseconds, done);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      socket.setTimeout(maxPauseMilliseconds);
    });
    socket.on('end', done);
    const isConnected = () => !(socket instanceof TLSSocket) || socket.authorized;
    socket.on('error', (error) => (isConnected() ? done() : reject(error)));
    socket.on(certificate === undefined ? 'connect' : 'secureConnect', () => socket.write(bytes));
  });
}

/**
 * Sends a request over HTTP/2 with these headers unchanged. Returns the text of the response, or an empty text
 * without one.
 */
export function sendOverHttp2(proxied: ProxiedSite, headers: OutgoingHttpHeaders): Promise<string> {
  const session = connectHttp2(`https://127.0.0.1:${proxied.port}`, {
    ...(proxied.certificate !== undefined && { ca: proxied.certificate }),
    servername: proxied.host,
  });
  session.on('error', () => {});
  const stream = session.request(headers, { endStream: true });
  stream.setTimeout(maxWaitMilliseconds, () => stream.close());
  let text = '';
  stream.setEncoding('utf8').on('data', (data) => {
    text += data;
  });
  return new Promise((resolve) => {
    stream
      .on('error', () => {})
      .on('close', () => {
        session.destroy();
        resolve(text);
      });
  });
}

/** A browser with its cookies that sends the target of a request unchanged. */
export class Visitor {
  readonly #proxied: ProxiedSite;
  readonly #cookies = new Map<string, string>();

  constructor(proxied: ProxiedSite) {
    this.#proxied = proxied;
  }

  get cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Another browser with the same cookies. */
  twin(): Visitor {
    const twin = new Visitor(this.#proxied);
    for (const [name, value] of this.#cookies) twin.#cookies.set(name, value);
    return twin;
  }

  get(target: string, headers: HeaderLines = []): Promise<Answer> {
    return this.request('GET', target, { headers });
  }

  /** Requests all these targets, a few at the same time. */
  async getAll(targets: readonly string[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (let next = 0; next < targets.length; next += maxRequestsAtOnce)
      answers.push(
        ...(await Promise.all(
          targets.slice(next, next + maxRequestsAtOnce).map((target) => this.get(target)),
        )),
      );
    return answers;
  }

  /** Submits a form like a page of the site. */
  post(target: string, fields: Record<string, string>): Promise<Answer> {
    return this.request('POST', target, {
      headers: [
        ['Origin', `${this.#proxied.certificate === undefined ? 'http' : 'https'}://${this.#proxied.host}`],
        ['Sec-Fetch-Site', 'same-origin'],
        ['Content-Type', 'application/x-www-form-urlencoded'],
      ],
      body: new URLSearchParams(fields).toString(),
    });
  }

  async request(
    method: string,
    target: string,
    { headers = [], body }: { headers?: HeaderLines; body?: string } = {},
  ): Promise<Answer> {
    const defaults: HeaderLines = [
      ['Host', this.#proxied.host],
      ['Accept', 'text/html'],
    ];
    const given = new Set(headers.map(([name]) => name.toLowerCase()));
    const lines: HeaderLines = [
      ...defaults.filter(([name]) => !given.has(name.toLowerCase())),
      ...(this.#cookies.size === 0 ? [] : [['Cookie', this.cookieHeader] as const]),
      ...headers,
      ...(body === undefined ? [] : [['Content-Length', String(Buffer.byteLength(body))] as const]),
      ['Connection', 'close'],
    ];
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const answer = readAnswer(
      await sendBytes(this.#proxied, `${method} ${target} HTTP/1.1\r\n${head}\r\n${body ?? ''}`),
    );
    for (const cookie of answer.cookies) this.#keep(cookie);
    return answer;
  }

  #keep(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split(/; */);
    const [name = '', value = ''] = pair.split('=', 2);
    const isOver = attributes.some((attribute) => /^max-age=0$/i.test(attribute)) || value === '';
    if (isOver) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

/** Parses one HTTP/1.1 response; status 0 without one. */
function readAnswer(bytes: string): Answer {
  const endOfHead = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.slice(0, Math.max(endOfHead, 0)).split('\r\n');
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const headers = new Map<string, string>();
  for (const [name, value] of pairs) headers.set(name, [headers.get(name), value].filter(Boolean).join(', '));
  const body = bytes.slice(endOfHead + 4);
  const whole = headers.get('transfer-encoding') === 'chunked' ? joinChunks(body) : body;
  return {
    status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0),
    headers,
    cookies: pairs.filter(([name]) => name === 'set-cookie').map(([, value]) => value),
    text: Buffer.from(endOfHead === -1 ? '' : whole, 'latin1').toString('utf8'),
  };
}

function joinChunks(body: string): string {
  let whole = '';
  for (let at = 0; ; ) {
    const endOfSize = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.slice(at, endOfSize), 16);
    if (endOfSize === -1 || !(size > 0)) return whole;
    whole += body.slice(endOfSize + 2, endOfSize + 2 + size);
    at = endOfSize + 2 + size + 2;
  }
}
