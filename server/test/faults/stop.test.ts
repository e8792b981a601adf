import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listMembers } from '../../src/domain/members/members.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { temporaryFolder } from '../command-line.ts';
import { RawConnection, requestText } from '../hostile/raw-connection.ts';
import { forEachStore, forOneStore } from '../stores.ts';
import { send, startTestServer } from '../test-server.ts';
import { BulkWriters, expectWholeRequests } from './bulk-writers.ts';
import { eventually, makeSite, requestsWith, startProcess } from './gatehouse-process.ts';

forEachStore((store) => {
  test('on SIGTERM, Gatehouse finishes requests in progress, accepts no more, and ends within ten seconds', async () => {
    const databaseUrl = await store.migratedUrl();
    const { siteId, key } = await makeSite(databaseUrl);
    const gatehouse = await startProcess(databaseUrl);
    const request = requestsWith(key, () => gatehouse.address);
    const groupId = (await request('POST', '/access-groups', { name: 'Everybody' }))!.body.data.id;
    const { hostname, port } = new URL(gatehouse.address);
    const idle = connect(Number(port), hostname);
    const halfway = connect(Number(port), hostname, () =>
      halfway.write('POST /api/v1/members HTTP/1.1\r\nHost: x\r\n'),
    );
    for (const socket of [idle, halfway]) socket.on('error', () => {});
    await once(idle, 'connect');

    const writers = new BulkWriters(request, groupId);
    await eventually('a first response', 10_000, async () => writers.answered(207) > 3);
    gatehouse.child.kill('SIGTERM');
    const late = setTimeout(() => gatehouse.child.kill('SIGKILL'), 10_000);
    expect(await gatehouse.exited).toBe(0);
    clearTimeout(late);
    await writers.stop();

    await expect(fetch(`${gatehouse.address}/healthz`)).rejects.toThrow();
    const database = openDatabase(databaseUrl);
    await expectWholeRequests(database, siteId, writers.sent);
    await database.close();
  });
});

// What follows does not depend on the store.
forOneStore((store) => {
  test('a request in progress is answered and its connection closed, and the pipelined ones behind it are not run', async () => {
    const databaseUrl = await store.migratedUrl();
    const { siteId, key } = await makeSite(databaseUrl);
    const gatehouse = await startProcess(databaseUrl);
    const atRest = await Promise.all(
      ['/healthz', '/_gatehouse/auth', '/api/v1/site'].map(async (path) => {
        const connection = await RawConnection.open(gatehouse.address);
        connection.write(requestText(`GET ${path}`));
        expect((await connection.answer())!.headers.get('connection')).toBe('keep-alive');
        return connection;
      }),
    );
    const post = (email: string) => {
      const body = JSON.stringify({ email });
      const head = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
      return requestText('POST /api/v1/members', { ...head, 'content-length': `${body.length}` }, body);
    };
    const underWay = await RawConnection.open(gatehouse.address);
    underWay.write(post('first@example.com').slice(0, -1));
    await roundTrip(gatehouse.address);

    gatehouse.child.kill('SIGTERM');
    // Idle connections are closed while the other one is still open.
    await Promise.all(atRest.map(({ closed }) => closed));
    expect(underWay.open).toBe(true);
    underWay.write(`}${post('second@example.com')}`);
    const answer = (await underWay.answer())!;
    expect([answer.status, answer.headers.get('connection')]).toEqual([201, 'close']);
    expect(await underWay.answer()).toBeUndefined();
    expect(await gatehouse.exited).toBe(0);

    const database = openDatabase(databaseUrl);
    const { data } = await listMembers(
      { db: database, siteId, now: new Date().toISOString() },
      { limit: 10, sort: 'createdAt', order: 'asc' },
    );
    await database.close();
    expect(data.map(({ email }) => email)).toEqual(['first@example.com']);
  });

  test('a client that never completes its request delays the end only briefly', async () => {
    const databaseUrl = await store.migratedUrl();
    const { key } = await makeSite(databaseUrl);
    const gatehouse = await startProcess(databaseUrl);
    const endless = await RawConnection.open(gatehouse.address);
    const head = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    endless.write(requestText('POST /api/v1/members', { ...head, 'content-length': '1000000' }, '{'));
    await roundTrip(gatehouse.address);
    const more = setInterval(() => endless.write(' '), 20);
    gatehouse.child.kill('SIGTERM');
    expect(await gatehouse.exited).toBe(0);
    clearInterval(more);
    const timeOf = (message: string) =>
      Date.parse(new RegExp(`"time":"([^"]+)".*"msg":"${message}"`).exec(gatehouse.output())![1]!);
    // Complete requests may take eight seconds.
    expect(timeOf('Gatehouse has stopped') - timeOf('Gatehouse is stopping')).toBeLessThan(7_000);
  });

  test('connections that a client keeps open do not delay the end', async () => {
    const databaseUrl = await store.migratedUrl();
    const { key } = await makeSite(databaseUrl);
    // The time after which the rest of the connections is closed by force never comes.
    const neverByForce = `
      const { setTimeout } = globalThis;
      globalThis.setTimeout = (run, milliseconds) => setTimeout(run, milliseconds === 8_000 ? 60_000 : milliseconds);`;
    const { address, child, exited, output } = await startProcess(databaseUrl, {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(neverByForce)}`,
    });
    let answered = 0;
    const client = async (number: number) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      for (let sent = 0; ; sent += 1) {
        const body = JSON.stringify({ members: [{ email: `${number}-${sent}@example.com` }] });
        const answer = await fetch(`${address}/api/v1/members/bulk`, { method: 'POST', headers, body });
        await answer.text();
        answered += 1;
      }
    };
    const clients = Promise.allSettled(Array.from({ length: 8 }, (_, number) => client(number)));
    await eventually('responses', 10_000, async () => answered > 20);
    child.kill('SIGTERM');
    // Otherwise the stop is aborted.
    expect(await exited, output()).toBe(0);
    await clients;
  });

  test('while it drains, it is not ready and serves every request; another signal ends the drain', async () => {
    const databaseUrl = await store.migratedUrl();
    const { key } = await makeSite(databaseUrl);
    const gatehouse = await startProcess(databaseUrl, {
      GATEHOUSE_DRAIN_SECONDS: 600,
      GATEHOUSE_SITE_FOLDER: temporaryFolder(),
      GATEHOUSE_SITE_PORT: 0,
    });
    const siteAddress = await eventually(
      'the address of the site',
      10_000,
      async () => /"siteAddress":"(http:[^"]+)"/.exec(gatehouse.output())?.[1],
    );
    const urls = [
      ...['/healthz', '/readyz', '/api/v1/members', '/_gatehouse/auth'].map(
        (path) => gatehouse.address + path,
      ),
      `${siteAddress}/`,
    ];
    const statuses = () =>
      Promise.all(
        urls.map(async (url) => {
          const answer = await send(url, 'GET', { headers: { authorization: `Bearer ${key}` } });
          return [answer.status, answer.headers.get('connection')];
        }),
      );
    const before = await statuses();
    expect(before.slice(0, 3).map(([status]) => status)).toEqual([200, 200, 200]);
    const idle = await RawConnection.open(gatehouse.address);
    gatehouse.child.kill('SIGTERM');
    await eventually('a signal to balancers', 10_000, async () => {
      return (await send(`${gatehouse.address}/readyz`, 'GET')).status === 503;
    });
    expect(await statuses()).toEqual(before.map(([status], index) => [index === 1 ? 503 : status, 'close']));
    expect(idle.open).toBe(true);
    idle.write(requestText('GET /healthz'));
    expect((await idle.answer())!.headers.get('connection')).toBe('close');
    await idle.closed;
    gatehouse.child.kill('SIGTERM');
    expect(await gatehouse.exited).toBe(0);
  });

  test('when the time to drain is over, the stop begins by itself', async () => {
    const gatehouse = await startProcess(await store.migratedUrl(), { GATEHOUSE_DRAIN_SECONDS: 1 });
    gatehouse.child.kill('SIGTERM');
    expect(await gatehouse.exited).toBe(0);
    expect(gatehouse.output()).toMatch(/not ready any more.*is stopping.*has stopped/s);
  });

  test('a response that the client has not read yet is sent completely', async () => {
    const gatehouse = await startProcess(await store.migratedUrl());
    const connection = await RawConnection.open(gatehouse.address);
    connection.pause();
    // More than the buffers of the system hold: Gatehouse holds the rest of one of them.
    connection.write(requestText('GET /docs/scalar.js').repeat(10));
    await sleep(1_000);
    gatehouse.child.kill('SIGTERM');
    await eventually('the stop', 10_000, async () => gatehouse.output().includes('Gatehouse is stopping'));
    await sleep(200);
    connection.resume();
    let answers = 0;
    while (await connection.answer()) answers += 1;
    expect(answers).toBeGreaterThan(0);
    expect(answers).toBeLessThan(10);
    expect(connection.nothingMore).toBe(true);
    expect(await gatehouse.exited).toBe(0);
  });

  test('a stop that takes too long is aborted, with a line in the log', async () => {
    // The server never reports that it is closed, and the maximum wait is over immediately.
    const delayed = `
      import { Server } from 'node:http';
      Server.prototype.close = function () {};
      const { setTimeout } = globalThis;
      globalThis.setTimeout = (run, milliseconds) => setTimeout(run, milliseconds === 15_000 ? 100 : milliseconds);`;
    const gatehouse = await startProcess(await store.migratedUrl(), {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(delayed)}`,
    });
    gatehouse.child.kill('SIGTERM');
    expect(await gatehouse.exited).toBe(1);
    expect(gatehouse.output()).toContain('stopping took longer than 15 s');
  });

  test('while Redis is unavailable the limits are counted in the process', async () => {
    // No server listens on port 1.
    const settings = { redisUrl: 'redis://127.0.0.1:1', rateLimit: 5 };
    const site = await (await startTestServer(store, { settings })).createSite();
    const statuses = [];
    for (let number = 0; number < 7; number += 1) statuses.push((await site.get('/members')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });
});

/** Data sent earlier on other connections has arrived when this is answered. */
async function roundTrip(address: string): Promise<void> {
  for (let each = 0; each < 3; each += 1) expect((await fetch(`${address}/healthz`)).status).toBe(200);
}
