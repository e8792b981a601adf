import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Returns numbers from 0 to below 1, the same ones for the same seed (Mulberry32). */
export function randomSeries(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;

function oneOf<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)]!;
}

const methods = [
  'GET',
  'GET',
  'GET',
  'GET',
  'POST',
  'HEAD',
  'PUT',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'PRI',
  'M-SEARCH',
  'get',
];
const targets = [
  '/',
  '/page',
  '/live',
  '/members/x',
  '/a?b=c',
  '/_gatehouse/login',
  '/_gatehouse/auth',
  '/api/v1/members',
  '/healthz',
  '/dashboard',
  '*',
  'http://club.example.org/page',
  'club.example.org:80',
  '//',
  '/%',
  '/%00',
  '/\u00e9',
  `/${'x'.repeat(5_000)}`,
  '/../..',
  '/page#x',
  '/a b',
  '',
];
const headers = [
  'Host: club.example.org',
  'Host: other.example.org',
  'Host:',
  'Connection: close',
  'Connection: keep-alive, Upgrade',
  'Connection: Content-Length, Host',
  'Upgrade: h2c',
  'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA',
  'Expect: 100-continue',
  'Expect: nothing',
  'TE: trailers',
  'Trailer: X-End',
  'Cookie: gatehouse_session=x; a=b',
  'Authorization: Bearer gmt_x',
  'Accept: text/html',
  'Content-Type: application/json',
  'Content-Type: application/x-www-form-urlencoded',
  'X-Forwarded-For: 1.2.3.4',
  'X-HTTP-Method-Override: DELETE',
  'Range: bytes=0-1,3-',
  'If-None-Match: *',
  'Accept-Encoding: gzip',
  `X-Long: ${'y'.repeat(9_000)}`,
  'X-Latin: \u00e9\u00ff',
  'X-Empty:',
  'X-Control: a\tb\u007f',
  ' folded: value',
  'No colon',
  'X\u0000Y: z',
];
const upgrade = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
];
const framings: readonly (readonly [headers: string[], body: string])[] = [
  [[], ''],
  [[], ''],
  [['Content-Length: 0'], ''],
  [['Content-Length: 5'], ''],
  [['Content-Length: 5'], 'ab'],
  [['Content-Length: 5'], 'abcde'],
  [['Content-Length: 5'], 'abcdeGET'],
  [['Content-Length: 99999999999999999999'], 'a'],
  [['Content-Length: 5', 'Content-Length: 6'], 'abcdef'],
  [['Content-Length: -1'], ''],
  [['Transfer-Encoding: chunked'], ''],
  [['Transfer-Encoding: chunked'], '5\r\nabcde\r\n'],
  [['Transfer-Encoding: chunked'], '5\r\nabcde\r\n0\r\n\r\n'],
  [['Transfer-Encoding: chunked'], '5;x=y\r\nabcde\r\n0\r\nX-End: z\r\n\r\n'],
  [['Transfer-Encoding: chunked'], 'zz\r\n'],
  [['Transfer-Encoding: gzip, chunked', 'Content-Length: 5'], '0\r\n\r\n'],
  [['Content-Length: 200000'], 'b'.repeat(200_000)],
];

/** A request as some program may send it by mistake, or with intent. */
function randomRequest(random: Random): string {
  const [framing, body] = oneOf(random, framings);
  const chosen = headers.filter(() => random() < 0.08);
  const opensWebSocket = random() < 0.35;
  const lines = [
    ...(random() < 0.9 ? ['Host: club.example.org'] : []),
    ...(opensWebSocket ? upgrade.filter(() => random() < 0.95) : []),
    ...chosen,
    ...framing,
  ];
  const method = opensWebSocket && random() < 0.8 ? 'GET' : oneOf(random, methods);
  const version = random() < 0.95 ? 'HTTP/1.1' : oneOf(random, ['HTTP/1.0', 'HTTP/2.0', 'HTTP/9']);
  return `${method} ${oneOf(random, targets)} ${version}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Opens a connection, sends a few requests in pieces, and leaves in one of several ways. */
export async function sendRandomRequests(port: number, seed: number): Promise<void> {
  const random = randomSeries(seed);
  const requests = Array.from({ length: 1 + Math.floor(random() ** 2 * 4) }, () => randomRequest(random));
  const bytes = Buffer.from(requests.join(''), 'latin1');
  for (let flips = random() < 0.2 ? 1 + random() * 5 : 0; flips > 1; flips -= 1) {
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
  }
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  const closed = once(socket, 'close').catch(() => {});
  if (random() < 0.9) socket.resume();
  for (let sent = 0; sent < bytes.length && !socket.destroyed; ) {
    const end = random() < 0.6 ? bytes.length : sent + Math.ceil(random() * (bytes.length - sent));
    socket.write(bytes.subarray(sent, end));
    sent = end;
    if (random() < 0.5) await new Promise(setImmediate);
  }
  if (random() < 0.3) await sleep(random() * 20);
  const leave = oneOf(random, ['end', 'destroy', 'reset', 'wait']);
  if (leave === 'end') socket.end();
  if (leave === 'destroy') socket.destroy();
  if (leave === 'reset') socket.resetAndDestroy();
  await Promise.race([closed, sleep(30 + random() * 60, undefined, { ref: false })]);
  socket.destroy();
  await closed;
}

const page = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage';
const answers = [
  page,
  page,
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npage\r\n0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npage\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npage',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\npage and more',
  'HTTP/1.1 200 OK\r\n\r\nuntil the end',
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello',
  'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
  'HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\npage',
  'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n',
  'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nSet-Cookie: gatehouse_session=x\r\n\r\n',
  'HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 999 High \u00e9\u0001\r\nX-Latin: \u00ff\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.0 200 OK\r\nConnection: close\r\n\r\nold',
  'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npage\r\n0\r\n\r\n',
  `HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n${'z'.repeat(300_000)}`,
  'no HTTP at all\r\n\r\n',
  '',
];

/** A program that answers every request in one of many ways, most of them wrong. */
export async function startRandomProgram(seed: number): Promise<Server> {
  const random = randomSeries(seed);
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {}).on('end', () => socket.end());
    socket.on('data', (data) => {
      // The page that tells whether the site still answers.
      if (data.includes('/still-there')) return void socket.end(page);
      if (random() < 0.1) return void socket.resetAndDestroy();
      socket.write(oneOf(random, answers), 'latin1');
      if (random() < 0.2) socket.end();
      if (random() < 0.1) socket.resetAndDestroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
