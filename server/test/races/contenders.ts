import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import type { Database } from '../../src/storage/database.ts';
import { effort } from '../effort.ts';
import type { Store } from '../stores.ts';
import { send, startTestServer, type TestResponse, type TestServer, type TestSite } from '../test-server.ts';

/** The number of concurrent requests. */
export const contenders = 32;

export const rounds = effort.raceRounds;

/** A test that runs a race again and again. */
export function race(fact: string, run: () => Promise<void>): void {
  test(fact, { timeout: 120_000 + rounds * 1_000 }, async () => {
    for (let round = 0; round < rounds; round += 1) await run();
  });
}

/** A site, reached through one server or through several that share its database. */
export interface RaceTrack {
  site: TestSite;
  server: TestServer;
  /** The request of contender `index`; contenders are distributed over the servers. */
  request(
    index: number,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<TestResponse>;
}

export async function raceTrack(store: Store, servers: number): Promise<RaceTrack> {
  const first = await startTestServer(store);
  const all = [first];
  while (all.length < servers) all.push(await startTestServer(store, { databaseUrl: first.databaseUrl }));
  const site = await first.createSite();
  return {
    site,
    server: first,
    request: (index, method, path, body, headers = {}) =>
      send(all[index % all.length]!.apiUrl + path, method, {
        body,
        headers: { authorization: `Bearer ${site.key}`, ...headers },
      }),
  };
}

/** One process on each store; also two where several can share it. */
export function serverCounts(store: Store): number[] {
  return store.dialect === 'postgres' ? [1, 2] : [1];
}

export function atOnce<T>(count: number, start: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => start(index)));
}

/** `{ 201: 1, '409 email_taken': 31 }` */
export function tally(answers: readonly TestResponse[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = status < 400 ? String(status) : `${status} ${body?.error?.code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Every item of a list, page by page. */
export async function readAllPages(site: TestSite, path: string, limit = 100): Promise<{ id: string }[]> {
  const items: { id: string }[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query = `${path.includes('?') ? '&' : '?'}limit=${limit}${after && `&after=${after}`}`;
    const { status, body } = await site.get(path + query);
    expect(status).toBe(200);
    items.push(...body.data);
    after = body.pagination.nextCursor;
  }
  return items;
}

/** Checks that the count of each group equals the length of its list of members. */
export async function expectExactCounts(site: TestSite): Promise<void> {
  for (const group of (await readAllPages(site, '/access-groups')) as { id: string; memberCount: number }[]) {
    const members = await readAllPages(site, `/access-groups/${group.id}/members`);
    expect(group.memberCount, `memberCount of ${group.id}`).toBe(members.length);
  }
}

/** PostgreSQL resolves a deadlock after a second by aborting one of the transactions. There must be none. */
export async function deadlocksOf(database: Database): Promise<number> {
  if (database.dialect !== 'postgres') return 0;
  // Its processes report statistics once a second.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const row = await database.get<{ deadlocks: number }>(
    sql`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`,
  );
  return row!.deadlocks;
}
