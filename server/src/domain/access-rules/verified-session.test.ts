import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { dumpSite } from '../../../test/contract/dump.ts';
import { aDomain, aGroup, aLoginLink, aMember, aMembership, aSession } from '../../../test/contract/given.ts';
import { aPageCode } from '../../../test/contract/ways-in.ts';
import { day, hour, movableTime } from '../../../test/movable-time.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { generateToken } from '../sessions/token.ts';

const minute = 60_000;

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock });

  const verify = async (site: TestSite, body: object) =>
    expectResponse('verifySession', await site.post('/sessions/verify', body), 200).data;
  const loginUrl = async (site: TestSite) => `https://${await aDomain(site)}/_gatehouse/login`;

  test('a token returns the session, the member with groups, and the access decision', async () => {
    const site = await server.createSite();
    const group = await aGroup(site);
    const rule = { path: '/course', access: 'groups', groupIds: [group.id], match: 'any' };
    await site.request('PUT', '/access-rules', { body: { rules: [rule] } });
    const { id } = await aMember(site, { displayName: 'Ada', accessGroupIds: [group.id] });
    const { token } = await aSession(site, id);
    const verified = await verify(site, { token, path: '/course/week-1' });
    expect(verified).toEqual({
      session: (await site.get(`/members/${id}/sessions`)).body.data[0],
      member: (await site.get(`/members/${id}`)).body.data,
      access: { allowed: true, reason: 'group_member', rule, alternatives: null },
      loginUrl: `${await loginUrl(site)}?next=${encodeURIComponent('/course/week-1')}`,
      pageCodeUrl: null,
      accessRequestUrl: null,
      edgeToken: null,
      pageCode: null,
    });
    expect(JSON.stringify(verified)).not.toContain(token);
  });

  test('the decision depends on the method and the address of the request', async () => {
    const site = await server.createSite();
    const networks = { access: 'conditional', anyOf: [{ access: 'public', networks: ['192.0.2.0/24'] }] };
    const rules = [
      { path: '/', appliesTo: 'page', access: 'public' },
      { path: '/office', ...networks },
    ];
    await site.request('PUT', '/access-rules', { body: { rules } });
    const reason = async (request: object) => (await verify(site, request)).access.reason;
    expect(await reason({ path: '/' })).toBe('public');
    expect(await reason({ path: '/', method: 'HEAD' })).toBe('public');
    expect(await reason({ path: '/', method: 'POST' })).toBe('anonymous');
    expect(await reason({ path: '/office' })).toBe('condition_not_met');
    expect(await reason({ path: '/office', ipAddress: '192.0.2.7' })).toBe('condition_met');
    const wrong = await site.post('/sessions/verify', { path: '/office', ipAddress: '192.0.2' });
    const error = expectResponse('verifySession', wrong, 400, 'invalid_request');
    expect(error.details[0].path).toBe('/ipAddress');
  });

  test('without a path there is no access decision', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    const { token } = await aSession(site, id);
    expect(await verify(site, { token })).toMatchObject({
      session: { memberId: id },
      member: { id },
      access: null,
      loginUrl: await loginUrl(site),
    });
  });

  test('any value except the token of a valid session is an anonymous visitor', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    const { token } = await aSession(site, id);
    const link = await aLoginLink(site, id);
    const anonymous = {
      session: null,
      member: null,
      access: null,
      edgeToken: null,
      pageCode: null,
      pageCodeUrl: null,
      accessRequestUrl: null,
      loginUrl: await loginUrl(site),
    };
    expect(await verify(site, {})).toEqual(anonymous);
    const last = token.endsWith('A') ? 'B' : 'A';
    for (const wrong of [
      null,
      '',
      generateToken(),
      token.slice(0, -1),
      `${token.slice(0, -1)}${last}`,
      `${token}A`,
      ` ${token}`,
      `${token}=`,
      token.toUpperCase(),
      link,
      id,
      'x'.repeat(200),
      '\u0000',
    ]) {
      expect(await verify(site, { token: wrong }), String(wrong)).toEqual(anonymous);
    }
    expect((await verify(site, { token })).member.id).toBe(id);
  });

  test('a repeated request is evaluated again, because the member may be blocked by now', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    const { token } = await aSession(site, id);
    const headers = { 'idempotency-key': 'again' };
    const verifySession = async () =>
      (await site.post('/sessions/verify', { token }, headers)).body.data.session;
    expect(await verifySession()).not.toBeNull();
    await site.patch(`/members/${id}`, { status: 'blocked' });
    expect(await verifySession()).toBeNull();
  });

  test('an anonymous visitor has access to public paths', async () => {
    const site = await server.createSite();
    const rules = [{ path: '/open', access: 'public' }];
    await site.request('PUT', '/access-rules', { body: { rules } });
    for (const body of [{}, { token: null }, { token: generateToken() }]) {
      const open = await verify(site, { ...body, path: '/open/a' });
      expect(open.access).toEqual({ allowed: true, reason: 'public', rule: rules[0], alternatives: null });
      const denied = await verify(site, { ...body, path: '/' });
      expect(denied.access).toEqual({ allowed: false, reason: 'anonymous', rule: null, alternatives: null });
    }
  });

  test('an expired session is not valid', async () => {
    const site = await server.createSite();
    const { token } = await aSession(site, (await aMember(site)).id);
    advance(30 * day - minute);
    const { session } = await verify(site, { token });
    expect(session).not.toBeNull();
    // `lastSeenAt` is recorded a moment after the response.
    const lastSeen = async () =>
      (await site.get(`/members/${session.memberId}/sessions`)).body.data[0].lastSeenAt;
    await expect.poll(async () => clock().getTime() - Date.parse(await lastSeen())).toBeLessThan(hour);
    advance(30 * day);
    expect(await verify(site, { token, path: '/' })).toMatchObject({
      session: null,
      member: null,
      access: { allowed: false, reason: 'anonymous' },
    });
  });

  test('a blocked member is an anonymous visitor from the next request on', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    const { token } = await aSession(site, id);
    for (const status of ['blocked', 'active']) {
      await site.patch(`/members/${id}`, { status });
      const { session, member, access } = await verify(site, { token, path: '/' });
      expect([session, member, access.reason]).toEqual([null, null, 'anonymous']);
    }
  });

  test('the status of a member is read each time', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    const { token } = await aSession(site, id);
    await server.database.transaction((tx) =>
      tx.run(sql`UPDATE members SET status = 'blocked' WHERE site_id = ${site.siteId} AND id = ${id}`),
    );
    expect(await verify(site, { token, path: '/' })).toMatchObject({
      session: null,
      member: null,
      access: { allowed: false, reason: 'blocked' },
    });
  });

  test('a membership that begins or ends takes effect at the next request', async () => {
    const site = await server.createSite();
    const [group, { id }] = [await aGroup(site), await aMember(site)];
    const rules = [{ path: '/', access: 'groups', groupIds: [group.id] }];
    await site.request('PUT', '/access-rules', { body: { rules } });
    const { token } = await aSession(site, id);
    const reason = async () => (await verify(site, { token, path: '/' })).access.reason;
    expect(await reason()).toBe('not_in_groups');
    await aMembership(site, group.id, id, new Date(clock().getTime() + hour).toISOString());
    expect(await reason()).toBe('group_member');
    advance(hour);
    expect(await reason()).toBe('not_in_groups');
  });

  test('a suspended site is denied, also to logged-in members', async () => {
    const site = await server.createSite();
    const { token } = await aSession(site, (await aMember(site)).id);
    await server.database.transaction(async (tx) => {
      await tx.run(sql`UPDATE sites SET status = 'suspended' WHERE id = ${site.siteId}`);
      await tx.signal();
    });
    const { access } = await verify(site, { token, path: '/' });
    expect(access).toEqual({ allowed: false, reason: 'site_suspended', rule: null, alternatives: null });
  });

  test.each([
    ['/', ''],
    ['/courses?x=ä', ''],
    ['/courses?week=1&x=y', '?next=%2Fcourses%3Fweek%3D1%26x%3Dy'],
    ['//evil.example/', ''],
    ['https://evil.example/', ''],
    ['/_gatehouse/login', ''],
    ['/%5fgatehouse/%6cogin', ''],
    ['/caf%E9', '?next=%2Fcaf%25E9'],
    ['/_gatehouse/account', '?next=%2F_gatehouse%2Faccount'],
  ])('the URL of the login page for %j leads to no other site', async (path, query) => {
    const site = await server.createSite();
    const login = await loginUrl(site);
    expect((await verify(site, { path })).loginUrl).toBe(login + query);
  });

  test('the pages on which a visitor without access can get it are named where they help', async () => {
    const site = await server.createSite();
    const group = await aGroup(site);
    const code = await aPageCode(site);
    const byCode = { access: 'code', pageCodeIds: [code.id] };
    const rules = [
      { path: '/group', access: 'groups', groupIds: [group.id], match: 'any' },
      { path: '/code', ...byCode },
      {
        path: '/either',
        access: 'conditional',
        anyOf: [{ access: 'members', groupIds: [group.id] }, byCode],
      },
    ];
    expect((await site.request('PUT', '/access-rules', { body: { rules } })).status).toBe(200);
    const ways = async (body: object) => {
      const { pageCodeUrl, accessRequestUrl } = await verify(site, body);
      return [pageCodeUrl, accessRequestUrl];
    };
    expect(await ways({ path: '/either' })).toEqual([null, null]);
    const pages = (await loginUrl(site)).replace(/login$/, '');
    const { token } = await aSession(site, (await aMember(site)).id);
    await site.patch('/site', { allowsAccessRequests: true });
    const codeUrl = (path: string) => `${pages}page-code?next=%2F${path}`;
    const requestUrl = (path: string) => `${pages}join?next=%2F${path}`;
    expect(await ways({ token, path: '/group' })).toEqual([null, requestUrl('group')]);
    expect(await ways({ token, path: '/code' })).toEqual([codeUrl('code'), null]);
    expect(await ways({ token, path: '/either' })).toEqual([codeUrl('either'), requestUrl('either')]);
    expect(await ways({ path: '/either' })).toEqual([codeUrl('either'), null]);
    expect(await ways({ token, path: '/elsewhere' })).toEqual([null, null]);
    const form = { method: 'POST', referer: `${pages.replace('_gatehouse/', '')}form` };
    expect(await ways({ token, path: '/either', ...form })).toEqual([codeUrl('form'), requestUrl('form')]);
    await site.patch('/site', { allowsAccessRequests: false });
    expect(await ways({ token, path: '/group' })).toEqual([null, null]);
  });

  test('there is no login page without a domain, and its URL has the scheme of the site', async () => {
    const site = await server.createSite();
    expect((await verify(site, { path: '/a' })).loginUrl).toBeNull();
    const domain = `${(await site.get('/site')).body.data.slug}.localhost:8080`;
    await site.patch('/site', { domain });
    const { loginUrl: url } = await verify(site, { path: '/a' });
    expect(url).toBe(`http://${domain}/_gatehouse/login?next=%2Fa`);
  });

  test.each([
    [{ token: 'x'.repeat(201) }, '/token'],
    [{ token: 7 }, '/token'],
    [{ path: '' }, '/path'],
    [{ path: `/${'x'.repeat(4_096)}` }, '/path'],
    [{ path: null }, '/path'],
    [{ memberId: generateToken() }, '/memberId'],
  ])('%j is rejected', async (body, path) => {
    const site = await server.createSite();
    const answer = await site.post('/sessions/verify', body);
    const error = expectResponse('verifySession', answer, 400, 'invalid_request');
    expect(error.details[0].path).toBe(path);
  });

  test('the request has no side effects', async () => {
    const site = await server.createSite();
    const { token } = await aSession(site, (await aMember(site)).id);
    const before = await dumpSite(server.database, site.siteId);
    for (const body of [{}, { token }, { token, path: '/' }]) await verify(site, body);
    expect(await dumpSite(server.database, site.siteId)).toEqual(before);
  });
});
