import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../../test/free-port.ts';
import { listenOnLoopback } from '../../../test/loopback-servers.ts';
import { movableTime } from '../../../test/movable-time.ts';
import { OutgoingRequestError } from '../../base/networks/outgoing-error.ts';
import { OutgoingHttp, type OutgoingRequest } from './outgoing-http.ts';

/** Starts servers on loopback, and a client that may only reach 127.0.0.1 and ::1 of them. */
async function start(answer: RequestListener, settings: { allowsHttp?: boolean; trusts?: boolean } = {}) {
  const servers = await listenOnLoopback(answer);
  const { allowsHttp = true, trusts = true } = settings;
  const surroundings = {
    resolve: async () => ['127.0.0.1', '::1'],
    ...(trusts && { certificateAuthority: servers.certificate }),
  };
  const http = new OutgoingHttp({ allowedNetworks: ['127.0.0.1/32', '::1/128'], allowsHttp }, surroundings);
  onTestFinished(() => http.close());
  const url = `http://hooks.example.org:${servers.port}`;
  const tlsUrl = `https://hooks.example.org:${servers.tlsPort}`;
  return { ...servers, http, url, tlsUrl };
}

const hello: RequestListener = (_request, response) => response.end('hello');

async function errorOf(request: Promise<Response>): Promise<OutgoingRequestError> {
  const error = await request.then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(OutgoingRequestError);
  return error;
}

/** Answers with what has arrived. */
const echo: RequestListener = async (request, response) => {
  const { method, url, headers } = request;
  response.end(JSON.stringify({ method, url, headers, body: await text(request) }));
};

describe('an allowed network', () => {
  test('is reached over http in development', async () => {
    const { http, url, port } = await start(hello);
    for (const each of [url, `http://127.0.0.1:${port}`, `http://[::1]:${port}`, new URL(url)]) {
      expect(await (await http.fetch(each)).text()).toBe('hello');
    }
    expect((await errorOf(http.fetch(`http://127.0.0.2:${port}`))).reason).toBe('address_not_allowed');
  });

  test('is reached over https, with a certificate for the name or the address', async () => {
    const { http, tlsUrl, tlsPort } = await start(hello, { allowsHttp: false });
    for (const each of [tlsUrl, `https://127.0.0.1:${tlsPort}`, `https://[::1]:${tlsPort}`]) {
      expect(await (await http.fetch(each)).text()).toBe('hello');
    }
  });

  test('is not reached over http outside of development', async () => {
    const { http, url, connections } = await start(hello, { allowsHttp: false });
    expect((await errorOf(http.fetch(url))).reason).toBe('url_not_allowed');
    expect(connections).toEqual([]);
  });
});

describe('a request', () => {
  test('arrives with method, path, headers and body', async () => {
    const { http, tlsUrl, tlsPort } = await start(echo);
    const response = await http.fetch(`${tlsUrl}/hook?a=1#part`, {
      method: 'post',
      headers: {
        'Content-Type': 'application/json',
        authorization: 'Bearer secret',
        host: 'other.example.org',
      },
      body: '{"a":1}',
    });
    expect(await response.json()).toEqual({
      method: 'POST',
      url: '/hook?a=1',
      headers: {
        host: `hooks.example.org:${tlsPort}`,
        connection: 'keep-alive',
        'user-agent': 'Gatehouse',
        'accept-encoding': 'gzip, br',
        'content-type': 'application/json',
        'content-length': '7',
        authorization: 'Bearer secret',
      },
      body: '{"a":1}',
    });
    expect(response.url).toBe(`${tlsUrl}/hook?a=1`);
    expect(response.redirected).toBe(false);
  });

  test('can have every body of fetch', async () => {
    const { http, url } = await start(echo);
    const form = new FormData();
    form.append('name', 'value');
    const bodies: [NonNullable<OutgoingRequest['body']>, RegExp, string][] = [
      [new URLSearchParams({ a: 'b c' }), /^a=b\+c$/, 'application/x-www-form-urlencoded;charset=UTF-8'],
      [Buffer.from('bytes'), /^bytes$/, ''],
      [new Blob(['blob'], { type: 'text/csv' }), /^blob$/, 'text/csv'],
      [form, /name="name"\r\n\r\nvalue\r\n/, 'multipart/form-data'],
      [ReadableStream.from([Buffer.from('a'), Buffer.from('b')]), /^ab$/, ''],
    ];
    for (const [body, sent, type] of bodies) {
      const response = await http.fetch(url, { method: 'PUT', body });
      const received = (await response.json()) as { headers: Record<string, string>; body: string };
      expect(received.body).toMatch(sent);
      expect(received.headers['content-type'] ?? '').toContain(type);
    }
  });

  test('that fetch cannot send is a TypeError', async () => {
    const { http, url, connections } = await start(hello);
    const invalid: OutgoingRequest[] = [
      { headers: { 'x-a': 'b\r\nc: d' } },
      { headers: { 'a b': 'c' } },
      { method: 'A B' },
      { method: 'CONNECT' },
      { body: 'of a GET' },
    ];
    for (const init of invalid) await expect(http.fetch(url, init)).rejects.toBeInstanceOf(TypeError);
    expect(connections).toEqual([]);
  });

  test('can be aborted by its caller, with the reason of the caller', async () => {
    const silent: IncomingMessage[] = [];
    const { http, url, connections, sockets } = await start((request) => silent.push(request));
    await expect(http.fetch(url, { signal: AbortSignal.abort('before') })).rejects.toBe('before');
    expect(connections).toEqual([]);

    const controller = new AbortController();
    const request = http.fetch(url, { signal: controller.signal });
    await expect.poll(() => silent.length).toBe(1);
    controller.abort('during');
    await expect(request).rejects.toBe('during');
    await expect.poll(() => sockets.size).toBe(0);
  });

  test('is not sent to a proxy of the environment', async () => {
    const proxy = await listenOnLoopback(hello);
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']) {
      vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { http, url, tlsUrl } = await start(hello);
    for (const each of [url, tlsUrl]) expect(await (await http.fetch(each)).text()).toBe('hello');
    expect(proxy.connections).toEqual([]);
  });
});

describe('a response', () => {
  test('leaves its connection open for the next request, also without a body', async () => {
    const { http, url, connections } = await start(hello);
    for (let request = 0; request < 20; request++) await (await http.fetch(url)).text();
    expect(connections.length).toBeLessThan(10);
    const empty = await start((_request, response) => response.writeHead(204).end());
    for (let request = 0; request < 20; request++)
      await empty.http.fetch(empty.url, { method: 'POST', body: 'a' });
    expect(empty.connections.length).toBeLessThan(10);
  });

  test('keeps its status, its headers and its bytes', async () => {
    const { http, url } = await start((_request, response) => {
      response.writeHead(418, 'Teapot', [
        'Set-Cookie',
        'a=1',
        'Set-Cookie',
        'b=2',
        'X-List',
        'a',
        'X-List',
        'b',
        'Content-Type',
        'text/csv',
      ]);
      response.end(Buffer.from([0, 255, 10]));
    });
    const response = await http.fetch(url);
    expect(response).toBeInstanceOf(Response);
    expect({ status: response.status, text: response.statusText, ok: response.ok }).toEqual({
      status: 418,
      text: 'Teapot',
      ok: false,
    });
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('x-list')).toBe('a, b');
    expect([...(await response.bytes())]).toEqual([0, 255, 10]);
  });

  test('can have no body', async () => {
    const { http, url } = await start((request, response) => {
      response.writeHead(Number(request.url!.slice(1))).end();
    });
    for (const status of [204, 205, 304]) {
      const response = await http.fetch(`${url}/${status}`);
      expect([response.status, response.body]).toEqual([status, null]);
    }
    const head = await http.fetch(`${url}/200`, { method: 'HEAD' });
    expect([head.status, head.body]).toEqual([200, null]);
  });

  test.each([
    ['nothing', '', 'connection_failed'],
    ['another protocol', '220 mail.example.org ESMTP\r\n', 'invalid_response'],
    ['a part of its headers', 'HTTP/1.1 200 OK\r\nContent-Le', 'connection_failed'],
    ['an unknown status', 'HTTP/1.1 999 Unknown\r\nContent-Length: 0\r\n\r\n', 'invalid_response'],
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      'invalid_response',
    ],
    ['too long headers', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`, 'invalid_response'],
    [
      'a change of the protocol',
      'HTTP/1.1 101 Go\r\nUpgrade: a\r\nConnection: upgrade\r\n\r\n',
      'connection_failed',
    ],
  ])('of %s is an error', async (_, sent, reason) => {
    const { http, url, sockets } = await start(({ socket }) => socket.end(sent));
    const error = await errorOf(http.fetch(url));
    expect(error.reason).toBe(reason);
    await expect.poll(() => sockets.size).toBe(0);
  });
});

describe('there is no connection', () => {
  test('to a port without a server', async () => {
    const { http } = await start(hello);
    const error = await errorOf(http.fetch(`https://hooks.example.org:${await freePort()}/secret`));
    expect(error.reason).toBe('connection_failed');
    expect(error.message).toBe(
      'hooks.example.org does not accept connections. Check the host and its port, or try again later.',
    );
  });

  test('to a server with a certificate that is not trusted', async () => {
    const { http, tlsUrl } = await start(hello, { trusts: false });
    const error = await errorOf(http.fetch(tlsUrl));
    expect(error.reason).toBe('tls_failed');
    expect(error.message).toContain(
      'hooks.example.org (DEPTH_ZERO_SELF_SIGNED_CERT). Its certificate must be',
    );
  });

  test('to a server with a certificate for another name', async () => {
    const { http, tlsPort } = await start(hello);
    const error = await errorOf(http.fetch(`https://other.example.org:${tlsPort}`));
    expect(error.reason).toBe('tls_failed');
    expect(error.message).toContain('(ERR_TLS_CERT_ALTNAME_INVALID)');
  });

  test('to a server without TLS', async () => {
    const { http, port } = await start(hello);
    const error = await errorOf(http.fetch(`https://hooks.example.org:${port}`));
    expect(error.reason).toBe('tls_failed');
  });

  test('while the name is not resolved', async () => {
    const { timers, advance } = movableTime();
    const http = new OutgoingHttp(
      { allowedNetworks: [], allowsHttp: false },
      { resolve: () => new Promise<never>(() => {}), timers },
    );
    const request = errorOf(http.fetch('https://slow.example/'));
    await new Promise(setImmediate);
    advance(30_000);
    expect((await request).reason).toBe('timed_out');
    await http.close();
  });
});

test('connections that begin at the same time look up their name once', async () => {
  const { port } = await listenOnLoopback(hello);
  const names: string[] = [];
  const resolve = async (name: string) => {
    names.push(name);
    await new Promise(setImmediate);
    return ['127.0.0.1'];
  };
  const http = new OutgoingHttp({ allowedNetworks: ['127.0.0.1/32'], allowsHttp: true }, { resolve });
  onTestFinished(() => http.close());
  const get = async (name: string) => (await http.fetch(`http://${name}:${port}`)).text();
  await Promise.all([get('one.example'), get('one.example'), get('other.example')]);
  expect(names).toEqual(['one.example', 'other.example']);
});

test('certificates are checked even if the environment says otherwise', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  // Node warns about it.
  const warning = vi.spyOn(process, 'emitWarning').mockReturnValue();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    warning.mockRestore();
  });
  const { http, tlsUrl } = await start(hello, { trusts: false });
  expect((await errorOf(http.fetch(tlsUrl))).reason).toBe('tls_failed');
});

test('closing ends every connection and request', async () => {
  const silent: IncomingMessage[] = [];
  const { http, url, sockets } = await start((request, response) => {
    if (request.url === '/') response.end('hello');
    else silent.push(request);
  });
  await (await http.fetch(url)).text();
  const running = errorOf(http.fetch(`${url}/silent`));
  await expect.poll(() => silent.length).toBe(1);
  await http.close();
  expect((await running).reason).toBe('connection_failed');
  await expect.poll(() => sockets.size).toBe(0);
  expect((await errorOf(http.fetch(url))).reason).toBe('connection_failed');
});
