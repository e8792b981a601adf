import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { hour, movableTime } from '../../../test/movable-time.ts';
import { forEachStore } from '../../../test/stores.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { testWorkspaces } from '../../../test/workspace-settings.ts';
import { WorkspaceAccess } from '../../connectors/workspaces.ts';
import { runLeaseMilliseconds } from '../../domain/sources/runs/run-lease.ts';
import { requestRun } from '../../domain/sources/runs/runs.ts';
import { createSource, findStoredSource } from '../../domain/sources/source/sources.ts';
import { runSync } from './run-sync.ts';
import { SourceSync } from './source-sync.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  test('a process that claims its own run again runs it once', async () => {
    const { clock, timers, advance } = movableTime();
    advance(hour); // Ahead of the service of the test, so that it leaves the run alone.
    const { siteId } = await server.createSite();
    const { database } = server;
    await changing(database, siteId, async (change) => {
      const { id } = await createSource(change, { type: 'program', name: 'Office' });
      const source = await findStoredSource({ db: change.db, siteId }, id);
      await requestRun(change, source, { trigger: 'request' }, clock().toISOString());
    });
    const workspaces = new WorkspaceAccess(testWorkspaces, clock);
    const job = new SourceSync({
      database,
      clock,
      carryOut: (...claimed) =>
        runSync(
          { database, clock, timers, random: () => 0.5, open: (...of) => workspaces.open(...of) },
          ...claimed,
        ),
    });
    const claim = async () => {
      const { signal } = new AbortController();
      const { pieces } = await job.start(siteId, { slots: 2, stopping: signal, restartAfter: () => {} });
      return pieces!;
    };
    const stateOfRun = async () =>
      (await database.get<{ status: string }>(sql`SELECT status FROM source_runs WHERE site_id = ${siteId}`))!
        .status;

    const [first] = await claim();
    expect(await claim()).toEqual([]);
    advance(runLeaseMilliseconds + 1);
    const [second] = await claim();
    await first!();
    expect(await stateOfRun()).toBe('running');
    await second!().catch(() => {});
    expect(await stateOfRun()).toBe('failed');
  });
});
