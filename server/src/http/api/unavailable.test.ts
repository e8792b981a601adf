import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectError, expectEveryHeader, expectResponse } from '../../../test/contract/answers.ts';
import { operationsWithKey, readyRequest, sendReady } from '../../../test/contract/requests.ts';
import { type Relay, startRelay } from '../../../test/relay.ts';
import { forEachStore, type Store } from '../../../test/stores.ts';
import { send, startTestServer, type TestServer } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { generateKey } from '../../domain/api-keys/api-key.ts';

forEachStore((store) => {
  if (store.dialect === 'sqlite') declareForSqlite(store);
  else declareForPostgres(store);
});

/** SQLite is unavailable for writing only while another program keeps writing to the file. */
function declareForSqlite(store: Store): void {
  const server = useTestServer(store);

  test('while another program locks the file, writing is unavailable and reading continues', async () => {
    const site = await server.createSite();
    const write = () => site.post('/members', { email: 'ada@example.com' });
    await server.database.transaction(async () => {
      const [rejected, read, ...health] = await Promise.all([
        write(),
        site.get('/members'),
        ...['/readyz', '/readyz/writes'].map((path) => send(server.address + path, 'GET')),
      ]);
      expect(health.map(({ status }) => status)).toEqual([200, 503]);
      expectResponse('listMembers', read, 200);
      const error = expectResponse('createMember', rejected, 503, 'unavailable');
      expect(error.message).not.toMatch(/sql|lock|busy|database/i);
    });
    expectResponse('createMember', await write(), 201);
    const writable = async () => (await send(`${server.address}/readyz/writes`, 'GET')).status;
    await expect.poll(writable, { interval: 100 }).toBe(200);
  });
}

function declareForPostgres(store: Store): void {
  let relay: Relay;
  let port: number;
  let server: TestServer;

  beforeAll(async () => {
    const url = new URL(await store.migratedUrl());
    port = Number(url.port);
    relay = await startRelay(port);
    url.port = String(relay.port);
    server = await startTestServer(store, { databaseUrl: url.href });
  });
  afterAll(async () => {
    await server?.stop();
    relay?.close();
  });

  const cut = () => relay.leadTo(undefined);
  const repair = () => relay.leadTo(port);

  describe('while the database server is down', () => {
    test.each(operationsWithKey)('%s is unavailable, and works again afterwards', async (operationId) => {
      const site = await server.createSite();
      const request = await readyRequest(operationId, site);
      cut();
      try {
        const error = expectResponse(operationId, await sendReady(site, request), 503, 'unavailable');
        expect(error.message).not.toMatch(/sql|connect|postgres|127\.0\.0\.1/i);
      } finally {
        repair();
      }
      await expect.poll(async () => (await site.get('/site')).status).toBe(200);
      expect((await sendReady(site, request)).status).toBeLessThan(300);
    });

    test('it is not ready, and still answers requests that need no store', async () => {
      const get = (path: string) => send(server.address + path, 'GET');
      cut();
      try {
        expectError(await get('/readyz'), 503, 'unavailable');
        expectError(await get('/readyz/writes'), 503, 'unavailable');
        const health = await get('/healthz');
        expect(health.status).toBe(200);
        expectEveryHeader(health);
        expectResponse('getOpenApi', await get('/api/v1/openapi.json'), 200);
        expectResponse('getSite', await get('/api/v1/site'), 401, 'missing_api_key');
        // A key is looked up only if its checksum is right.
        const key = generateKey();
        const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
        for (const [secret, status, code] of [
          [mistyped, 401, 'invalid_api_key'],
          [key, 503, 'unavailable'],
        ] as const) {
          const headers = { authorization: `Bearer ${secret}` };
          expectResponse('getSite', await send(`${server.apiUrl}/site`, 'GET', { headers }), status, code);
        }
      } finally {
        repair();
      }
      await expect.poll(async () => (await get('/readyz')).status).toBe(200);
    });
  });
}
