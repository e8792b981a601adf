import { expect, test } from 'vitest';
import { forEachStore } from '../../test/stores.ts';
import { startTestServer } from '../../test/test-server.ts';

forEachStore((store) => {
  test('a member that was created can be found', async () => {
    const server = await startTestServer(store);
    const site = await server.createSite();
    const created = await site.post('/members', { email: ' Ada@Example.com ', displayName: 'Ada' });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({
      email: 'ada@example.com',
      displayName: 'Ada',
      accessGroups: [],
    });
    const found = await site.get('/members?q=ADA');
    expect(found.body.data).toHaveLength(1);
    const group = await site.post('/access-groups', { name: 'Course' });
    const added = await site.post(`/access-groups/${group.body.data.id}/members`, {
      memberId: created.body.data.id,
    });
    expect(added.status).toBe(201);
    expect((await site.get(`/access-groups/${group.body.data.id}`)).body.data.memberCount).toBe(1);
    expect((await site.get('/events')).body.data).toHaveLength(4);
    expect((await site.get('/members?status=active&sort=email&q=ad')).body.data).toHaveLength(1);
    expect((await site.delete(`/members/${created.body.data.id}`)).status).toBe(204);
    expect((await site.get(`/access-groups/${group.body.data.id}`)).body.data.memberCount).toBe(0);
  });
});
