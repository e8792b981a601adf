import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { type AddressInfo, createConnection, type Socket } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, test } from 'vitest';
import { type BuiltInSite, siteHost, startBuiltInSite } from '../../../test/built-in-site.ts';
import { forOneStore } from '../../../test/stores.ts';

const large = 3_000_000;

forOneStore((store) => {
  const routes: Record<string, RequestListener> = {};
  let app: Server;
  let built: BuiltInSite;
  beforeAll(async () => {
    app = createServer((request, response) => routes[request.url!]!(request, response));
    app.on('upgrade', (_, socket: Socket) =>
      socket
        .on('error', () => {})
        .write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    );
    app.listen(0, '127.0.0.1');
    await once(app, 'listening');
    built = await startBuiltInSite(store, {
      siteUpstream: `http://127.0.0.1:${(app.address() as AddressInfo).port}`,
      trustedProxies: ['127.0.0.1'],
      siteConnectionsPerAddress: 3,
      requestTimeoutSeconds: 1,
    });
    await built.setRules({ path: '/', access: 'public' });
  });
  afterAll(() => {
    app.closeAllConnections();
    app.close();
  });

  /** A program with one worker: it reads and answers a request completely before it looks at the next. */
  function withOneWorker(answer: (request: IncomingMessage, body: string) => string): RequestListener {
    let before = Promise.resolve();
    return (request, response) => {
      before = before.then(async () => {
        const body = await textOf(request).catch(() => '');
        response.end(answer(request, body));
      });
    };
  }

  /** A connection whose client keeps its end open, also when the server has closed its own. */
  function open(request: string): { socket: Socket; received: () => string; closed: Promise<unknown> } {
    let text = '';
    const socket = createConnection({ port: built.site.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.setEncoding('latin1').on('error', () => {});
    socket.on('data', (data) => {
      text += data;
    });
    socket.write(request);
    return { socket, received: () => text, closed: new Promise((resolve) => socket.once('close', resolve)) };
  }

  const post = (path: string, framing: string, body: string) =>
    `POST ${path} HTTP/1.1\r\nHost: ${siteHost}\r\nContent-Type: application/x-www-form-urlencoded\r\n${framing}\r\n\r\n${body}`;

  test.concurrent('small chunks of a program are joined', async ({ expect }) => {
    routes['/small-chunks'] = (_, { socket }) => {
      const chunks = '1\r\nx\r\n'.repeat(20_000);
      socket!.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
    };
    let parts = 0;
    const countParts = (message: unknown) => {
      const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
      if (request.path === '/small-chunks')
        response.on('data', () => {
          parts += 1;
        });
    };
    subscribe('http.client.response.finish', countParts);
    const { text } = await built.anonymous().get('/small-chunks');
    unsubscribe('http.client.response.finish', countParts);
    expect(text).toBe('x'.repeat(20_000));
    expect(parts).toBeGreaterThan(0);
    expect(parts).toBeLessThan(1_000);
  });

  test.concurrent('four visitors who send slowly leave the only worker of a program to others', async ({
    expect,
  }) => {
    const seen: (string | undefined)[] = [];
    const worker = withOneWorker(({ url, method }, body) => {
      seen.push(method);
      return `${url} ${body}`;
    });
    for (const path of ['/slow', '/other', '/page']) routes[path] = worker;
    const slow = ['Content-Length: 100', 'Transfer-Encoding: chunked'].flatMap((framing) =>
      ['', framing.startsWith('C') ? 'a' : '1\r\na\r\n'].map((body) => open(post('/slow', framing, body))),
    );
    const forms = await Promise.all(
      ['1', '2', '3'].map((body) => built.anonymous().request('POST', '/other', { body })),
    );
    expect(forms.map(({ text }) => text)).toEqual(['/other 1', '/other 2', '/other 3']);
    expect((await built.anonymous().get('/page')).text).toBe('/page ');
    for (const { socket, received } of slow) {
      await expect.poll(received).toMatch(/^HTTP\/1\.1 408 .*<h1>The request took too long</s);
      socket.destroy();
    }
    expect(seen).toEqual(['POST', 'POST', 'POST', 'GET']);
  });

  test.concurrent.for([
    ['/length', 'Content-Length: 5000000', 'a'.repeat(large), 'a'],
    [
      '/chunks',
      'Transfer-Encoding: chunked',
      `${large.toString(16)}\r\n${'a'.repeat(large)}\r\n`,
      '1\r\na\r\n',
    ],
    ['/_gatehouse/login', 'Content-Length: 5000', 'a', 'a'],
  ] as const)(
    'a body to %s with %s that arrives byte by byte ends with its connection',
    async ([path, framing, begin, more], { expect }) => {
      let left = 0;
      routes[path] = (request, response) => {
        request.resume().on('error', () => {});
        response.on('close', () => {
          left += 1;
        });
      };
      const { socket, closed } = open(post(path, framing, begin));
      const timer = setInterval(() => socket.write(more), 50);
      await closed;
      clearInterval(timer);
      await expect.poll(() => left).toBe(path in routes && path !== '/_gatehouse/login' ? 1 : 0);
    },
  );

  test.concurrent('an upload goes on as long as its line is only slow', async ({ expect }) => {
    routes['/line'] = async (request, response) => void response.end(String((await textOf(request)).length));
    const { socket, received } = open(post('/line', 'Content-Length: 2000000', ''));
    for (let part = 0; part < 10; part += 1) {
      socket.write('x'.repeat(200_000));
      await sleep(200);
    }
    await expect.poll(received).toContain('2000000');
    socket.destroy();
  });

  test.concurrent('a short body may pause as long as a large upload', async ({ expect }) => {
    routes['/pause'] = async (request, response) => void response.end(await textOf(request));
    const { socket, received } = open(post('/pause', 'Content-Length: 2', 'a'));
    // Longer than the time limit for requests.
    await sleep(2_200);
    socket.write('b');
    await expect.poll(received).toContain('\r\n\r\nab');
    socket.destroy();
  });

  test.concurrent('an upload that waits for the program is not slow', async ({ expect }) => {
    let read = () => {};
    routes['/waits'] = (request, response) => {
      read = () => void textOf(request).then((body) => response.end(String(body.length)));
    };
    const answer = built.anonymous().request('POST', '/waits', { body: 'x'.repeat(20_000_000) });
    // Longer than a slow body may pause.
    await sleep(4_500);
    read();
    expect((await answer).text).toBe('20000000');
  });

  test.concurrent('a request whose body is here is repeated when the program closes the connection', async ({
    expect,
  }) => {
    let count = 0;
    routes['/again'] = async (request, response) => {
      const body = await textOf(request);
      count += 1;
      if (count === 3) request.socket.resetAndDestroy();
      else response.end(`${count} ${body}`);
    };
    const answers: string[] = [];
    for (const body of ['a', 'b', 'c'])
      answers.push((await built.anonymous().request('GET', '/again', { body })).text);
    expect(answers).toEqual(['1 a', '2 b', '4 c']);
  });

  test.concurrent('one address has a limit of requests and WebSockets, and others are served', async ({
    expect,
  }) => {
    const waiting = new Set<() => void>();
    routes['/wait'] = (_, response) => void waiting.add(() => response.end('waited'));
    routes['/quick'] = (_, response) => void response.end('page');
    const from = (address: string) => [['X-Forwarded-For', address]] as const;
    const busy = '203.0.113.7';
    const requests = [1, 2].map(() => built.anonymous().get('/wait', from(busy)));
    const socket = open(
      `GET /live HTTP/1.1\r\nHost: ${siteHost}\r\nX-Forwarded-For: ${busy}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    await expect.poll(() => [waiting.size, socket.received().slice(0, 12)]).toEqual([2, 'HTTP/1.1 101']);
    const refused = await built.anonymous().get('/quick', from(busy));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await built.anonymous().get('/quick', from('203.0.113.8'))).text).toBe('page');
    // The proxy that names no one stands for many visitors.
    for (let count = 0; count < 5; count += 1)
      expect((await built.anonymous().get('/quick')).text).toBe('page');
    for (const end of waiting) end();
    expect((await Promise.all(requests)).map(({ text }) => text)).toEqual(['waited', 'waited']);
    expect((await built.anonymous().get('/quick', from(busy))).text).toBe('page');
    socket.socket.destroy();
  });
});
