import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { permissions } from '@gatehouse/contract';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../command-line.ts';
import { effort } from '../effort.ts';
import { type GatehouseProcess, makeSite, requestsWith, startProcess } from '../faults/gatehouse-process.ts';
import { freePort } from '../free-port.ts';
import { Visitor } from '../gate/visitor.ts';
import { seed } from '../seed.ts';
import { forOneStore } from '../stores.ts';
import { sendRandomRequests, startRandomProgram } from './random-connections.ts';

const host = 'club.example.org';
const atOnce = 40;

// In processes of their own, because the question is whether they continue.
forOneStore((store) => {
  async function serve(
    source: Record<string, string>,
  ): Promise<[gatehouse: GatehouseProcess, sitePort: number]> {
    const databaseUrl = await store.freshUrl();
    const { key } = await makeSite(databaseUrl, { permissions });
    const sitePort = await freePort();
    const gatehouse = await startProcess(databaseUrl, {
      ...source,
      GATEHOUSE_SITE_PORT: sitePort,
    });
    const request = requestsWith(key, () => gatehouse.address);
    await request('PATCH', '/site', { domain: host, scheme: 'http' });
    const rules = [
      { path: '/', access: 'public' },
      { path: '/members', access: 'members' },
    ];
    expect((await request('PUT', '/access-rules', { rules }))!.status).toBe(200);
    return [gatehouse, sitePort];
  }

  /** Sends random requests on this many connections, of which some are open at the same time. */
  async function sendAll(port: number, connections: number, firstSeed: number): Promise<void> {
    let next = 0;
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (next < connections) await sendRandomRequests(port, firstSeed + next++);
      }),
    );
  }

  async function expectService(
    { address, child, output }: GatehouseProcess,
    sitePort: number,
  ): Promise<void> {
    expect([seed, child.exitCode, child.signalCode, output()]).toEqual([seed, null, null, output()]);
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    const visitor = new Visitor({ port: sitePort, host });
    const page = await visitor.get('/still-there');
    expect([seed, page.status, page.text]).toEqual([seed, 200, 'page']);
    // An error that no one expected closes one connection, and is a fault all the same.
    expect([seed, output()]).toEqual([seed, expect.not.stringMatching(/ was closed"/)]);
  }

  test('a site with a program goes on after random requests and random answers', async () => {
    const program = await startRandomProgram(seed);
    onTestFinished(() => void program.close());
    const { port } = program.address() as AddressInfo;
    const [gatehouse, sitePort] = await serve({ GATEHOUSE_SITE_UPSTREAM: `http://127.0.0.1:${port}` });
    await sendAll(sitePort, effort.fuzzedConnections / 2, seed);
    await expectService(gatehouse, sitePort);
  });

  test('a folder, the API and the dashboard go on after random requests', async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'members'));
    for (const name of ['page', 'still-there', 'members/x']) writeFileSync(path.join(folder, name), 'page');
    const [gatehouse, sitePort] = await serve({ GATEHOUSE_SITE_FOLDER: folder });
    await sendAll(sitePort, effort.fuzzedConnections / 4, seed + 1_000_000);
    await sendAll(Number(new URL(gatehouse.address).port), effort.fuzzedConnections / 4, seed + 2_000_000);
    await expectService(gatehouse, sitePort);
  });
});
