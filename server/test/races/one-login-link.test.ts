import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { findKnownBrowser } from '../../src/domain/known-browsers/known-browsers.ts';
import { aDomain, aMember, someMembers } from '../contract/given.ts';
import { forEachStoreVersion } from '../stores.ts';
import { startTestServer, type TestServer, type TestSite, visit } from '../test-server.ts';
import { emailsTo, emailTo, everyLoginRequestProcessed, Visitor } from '../visitor.ts';
import { atOnce, contenders, rounds, serverCounts } from './contenders.ts';

forEachStoreVersion((store) => {
  describe.each(serverCounts(store))('32 concurrent browsers, %i server(s)', (count) => {
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

    /** Three login links of one address, each with the cookie of the browser that requested it. */
    const threeLinks = async (email: string) => {
      const links = [];
      for (let count = 1; count <= 3; count += 1) {
        const visitor = new Visitor(site);
        await visitor.requestLink(email);
        const { path, code } = await emailTo(servers[0]!, email, count);
        const cookie = `__Host-gatehouse_login=${visitor.cookies.get('__Host-gatehouse_login')}`;
        links.push({ path, code: code!, cookie });
      }
      return links;
    };
    const useLink = (index: number, links: Awaited<ReturnType<typeof threeLinks>>) => {
      const { path, code, cookie } = links[index % 3]!;
      return index % 8 === 0
        ? post(index, '/_gatehouse/code', { code }, cookie)
        : post(index, path, {}, cookie);
    };
    const hasSession = (headers: IncomingHttpHeaders) =>
      headers['set-cookie']?.join().includes('gatehouse_session=') === true;

    test('one link opens one session', { timeout: 60_000 }, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { id, email } = await aMember(site);
        await new Visitor(site).requestLink(email);
        const { path } = await emailTo(servers[0]!, email);
        const answers = await atOnce(contenders, (index) => post(index, path));
        expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(contenders - 1).fill(410)]);
        expect(await sessionsOf(id)).toHaveLength(1);
        expect(await loginsOf(id)).toHaveLength(1);
      }
    });

    test('one browser that sends a link or a code 32 times has one session', {
      timeout: 60_000,
    }, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { id, email } = await aMember(site);
        const visitor = new Visitor(site);
        await visitor.requestLink(email);
        const { path, code } = await emailTo(servers[0]!, email);
        const byCode = round % 2 === 0;
        await visitor.get(byCode ? '/_gatehouse/check' : path);
        const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const answers = await atOnce(contenders, (index) =>
          byCode ? post(index, '/_gatehouse/code', { code: code! }, cookie) : post(index, path, {}, cookie),
        );
        const replies = answers.filter(({ headers }) => hasSession(headers));
        expect(new Set(replies.map(({ headers }) => headers['set-cookie']!.join())).size).toBe(1);
        // The day's limit of codes counts those that are sent at once.
        expect(replies.length).toBeGreaterThanOrEqual(byCode ? 20 : contenders);
        expect(await sessionsOf(id)).toHaveLength(1);
        expect(await loginsOf(id)).toHaveLength(1);
      }
    });

    test('one browser that sends the form of the login page 32 times gets one email', {
      timeout: 60_000,
    }, async () => {
      const { email } = await aMember(site);
      const visitor = new Visitor(site);
      await visitor.get('/_gatehouse/login');
      const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answers = await atOnce(contenders, (index) =>
        post(index, '/_gatehouse/login', { email }, cookie),
      );
      expect(new Set(answers.map(({ status, headers }) => `${status} ${headers['set-cookie']}`)).size).toBe(
        1,
      );
      await everyLoginRequestProcessed(servers[0]!);
      expect(await emailsTo(servers[0]!, email)).toHaveLength(1);
    });

    test('a link and its code together open one session', { timeout: 60_000 }, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { id, email } = await aMember(site);
        const visitor = new Visitor(site);
        await visitor.requestLink(email);
        const { path, code } = await emailTo(servers[0]!, email);
        const cookie = `__Host-gatehouse_login=${visitor.cookies.get('__Host-gatehouse_login')}`;
        const answers = await atOnce(contenders, (index) =>
          index % 8 === 0
            ? post(index, '/_gatehouse/code', { code: code! }, cookie)
            : post(index, path, {}, cookie),
        );
        expect(answers.filter(({ headers }) => hasSession(headers))).toHaveLength(1);
        expect(await sessionsOf(id)).toHaveLength(1);
      }
    });

    test('a link in other browsers and its code open at most one session each', {
      timeout: 60_000,
    }, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { id, email } = await aMember(site);
        const links = await threeLinks(email);
        const methods = await atOnce(contenders, async (index) => {
          const { path, code, cookie } = links[index % 3]!;
          const byCode = index % 2 === 0;
          const answer = await (byCode
            ? post(index, '/_gatehouse/code', { code }, cookie)
            : post(index, path));
          return hasSession(answer.headers) ? [byCode ? 'code' : 'link'] : [];
        });
        const opened = methods.flat().sort();
        expect([['code'], ['code', 'link']]).toContainEqual(opened);
        expect(await sessionsOf(id)).toHaveLength(opened.length);
        for (const { path, code, cookie } of links) {
          expect((await post(0, path)).status).toBe(410);
          const { headers } = await post(0, '/_gatehouse/code', { code }, cookie);
          expect(hasSession(headers)).toBe(false);
        }
      }
    });

    test('three links of an address open one session', { timeout: 60_000 }, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { id, email } = await aMember(site);
        const emails = await threeLinks(email);
        const answers = await atOnce(contenders, (index) => useLink(index, emails));
        expect(answers.filter(({ headers }) => hasSession(headers))).toHaveLength(1);
        expect(await sessionsOf(id)).toHaveLength(1);
        for (const { path } of emails) expect((await post(0, path)).status).toBe(410);
      }
    });

    test('three links of an address create one member', { timeout: 60_000 }, async () => {
      await site.patch('/site', { signUp: { policy: 'open', domains: [] } });
      for (let round = 0; round < rounds; round += 1) {
        const email = `${randomUUID()}@example.com`;
        const emails = await threeLinks(email);
        const answers = await atOnce(contenders, (index) => useLink(index, emails));
        expect(answers.filter(({ headers }) => hasSession(headers))).toHaveLength(1);
        const [member, ...others] = (await site.get(`/members?email=${email}`)).body.data;
        expect(others).toEqual([]);
        expect(await sessionsOf(member.id)).toHaveLength(1);
      }
      await site.patch('/site', { signUp: { policy: 'members_only', domains: [] } });
    });

    test('of 32 concurrent requests three get a working link', { timeout: 60_000 }, async () => {
      const { email } = await aMember(site);
      await atOnce(contenders, (index) => post(index, '/_gatehouse/login', { email }));
      await everyLoginRequestProcessed(servers[0]!);
      const open = await servers[0]!.database.all(sql`
        SELECT id FROM login_links
        WHERE site_id = ${site.siteId} AND email = ${email} AND token_hash IS NOT NULL`);
      expect(open).toHaveLength(3);
      expect(await emailsTo(servers[0]!, email, 3)).toHaveLength(3);
    });

    test('concurrent first logins on a site all get a valid device cookie', {
      timeout: 60_000,
    }, async () => {
      const fresh = await servers[0]!.createSite();
      const freshHost = await aDomain(fresh);
      const members = await someMembers(fresh, 8);
      const paths: string[] = [];
      for (const { email } of members) {
        await new Visitor(fresh).requestLink(email);
        paths.push((await emailTo(servers[0]!, email)).path);
      }
      const answers = await atOnce(members.length, (index) =>
        visit(servers[index % servers.length]!.address, 'POST', paths[index]!, {
          form: {},
          headers: { host: freshHost },
        }),
      );
      for (const [index, { headers }] of answers.entries()) {
        const [, cookie] = /__Host-gatehouse_device=([^;]+)/.exec(headers['set-cookie']!.join())!;
        const { database } = servers[0]!;
        const known = await findKnownBrowser(
          { db: database, siteId: fresh.siteId, now: new Date().toISOString() },
          cookie,
        );
        expect([...known!.idByEmail.keys()]).toEqual([members[index]!.email]);
      }
    });

    test('32 concurrent codes count as five attempts', { timeout: 60_000 }, async () => {
      const { email } = await aMember(site);
      const visitor = new Visitor(site);
      await visitor.requestLink(email);
      const { code } = await emailTo(servers[0]!, email);
      const cookie = `__Host-gatehouse_login=${visitor.cookies.get('__Host-gatehouse_login')}`;
      const wrong = code === '000000' ? '000001' : '000000';
      await atOnce(contenders, (index) => post(index, '/_gatehouse/code', { code: wrong }, cookie));
      const [row] = await servers[0]!.database.all<{ tries: number }>(
        sql`SELECT tries FROM login_links WHERE site_id = ${site.siteId} AND email = ${email}`,
      );
      expect(row!.tries).toBe(5);
      expect((await post(0, '/_gatehouse/code', { code: code! }, cookie)).status).toBe(400);
    });

    test('a member blocked while logging in has no session afterwards', { timeout: 60_000 }, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { id, email } = await aMember(site);
        await new Visitor(site).requestLink(email);
        const { path } = await emailTo(servers[0]!, email);
        await atOnce(9, (index) =>
          index === 4
            ? site.patch(`/members/${id}`, { status: 'blocked' }).then(() => undefined)
            : post(index, path).then(() => undefined),
        );
        expect(await sessionsOf(id)).toEqual([]);
      }
    });

    test('an address that signs up in 32 browsers becomes one member', { timeout: 60_000 }, async () => {
      await site.patch('/site', { signUp: { policy: 'open', domains: [] } });
      const email = `${randomUUID()}@example.com`;
      await new Visitor(site).requestLink(email);
      const { path } = await emailTo(servers[0]!, email);
      const answers = await atOnce(contenders, (index) => post(index, path));
      expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
      expect((await site.get(`/members?email=${email}`)).body.data).toHaveLength(1);
    });
  });
});
