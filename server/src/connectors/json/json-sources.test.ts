import type { Source } from '@gatehouse/contract';
import { expect, onTestFinished, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { startListServer } from '../../../test/list-server.ts';
import { scopeGroups, synchronize } from '../../../test/source-steps.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

async function aSource(site: TestSite, content: string): Promise<Source> {
  const list = await startListServer(content);
  onTestFinished(() => list.stop());
  const body = { type: 'json', name: 'Members', address: list.address };
  const { id } = expectResponse('createSource', await site.post('/sources', body), 201).data;
  const collections = [{ key: 'list', columns: { email: 'email', displayName: 'name', groups: 'teams' } }];
  return expectResponse('updateSource', await site.patch(`/sources/${id}`, { collections }), 200).data;
}

forEachStore((store) => {
  const server = useTestServer(store);

  test('the people of a JSON file at a URL become members of the groups that it names', async () => {
    const site = await server.createSite();
    const people = [
      { email: 'ada@example.com', name: 'Ada, "King"', teams: ['Rowing', 'Sailing'] },
      { email: 'bob@example.com', name: null, teams: [] },
    ];
    const source = await aSource(site, JSON.stringify(people));
    const run = await synchronize(site, source);
    expect(run).toMatchObject({ status: 'succeeded', counts: { read: 2, created: 2 } });
    expect(await scopeGroups(site)).toEqual({ Rowing: ['ada'], Sailing: ['ada'] });
    const { body } = await site.get('/members?email=ada@example.com');
    expect(body.data).toMatchObject([{ displayName: 'Ada, "King"' }]);
  });

  test.each(['{"email":"ada@example.com"}', '["ada@example.com"]', 'email\nada@example.com'])(
    'something else at the URL is rejected: %s',
    async (content) => {
      const site = await server.createSite();
      const { collections } = await synchronize(site, await aSource(site, content));
      expect(collections[0]!.error).toMatchObject({ message: expect.stringContaining('array of objects') });
    },
  );
});
