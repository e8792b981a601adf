import { Agent, request as sendHttp } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { permissions } from '@gatehouse/contract';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/open.ts';
import { commandsOn } from '../command-line.ts';
import { freePort, freePorts } from '../free-port.ts';
import { startMailServer } from '../mail-server.ts';
import { forEachStore } from '../stores.ts';
import { send } from '../test-server.ts';
import { BulkWriters, expectExactCounter, expectWholeRequests } from './bulk-writers.ts';
import {
  eventually,
  type GatehouseProcess,
  makeSite,
  requestsWith,
  startProcess,
} from './gatehouse-process.ts';

const limit = 50;

forEachStore((store) => {
  // On SQLite, several workers are refused.
  describe.runIf(store.dialect === 'postgres')('with several workers', () => {
    test('a first start prints its key once, doctor finds the service, and limits are exact', async () => {
      const databaseUrl = await store.freshUrl();
      const metricsPort = await freePorts(4);
      const gatehouse = await startProcess(databaseUrl, {
        GATEHOUSE_WORKERS: 4,
        GATEHOUSE_METRICS_PORT: metricsPort,
      });
      await expect.poll(gatehouse.output).toContain('API reference');
      const numbers = () => readyWorkers(gatehouse).map(({ worker }) => worker);
      await expect.poll(() => numbers().toSorted()).toEqual([1, 2, 3, 4]);
      const keys = gatehouse.output().match(/^ +gate_\S+$/gm)!;
      expect(keys).toHaveLength(1);
      expect(gatehouse.output().match(/dashboard\/setup\//g)).toHaveLength(1);

      const doctor = await commandsOn(databaseUrl)(['doctor', '--json']);
      expect(doctor.json.service).toMatchObject({ pid: gatehouse.pid, address: gatehouse.address });
      expect(doctor.json.settings.workers).toBe(4);
      for (const name of ['settings', 'connections']) expect(stateOf(doctor.json.checks, name)).toBe('ok');

      for (const number of [0, 1, 2, 3]) {
        const answer = await fetch(`http://127.0.0.1:${metricsPort + number}/metrics`);
        expect(await answer.text()).toContain('gatehouse_build_info{');
      }

      const url = `${gatehouse.address}/api/v1/site`;
      expect(await statusOf(url, keys[0]!.trim())).toBe(200);
      const create = ['key', 'create', '--name', 'Limited', '--rate-limit', String(limit), '--json'];
      const { key } = (await commandsOn(databaseUrl)(create)).json;
      const statuses = await Promise.all(Array.from({ length: 400 }, () => statusOf(url, key)));
      const countOf = (status: number) => statuses.filter((each) => each === status).length;
      expect([countOf(200), countOf(429)]).toEqual([limit, 400 - limit]);
      // Of each worker, the first rejected request of a key is in the log.
      const lines = () => [...gatehouse.output().matchAll(/"worker":(\d),[^\n]*"status":429/g)];
      await expect
        .poll(() => new Set(lines().map(([, worker]) => worker)))
        .toEqual(new Set(['1', '2', '3', '4']));

      gatehouse.child.kill('SIGTERM');
      expect(await gatehouse.exited).toBe(0);
      expect(gatehouse.output().match(/Gatehouse has stopped/g)).toHaveLength(1);
      for (const { pid } of readyWorkers(gatehouse)) expect(isAlive(pid)).toBe(false);
    });

    test('a request during the start is answered or refused, and never left waiting', async () => {
      const port = await freePort();
      const databaseUrl = await store.migratedUrl();
      const starting = startProcess(databaseUrl, { GATEHOUSE_WORKERS: 2, GATEHOUSE_PORT: port });
      let isStarted = false;
      void starting.then(() => {
        isStarted = true;
      });
      const failures: string[] = [];
      while (!isStarted) {
        const signal = AbortSignal.timeout(10_000);
        await fetch(`http://127.0.0.1:${port}/healthz`, { signal }).catch(({ name }) => failures.push(name));
        await sleep(1);
      }
      expect(failures).toContain('TypeError');
      expect(failures).not.toContain('TimeoutError');
    });

    test('a killed worker is replaced, and another one continues its background work', async () => {
      const databaseUrl = await store.migratedUrl();
      const { siteId, key } = await makeSite(databaseUrl, { permissions });
      const mailServer = await startMailServer();
      const gatehouse = await startProcess(databaseUrl, {
        GATEHOUSE_WORKERS: 2,
        GATEHOUSE_SMTP_URL: mailServer.url,
        GATEHOUSE_MAIL_FROM: 'club@example.org',
      });
      const request = requestsWith(key, () => gatehouse.address);
      const groupId = (await request('POST', '/access-groups', { name: 'Everybody' }))!.body.data.id;
      const invite = async (name: string) => {
        const body = { email: `${name}@example.com`, role: 'viewer' };
        const url = `${gatehouse.address}/api/v1/operators`;
        expect((await sendAlone(url, key, body))?.status).toBe(201);
        // A sweep would find the email only half a minute later.
        await eventually('the email', 20_000, async () =>
          mailServer.deliveries.some(({ recipients }) => recipients.includes(body.email)),
        );
      };
      // On connections of their own, so that each worker is asked.
      for (const name of ['ada', 'grace', 'hedy', 'joan']) await invite(name);

      const writers = new BulkWriters(request, groupId);
      await eventually('responses', 20_000, async () => writers.answered(207) > 3);
      process.kill(readyWorkers(gatehouse)[0]!.pid, 'SIGKILL');
      const before = writers.answered(207);
      await eventually('responses of the other one', 20_000, async () => writers.answered(207) > before + 6);
      expect((await send(`${gatehouse.address}/readyz`, 'GET')).status).toBe(200);
      await eventually(
        'the replacement',
        30_000,
        async () => readyWorkers(gatehouse).filter(({ worker }) => worker === 1).length === 2,
      );
      for (const name of ['mary', 'olga', 'rosa', 'vera']) await invite(name);
      expect(gatehouse.output()).toMatch(/"signal":"SIGKILL".*a worker has ended/);
      expect(gatehouse.output()).toMatch(/"worker":2,.*continues the background work/);

      gatehouse.child.kill('SIGTERM');
      expect(await gatehouse.exited).toBe(0);
      await writers.stop();
      await mailServer.stop();
      const database = openDatabase(databaseUrl);
      await expectWholeRequests(database, siteId, writers.sent);
      await expectExactCounter(database, siteId, groupId);
      await database.close();
    });

    test('a first worker that cannot start ends the service with its message', async () => {
      const url = new URL(await store.freshUrl());
      url.pathname = '/missing_database';
      const serve = ['serve', '--workers', '2', '--port', '0'];
      const { exitCode, stdout, stderr } = await commandsOn(url.href)(serve, { ownProcess: true });
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^gatehouse: .*missing_database.* Create it with createdb.*\n$/);
    });
  });
});

/** The workers in the order in which they became ready, as the log says. */
function readyWorkers(gatehouse: GatehouseProcess): { worker: number; pid: number }[] {
  return gatehouse
    .output()
    .split('\n')
    .filter((line) => line.includes('"the worker is ready"'))
    .map((line) => JSON.parse(line));
}

function stateOf(checks: { check: string; status: string }[], name: string): string | undefined {
  return checks.find(({ check }) => check === name)?.status;
}

async function statusOf(url: string, key: string): Promise<number | undefined> {
  return (await sendAlone(url, key))?.status;
}

/** Sends a request on a connection of its own. */
function sendAlone(url: string, key: string, body?: unknown): Promise<{ status: number | undefined }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise((resolve, reject) => {
    sendHttp(url, { method, headers, agent: new Agent() }, (answer) => {
      answer.resume().once('end', () => resolve({ status: answer.statusCode }));
    })
      .on('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
