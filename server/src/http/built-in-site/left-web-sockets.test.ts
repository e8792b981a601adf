import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createConnection, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { siteHost, startBuiltInSite } from '../../../test/built-in-site.ts';
import { forEachStore } from '../../../test/stores.ts';

const visits = 40;

// On PostgreSQL the gate waits for the session, and the visitor may leave meanwhile.
forEachStore((store) => {
  test('a WebSocket whose visitor has left while the gate decided is not open at the program', async () => {
    const open = new Set<Socket>();
    let opened = 0;
    const app = createServer();
    app.on('upgrade', (_, socket: Socket) => {
      open.add(socket);
      opened += 1;
      socket
        .on('error', () => {})
        .on('end', () => socket.end())
        .on('close', () => open.delete(socket))
        .resume();
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    });
    app.listen(0, '127.0.0.1');
    await once(app, 'listening');
    onTestFinished(() => void app.close());
    const siteUpstream = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
    const built = await startBuiltInSite(store, { siteUpstream });
    await built.setRules({ path: '/', access: 'public' });
    const { visitor } = await built.memberWith();
    const head =
      `GET /live HTTP/1.1\r\nHost: ${siteHost}\r\nCookie: ${visitor.cookieHeader}\r\nConnection: Upgrade\r\n` +
      'Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n';
    for (let count = 0; count < visits; count += 1) {
      const socket = createConnection(built.site.port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      socket.write(head);
      if (count === 0) await once(socket, 'data');
      setImmediate(() => socket.resetAndDestroy());
    }
    // Later requests of the same service have been decided.
    expect((await visitor.get('/_gatehouse/account')).status).toBe(200);
    await expect.poll(() => [opened > 0, open.size]).toEqual([true, 0]);
  });
});
