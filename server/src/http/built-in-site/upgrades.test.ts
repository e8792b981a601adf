import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createConnection, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltInSite, siteHost, startBuiltInSite } from '../../../test/built-in-site.ts';
import { openWebSocket } from '../../../test/gate/open-web-socket.ts';
import { forOneStore } from '../../../test/stores.ts';

const open = `GET /live HTTP/1.1\r\nHost: ${siteHost}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n';
const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

forOneStore((store) => {
  let handler: RequestListener;
  let onUpgrade: (socket: Socket) => void;
  let app: Server;
  let built: BuiltInSite;

  beforeAll(async () => {
    app = createServer((request, response) => handler(request, response));
    app.on('upgrade', (_, socket: Socket) => onUpgrade(socket.on('error', () => {})));
    app.listen(0, '127.0.0.1');
    await once(app, 'listening');
    built = await startBuiltInSite(store, {
      siteUpstream: `http://127.0.0.1:${(app.address() as AddressInfo).port}`,
    });
    await built.setRules({ path: '/', access: 'public' });
  });
  afterAll(() => {
    app.closeAllConnections();
    app.close();
  });

  function connect(): { socket: Socket; received: () => string; closed: Promise<unknown> } {
    let text = '';
    const socket = createConnection(built.site.port, '127.0.0.1')
      .setEncoding('latin1')
      .on('error', () => {})
      .on('data', (data) => {
        text += data;
      });
    return { socket, received: () => text, closed: new Promise((resolve) => socket.once('close', resolve)) };
  }

  test.each([
    ['a length', 'Content-Length: 5\r\n\r\n', ''],
    ['a length and a part of its body', 'Content-Length: 5\r\n\r\nab', 'cde'],
    ['a length and its body', 'Content-Length: 5\r\n\r\nabcde', ''],
    ['chunks that do not end', 'Transfer-Encoding: chunked\r\n\r\n', ''],
    ['chunks that end later', 'Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n', '0\r\n\r\n'],
  ])('a WebSocket with %s is refused', async (_, rest, later) => {
    let opened = 0;
    onUpgrade = (socket) => {
      opened += 1;
      socket.write(switching);
    };
    handler = (_, response) => void response.end('page');
    const { socket, received, closed } = connect();
    socket.write(open + key + rest);
    await expect.poll(received).toMatch(/^HTTP\/1\.1 400 /);
    socket.write(later);
    await closed;
    expect([opened, received().match(/HTTP\/1\.1/g)]).toEqual([0, ['HTTP/1.1']]);
    expect((await built.anonymous().get('/page')).text).toBe('page');
    expect((await fetch(`${built.server.address}/healthz`)).status).toBe(200);
  });

  test('a WebSocket without a body may say so', async () => {
    onUpgrade = (socket) => void socket.write(`${switching}hello`);
    const { socket, received } = connect();
    socket.write(`${open}${key}Content-Length: 0\r\n\r\n`);
    await expect.poll(received).toContain('hello');
    socket.destroy();
  });

  test.each([
    ['without a body', '\r\n', '200'],
    ['with a body', 'Content-Length: 5\r\n\r\nabcde', '400'],
    ['with a body that does not end', 'Content-Length: 5\r\n\r\n', '400'],
  ])(
    'a WebSocket %s behind a slow request gets its own response, after the first',
    async (_, rest, status) => {
      const waiting: (() => void)[] = [];
      onUpgrade = (socket) => void socket.write(switching);
      handler = (request, response) => {
        if (request.url === '/slow') waiting.push(() => response.end('slow page'));
        else response.end('other page');
      };
      const { socket, received } = connect();
      socket.write(`GET /slow HTTP/1.1\r\nHost: ${siteHost}\r\n\r\n${open}${key}${rest}`);
      await expect.poll(() => waiting).toHaveLength(1);
      // Requests of others have been answered meanwhile.
      expect((await built.anonymous().get('/other')).text).toBe('other page');
      expect(received()).toBe('');
      waiting[0]!();
      const expected = new RegExp(`^HTTP/1.1 200 .*slow page.*HTTP/1.1 ${status} `, 's');
      await expect.poll(received).toMatch(expected);
      socket.destroy();
    },
  );

  test('a long response to a WebSocket that the program refuses arrives completely, and its connection is closed', async () => {
    const page = 'x'.repeat(8_000_000);
    onUpgrade = (socket) =>
      void socket.write(`HTTP/1.1 403 Forbidden\r\nContent-Length: ${page.length}\r\n\r\n${page}`);
    const { socket, received, closed } = connect();
    socket.write(`${open}${key}\r\n`);
    // The visitor does not close its end.
    await closed;
    expect([received().slice(0, 12), received().endsWith(page)]).toEqual(['HTTP/1.1 403', true]);
  });

  test('a program that ends a WebSocket while it opens ends this WebSocket alone', async () => {
    onUpgrade = (socket) => socket.resetAndDestroy();
    await expect(openWebSocket(built.site, '/live', '')).rejects.toThrow('502');
    onUpgrade = (socket) => void socket.write(switching, () => socket.resetAndDestroy());
    const { socket, closed } = connect();
    socket.write(`${open}${key}\r\n`);
    await closed;
    expect((await fetch(`${built.server.address}/healthz`)).status).toBe(200);
  });

  test.each(['/page', '/_gatehouse/login', '/live'])(
    'a request with two Hosts is rejected at %s',
    async (path) => {
      let requests = 0;
      onUpgrade = (socket) => {
        requests += 1;
        socket.end(switching);
      };
      handler = (_, response) => {
        requests += 1;
        response.end('page');
      };
      const upgrade = path === '/live' ? `Connection: Upgrade\r\nUpgrade: websocket\r\n${key}` : '';
      for (const [version, lines] of [
        ['1.1', `Host: ${siteHost}\r\nHost: ${siteHost}`],
        ['1.1', `Host: ${siteHost}\r\nhOST: other.example`],
        ['1.0', `Host: other.example\r\nHost: ${siteHost}`],
        ['1.1', `Host: ${siteHost}, other.example`],
        ['1.1', 'Accept: text/html'],
      ]) {
        const { socket, received } = connect();
        socket.write(`GET ${path} HTTP/${version}\r\n${lines}\r\n${upgrade}\r\n`);
        await expect.poll(received).toMatch(/^HTTP\/1\.1 400 /);
        socket.destroy();
      }
      expect(requests).toBe(0);
    },
  );
});
