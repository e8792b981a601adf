import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readSettings } from '../../src/app/settings/settings.ts';
import { type Gatehouse, startGatehouse } from '../../src/app/start-gatehouse.ts';
import { migrate } from '../../src/storage/migrations/migrations.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { commandsOn } from '../command-line.ts';
import { freePort } from '../free-port.ts';
import { embeddedPostgres, systemPostgres } from '../postgres-programs.ts';
import { type PostgresServer, startPostgres, withConnection } from '../postgres-server.ts';
import { type Relay, startRelay } from '../relay.ts';
import { secretKey } from '../secret-key.ts';
import { eventually, makeSite, requestsWith, startProcess } from './gatehouse-process.ts';

const recoveryMilliseconds = 20_000;

let primary: PostgresServer;
let standby: PostgresServer;
let relay: Relay;
/** Accepts connections and never answers, like a host whose network has failed. */
let silentPort: number;

beforeAll(async () => {
  const programs = (embeddedPostgres() ?? systemPostgres())!;
  primary = await startPostgres(programs);
  standby = await startPostgres(programs, { standbyOf: primary });
  relay = await startRelay(primary.port);
  silentPort = await listenSilently();
});
afterAll(async () => {
  relay?.close();
  await standby?.stop('immediate');
  await primary?.stop('immediate');
});

test('the primary is found in every order of hosts, silent hosts and standbys first included', async () => {
  const databaseUrl = await primary.createDatabase();
  const refusing = await freePort();
  const orders = permutations([silentPort, standby.port, primary.port]);
  for (const ports of [...orders, [refusing, standby.port, primary.port]]) {
    const database = openDatabase(urlWith(databaseUrl, ports));
    await migrate(database);
    await database.transaction((tx) => tx.checkWritable());
    expect(await database.get(sql`SELECT inet_server_port() AS port`)).toEqual({ port: primary.port });
    await database.close();
  }
});

test('a standby alone is no database, and the command line says what each host is', async () => {
  const { databaseUrl } = await aDatabase();
  const alone = commandsOn(urlWith(databaseUrl, [standby.port]));
  const list = await alone(['site', 'list', '--json']);
  expect(list.json.error).toMatchObject({ code: 'database_unavailable' });
  expect(list.json.error.message).toContain(`127.0.0.1:${standby.port} is a standby`);

  const both = commandsOn(urlWith(databaseUrl, [standby.port, primary.port]));
  const { json } = await both(['doctor', '--json']);
  const check = json.checks.find((each: { check: string }) => each.check === 'primary');
  expect(check).toMatchObject({
    status: 'ok',
    message: `127.0.0.1:${standby.port} is a standby; 127.0.0.1:${primary.port} is the primary`,
  });
});

describe('at an address whose server changes', () => {
  let gatehouse: Gatehouse;
  let request: ReturnType<typeof requestsWith>;

  beforeAll(async () => {
    const { databaseUrl, key } = await aDatabase();
    gatehouse = await startGatehouse(
      {
        ...readSettings({}, 'no file'),
        databaseUrl: urlWith(databaseUrl, [relay.port]),
        secretKeys: [secretKey],
        port: 0,
        rateLimit: 0,
        rateLimitUnauthenticated: 0,
      },
      { logger: pino({ level: 'silent' }), onFatal: () => {} },
    );
    request = requestsWith(key, () => gatehouse.address);
  });
  afterAll(() => gatehouse?.stop());

  let number = 0;
  const write = () => {
    number += 1;
    return request('POST', '/members', { email: `${number}@example.com` });
  };
  const health = () =>
    Promise.all(['/readyz', '/readyz/writes'].map((path) => statusOf(gatehouse.address + path)));
  /** The result of the check of writes is used for a second. */
  const expectHealth = (...statuses: number[]) => expect.poll(health, { interval: 100 }).toEqual(statuses);
  const untilWritten = () =>
    eventually('a write', recoveryMilliseconds, async () => (await write())?.status === 201);

  test('nothing is served from a standby, and writes come back with the primary', async () => {
    await expectHealth(200, 200);
    relay.leadTo(standby.port);
    for (let each = 0; each < 10; each += 1) expect((await write())?.status).toBe(503);
    await expectHealth(503, 503);
    expect((await request('GET', '/members'))?.status).toBe(503);
    relay.leadTo(primary.port);
    await untilWritten();
    await expectHealth(200, 200);
  });

  test('while the server accepts no writes, reads go on, and its connections are replaced', async () => {
    const reset = () => command('BEGIN READ WRITE; ALTER ROLE postgres RESET ALL; COMMIT');
    onTestFinished(reset);
    await command('ALTER ROLE postgres SET default_transaction_read_only = on');
    relay.leadTo(primary.port);
    await expectHealth(200, 503);
    expect((await write())?.status).toBe(503);
    expect((await request('GET', '/members'))?.status).toBe(200);
    // The setting holds for the connections of now: only other ones can write.
    await reset();
    await untilWritten();
    await expectHealth(200, 200);
  });

  test('while a synchronous standby is missing, writes wait and reads go on', async () => {
    await command("ALTER SYSTEM SET synchronous_standby_names = 'missing'");
    await command('SELECT pg_reload_conf()');
    const waiting = write();
    await expectHealth(200, 503);
    expect((await request('GET', '/members'))?.status).toBe(200);
    await command('ALTER SYSTEM RESET synchronous_standby_names');
    await command('SELECT pg_reload_conf()');
    expect([201, 503]).toContain((await waiting)?.status);
    await expectHealth(200, 200);
  });
});

test('after a failover, the service finds the new primary among its hosts', async () => {
  const { databaseUrl, key } = await aDatabase();
  const { address } = await startProcess(urlWith(databaseUrl, [primary.port, standby.port]));
  const request = requestsWith(key, () => address);
  let number = 0;
  const write = () => {
    number += 1;
    return request('POST', '/members', { email: `${number}@example.com` });
  };
  expect((await write())?.status).toBe(201);
  await primary.kill();
  expect((await write())?.status).toBe(503);
  await standby.promote();
  await eventually('a write', recoveryMilliseconds, async () => {
    const answer = await write();
    expect([201, 503]).toContain(answer?.status);
    return answer?.status === 201;
  });
  expect(await statusOf(`${address}/readyz`)).toBe(200);
}, 120_000);

/** A new database with a site, which the standby has too. */
async function aDatabase(): Promise<{ databaseUrl: string; key: string }> {
  const databaseUrl = await primary.createDatabase();
  const { key } = await makeSite(databaseUrl);
  const copyUrl = standby.url(new URL(databaseUrl).pathname.slice(1));
  await eventually('the site on the standby', recoveryMilliseconds, () => hasSites(copyUrl));
  return { databaseUrl, key };
}

function urlWith(databaseUrl: string, ports: readonly number[]): string {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  return databaseUrl.replace(/@[^/]+/, `@${hosts}`);
}

async function statusOf(url: string): Promise<number> {
  return (await fetch(url)).status;
}

/** Runs a statement on the primary. */
async function command(text: string): Promise<void> {
  await withConnection(primary.url(), (connection) => connection.unsafe(text));
}

/** Whether a standby has the site of a database. */
async function hasSites(url: string): Promise<boolean> {
  return withConnection(url, (connection) => connection`SELECT 1 FROM sites`).then(
    ({ length }) => length > 0,
    () => false,
  );
}

async function listenSilently(): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return (server.address() as AddressInfo).port;
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}
