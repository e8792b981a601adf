import { expect, test } from 'vitest';
import { expectError, expectResponse } from '../../../test/contract/answers.ts';
import { aGroup } from '../../../test/contract/given.ts';
import { aLoginProvider } from '../../../test/contract/ways-in.ts';
import { forEachStore } from '../../../test/stores.ts';
import { useTestServer } from '../../../test/use-server.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  test('a provider can be changed after one of its groups was deleted, but not given that group', async () => {
    const site = await server.createSite();
    const { id: accessGroupId } = await aGroup(site);
    const groupMap = [{ value: 'rowers', accessGroupId }];
    const { id } = await aLoginProvider(site, { groupsClaim: 'groups', groupMap });
    expectResponse('deleteAccessGroup', await site.delete(`/access-groups/${accessGroupId}`), 204);
    const { secret } = await site.createKey({ permissions: ['login-providers:write', 'login-links:write'] });
    const change = (body: object) => {
      const headers = { authorization: `Bearer ${secret}` };
      return site.request('PATCH', `/login-providers/${id}`, { body, headers });
    };
    const changed = await change({ enabled: true });
    expect(expectResponse('updateLoginProvider', changed, 200).data).toMatchObject({
      enabled: true,
      groupMap,
    });
    expectError(await change({ groupMap }), 404, 'access_group_not_found');
  });
});
