import { beforeAll, describe, expect, test } from 'vitest';
import { aDomain } from '../contract/given.ts';
import { forEachStoreVersion } from '../stores.ts';
import { send, startTestServer, type TestServer, type TestSite } from '../test-server.ts';
import { atOnce, deadlocksOf, rounds, serverCounts } from './contenders.ts';

const noLimits = { mailbox: 0, sender: 0, signUp: 0, signUpMailbox: 0 };

forEachStoreVersion((store) => {
  describe.each(serverCounts(store))('while emails are sent, by %i server(s)', (count) => {
    const servers: TestServer[] = [];
    let site: TestSite;
    beforeAll(async () => {
      const options = { settings: { emailLimits: noLimits } };
      servers.push(await startTestServer(store, options));
      const { databaseUrl } = servers[0]!;
      while (servers.length < count) servers.push(await startTestServer(store, { ...options, databaseUrl }));
      site = await servers[0]!.createSite();
      await aDomain(site);
    });

    const act = async (index: number, memberIds: readonly string[], type: string): Promise<number> => {
      const { apiUrl } = servers[index % servers.length]!;
      const { status } = await send(`${apiUrl}/members/bulk-actions`, 'POST', {
        body: { memberIds, action: { type } },
        headers: { authorization: `Bearer ${site.key}` },
      });
      return status === 503 ? act(index, memberIds, type) : status;
    };

    test.each([
      ['more links are sent to the same members', ['send_login_link', 'send_login_link']],
      ['the members are blocked', ['send_login_link', 'block', 'unblock']],
      ['the members are deleted', ['send_login_link', 'delete']],
    ])('%s, and nothing waits forever', async (_, types) => {
      for (let round = 0; round < rounds; round += 1) {
        const members = Array.from({ length: 12 }, (_, index) => ({
          email: `${types[1]}-${round}-${index}@example.com`,
        }));
        const { data } = (await site.post('/members/bulk', { members })).body;
        const ids: string[] = data.map(({ member }: { member: { id: string } }) => member.id);
        expect(await act(0, ids, 'send_login_link')).toBe(207);
        const statuses = await atOnce(12, (index) => {
          const turned = [...ids.slice(index), ...ids.slice(0, index)];
          return act(index, index % 2 === 0 ? turned : turned.reverse(), types[index % types.length]!);
        });
        expect(new Set(statuses)).toEqual(new Set([207]));
      }
    });

    test('no transaction was aborted by a deadlock', async () => {
      expect(await deadlocksOf(servers[0]!.database)).toBe(0);
    });
  });
});
