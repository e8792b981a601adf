import { connect } from 'node:net';

/** Where a service listens. */
export interface Place {
  /** An IP address without brackets, or a name. */
  readonly host: string;
  readonly port: number;
}

/** A response of a few hundred bytes, in JSON. */
export interface SmallResponse {
  readonly status: number;
  readonly body: string;
}

/** Nothing listens there, it responds too late, or it responds with something else. */
type Reason = 'not connected' | 'late' | 'not HTTP';

export class NoResponse extends Error {
  readonly reason: Reason;

  /** @param code of the operating system, such as `ECONNREFUSED` */
  constructor(reason: Reason, code: string) {
    super(code);
    this.name = 'NoResponse';
    this.reason = reason;
  }
}

const maxBytes = 16_384;

/**
 * Sends a GET in HTTP/1.0, after whose response the server closes the connection. The HTTP client of Node would take
 * more CPU time to load (18 ms) than all the rest of a command.
 * @throws {NoResponse}
 */
export function readPath(place: Place, path: string, timeoutMilliseconds: number): Promise<SmallResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<SmallResponse>();
  const socket = connect(place);
  let hasConnected = false;
  let text = '';
  const fail = (reason: Reason, code: string) =>
    reject(new NoResponse(hasConnected ? reason : 'not connected', code));
  const timer = setTimeout(fail, timeoutMilliseconds, 'late', 'ETIMEDOUT');
  socket.setEncoding('utf8');
  socket.on('connect', () => {
    hasConnected = true;
    socket.write(`GET ${path} HTTP/1.0\r\nHost: localhost\r\n\r\n`);
  });
  socket.on('data', (part) => {
    text += part;
    if (text.length > maxBytes) fail('not HTTP', 'EMSGSIZE');
  });
  socket.on('end', () => {
    const response = parse(text);
    if (response) resolve(response);
    else fail('not HTTP', 'EPROTO');
  });
  socket.on('error', ({ code = 'EIO' }: NodeJS.ErrnoException) => fail('not HTTP', code));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}

/** A complete response (RFC 9112, section 2.1). */
function parse(text: string): SmallResponse | undefined {
  const [, status, body] = /^HTTP\/1\.[01] (\d{3})[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n(.*)$/s.exec(text) ?? [];
  return status === undefined ? undefined : { status: Number(status), body: body! };
}
