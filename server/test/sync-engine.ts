import sql from 'sql-template-tag';
import { systemContext } from '../src/base/change-context.ts';
import { newId } from '../src/base/ids.ts';
import { upsertCollection } from '../src/domain/sources/collections/collection-store.ts';
import type { StoredRun } from '../src/domain/sources/runs/run.ts';
import { claimRun } from '../src/domain/sources/runs/run-lease.ts';
import { selectRuns } from '../src/domain/sources/runs/run-store.ts';
import { type NewRun, requestRun } from '../src/domain/sources/runs/runs.ts';
import { createSource, findStoredSource, type NewSource } from '../src/domain/sources/source/sources.ts';
import {
  CollectionGone,
  type Workspace,
  type WorkspacePerson,
} from '../src/domain/sources/workspaces/workspace.ts';
import { runSync } from '../src/jobs/source-sync/run-sync.ts';
import type { Database } from '../src/storage/database.ts';
import { changing } from './change.ts';
import { hour, movableTime } from './movable-time.ts';
import type { TestServer, TestSite } from './test-server.ts';

/** People as a workspace lists them. */
export type People = Omit<WorkspacePerson, 'place'>[];
export const named = (...names: string[]): People => names.map((name) => ({ email: `${name}@example.com` }));
export const crowd = (count: number, values: object = {}, prefix = 'p'): People =>
  Array.from({ length: count }, (_, index) => ({ email: `${prefix}${index}@example.com`, ...values }));

/** The engine of sources, ahead of the clock of the service, so that only the test runs it. */
export function syncEngine(server: TestServer, site: TestSite) {
  const { siteId } = site;
  const { database } = server;
  const time = movableTime();
  time.advance(hour);
  const at = () => time.clock().toISOString();
  const change = <T>(work: Parameters<typeof changing<T>>[2]) =>
    changing(database, siteId, work, systemContext(at()));

  async function source(settings: Partial<NewSource> = {}, keys: readonly string[] = ['team']) {
    const id = await change(async (given) => {
      const { id } = await createSource(given, { type: 'program', name: `S ${newId()}`, ...settings });
      for (const key of keys)
        await upsertCollection({ db: given.db, siteId }, id, { key, name: key, columns: null });
      return id;
    });
    return id;
  }
  /** Makes it a source that is scheduled. */
  const asRead = (id: string) =>
    database.transaction(async (tx) => {
      await tx.run(
        sql`UPDATE sources SET type = 'list', enabled = ${true} WHERE site_id = ${siteId} AND id = ${id}`,
      );
    });
  const request = (id: string, run: Partial<NewRun> = {}) =>
    change(async (given) =>
      requestRun(
        given,
        await findStoredSource({ db: given.db, siteId }, id),
        { trigger: 'request', ...run },
        at(),
      ),
    );
  const claim = async (): Promise<{ run: StoredRun; holder: string } | undefined> => {
    const holder = newId();
    const run = await database.transaction((tx) => claimRun({ db: tx, siteId, now: at() }, holder));
    return run && { run, holder };
  };
  const runsOf = async (id: string): Promise<StoredRun[]> =>
    (await selectRuns({ db: database, siteId }, id, undefined, 1_000)).toReversed();
  const carryOut = (
    claimed: { run: StoredRun; holder: string },
    workspace: Workspace,
    {
      store = database,
      stopping = new AbortController().signal,
    }: { store?: Database; stopping?: AbortSignal } = {},
  ) =>
    runSync(
      {
        database: store,
        clock: time.clock,
        timers: time.timers,
        open: async () => workspace,
        random: () => 0.5,
      },
      { siteId, ...claimed },
      stopping,
    );
  /** Requests a run and carries it out. */
  const sync = async (id: string, workspace: Workspace, run: Partial<NewRun> = {}): Promise<StoredRun> => {
    const { id: runId } = await request(id, run);
    await carryOut((await claim())!, workspace);
    return (await runsOf(id)).find((each) => each.id === runId)!;
  };
  const memberOf = async (email: string) =>
    (await site.get(`/members?q=${encodeURIComponent(email)}`)).body.data.find(
      (member: { email: string }) => member.email === email,
    );
  return {
    ...time,
    at,
    change,
    source,
    asRead,
    request,
    claim,
    runsOf,
    carryOut,
    sync,
    memberOf,
    siteId,
    database,
  };
}

export type CollectionContent = People | (() => Promise<never> | People | Promise<People>);

/** A workspace with these collections. */
export function workspaceOf(collections: Record<string, CollectionContent>, isGroup = true): Workspace {
  return {
    async *collections() {},
    async preview() {
      throw new CollectionGone();
    },
    async read({ key }) {
      const content = collections[key];
      if (!content) throw new CollectionGone();
      const people = typeof content === 'function' ? await content() : content;
      return { name: key, token: null, isGroup, people: rows(people) };
    },
  };
}

async function* rows(people: People): AsyncIterable<WorkspacePerson> {
  let row = 0;
  for (const person of people) yield { place: `row ${++row}`, ...person };
}
