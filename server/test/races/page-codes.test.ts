import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { systemContext } from '../../src/base/change-context.ts';
import { enterPageCode, findEnteredCodes, findTypedCode } from '../../src/domain/page-codes/page-passes.ts';
import { generateToken } from '../../src/domain/sessions/token.ts';
import { changing } from '../change.ts';
import { aPageCode } from '../contract/ways-in.ts';
import { forEachStore } from '../stores.ts';
import { startTestServer, type TestServer, type TestSite } from '../test-server.ts';
import { atOnce, contenders, serverCounts } from './contenders.ts';

const domain = 'club.example.org';

forEachStore((store) => {
  describe.each(serverCounts(store))('page codes, %i server(s)', (count) => {
    const servers: TestServer[] = [];
    let site: TestSite;
    beforeAll(async () => {
      servers.push(await startTestServer(store));
      const { databaseUrl } = servers[0]!;
      while (servers.length < count) servers.push(await startTestServer(store, { databaseUrl }));
      site = await servers[0]!.createSite();
    });

    const now = () => new Date().toISOString();
    const hashOf = async (code: string) => {
      const view = { db: servers[0]!.database, siteId: site.siteId, now: now() };
      return (await findTypedCode(view, code, { token: null, domain })).codeHash!;
    };
    /** The token of the pass; undefined if the code was refused. */
    const enter = async (index: number, codeHash: string, newToken = generateToken()) => {
      const { database } = servers[index % count]!;
      const entry = { codeHash, domain, token: null, newToken };
      const work = (change: Parameters<typeof enterPageCode>[0]) => enterPageCode(change, entry);
      const end = await changing(database, site.siteId, work, systemContext(now()));
      return end === null ? undefined : newToken;
    };
    const isOpen = async (token: string) =>
      (await findEnteredCodes({ db: servers[0]!.database, siteId: site.siteId, now: now() }, token, domain))
        .length > 0;

    test('of 32 browsers that enter a code with 10 uses at once, exactly 10 get access', async () => {
      const { id, code } = await aPageCode(site, { maxUses: 10 });
      const codeHash = await hashOf(code!);
      const tokens = (await atOnce(contenders, (index) => enter(index, codeHash))).filter((token) => token);
      expect(tokens).toHaveLength(10);
      for (const token of tokens) expect(await isOpen(token!)).toBe(true);
      const { data } = (await site.get(`/page-codes/${id}`)).body;
      expect([data.usedCount, data.status]).toEqual([10, 'used_up']);
    });

    test('a form that is sent 32 times at once takes one use', async () => {
      const { id, code } = await aPageCode(site, { maxUses: 1 });
      const [codeHash, token] = [await hashOf(code!), generateToken()];
      expect(await atOnce(contenders, (index) => enter(index, codeHash, token))).toEqual(
        Array(contenders).fill(token),
      );
      expect((await site.get(`/page-codes/${id}`)).body.data.usedCount).toBe(1);
    });

    test.each([
      ['replaced', (id: string) => site.post(`/page-codes/${id}/replace`, {})],
      ['revoked', (id: string) => site.delete(`/page-codes/${id}`)],
    ])('no pass remains of a code that is %s while it is entered', async (_, end) => {
      const { id, code } = await aPageCode(site);
      const codeHash = await hashOf(code!);
      const entering = atOnce(contenders, async (index) => {
        await new Promise((resolve) => setTimeout(resolve, index * 4));
        return enter(index, codeHash);
      });
      const answer = await end(id);
      expect(answer.status).toBeLessThan(300);
      for (const token of await entering) expect(token !== undefined && (await isOpen(token))).toBe(false);
      const { siteId } = site;
      expect(
        await servers[0]!.database.all(
          sql`SELECT 1 FROM page_passes WHERE site_id = ${siteId} AND page_code_id = ${id}`,
        ),
      ).toEqual([]);
    });
  });
});
