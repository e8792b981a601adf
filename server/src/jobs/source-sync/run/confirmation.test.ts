import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { forEachStore } from '../../../../test/stores.ts';
import { crowd, syncEngine, workspaceOf } from '../../../../test/sync-engine.ts';
import { useTestServer } from '../../../../test/use-server.ts';

forEachStore((store) => {
  const server = useTestServer(store);
  const setUp = async () => {
    const site = await server.createSite();
    return { site, ...syncEngine(server, site) };
  };

  test('a confirmation that people are no longer paid does not cover removing others', async () => {
    const s = await setUp();
    const id = await s.source({ onLeave: 'block' });
    const people = [...crowd(30, { paid: true }), ...crowd(30, { paid: true }, 'q')];
    await s.sync(id, workspaceOf({ team: people }));
    // The column "paid" says no for 30 people.
    const shown = await s.sync(
      id,
      workspaceOf({ team: [...crowd(30, { paid: false }), ...crowd(30, { paid: true }, 'q')] }),
    );
    expect(shown).toMatchObject({ status: 'confirmation_required', collections: [{ withheld: 30 }] });
    // Before it is confirmed, the column is right again, and 30 others vanish.
    const run = await s.sync(id, workspaceOf({ team: crowd(30, { paid: true }) }), {
      removalsConfirmed: true,
      confirmedRunId: shown.id,
    });
    expect(run.status).toBe('confirmation_required');
    expect((await s.memberOf('q1@example.com')).status).toBe('active');
  });

  test('a confirmation of some people does not cover as many others', async () => {
    const s = await setUp();
    const id = await s.source();
    await s.sync(id, workspaceOf({ team: [...crowd(30), ...crowd(30, {}, 'q')] }));
    const shown = await s.sync(id, workspaceOf({ team: crowd(30) }));
    expect(shown.status).toBe('confirmation_required');
    const run = await s.sync(id, workspaceOf({ team: crowd(30, {}, 'q') }), {
      removalsConfirmed: true,
      confirmedRunId: shown.id,
    });
    expect(run.status).toBe('confirmation_required');
  });

  test('a confirmation of a run that no longer exists covers nothing', async () => {
    const s = await setUp();
    const id = await s.source();
    await s.sync(id, workspaceOf({ team: crowd(30) }));
    const shown = await s.sync(id, workspaceOf({ team: crowd(10) }));
    await s.request(id, { removalsConfirmed: true, confirmedRunId: shown.id });
    await s.change((change) =>
      change.db.run(sql`DELETE FROM source_runs WHERE site_id = ${s.siteId} AND id = ${shown.id}`),
    );
    await s.carryOut((await s.claim())!, workspaceOf({ team: [] }));
    expect((await s.runsOf(id)).at(-1)!.status).toBe('confirmation_required');
  });

  test('people who are withheld keep what somebody has changed by hand', async () => {
    const s = await setUp();
    const id = await s.source();
    await s.sync(id, workspaceOf({ team: crowd(20, { paid: false }) }));
    await s.sync(id, workspaceOf({ team: [] }));
    const p1 = await s.memberOf('p1@example.com');
    await s.site.patch(`/members/${p1.id}`, { paid: true });
    const run = await s.sync(id, workspaceOf({ team: [] }));
    expect(run.status).toBe('confirmation_required');
    expect((await s.memberOf('p1@example.com')).paid).toBe(true);
  });
});
