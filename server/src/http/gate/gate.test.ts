import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { aDomain, aGroup, aLoginLink, aMember, aMembership, aSession } from '../../../test/contract/given.ts';
import { day, hour, movableTime } from '../../../test/movable-time.ts';
import { forEachStore } from '../../../test/stores.ts';
import { startTestServer, type TestServer, type TestSite, visit } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

/** A request to the gate as nginx sends it. */
async function checkGate(server: TestServer, site: TestSite, path: string, token?: string, headers = {}) {
  return visit(server.address, 'GET', '/_gatehouse/auth', {
    headers: {
      'x-forwarded-host': await aDomain(site),
      'x-original-uri': path,
      ...(token !== undefined && { cookie: `__Host-gatehouse_session=${token}` }),
      ...headers,
    },
  });
}

/** A request to the gate as Traefik and Caddy send it. */
async function forward(server: TestServer, site: TestSite, path: string, token?: string, headers = {}) {
  return visit(server.address, 'GET', '/_gatehouse/forward-auth', {
    headers: {
      'x-forwarded-host': await aDomain(site),
      'x-forwarded-uri': path,
      accept: 'text/html',
      ...(token !== undefined && { cookie: `__Host-gatehouse_session=${token}` }),
      ...headers,
    },
  });
}

const setRules = (site: TestSite, rules: unknown) =>
  site.request('PUT', '/access-rules', { body: { rules } });

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, {
    clock,
    settings: { trustedProxies: ['127.0.0.1'], loginLimitClient: 0 },
  });

  test('a site without rules denies anonymous visitors and allows members', async () => {
    const site = await server.createSite();
    const { token } = await aSession(site, (await aMember(site)).id);
    expect((await checkGate(server, site, '/')).status).toBe(401);
    expect((await checkGate(server, site, '/', token)).status).toBe(204);
  });

  test('a rule applies to a path and everything below it, down to the next rule', async () => {
    const site = await server.createSite();
    const group = await aGroup(site);
    const [inside, outside, paying] = [
      await aMember(site, { accessGroupIds: [group.id] }),
      await aMember(site),
      await aMember(site, { paid: true }),
    ];
    const rules = [
      { path: '/', access: 'public' },
      { path: '/members', access: 'members' },
      { path: '/members/course', access: 'groups', groupIds: [group.id] },
      { path: '/members/course/taster', access: 'public' },
      { path: '/paid', access: 'paying_members' },
    ];
    expect((await setRules(site, rules)).status).toBe(200);
    const tokens = [
      undefined,
      (await aSession(site, outside.id)).token,
      (await aSession(site, inside.id)).token,
      (await aSession(site, paying.id)).token,
    ];
    const statuses: Record<string, number[]> = {
      '/': [204, 204, 204, 204],
      '/elsewhere?x=/members': [204, 204, 204, 204],
      '/members': [401, 204, 204, 204],
      '/members/other': [401, 204, 204, 204],
      '/members/course': [401, 403, 204, 403],
      '/members/course/week-1?lang=en': [401, 403, 204, 403],
      '/members/course/taster/a': [204, 204, 204, 204],
      '/paid': [401, 403, 403, 204],
      '/members/../paid': [403, 403, 403, 403],
    };
    for (const [path, expected] of Object.entries(statuses)) {
      const found = [];
      for (const token of tokens) found.push((await checkGate(server, site, path, token)).status);
      expect([path, found]).toEqual([path, expected]);
    }
  });

  test('a change of access takes effect at the next request', async () => {
    const site = await server.createSite();
    const group = await aGroup(site);
    await setRules(site, [{ path: '/', access: 'groups', groupIds: [group.id] }]);
    const member = await aMember(site);
    const { token } = await aSession(site, member.id);
    const status = async () => (await checkGate(server, site, '/', token)).status;
    expect(await status()).toBe(403);
    await aMembership(site, group.id, member.id);
    expect(await status()).toBe(204);
    await site.delete(`/access-groups/${group.id}/members/${member.id}`);
    expect(await status()).toBe(403);
    await setRules(site, [{ path: '/', access: 'members' }]);
    expect(await status()).toBe(204);
    await site.patch(`/members/${member.id}`, { status: 'blocked' });
    expect(await status()).toBe(401);
    await site.patch(`/members/${member.id}`, { status: 'active' });
    expect(await status()).toBe(401);
  });

  test.each([{ domain: `moved-${Date.now()}.example.com` }, { scheme: 'http' }])(
    'a change of the site’s address to %j ends sessions and login links',
    async (change) => {
      const site = await server.createSite();
      const member = await aMember(site);
      const [{ token }, link] = [await aSession(site, member.id), await aLoginLink(site, member.id)];
      expect((await checkGate(server, site, '/', token)).status).toBe(204);
      expect((await site.patch('/site', { title: 'Moved' })).status).toBe(200);
      expect((await checkGate(server, site, '/', token)).status).toBe(204);
      expect((await site.patch('/site', change)).status).toBe(200);
      const cookie = `gatehouse_session=${token}; __Host-gatehouse_session=${token}`;
      expect((await checkGate(server, site, '/', undefined, { cookie })).status).toBe(401);
      expect((await site.visit('POST', `/_gatehouse/link/${link}`)).status).toBe(410);
    },
  );

  test('the headers never exceed nginx’s default limit, whatever the names', async () => {
    const site = await server.createSite();
    const groups = [
      await aGroup(site, { name: 'あ'.repeat(100) }),
      await aGroup(site, { name: 'い'.repeat(100) }),
    ];
    const accessGroupIds = groups.map(({ id }) => id);
    const member = await aMember(site, { displayName: '😀'.repeat(200), accessGroupIds });
    const { headers } = await checkGate(server, site, '/', (await aSession(site, member.id)).token);
    expect(JSON.stringify(headers).length).toBeLessThan(4_000);
    expect(headers['remote-name']).not.toBe('');
    expect(headers['remote-groups']).not.toBe('');
    expect('😀'.repeat(200).startsWith(decodeURIComponent(headers['remote-name'] as string))).toBe(true);
  });

  test('an expired membership gives no access', async () => {
    const site = await server.createSite();
    const [group, member] = [await aGroup(site), await aMember(site)];
    await setRules(site, [{ path: '/', access: 'groups', groupIds: [group.id] }]);
    await aMembership(site, group.id, member.id, new Date(clock().getTime() + hour).toISOString());
    const { token } = await aSession(site, member.id);
    expect((await checkGate(server, site, '/', token)).status).toBe(204);
    advance(hour);
    expect((await checkGate(server, site, '/', token)).status).toBe(403);
  });

  test('names the member in headers that no name can break out of', async () => {
    const site = await server.createSite();
    const [one, two] = [await aGroup(site, { name: 'Kurs, Ä & B' }), await aGroup(site, { name: 'Z' })];
    const member = await aMember(site, {
      displayName: 'Ada "Ä" Lovelace; Remote-User: x',
      accessGroupIds: [one.id, two.id],
    });
    const { token } = await aSession(site, member.id);
    const { headers } = await checkGate(server, site, '/', token, { 'remote-user': 'someone' });
    expect(headers['remote-user']).toBe(member.id);
    expect(headers['remote-email']).toBe(member.email);
    expect(decodeURIComponent(headers['remote-name'] as string)).toBe(member.displayName);
    expect(headers['remote-name']).toMatch(/^[\w%.!~*'()-]+$/);
    expect((headers['remote-groups'] as string).split(',').map(decodeURIComponent)).toEqual([
      'Kurs, Ä & B',
      'Z',
    ]);
  });

  test('forward-auth redirects an anonymous visitor to the login page and back, and shows a member the reason', async () => {
    const site = await server.createSite();
    await setRules(site, [{ path: '/', access: 'paying_members' }]);
    const anonymous = await forward(server, site, '/course?week=1&x=y');
    expect(anonymous.status).toBe(302);
    const login = new URL(anonymous.headers.location!);
    expect([login.host, login.pathname, login.searchParams.get('next')]).toEqual([
      await aDomain(site),
      '/_gatehouse/login',
      '/course?week=1&x=y',
    ]);
    const { token } = await aSession(site, (await aMember(site)).id);
    const member = await forward(server, site, '/course', token);
    expect([member.status, member.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
    expect(member.headers['content-security-policy']).toContain("default-src 'none'");
    const program = await forward(server, site, '/api', undefined, { 'sec-fetch-mode': 'cors' });
    expect(program.status).toBe(401);
    expect((await forward(server, site, '/api', undefined, { accept: 'application/json' })).status).toBe(401);
  });

  test('accepts only requests of trusted proxies', async () => {
    const site = await server.createSite();
    await setRules(site, [{ path: '/', access: 'public' }]);
    const distrustful = await startTestServer(store, { databaseUrl: server.databaseUrl });
    expect((await checkGate(distrustful, site, '/')).status).toBe(403);
    expect((await forward(distrustful, site, '/')).status).toBe(403);
    await distrustful.stop();
    expect((await checkGate(server, site, '/')).status).toBe(204);
  });

  test('a rule for a page applies alone only if the proxy names the method, each in its own way', async () => {
    const site = await server.createSite();
    const host = { 'x-forwarded-host': await aDomain(site) };
    await setRules(site, [{ path: '/', appliesTo: 'page', access: 'public' }]);
    const status = async (target: string, headers: object) =>
      (await visit(server.address, 'GET', `/_gatehouse/${target}`, { headers: { ...host, ...headers } }))
        .status;
    const [original, forwarded] = [
      { 'x-original-uri': '/' },
      { 'x-forwarded-uri': '/', accept: 'text/plain' },
    ];
    expect(await status('auth?method=GET', original)).toBe(204);
    expect(await status('forward-auth', { ...forwarded, 'x-forwarded-method': 'GET' })).toBe(204);
    const forged = { 'x-original-method': 'GET', 'x-forwarded-method': 'GET' };
    expect(await status('auth', { ...original, ...forged })).toBe(401);
    expect(await status('auth?method=POST', { ...original, ...forged })).toBe(401);
    expect(await status('forward-auth?method=GET', { ...forwarded, 'x-original-method': 'GET' })).toBe(401);
    expect(await status('forward-auth', { ...forwarded, 'x-forwarded-method': 'POST, GET' })).toBe(401);
    for (const name of ['X-HTTP-Method-Override', 'x_http_method_override', 'upgrade', 'sec-websocket-key'])
      expect([name, await status('auth?method=GET', { ...original, [name]: 'x' })]).toEqual([name, 401]);
  });

  test('each kind of request reads its own header and ignores the other, which a visitor may have sent', async () => {
    const site = await server.createSite();
    await setRules(site, [{ path: '/public', access: 'public' }]);
    expect((await checkGate(server, site, '/', undefined, { 'x-forwarded-uri': '/public' })).status).toBe(
      401,
    );
    expect((await forward(server, site, '/', undefined, { 'x-original-uri': '/public' })).status).toBe(302);
    const host = { 'x-forwarded-host': await aDomain(site), 'x-forwarded-uri': '/public' };
    expect((await visit(server.address, 'GET', '/_gatehouse/auth', { headers: host })).status).toBe(403);
  });

  test.each(['', 'nowhere.example', 'a,b', ' ', 'x'.repeat(5_000)])(
    'a host that belongs to no site is denied: %j',
    async (host) => {
      const headers = { 'x-forwarded-host': host, 'x-original-uri': '/', 'x-forwarded-uri': '/' };
      for (const path of ['auth', 'forward-auth', 'denied'])
        expect((await visit(server.address, 'GET', `/_gatehouse/${path}`, { headers })).status).toBe(403);
    },
  );

  test('a client address that cannot be read is in no network', async () => {
    const site = await server.createSite();
    const rule = (networks: string[]) => ({
      path: '/',
      access: 'conditional',
      anyOf: [{ access: 'public', networks }],
    });
    expect((await setRules(site, [rule(['192.0.2.0/24'])])).status).toBe(200);
    const from = async (address: string) =>
      (await checkGate(server, site, '/', undefined, { 'x-forwarded-for': address })).status;
    expect(await from('192.0.2.7')).toBe(204);
    for (const address of ['a', '', ',', 'unknown', '192.0.2', '192.0.2.7, a', '192.0.2.7:80', '"192.0.2.7"'])
      expect([address, await from(address)]).toEqual([address, 403]);
  });

  test('a session of one site gives no access to another', async () => {
    const [site, other] = [await server.createSite(), await server.createSite()];
    const { token } = await aSession(site, (await aMember(site)).id);
    expect((await checkGate(server, other, '/', token)).status).toBe(401);
  });

  test('a host in another spelling has the same rules, or is denied', async () => {
    const site = await server.createSite();
    const group = await aGroup(site);
    await setRules(site, [{ path: '/', access: 'groups', groupIds: [group.id] }]);
    const tokens = [
      undefined,
      (await aSession(site, (await aMember(site)).id)).token,
      (await aSession(site, (await aMember(site, { accessGroupIds: [group.id] })).id)).token,
    ];
    const domain = await aDomain(site);
    const first = domain.charAt(0).toUpperCase() + domain.slice(1);
    const same = [domain, domain.toUpperCase(), first, `${domain}:443`];
    for (const host of [...same, `${domain}.`, `${domain}:1`]) {
      const statuses: number[] = [];
      for (const token of tokens)
        statuses.push((await checkGate(server, site, '/', token, { 'x-forwarded-host': host })).status);
      expect([host, statuses]).toEqual([host, same.includes(host) ? [401, 403, 204] : [403, 403, 403]]);
    }
  });

  test('a token must match exactly, and a cookie sent twice is ignored', async () => {
    const site = await server.createSite();
    const { token } = await aSession(site, (await aMember(site)).id);
    for (const wrong of [token.slice(0, -1), `${token}A`, token.toLowerCase(), '', 'x'.repeat(8_000)])
      expect((await checkGate(server, site, '/', wrong)).status).toBe(401);
    const twice = { cookie: `__Host-gatehouse_session=${token}; __Host-gatehouse_session=${token}` };
    expect((await checkGate(server, site, '/', undefined, twice)).status).toBe(401);
    const plain = { cookie: `gatehouse_session=${token}` };
    expect((await checkGate(server, site, '/', undefined, plain)).status).toBe(401);
    for (const malformed of ['%zz', '"', '\x80', ' ', '=', `"${token}"`, `${token},`, `${token} x`]) {
      const cookie = { cookie: `__Host-gatehouse_session=${malformed}` };
      expect([malformed, (await checkGate(server, site, '/', undefined, cookie)).status]).toEqual([
        malformed,
        401,
      ]);
    }
    const among = { cookie: `a=b; __Host-gatehouse_session=${token}; c=d` };
    expect((await checkGate(server, site, '/', undefined, among)).status).toBe(204);
  });

  test('a session ends thirty days after its last use, and at the latest half a year after the login', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const { token } = await aSession(site, member.id);
    const status = async () => (await checkGate(server, site, '/', token)).status;
    const lastSeen = async () => (await site.get(`/members/${member.id}/sessions`)).body.data[0]?.lastSeenAt;
    for (let month = 0; month < 6; month += 1) {
      advance(29 * day);
      // The use is written shortly after the response; not while that of the month before is still being written.
      const isWritten = async () => {
        expect(await status()).toBe(204);
        return clock().getTime() - Date.parse(await lastSeen()) < hour;
      };
      await expect.poll(isWritten).toBe(true);
    }
    advance(7 * day);
    expect(await status()).toBe(401);
    expect(await lastSeen()).toBeUndefined();

    const idle = await aSession(site, member.id);
    advance(31 * day);
    expect((await checkGate(server, site, '/', idle.token)).status).toBe(401);
  });

  test('requests of programs count as use of a session, and of the site, too', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const { token } = await aSession(site, member.id);
    const before = (await site.get(`/members/${member.id}`)).body.data;
    advance(29 * day);
    expect((await site.post('/sessions/verify', { token })).body.data.member.id).toBe(member.id);
    const lastSeen = async () => (await site.get(`/members/${member.id}/sessions`)).body.data[0].lastSeenAt;
    await expect.poll(async () => clock().getTime() - Date.parse(await lastSeen())).toBeLessThan(hour);
    const seen = (await site.get(`/members/${member.id}`)).body.data;
    expect(seen.lastSeenAt).toBe(await lastSeen());
    expect(seen.updatedAt).toBe(before.updatedAt);
    advance(29 * day);
    expect((await site.post('/sessions/verify', { token })).body.data.member.id).toBe(member.id);
  });

  test('a suspended site denies everyone', async () => {
    const site = await server.createSite();
    await setRules(site, [{ path: '/', access: 'public' }]);
    expect((await checkGate(server, site, '/')).status).toBe(204);
    const { database } = server;
    await database.transaction(async (tx) => {
      await tx.run(sql`UPDATE sites SET status = 'suspended' WHERE id = ${site.siteId}`);
      await tx.signal();
    });
    // The notice from another process arrives after a moment.
    await expect.poll(async () => (await checkGate(server, site, '/')).status).toBe(403);
    expect((await forward(server, site, '/')).status).toBe(403);
  });

  test('denied redirects an anonymous visitor to the login page, shows a member the reason, and redirects a visitor who has access by now', async () => {
    const site = await server.createSite();
    await setRules(site, [{ path: '/paid', access: 'paying_members' }]);
    const member = await aMember(site);
    const { token } = await aSession(site, member.id);
    const host = await aDomain(site);
    const denied = (headers = {}) =>
      visit(server.address, 'GET', '/_gatehouse/denied', {
        headers: {
          'x-forwarded-host': host,
          'x-original-uri': '/paid?a=b',
          accept: 'text/html',
          ...headers,
        },
      });
    const cookie = `__Host-gatehouse_session=${token}`;
    expect((await denied()).headers.location).toBe(`https://${host}/_gatehouse/login?next=%2Fpaid%3Fa%3Db`);
    expect((await denied({ cookie })).status).toBe(403);
    await site.patch(`/members/${member.id}`, { paid: true });
    const open = await denied({ cookie });
    expect([open.status, open.headers.location]).toEqual([302, `https://${host}/paid?a=b`]);
  });
});
