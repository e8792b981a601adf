import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { changing } from '../../../../test/change.ts';
import { hour, movableTime } from '../../../../test/movable-time.ts';
import { forEachStore } from '../../../../test/stores.ts';
import { useTestServer } from '../../../../test/use-server.ts';
import { systemContext } from '../../../base/change-context.ts';
import { newId } from '../../../base/ids.ts';
import { upsertCollection } from '../../../domain/sources/collections/collection-store.ts';
import type { StoredRun } from '../../../domain/sources/runs/run.ts';
import { claimRun, runLeaseMilliseconds } from '../../../domain/sources/runs/run-lease.ts';
import { requestRun } from '../../../domain/sources/runs/runs.ts';
import { createSource, findStoredSource } from '../../../domain/sources/source/sources.ts';
import { CollectionGone, type Workspace } from '../../../domain/sources/workspaces/workspace.ts';
import type { Database } from '../../../storage/database.ts';
import { runSync } from '../run-sync.ts';

interface ClaimedRun {
  readonly run: StoredRun;
  readonly holder: string;
}

const third = runLeaseMilliseconds / 3;

forEachStore((store) => {
  const server = useTestServer(store);

  /** A source with a run that is due, ahead of the clock of the service of the test, which therefore leaves it alone. */
  async function aDueRun() {
    const { clock, timers, advance } = movableTime();
    advance(hour);
    const { siteId } = await server.createSite();
    const { database } = server;
    const inFuture = (milliseconds: number) => new Date(clock().getTime() + milliseconds).toISOString();
    await changing(
      database,
      siteId,
      async (change) => {
        const { id } = await createSource(change, { type: 'program', name: 'Office' });
        await upsertCollection({ db: change.db, siteId }, id, { key: 'team', name: 'Team', columns: null });
        const source = await findStoredSource({ db: change.db, siteId }, id);
        await requestRun(change, source, { trigger: 'request' }, change.now);
      },
      systemContext(inFuture(0)),
    );
    /** Claims the run with a clock that is ahead. */
    const claim = async (milliseconds = 0): Promise<ClaimedRun | undefined> => {
      const holder = newId();
      const run = await database.transaction((tx) =>
        claimRun({ db: tx, siteId, now: inFuture(milliseconds) }, holder),
      );
      return run && { run, holder };
    };
    const stored = () =>
      database.get(sql`SELECT status, holder, due_at FROM source_runs WHERE site_id = ${siteId}`);
    const memberships = () => database.all(sql`SELECT member_id FROM memberships WHERE site_id = ${siteId}`);
    const sync = (
      { run, holder }: ClaimedRun,
      workspace: Workspace,
      { stopping = new AbortController().signal, store = database } = {},
    ) => {
      const parts = { database: store, clock, timers, open: async () => workspace, random: () => 0.5 };
      return runSync(parts, { siteId, run, holder }, stopping);
    };
    return { advance, inFuture, claim, stored, memberships, sync };
  }

  /** A run that is reading when another process, whose clock is ahead, takes it over. */
  async function aRunTakenOver() {
    const due = await aDueRun();
    const workspace = new SlowWorkspace();
    const running = due.sync((await due.claim())!, workspace);
    await workspace.reading;
    const { holder } = (await due.claim(runLeaseMilliseconds + 1))!;
    const leaseOfOther = { status: 'running', holder, due_at: due.inFuture(2 * runLeaseMilliseconds + 1) };
    return { ...due, workspace, running, leaseOfOther };
  }

  test('a run that reads for longer than its lease keeps it, and ends', async () => {
    const { claim, stored, memberships, sync, advance, inFuture } = await aDueRun();
    const workspace = new SlowWorkspace();
    const claimed = (await claim())!;
    const running = sync(claimed, workspace);
    await workspace.reading;
    for (let passed = 0; passed < 3 * runLeaseMilliseconds; passed += third) {
      advance(third);
      const lease = { holder: claimed.holder, due_at: inFuture(runLeaseMilliseconds) };
      await expect.poll(stored).toMatchObject(lease);
      expect(await claim()).toBeUndefined();
    }
    workspace.finish();
    await running;
    expect(await stored()).toMatchObject({ status: 'succeeded', holder: null });
    expect(await memberships()).toHaveLength(1);
  });

  test('a run that was taken over stops reading at its next renewal, and changes nothing', async () => {
    const { stored, memberships, advance, workspace, running, leaseOfOther } = await aRunTakenOver();
    advance(third);
    await running;
    expect(workspace.wasStopped).toBe(true);
    expect(await stored()).toEqual(leaseOfOther);
    expect(await memberships()).toEqual([]);
  });

  test('a run that was taken over changes nothing when it has read everybody', async () => {
    const { stored, memberships, workspace, running, leaseOfOther } = await aRunTakenOver();
    workspace.finish();
    await running;
    expect(await stored()).toEqual(leaseOfOther);
    expect(await memberships()).toEqual([]);
  });

  test('a run that was taken over ends without an error when its workspace fails', async () => {
    const { stored, workspace, running, leaseOfOther } = await aRunTakenOver();
    workspace.fail(new Error('It does not respond.'));
    await running;
    expect(await stored()).toEqual(leaseOfOther);
  });

  test('a run that is stopped while it changes many people is given back after the current step', async () => {
    const { claim, stored, memberships, sync, inFuture } = await aDueRun();
    const stopping = new AbortController();
    const store: Database = {
      ...server.database,
      transaction: async (work) => {
        const result = await server.database.transaction(work);
        if ((await memberships()).length > 0) stopping.abort();
        return result;
      },
    };
    const workspace = new SlowWorkspace(3_000);
    workspace.finish();
    await sync((await claim())!, workspace, { stopping: stopping.signal, store });
    expect(await stored()).toEqual({ status: 'running', holder: null, due_at: inFuture(0) });
    const before = (await memberships()).length;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(3_000);
    await sync((await claim())!, workspace);
    expect(await stored()).toMatchObject({ status: 'succeeded' });
    expect(await memberships()).toHaveLength(3_000);
  });
});

/** A workspace with one collection, which is read until the test says that it is over. */
class SlowWorkspace implements Workspace {
  wasStopped = false;
  readonly #begun = Promise.withResolvers<void>();
  readonly #over = Promise.withResolvers<void>();
  readonly #count: number;

  constructor(count = 1) {
    this.#count = count;
  }

  /** Resolves when the collection is being read. */
  get reading(): Promise<void> {
    return this.#begun.promise;
  }

  finish(): void {
    this.#over.resolve();
  }

  fail(error: Error): void {
    this.#over.reject(error);
  }

  async *collections() {}

  async preview(): Promise<never> {
    throw new CollectionGone();
  }

  async read(_: unknown, __: string | null, signal: AbortSignal) {
    signal.addEventListener('abort', () => {
      this.wasStopped = true;
      this.fail(signal.reason);
    });
    this.#begun.resolve();
    await this.#over.promise;
    return { name: 'Team', token: null, isGroup: true, people: people(this.#count) };
  }
}

async function* people(count: number) {
  for (let row = 1; row <= count; row += 1) yield { place: `row ${row}`, email: `p${row}@example.com` };
}
