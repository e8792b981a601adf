import { defaultPermissions, type Permission } from '@gatehouse/contract';
import { describe, expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { dumpSite } from '../../../test/contract/dump.ts';
import { aDomain, aMember, aSession, everyItem, unknownId } from '../../../test/contract/given.ts';
import { day, hour, movableTime } from '../../../test/movable-time.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { emailTo, everyLoginRequestProcessed, Visitor } from '../../../test/visitor.ts';

const minute = 60_000;

forEachStore((store) => {
  const settings = { loginLimit: 0, loginLimitClient: 0 };
  const server = useTestServer(store, { settings });
  const { clock, advance } = movableTime();
  /** Emails are sent by the real clock: tests that wait for one must not advance the clock. */
  const laterServer = useTestServer(store, { clock, settings });
  const purgeNow = () => purgeExpired(laterServer.database, clock);

  const idsOf = async (site: TestSite, memberId: string) =>
    (await everyItem(site, `/members/${memberId}/sessions`)).map(({ id }) => id);
  const isIn = async (site: TestSite, token: string) =>
    (await site.post('/sessions/verify', { token })).body.data.session !== null;

  async function someSessions(site: TestSite, memberId: string, count: number) {
    const sessions = [];
    for (let index = 0; index < count; index += 1) sessions.push(await aSession(site, memberId));
    return sessions;
  }

  describe('the sessions of a member', () => {
    test('are returned with their browser and times, but never with their token', async () => {
      const site = await server.createSite();
      const member = await aMember(site);
      const visitor = new Visitor(site);
      await visitor.requestLink(member.email);
      const { path } = await emailTo(server, member.email);
      const before = Date.now();
      await visitor.post(path, {}, { 'user-agent': `Browser/1 ${'x'.repeat(400)}` });
      const answer = await site.get(`/members/${member.id}/sessions`);
      const [session, ...others] = expectResponse('listMemberSessions', answer, 200).data;
      expect(others).toEqual([]);
      expect(session).toMatchObject({ memberId: member.id, ipAddress: '127.0.0.1' });
      expect(session.userAgent).toBe(`Browser/1 ${'x'.repeat(290)}`);
      expect(session.lastSeenAt).toBe(session.createdAt);
      expect(Date.parse(session.createdAt)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(30 * day);
      expect(answer.text).not.toContain(visitor.session);
    });

    test('are listed newest first, page by page', async () => {
      const site = await server.createSite();
      const [member, other] = [await aMember(site), await aMember(site)];
      const sessions = await someSessions(site, member.id, 5);
      await aSession(site, other.id);
      const ids = sessions.map(({ id }) => id).reverse();
      expect(await idsOf(site, member.id)).toEqual(ids);
      const path = `/members/${member.id}/sessions?limit=2`;
      const first = await site.get(path);
      const { data, pagination } = expectResponse('listMemberSessions', first, 200);
      expect(data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
      expect(pagination).toEqual({ hasMore: true, nextCursor: ids[1] });
      expect(first.headers.get('link')).toContain(`after=${ids[1]}`);
      const second = expectResponse('listMemberSessions', await site.get(`${path}&after=${ids[1]}`), 200);
      const last = expectResponse('listMemberSessions', await site.get(`${path}&after=${ids[3]}`), 200);
      expect(second.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2, 4));
      expect(last.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(4));
      expect(last.pagination).toEqual({ hasMore: false, nextCursor: null });
    });

    test('are empty for a member who never logged in, and not found for an unknown member', async () => {
      const site = await server.createSite();
      expect(await idsOf(site, (await aMember(site)).id)).toEqual([]);
      for (const path of [`/members/${unknownId()}/sessions`, `/members/${site.siteId}/sessions`]) {
        expectResponse('listMemberSessions', await site.get(path), 404, 'member_not_found');
        expectResponse('revokeMemberSessions', await site.delete(path), 404, 'member_not_found');
        const one = await site.delete(`${path}/${unknownId()}`);
        expectResponse('revokeMemberSession', one, 404, 'member_not_found');
      }
    });

    test('can be paged after a session that has ended, for any reason, for a day', async () => {
      const site = await laterServer.createSite();
      const { id } = await aMember(site);
      const [oldest, revoked, expired] = await someSessions(site, id, 3);
      const after = (cursor: string) => site.get(`/members/${id}/sessions?after=${cursor}`);
      await site.delete(`/members/${id}/sessions/${revoked!.id}`);
      const { data } = expectResponse('listMemberSessions', await after(revoked!.id), 200);
      expect(data.map((each: { id: string }) => each.id)).toEqual([oldest!.id]);

      advance(31 * day);
      const fresh = await aSession(site, id);
      for (const purging of [false, true]) {
        if (purging) await purgeNow();
        const rest = expectResponse('listMemberSessions', await after(expired!.id), 200);
        expect(rest.data).toEqual([]);
      }
      expect(await idsOf(site, id)).toEqual([fresh.id]);
      advance(day + hour);
      expectResponse('listMemberSessions', await after(expired!.id), 400, 'invalid_cursor');
      expectResponse('listMemberSessions', await after(revoked!.id), 400, 'invalid_cursor');
    });

    test('reject a session of another member, or anything else, as a cursor', async () => {
      const site = await server.createSite();
      const [member, other] = [await aMember(site), await aMember(site)];
      await aSession(site, member.id);
      const foreign = await aSession(site, other.id);
      const ended = await aSession(site, other.id);
      await site.delete(`/members/${other.id}/sessions/${ended.id}`);
      for (const cursor of [foreign.id, ended.id, member.id, unknownId()]) {
        const answer = await site.get(`/members/${member.id}/sessions?after=${cursor}`);
        expectResponse('listMemberSessions', answer, 400, 'invalid_cursor');
      }
    });

    test('are not listed after they expire, and cannot be ended then', async () => {
      const site = await laterServer.createSite();
      const { id } = await aMember(site);
      const session = await aSession(site, id);
      advance(30 * day - minute);
      expect(await idsOf(site, id)).toEqual([session.id]);
      advance(minute);
      expect(await idsOf(site, id)).toEqual([]);
      const late = await site.delete(`/members/${id}/sessions/${session.id}`);
      expectResponse('revokeMemberSession', late, 404, 'session_not_found');
    });
  });

  describe('ending the sessions of everyone', () => {
    test('logs all members of the site out and closes their links, and keeps access tokens', async () => {
      const [site, otherSite] = [await server.createSite(), await server.createSite()];
      const [member, other] = [await aMember(site), await aMember(otherSite)];
      const sessions = [
        ...(await someSessions(site, member.id, 2)),
        await aSession(site, (await aMember(site)).id),
      ];
      const elsewhere = await aSession(otherSite, other.id);
      const visitor = new Visitor(site);
      await visitor.requestLink(member.email);
      const { path } = await emailTo(server, member.email);
      const token = await site.post(`/members/${member.id}/access-tokens`, { name: 'App' });
      const { data } = expectResponse('revokeSessions', await site.delete('/sessions'), 200);
      expect(data).toEqual({ count: 3 });
      for (const { token } of sessions) expect(await isIn(site, token)).toBe(false);
      expect(await isIn(otherSite, elsewhere.token)).toBe(true);
      expect((await visitor.get(path)).status).toBe(410);
      expect((await site.get(`/members/${member.id}/access-tokens`)).body.data).toMatchObject([
        { id: token.body.data.id },
      ]);
      const [event] = (await everyItem(site, '/events?type=site.updated')).slice(-1);
      expect(event.data).toEqual({ siteId: site.siteId, changes: [], sessionsEnded: 3 });
      const before = await everyItem(site, '/events');
      expect((await site.delete('/sessions')).body.data).toEqual({ count: 0 });
      expect(await everyItem(site, '/events')).toEqual(before);
    });

    test('needs what another primary host needs, and the permission to log members out', async () => {
      const site = await server.createSite();
      for (const lacking of ['members:block', 'site:write', 'login-links:write']) {
        const granted = ['members:block', 'site:write', 'login-links:write'].filter(
          (each) => each !== lacking,
        );
        const { secret } = await site.createKey({ permissions: granted as Permission[] });
        const answer = await site.delete('/sessions', { authorization: `Bearer ${secret}` });
        expectResponse('revokeSessions', answer, 403, 'permission_denied');
      }
    });
  });

  describe('ending sessions', () => {
    test('ends one and keeps the others', async () => {
      const site = await server.createSite();
      const { id } = await aMember(site);
      const [remaining, gone] = await someSessions(site, id, 2);
      const path = `/members/${id}/sessions/${gone!.id}`;
      expectResponse('revokeMemberSession', await site.delete(path), 204);
      expect([await isIn(site, remaining!.token), await isIn(site, gone!.token)]).toEqual([true, false]);
      expect(await idsOf(site, id)).toEqual([remaining!.id]);
      expectResponse('revokeMemberSession', await site.delete(path), 404, 'session_not_found');
    });

    test('does not affect sessions of another member', async () => {
      const site = await server.createSite();
      const [member, other] = [await aMember(site), await aMember(site)];
      const foreign = await aSession(site, other.id);
      const before = await dumpSite(server.database, site.siteId);
      const answer = await site.delete(`/members/${member.id}/sessions/${foreign.id}`);
      expectResponse('revokeMemberSession', answer, 404, 'session_not_found');
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
      await site.delete(`/members/${member.id}/sessions`);
      expect(await isIn(site, foreign.token)).toBe(true);
    });

    test('ends all of a member, and closes open login links', async () => {
      const site = await server.createSite();
      const member = await aMember(site);
      const sessions = await someSessions(site, member.id, 3);
      await new Visitor(site).requestLink(member.email);
      const { path } = await emailTo(server, member.email);
      for (let time = 0; time < 2; time += 1) {
        const answer = await site.delete(`/members/${member.id}/sessions`);
        expectResponse('revokeMemberSessions', answer, 204);
      }
      for (const { token } of sessions) expect(await isIn(site, token)).toBe(false);
      expect((await new Visitor(site).get(path)).status).toBe(410);
      expect((await new Visitor(site).post(path)).status).toBe(410);
      const again = await aSession(site, member.id);
      expect(await idsOf(site, member.id)).toEqual([again.id]);
    });

    test.each([
      ['blocking', { status: 'blocked' }],
      ['another address', { email: 'another@example.com' }],
      ['the block action', undefined],
    ])('happens with %s, for sessions, links and codes', async (_, change) => {
      const site = await server.createSite();
      const member = await aMember(site);
      const { token } = await aSession(site, member.id);
      const visitor = new Visitor(site);
      await visitor.requestLink(member.email);
      const { path, code } = await emailTo(server, member.email);
      if (change) expectResponse('updateMember', await site.patch(`/members/${member.id}`, change), 200);
      else expectResponse('blockMember', await site.request('POST', `/members/${member.id}/block`), 200);
      expect(await isIn(site, token)).toBe(false);
      expect(await idsOf(site, member.id)).toEqual([]);
      expect((await new Visitor(site).post(path)).status).toBe(410);
      await visitor.post('/_gatehouse/code', { code: code! });
      expect(visitor.session).toBeUndefined();
      await site.patch(`/members/${member.id}`, { status: 'active' });
      expect([await isIn(site, token), (await new Visitor(site).post(path)).status]).toEqual([false, 410]);
    });

    test('happens when the member is deleted', async () => {
      const site = await server.createSite();
      const member = await aMember(site);
      const { token } = await aSession(site, member.id);
      await site.delete(`/members/${member.id}`);
      expect(await isIn(site, token)).toBe(false);
      const again = await aMember(site, { email: member.email });
      expect(await idsOf(site, again.id)).toEqual([]);
      expect(await isIn(site, token)).toBe(false);
    });

    test('does not happen with other changes', async () => {
      const site = await server.createSite();
      const member = await aMember(site);
      const { token } = await aSession(site, member.id);
      const change = { displayName: 'Ada', paid: true, email: member.email.toUpperCase(), status: 'active' };
      expectResponse('updateMember', await site.patch(`/members/${member.id}`, change), 200);
      expect(await isIn(site, token)).toBe(true);
    });
  });

  describe('a login link created with an API key', () => {
    const create = (site: TestSite, memberId: string, body: object, secret = site.key) =>
      site.post(`/members/${memberId}/login-links`, body, { authorization: `Bearer ${secret}` });
    const keyWith = async (site: TestSite, ...permissions: Permission[]) =>
      (await site.createKey({ permissions })).secret;
    const linkKey = (site: TestSite) => keyWith(site, 'members:write', 'login-links:write');

    test.each([{}, { send: true }])('is emailed and not returned (%j)', async (body) => {
      const site = await server.createSite();
      const domain = await aDomain(site);
      const member = await aMember(site);
      const secret = await linkKey(site);
      const before = Date.now();
      const answer = await create(site, member.id, body, secret);
      const link = expectResponse('createMemberLoginLink', answer, 201).data;
      expect(link).toMatchObject({ memberId: member.id, url: null, sent: true });
      expect(Date.parse(link.expiresAt) - before).toBeGreaterThanOrEqual(10 * minute);
      const email = await emailTo(server, member.email);
      expect(email.url).toBe(`https://${domain}${email.path}`);
      expect(answer.text).not.toContain(email.path.split('/').at(-1));
      const visitor = new Visitor(site);
      expect((await visitor.post(email.path)).headers.location).toBe(`https://${domain}/`);
      expect(await isIn(site, visitor.session!)).toBe(true);
    });

    test.each(['login-links:send', 'members:write'] as const)(
      'is emailed for a key with only %s',
      async (permission) => {
        const site = await server.createSite();
        await aDomain(site);
        const secret = await keyWith(site, permission);
        const answer = await create(site, (await aMember(site)).id, {}, secret);
        expectResponse('createMemberLoginLink', answer, 201);
      },
    );

    test('is returned and not emailed on request, and works once', async () => {
      const site = await server.createSite();
      const domain = await aDomain(site);
      const member = await aMember(site);
      const answer = await create(site, member.id, { send: false }, await linkKey(site));
      const link = expectResponse('createMemberLoginLink', answer, 201).data;
      expect(link).toMatchObject({ memberId: member.id, sent: false });
      expect(link.url).toMatch(/^https:\/\/[^/]+\/_gatehouse\/link\/[\w-]{43}$/);
      const { host, pathname } = new URL(link.url);
      expect(host).toBe(domain);
      expect((await new Visitor(site).get(pathname)).status).toBe(200);
      expect((await new Visitor(site).post(pathname)).status).toBe(303);
      expect((await new Visitor(site).post(pathname)).status).toBe(410);
      expect((await dumpSite(server.database, site.siteId)).emails).toEqual([]);
      expect((await site.get(`/members/${member.id}`)).body.data.verified).toBe(true);
    });

    test('is not returned to a key without the permission, which the error names', async () => {
      const site = await server.createSite();
      await aDomain(site);
      const { id } = await aMember(site);
      const { secret: ordinary } = await site.createKey({ permissions: [...defaultPermissions] });
      const before = await dumpSite(server.database, site.siteId);
      for (const memberId of [id, unknownId()]) {
        const answer = await create(site, memberId, { send: false }, ordinary);
        const error = expectResponse('createMemberLoginLink', answer, 403, 'permission_denied');
        expect(error.message).toContain('login-links:write');
      }
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
      const alone = await create(site, id, { send: false }, await keyWith(site, 'login-links:write'));
      const error = expectResponse('createMemberLoginLink', alone, 403, 'permission_denied');
      expect(error.message).toContain('login-links:send');
    });

    test('works for ten minutes', async () => {
      const site = await laterServer.createSite();
      await aDomain(site);
      const { id } = await aMember(site);
      const secret = await linkKey(site);
      const make = async () =>
        new URL((await create(site, id, { send: false }, secret)).body.data.url).pathname;
      const inTime = await make();
      advance(9 * minute);
      expect((await new Visitor(site).post(inTime)).status).toBe(303);
      const late = await make();
      advance(10 * minute);
      expect((await new Visitor(site).get(late)).status).toBe(410);
      expect((await new Visitor(site).post(late)).status).toBe(410);
    });

    test('works at the same time as requested ones, and closes the oldest of more than three', async () => {
      const site = await server.createSite();
      await aDomain(site);
      const member = await aMember(site);
      const secret = await linkKey(site);
      const make = async () =>
        new URL((await create(site, member.id, { send: false }, secret)).body.data.url).pathname;
      const statuses = async (paths: readonly string[]) => {
        const list = [];
        for (const path of paths) list.push((await new Visitor(site).get(path)).status);
        return list;
      };
      const first = await make();
      await new Visitor(site).requestLink(member.email);
      const { path: requested } = await emailTo(server, member.email);
      await create(site, member.id, {});
      const { path: emailed } = await emailTo(server, member.email, 2);
      expect(await statuses([first, requested, emailed])).toEqual([200, 200, 200]);
      // Links that anyone can request are closed first, and close no others.
      const second = await make();
      expect(await statuses([first, requested, emailed, second])).toEqual([200, 410, 200, 200]);
      await new Visitor(site).requestLink(member.email);
      await everyLoginRequestProcessed(server);
      expect(await statuses([first, emailed, second])).toEqual([200, 200, 200]);
      const third = await make();
      expect(await statuses([first, emailed, second, third])).toEqual([410, 200, 200, 200]);

      expect((await new Visitor(site).post(second)).status).toBe(303);
      expect(await statuses([emailed, second, third])).toEqual([410, 410, 410]);
    });

    test('leads to the given path, and never to another site', async () => {
      const site = await server.createSite();
      const domain = await aDomain(site);
      const { id } = await aMember(site);
      const secret = await linkKey(site);
      for (const [next, location] of [
        ['/courses/rowing?week=1&a=%2F', '/courses/rowing?week=1&a=%2F'],
        ['/a/../b', '/b'],
        ['https://evil.example/', '/'],
        ['//evil.example/', '/'],
        ['/\\evil.example', '/'],
        ['courses', '/'],
        ['', '/'],
        ['/_gatehouse/logout', '/'],
      ]) {
        const answer = await create(site, id, { send: false, next }, secret);
        const { pathname } = new URL(expectResponse('createMemberLoginLink', answer, 201).data.url);
        const { headers } = await new Visitor(site).post(pathname);
        expect(headers.location, next).toBe(`https://${domain}${location}`);
      }
      for (const next of ['/a\nb', '/\u0000', `/${'x'.repeat(2_000)}`, 7, null]) {
        const answer = await create(site, id, { send: false, next }, secret);
        const error = expectResponse('createMemberLoginLink', answer, 400, 'invalid_request');
        expect(error.details[0].path).toBe('/next');
      }
    });

    test('is rejected for a blocked or unknown member, and while the site has no domain', async () => {
      const site = await server.createSite();
      const [member, blocked] = [await aMember(site), await aMember(site)];
      await site.patch(`/members/${blocked.id}`, { status: 'blocked' });
      const secret = await linkKey(site);
      const apiErrors = async (
        memberId: string,
        status: number,
        code: Parameters<typeof expectResponse>[3],
      ) => {
        const before = await dumpSite(server.database, site.siteId);
        for (const send of [true, false]) {
          const answer = await create(site, memberId, { send }, secret);
          expectResponse('createMemberLoginLink', answer, status, code);
        }
        expect(await dumpSite(server.database, site.siteId)).toEqual(before);
      };
      await apiErrors(member.id, 409, 'site_domain_missing');
      await apiErrors(blocked.id, 409, 'member_blocked');
      await apiErrors(unknownId(), 404, 'member_not_found');
      await aDomain(site);
      await apiErrors(blocked.id, 409, 'member_blocked');
      expectResponse('createMemberLoginLink', await create(site, member.id, {}, secret), 201);
    });

    test('is stored only as a hash', async () => {
      const site = await server.createSite();
      await aDomain(site);
      const { id } = await aMember(site);
      const { url } = (await create(site, id, { send: false }, await linkKey(site))).body.data;
      const { pathname } = new URL(url);
      const token = pathname.split('/').at(-1)!;
      const visitor = new Visitor(site);
      const dump = async () => JSON.stringify(await dumpSite(server.database, site.siteId));
      expect(await dump()).not.toContain(token);
      await visitor.post(pathname);
      expect(await dump()).not.toContain(visitor.session);
    });
  });
});
