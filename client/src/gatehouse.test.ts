import { expect, test } from 'vitest';
import { forEachStore } from '../../server/test/stores.ts';
import { startTestServer } from '../../server/test/test-server.ts';
import { Gatehouse } from './index.ts';

forEachStore((store) => {
  test('a list is walked to its end', async () => {
    const server = await startTestServer(store);
    const { key } = await server.createSite();
    const gatehouse = new Gatehouse({ url: server.address, key });
    const group = await gatehouse.accessGroups.create({ name: 'Course' });
    await gatehouse.members.bulkCreate({
      members: Array.from({ length: 7 }, (_, i) => ({ email: `m${i}@example.com` })),
      accessGroupIds: [group.id],
    });
    const seen = [];
    for await (const member of gatehouse.members.list({ limit: 3, sort: 'email', order: 'asc', paid: false }))
      seen.push(member.email);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6].map((i) => `m${i}@example.com`));
  });
});
