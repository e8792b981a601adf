import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type OperationId, operations } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { commandsOn } from '../command-line.ts';
import { secretKey } from '../secret-key.ts';
import { forEachStore, lastingStore, type Store } from '../stores.ts';
import { startTestServer, type TestServer, type TestSite } from '../test-server.ts';
import { expectResponse } from './answers.ts';
import { everyItem, someMembers } from './given.ts';
import { everyOperation, readyRequest, sendReady } from './requests.ts';

// Gatehouse on a copy of a database in which every operation of the contract was used: on PostgreSQL one of a file, and in a
// file one of this copy.

/** What shows work that goes on: attempts to send events, to read workspaces and to send emails. */
const inProgress = /^\/(?:webhooks|sources|emails|overview)/;

/** Lists whose order depends on indexes that the copy builds anew. */
const lists = [
  '/members',
  '/members?q=example',
  '/members?q=xample.com&sort=createdAt&order=asc',
  '/members?sort=email',
  '/access-groups',
  '/events',
  '/api-keys',
];

/** A database that is copied, and what its Gatehouse responded. */
interface Original {
  readonly file: string;
  readonly site: TestSite;
  /** By path. */
  readonly responses: Readonly<Record<string, unknown>>;
  /** By list. */
  readonly items: Readonly<Record<string, unknown[]>>;
}

let made: Promise<Original> | undefined;

forEachStore((store) => {
  let original: Original;
  let site: TestSite;

  beforeAll(async () => {
    made ??= makeOriginal(store);
    original = await made;
    const folder = newFolder();
    const first = path.join(folder, 'gatehouse.db');
    copyFileSync(original.file, first);
    const places = [`sqlite:${first}`, ...(await placesBefore(store)), await store.freshUrl()];
    for (const [index, target] of places.slice(1).entries()) {
      const run = commandsOn(places[index]!);
      const env = { GATEHOUSE_SECRET_KEY: secretKey };
      const { exitCode, stderr } = await run(['copy', '--to', target, '--json'], { env, cwd: folder });
      expect([exitCode, stderr]).toEqual([0, '']);
    }
    const server = await startTestServer(store, { databaseUrl: places.at(-1)! });
    site = server.copyOf(original.site);
  });

  test('each response is the same', async () => {
    const now: Record<string, unknown> = {};
    for (const read of Object.keys(original.responses)) now[read] = await responseOf(site, read);
    expect(Object.keys(now).length).toBeGreaterThan(15);
    expect(now).toEqual(original.responses);
  });

  test.each(lists)('the list %s has the same items in the same order', async (list) => {
    const items = await everyItem(site, list);
    expect(items.length).toBeGreaterThan(0);
    expect(items).toEqual(original.items[list]);
  });

  describe.each(everyOperation)('%s', (operationId) => {
    test('responds as the contract says', async () => {
      const request = await readyRequest(operationId, site);
      // Names of groups and sources are unique, and the examples have been used.
      const rename = /^update(?:AccessGroup|Source)$/.test(operationId) && { name: 'Renamed' };
      const body = rename ? { ...(request.body as object), ...rename } : request.body;
      const response = await sendReady(site, { ...request, body });
      expectResponse(operationId, response, operations[operationId].success.status);
    });
  });
});

/** Where a database is copied to first: one in a file was on PostgreSQL before, if there is one. */
async function placesBefore({ dialect }: Store): Promise<string[]> {
  const other = inject('stores').find((each) => each.dialect === 'postgres' && !each.forVersions);
  return dialect === 'sqlite' && other !== undefined ? [await lastingStore(other.name).freshUrl()] : [];
}

async function makeOriginal(store: Store): Promise<Original> {
  const file = path.join(newFolder(), 'gatehouse.db');
  const server = await startTestServer(store, { databaseUrl: `sqlite:${file}` });
  const site = await server.createSite();
  const reads = await useEveryOperation(site);
  await someMembers(site, 30);
  await untilQuiet(server, site);
  const responses: Record<string, unknown> = {};
  for (const read of reads) responses[read] = await responseOf(site, read);
  const items: Record<string, unknown[]> = {};
  for (const list of lists) items[list] = await everyItem(site, list);
  await server.stop();
  return { file, site, responses, items };
}

/** Uses every operation, and returns the paths of those that read. */
async function useEveryOperation(site: TestSite): Promise<string[]> {
  const reads: string[] = [];
  for (const operationId of everyOperation) {
    const request = await readyRequest(operationId as OperationId, site);
    const { status } = await sendReady(site, request, { 'idempotency-key': `copy-${operationId}` });
    expect([operationId, status]).toEqual([operationId, operations[operationId].success.status]);
    if (request.method === 'GET' && !inProgress.test(request.path)) reads.push(request.path);
  }
  return reads;
}

/** Waits until no email is sent, and no source is read. */
async function untilQuiet({ database }: TestServer, { siteId }: TestSite): Promise<void> {
  const running = () =>
    database.all(sql`
      SELECT id FROM emails WHERE site_id = ${siteId} AND status = 'waiting' AND attempts = 0
      UNION ALL SELECT id FROM source_runs WHERE site_id = ${siteId} AND ended_at IS NULL AND failures = 0`);
  await vi.waitUntil(async () => (await running()).length === 0, { timeout: 20_000 });
}

async function responseOf(site: TestSite, read: string): Promise<unknown> {
  const { status, body } = await site.get(read);
  return { status, body };
}

/** A folder that stays until the tests have ended. */
function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-copies-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
