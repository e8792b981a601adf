import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { expectError, expectResponse } from '../contract/answers.ts';
import { forOneStore } from '../stores.ts';
import { useTestServer } from '../use-server.ts';
import { RawConnection, requestText } from './raw-connection.ts';

const json = { 'content-type': 'application/json' };

forOneStore((store) => {
  if (store.dialect !== 'sqlite') return test.skip('the store is not involved, so one is enough');
  const server = useTestServer(store, { settings: { requestTimeoutSeconds: 2 } });

  test('300 slow connections get an error response and are closed, while another client is served', async () => {
    const site = await server.createSite();
    const auth = { authorization: `Bearer ${site.key}` };
    const beginnings = [
      'GET /api/v1/site HT',
      `GET /api/v1/site HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${site.key}\r\nx-slow: `,
      requestText('POST /api/v1/members', { ...auth, ...json, 'content-length': '50' }, '{"email":'),
      requestText(
        'POST /api/v1/members',
        { ...auth, ...json, 'transfer-encoding': 'chunked' },
        '9\r\n{"email":\r\n',
      ),
    ];
    const slow = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const connection = await RawConnection.open(server.address);
        connection.write(beginnings[index % beginnings.length]!);
        return connection;
      }),
    );
    let left = true;
    const allClosed = Promise.all(slow.map(({ closed }) => closed)).then(() => {
      left = false;
    });
    let served = 0;
    while (left) {
      expectResponse('getSite', await site.get('/site'), 200);
      served += 1;
      await sleep(20);
    }
    await allClosed;
    expect(served).toBeGreaterThan(10);
    for (const connection of slow) expectError((await connection.answer())!, 408, 'request_timeout');
    expect((await site.get('/members')).body.data).toEqual([]);
  });

  test.concurrent.each([
    ['a header that never ends', 'GET /api/v1/site HTTP/1.1\r\nhost: x\r\nx-slow: ', 'y'],
    ['a body that comes byte by byte', 'content-length: 100000\r\n\r\n', ' '],
    ['a chunked body that never ends', 'transfer-encoding: chunked\r\n\r\n', '1\r\n \r\n'],
  ])('%s is cut off', async (_, beginning, more) => {
    const site = await server.createSite();
    const connection = await RawConnection.open(server.address);
    const head = `POST /api/v1/members HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${site.key}\r\ncontent-type: application/json\r\n`;
    connection.write(beginning.startsWith('GET') ? beginning : head + beginning);
    while (connection.open) {
      connection.write(more);
      await sleep(20);
    }
    await connection.closed;
    expect((await site.get('/members')).body.data).toEqual([]);
  });

  test('a client that sends requests without reading responses is disconnected, and others are served', async () => {
    const site = await server.createSite();
    const connection = await RawConnection.open(server.address);
    connection.write(requestText('GET /docs').repeat(1_000));
    await connection.closed;
    expectResponse('getSite', await site.get('/site'), 200);
    const polite = await RawConnection.open(server.address);
    polite.write(requestText('GET /healthz').repeat(30));
    for (let each = 0; each < 30; each += 1) expect((await polite.answer())!.status).toBe(200);
    polite.destroy();
  });

  test('no further requests run of a client that does not read its responses', async () => {
    const site = await server.createSite();
    const email = 'ada@example.com';
    const post = requestText(
      'POST /api/v1/members',
      {
        ...json,
        authorization: `Bearer ${site.key}`,
        'content-length': String(`{"email":"${email}"}`.length),
      },
      `{"email":"${email}"}`,
    );
    // More than the buffers of the operating system can hold.
    const large = requestText('GET /docs/scalar.js').repeat(5);
    const emails = async () =>
      (await site.get('/members')).body.data.map((member: { email: string }) => member.email);
    const connection = await RawConnection.open(server.address);
    connection.pause();
    connection.write(large + post);
    for (let each = 0; each < 20; each += 1) expect(await emails()).toEqual([]);
    connection.resume();
    for (let each = 0; each < 5; each += 1) expect((await connection.answer())!.status).toBe(200);
    expect((await connection.answer())!.status).toBe(201);
    expect(await emails()).toEqual([email]);
    connection.destroy();
  });

  test.each(['anonymous', 'with a key', 'at the gate'] as const)(
    'many pipelined requests on a few connections do not block those of others, %s',
    async (kind) => {
      const site = await server.createSite();
      const [text, status] = {
        anonymous: [requestText('GET /api/v1/site'), 401] as const,
        'with a key': [
          requestText('GET /api/v1/members', { authorization: `Bearer ${site.key}` }),
          200,
        ] as const,
        'at the gate': [requestText('GET /_gatehouse/auth'), 403] as const,
      }[kind];
      const pipelines = await Promise.all(
        Array.from({ length: 10 }, () => RawConnection.open(server.address)),
      );
      const other = await RawConnection.open(server.address);
      let answered = 0;
      const finished = pipelines.map(async (pipeline) => {
        pipeline.write(text.repeat(50));
        for (let each = 0; each < 50; each += 1) {
          expect((await pipeline.answer())!.status).toBe(status);
          answered += 1;
        }
        pipeline.destroy();
      });
      other.write(requestText('GET /healthz'));
      expect((await other.answer())!.status).toBe(200);
      expect(answered).toBeLessThan(250);
      await Promise.all(finished);
      expect(answered).toBe(500);
      other.destroy();
    },
  );

  test('an unused connection does not affect others', async () => {
    const site = await server.createSite();
    const idle = await Promise.all(Array.from({ length: 300 }, () => RawConnection.open(server.address)));
    expectResponse('getSite', await site.get('/site'), 200);
    for (const connection of idle) connection.destroy();
  });
});
