import { maxPendingJoinRequests } from '@gatehouse/contract/limits';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { requestToJoin } from '../../src/domain/join-requests/join-requests.ts';
import { changing } from '../change.ts';
import { anAddress } from '../joining.ts';
import { day } from '../movable-time.ts';
import { forEachStore } from '../stores.ts';
import type { TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { contenders } from './contenders.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  const request = ({ siteId }: TestSite, email: string) =>
    changing(server.database, siteId, (change) =>
      requestToJoin(change, {
        email,
        memberId: null,
        invitationId: null,
        displayName: null,
        message: null,
        path: null,
        language: 'en',
      }),
    );
  const everyone = <T>(work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: contenders }, (_, index) => work(index)));
  const countOf = async ({ siteId }: TestSite, type: string) =>
    (await server.database.all(sql`SELECT id FROM events WHERE site_id = ${siteId} AND type = ${type}`))
      .length;
  const pendingOf = ({ siteId }: TestSite) =>
    server.database.all(sql`SELECT id FROM join_requests WHERE site_id = ${siteId} AND status = 'pending'`);

  test(`of ${contenders} requests of one address at once, one is stored, and all are answered alike`, async () => {
    const site = await server.createSite();
    const email = anAddress();
    const outcomes = await everyone(() => request(site, email));
    expect(new Set(outcomes)).toEqual(new Set(['requested']));
    expect(await pendingOf(site)).toHaveLength(1);
    expect(await countOf(site, 'join-request.created')).toBe(1);
  });

  test('people who ask at once do not exceed the limit of pending requests', async () => {
    const site = await server.createSite();
    const free = 3;
    await changing(server.database, site.siteId, async ({ db, siteId, now }) => {
      const end = new Date(Date.now() + day).toISOString();
      const rows = Array.from({ length: maxPendingJoinRequests - free }, (_, index) => {
        const [id, email] = [newId(), `${index}@example.com`];
        return [siteId, id, email, 'en', 'pending', now, end];
      });
      const columns = ['site_id', 'id', 'email', 'language', 'status', 'created_at', 'ends_at'];
      await db.insert('join_requests', columns, rows);
    });
    const outcomes = await everyone(() => request(site, anAddress()));
    expect(outcomes.filter((outcome) => outcome === 'requested')).toHaveLength(free);
    expect(await pendingOf(site)).toHaveLength(maxPendingJoinRequests);
  });
});
