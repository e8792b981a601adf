import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { aDomain, aMember } from '../contract/given.ts';
import { forEachStore } from '../stores.ts';
import { startTestServer, type TestServer, type TestSite, visit } from '../test-server.ts';
import { mailTo, Visitor } from '../visitor.ts';
import { atOnce, contenders, rounds, serverCounts } from './contenders.ts';

forEachStore((store) => {
  describe.each(serverCounts(store))('32 browsers at once, %i server(s)', (count) => {
    const servers: TestServer[] = [];
    let site: TestSite;
    let host: string;
    const settings = { loginLimit: 0, loginLimitClient: 0 };
    beforeAll(async () => {
      servers.push(await startTestServer(store, { settings }));
      const { databaseUrl } = servers[0]!;
      while (servers.length < count) servers.push(await startTestServer(store, { settings, databaseUrl }));
      site = await servers[0]!.createSite();
      host = await aDomain(site);
    });

    const post = (index: number, path: string, form: Record<string, string> = {}, cookie = '') =>
      visit(servers[index % servers.length]!.address, 'POST', path, { form, headers: { host, cookie } });
    const sessionsOf = async (memberId: string) =>
      (await site.get(`/members/${memberId}/sessions?limit=100`)).body.data;
    const loginsOf = async (memberId: string) =>
      (await site.get(`/events?type=member.login&memberId=${memberId}`)).body.data;

    test('one link opens one session', { timeout: 60_000 }, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { id, email } = await aMember(site);
        await new Visitor(site).ask(email);
        const { path } = await mailTo(servers[0]!, email);
        const answers = await atOnce(contenders, (index) => post(index, path));
        expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(contenders - 1).fill(410)]);
        expect(await sessionsOf(id)).toHaveLength(1);
        expect(await loginsOf(id)).toHaveLength(1);
      }
    });

    test('a link and its code together open one session', { timeout: 60_000 }, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { id, email } = await aMember(site);
        const visitor = new Visitor(site);
        await visitor.ask(email);
        const { path, code } = await mailTo(servers[0]!, email);
        const cookie = `__Host-gatehouse_login=${visitor.cookies.get('__Host-gatehouse_login')}`;
        const answers = await atOnce(contenders, (index) =>
          index % 8 === 0 ? post(index, '/_gatehouse/code', { code: code! }, cookie) : post(index, path),
        );
        const entered = answers.filter(({ headers }) =>
          headers['set-cookie']?.join().includes('gatehouse_session='),
        );
        expect(entered).toHaveLength(1);
        expect(await sessionsOf(id)).toHaveLength(1);
      }
    });

    test('32 codes at once are five tries', { timeout: 60_000 }, async () => {
      const { email } = await aMember(site);
      const visitor = new Visitor(site);
      await visitor.ask(email);
      const { code } = await mailTo(servers[0]!, email);
      const cookie = `__Host-gatehouse_login=${visitor.cookies.get('__Host-gatehouse_login')}`;
      const wrong = code === '000000' ? '000001' : '000000';
      await atOnce(contenders, (index) => post(index, '/_gatehouse/code', { code: wrong }, cookie));
      const [row] = await servers[0]!.database.all<{ tries: number }>(
        sql`SELECT tries FROM login_links WHERE site_id = ${site.siteId} AND email = ${email}`,
      );
      expect(row!.tries).toBe(5);
      expect((await post(0, '/_gatehouse/code', { code: code! }, cookie)).status).toBe(400);
    });

    test('whoever is blocked while logging in is not in afterwards', { timeout: 60_000 }, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { id, email } = await aMember(site);
        await new Visitor(site).ask(email);
        const { path } = await mailTo(servers[0]!, email);
        await atOnce(9, (index) =>
          index === 4
            ? site.patch(`/members/${id}`, { status: 'blocked' }).then(() => undefined)
            : post(index, path).then(() => undefined),
        );
        expect(await sessionsOf(id)).toEqual([]);
      }
    });

    test('an address that enrols in 32 browsers becomes one member', { timeout: 60_000 }, async () => {
      await site.patch('/site', { signUp: { policy: 'open', domains: [] } });
      const email = `${randomUUID()}@example.com`;
      await new Visitor(site).ask(email);
      const { path } = await mailTo(servers[0]!, email);
      const answers = await atOnce(contenders, (index) => post(index, path));
      expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
      expect((await site.get(`/members?email=${email}`)).body.data).toHaveLength(1);
    });
  });
});
