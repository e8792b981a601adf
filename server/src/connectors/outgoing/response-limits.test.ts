import type { RequestListener, ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../../../test/loopback-servers.ts';
import { movableTime } from '../../../test/movable-time.ts';
import { OutgoingHttp, type OutgoingRequest } from './outgoing-http.ts';

async function start(answer: RequestListener) {
  let requests = 0;
  const servers = await listenOnLoopback((request, response) => {
    requests += 1;
    answer(request, response);
  });
  const { timers, advance } = movableTime();
  const http = new OutgoingHttp({ allowedNetworks: ['127.0.0.1'], allowsHttp: true }, { timers });
  onTestFinished(() => http.close());
  const fetch = (init: OutgoingRequest, path = '/') =>
    http.fetch(`http://127.0.0.1:${servers.port}${path}`, init);
  /** The bytes of the body, or the reason of the error. */
  const resultOf = (init: OutgoingRequest, path?: string) =>
    fetch(init, path)
      .then((response) => response.bytes())
      .then(
        ({ byteLength }) => byteLength,
        (error) => error.reason ?? error,
      );
  const expectClosed = () => expect.poll(() => servers.sockets.size).toBe(0);
  return { ...servers, fetch, resultOf, expectClosed, advance, requests: () => requests };
}

/** Sends chunks until the connection is closed. */
function sendForEver(response: ServerResponse, chunk: Uint8Array): void {
  const send = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', send).on('error', () => {});
  send();
}

const block = Buffer.alloc(16_384, 'a');

describe('a body is read', () => {
  test('in chunks of some bytes, and not in chunks of one', async () => {
    const { resultOf, expectClosed } = await start((request, response) => {
      response.writeHead(200, { 'transfer-encoding': 'chunked' }).flushHeaders();
      // Node would join what is written in one turn.
      response.socket!.write(
        request.url === '/rows' ? '10\r\nada@example.org\n\r\n'.repeat(5_000) : '1\r\na\r\n'.repeat(5_000),
      );
      response.socket!.write('0\r\n\r\n');
    });
    expect(await resultOf({}, '/rows')).toBe(80_000);
    expect(await resultOf({}, '/bytes')).toBe('invalid_response');
    await expectClosed();
  });

  test('up to its limit and no further', async () => {
    const { resultOf } = await start((_request, response) => response.end(Buffer.alloc(1_000)));
    expect(await resultOf({ maxBytes: 1_000 })).toBe(1_000);
    expect(await resultOf({ maxBytes: 999 })).toBe('response_too_large');
  });

  test('no further than 10 MiB by default', async () => {
    const { resultOf, expectClosed } = await start((_request, response) => sendForEver(response, block));
    expect(await resultOf({})).toBe('response_too_large');
    await expectClosed();
  });

  test('only as far as it is asked for', async () => {
    const { fetch, expectClosed } = await start((_request, response) => sendForEver(response, block));
    const reader = (await fetch({})).body!.getReader();
    expect((await reader.read()).value?.byteLength).toBeGreaterThan(0);
    await reader.cancel();
    await expectClosed();
  });

  test('with an error that says what to do', async () => {
    const { fetch } = await start((_request, response) => sendForEver(response, block));
    await expect((await fetch({ maxBytes: 2_000_000 })).text()).rejects.toThrow(
      'The response is larger than 2,000,000 bytes. Use a URL with a smaller one.',
    );
  });
});

describe('Content-Length', () => {
  const raw =
    (length: number, body: string): RequestListener =>
    ({ socket }) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${body}`);

  test('that is too small ends the body, and the connection', async () => {
    const next = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged';
    const { fetch, resultOf, connections } = await start(raw(5, `hello${next}`));
    expect(await resultOf({ maxBytes: 5 })).toBe(5);
    const [first, second] = await Promise.all([fetch({}), fetch({})]);
    expect([await first.text(), await second.text()]).toEqual(['hello', 'hello']);
    expect(connections).toHaveLength(3);
  });

  test('that is too large is an error', async () => {
    const { resultOf } = await start(raw(1_000_000, 'hello'));
    expect(await resultOf({})).toBe('connection_failed');
  });

  test('does not change the limit', async () => {
    const { resultOf, expectClosed } = await start((_request, response) => {
      response.writeHead(200, { 'content-length': '1000000000000' });
      sendForEver(response, block);
    });
    expect(await resultOf({ maxBytes: 100_000 })).toBe('response_too_large');
    await expectClosed();
  });
});

describe('a compressed body', () => {
  const compressed =
    (encoding: string, body: Uint8Array): RequestListener =>
    (_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(body);
  const zeros = Buffer.alloc(20_000_000);

  test.each([
    ['gzip', gzipSync('hello')],
    ['GZIP', gzipSync('hello')],
    ['x-gzip', gzipSync('hello')],
    ['br', brotliCompressSync('hello')],
    ['identity', Buffer.from('hello')],
  ])('of %s is decompressed', async (encoding, body) => {
    const { fetch } = await start(compressed(encoding, body));
    expect(await (await fetch({})).text()).toBe('hello');
  });

  test.each([
    ['gzip', gzipSync(zeros)],
    ['br', brotliCompressSync(zeros)],
  ])('of %s is counted after it is decompressed', async (encoding, bomb) => {
    expect(bomb.byteLength).toBeLessThan(100_000);
    const { resultOf } = await start(compressed(encoding, bomb));
    expect(await resultOf({ maxBytes: 100_000 })).toBe('response_too_large');
    expect(await resultOf({})).toBe('response_too_large');
    expect(await resultOf({ maxBytes: zeros.byteLength })).toBe(zeros.byteLength);
  });

  test('is counted before it is decompressed: members without content have no end', async () => {
    const empty = Buffer.concat(Array<Buffer>(1_000).fill(gzipSync('')));
    const { resultOf, expectClosed } = await start((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      sendForEver(response, empty);
    });
    expect(await resultOf({ maxBytes: 1_000_000 })).toBe('response_too_large');
    await expectClosed();
  });

  test.each([
    ['compressed twice', 'gzip, gzip', gzipSync(gzipSync('hello'))],
    ['of another kind', 'deflate', deflateSync('hello')],
    ['of no kind', 'constructor', Buffer.from('hello')],
    ['not compressed', 'gzip', Buffer.from('hello')],
    ['cut off', 'gzip', gzipSync(block).subarray(0, 30)],
  ])('that is %s is an error', async (_, encoding, body) => {
    const { resultOf } = await start(compressed(encoding, body));
    expect(await resultOf({})).toBe('invalid_response');
  });
});

describe('the time limit', () => {
  test.each<[string, RequestListener]>([
    ['a response that never begins', () => {}],
    ['headers that never end', ({ socket }) => void socket.write('HTTP/1.1 200 OK\r\nX-A: ')],
    ['a body that never begins', (_request, response) => void response.writeHead(200).flushHeaders()],
    ['a body that never ends', (_request, response) => void response.write('a')],
    ['a slow body', (_request, response) => drip(() => response.write('a'))],
    ['slow headers', ({ socket }) => drip(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'))],
  ])('ends %s', async (_, answer) => {
    const { resultOf, expectClosed, connections, advance } = await start(answer);
    const result = resultOf({ timeoutMilliseconds: 1_000 });
    await expect.poll(() => connections.length).toBe(1);
    advance(999);
    expect(await Promise.race([result, nextMoment()])).toBe('waiting');
    advance(1);
    expect(await result).toBe('timed_out');
    await expectClosed();
  });

  test('includes redirects', async () => {
    const { resultOf, requests, advance } = await start(({ url }, response) => {
      advance(400);
      if (url !== '/3') response.writeHead(302, { location: `/${Number(url?.slice(1)) + 1}` }).end();
    });
    expect(await resultOf({ timeoutMilliseconds: 1_000, redirects: 'follow' }, '/0')).toBe('timed_out');
    expect(requests()).toBe(3);
  });

  test('is 30 s by default', async () => {
    const { resultOf, connections, advance } = await start(() => {});
    const result = resultOf({});
    await expect.poll(() => connections.length).toBe(1);
    advance(29_999);
    expect(await Promise.race([result, nextMoment()])).toBe('waiting');
    advance(1);
    expect(await result).toBe('timed_out');
  });

  test('closes the connection of a body that nobody reads', async () => {
    const { fetch, expectClosed, advance } = await start((_request, response) =>
      sendForEver(response, block),
    );
    const response = await fetch({});
    advance(30_000);
    await expectClosed();
    await expect(response.text()).rejects.toMatchObject({ reason: 'timed_out' });
  });

  test('closes the connection of a response that should have no body', async () => {
    const { fetch, expectClosed, advance } = await start(({ socket }) =>
      drip(() => socket.write('HTTP/1.1 205 Reset\r\nContent-Length: 1000000\r\n\r\n')),
    );
    expect((await fetch({})).body).toBeNull();
    advance(30_000);
    await expectClosed();
  });

  const nextMoment = () => new Promise((resolve) => setTimeout(resolve, 10, 'waiting'));

  function drip(send: () => void): void {
    send();
    const timer = setInterval(send, 5);
    onTestFinished(() => clearInterval(timer));
  }
});

test('the body of a redirect is not read', async () => {
  const { resultOf, sockets } = await start(({ url }, response) => {
    if (url === '/next') return response.end('hello');
    response.writeHead(302, { location: '/next' });
    sendForEver(response, block);
  });
  expect(await resultOf({ redirects: 'follow' })).toBe(5);
  await expect.poll(() => sockets.size).toBeLessThanOrEqual(1);
});
