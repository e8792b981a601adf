import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { gatehouse, temporaryFile } from '../../../test/command-line.ts';
import { startProcess } from '../../../test/faults/gatehouse-process.ts';
import { freePort } from '../../../test/free-port.ts';
import { occupiedPort } from '../../../test/occupied-port.ts';
import { forEachStore } from '../../../test/stores.ts';
import { startTestServer } from '../../../test/test-server.ts';

const portOf = (address: string) => new URL(address).port;

const health = (env: Record<string, string>, ...args: string[]) => gatehouse(['health', ...args], { env });

/** Returns the port. */
async function startOther(respond: RequestListener, host = '127.0.0.1'): Promise<string> {
  const server = createServer(respond).listen(0, host);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return String((server.address() as AddressInfo).port);
}

forEachStore((store) => {
  test('health finds a service that is ready where its settings say', async () => {
    const { address } = await startTestServer(store, { settings: { host: '0.0.0.0' } });
    const port = portOf(address);
    const found = `127.0.0.1:${port}`;
    for (const host of ['0.0.0.0', '127.0.0.1']) {
      const result = await health({ GATEHOUSE_HOST: host, GATEHOUSE_PORT: port });
      expect(result).toEqual({
        ...result,
        exitCode: 0,
        stdout: `Gatehouse is ready at ${found}.\n`,
        stderr: '',
      });
    }
    const { json } = await health({}, '--host', '0.0.0.0', '--port', port, '--json');
    expect(json).toEqual({ ok: true, address: found });
    const options = { cwd: temporaryFile('gatehouse.json', JSON.stringify({ port })).replace(/[^/]+$/, '') };
    expect((await gatehouse(['health'], options)).exitCode).toBe(0);
  });

  test('health needs neither the other settings nor the database', async () => {
    const { address } = await startTestServer(store);
    const env = {
      GATEHOUSE_PORT: portOf(address),
      GATEHOUSE_SECRET_KEY: 'invalid',
      GATEHOUSE_SMTP_URL: 'invalid',
    };
    expect(await health(env)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('a service that is about to stop is not ready', async () => {
    const service = await startProcess(await store.migratedUrl(), { GATEHOUSE_DRAIN_SECONDS: '60' });
    const port = portOf(service.address);
    expect(await health({ GATEHOUSE_PORT: port })).toMatchObject({ exitCode: 0 });
    process.kill(service.pid, 'SIGTERM');
    await expect
      .poll(async () => (await health({ GATEHOUSE_PORT: port })).stderr)
      .toBe(
        `gatehouse: Gatehouse at 127.0.0.1:${port} is not ready: This process is about to stop. Send requests to another one.\n`,
      );
    expect(await health({ GATEHOUSE_PORT: port }, '--json')).toMatchObject({
      exitCode: 1,
      json: { error: { code: 'not_ready' } },
    });
  });
});

test('a service that listens on all IPv6 addresses is found at the one of this machine', async () => {
  const port = await startOther((_, response) => response.end('{"status":"ok"}'), '::1');
  const { stdout } = await health({ GATEHOUSE_HOST: '::', GATEHOUSE_PORT: port });
  expect(stdout).toBe(`Gatehouse is ready at [::1]:${port}.\n`);
});

test('health says that nothing listens, and where', async () => {
  const port = String(await freePort());
  expect(await health({ GATEHOUSE_PORT: port })).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: `gatehouse: No service listens at 127.0.0.1:${port} (ECONNREFUSED). Start it with ./gatehouse serve, or correct GATEHOUSE_HOST and GATEHOUSE_PORT.\n`,
  });
});

test('health waits for a response only as long as it should', async () => {
  const port = String(await occupiedPort());
  expect(await health({ GATEHOUSE_PORT: port }, '--timeout', '1')).toMatchObject({
    exitCode: 1,
    stderr: `gatehouse: There is no response from 127.0.0.1:${port} within 1 s. Check the log of the service, and restart it.\n`,
  });
});

test.each([
  ['a page', 200, '<h1>Hello</h1>'],
  ['an error', 404, '{"error":{"message":"Not found"}}'],
  ['the 503 of a proxy', 503, 'Service Unavailable'],
  ['the 503 of another program in JSON', 503, '{"error":{"message":{"text":"Busy"}}}'],
  ['a page that is larger than any response of /readyz', 200, 'x'.repeat(100_000)],
])('%s is not a response of Gatehouse', async (_, status, body) => {
  const port = await startOther((_, response) => response.writeHead(status).end(body));
  expect(await health({ GATEHOUSE_PORT: port })).toMatchObject({
    exitCode: 1,
    stderr: `gatehouse: Another program than Gatehouse listens at 127.0.0.1:${port}. Correct GATEHOUSE_HOST and GATEHOUSE_PORT.\n`,
  });
});

test('without a port that is known, health cannot find the service', async () => {
  expect(await health({ GATEHOUSE_PORT: '0' })).toMatchObject({
    exitCode: 1,
    stderr: 'gatehouse: GATEHOUSE_PORT is 0, which is any free port. Name that of the service with --port.\n',
  });
  expect(await health({ GATEHOUSE_PORT: 'eighty' })).toMatchObject({
    exitCode: 1,
    stderr: 'gatehouse: GATEHOUSE_PORT is "eighty". Use a port from 0 to 65535.\n',
  });
});
