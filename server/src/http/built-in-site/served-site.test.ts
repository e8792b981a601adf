import { beforeAll, expect, test } from 'vitest';
import { type BuiltInSite, folderOfTests, siteHost, startBuiltInSite } from '../../../test/built-in-site.ts';
import { writeSite } from '../../../test/gate/club.ts';
import { type HeaderLines, Visitor } from '../../../test/gate/visitor.ts';
import { forOneStore } from '../../../test/stores.ts';
import { send, visit } from '../../../test/test-server.ts';

const secret = 'only for members of the club';

forOneStore((store) => {
  let built: BuiltInSite;
  const folder = folderOfTests();
  beforeAll(async () => {
    writeSite(folder, secret);
    built = await startBuiltInSite(store, { siteFolder: folder, trustedProxies: ['127.0.0.9'] });
  });
  const statusAt = async (host: string, from?: string) => {
    const visitor = new Visitor({ ...built.site, host, ...(from !== undefined && { from }) });
    return (await visitor.get('/')).status;
  };
  const setDomain = (domain: string | null, scheme = 'http') =>
    built.api('PATCH', '/site', { domain, ...(domain !== null && { scheme }) });

  test('the site is served at its domain and on this machine, and at no other host', async () => {
    await built.setRules({ path: '/', access: 'public' });
    const { port } = built.site;
    for (const host of [siteHost, 'CLUB.example.org', `localhost:${port}`, `127.0.0.1:${port}`])
      expect([host, await statusAt(host)]).toEqual([host, 200]);
    const others = [
      'evil.example',
      `evil.example:${port}`,
      'localhost',
      'localhost:1',
      `${siteHost}.evil.example`,
    ];
    for (const host of [...others, `localhost.:${port}`])
      expect([host, await statusAt(host)]).toEqual([host, 421]);
    expect(await statusAt(`localhost:${port}@evil.example`)).toBe(400);
    // Through a proxy, everyone could name this machine.
    expect(await statusAt(`localhost:${port}`, '127.0.0.9')).toBe(421);
    expect(await statusAt(siteHost, '127.0.0.9')).toBe(200);
  });

  test('a proxy finds the login pages at the port of the API, as the guides for proxies say, and nobody else', async () => {
    const port = Number(new URL(built.server.address).port);
    const login = async (host: string, from: string, headers: HeaderLines = []) =>
      (await new Visitor({ port, host, from }).get('/_gatehouse/login', headers)).status;
    const named: HeaderLines = [['X-Forwarded-Host', siteHost]];
    expect(await login(siteHost, '127.0.0.9', named)).toBe(200);
    expect(await login(`127.0.0.1:${port}`, '127.0.0.9', named)).toBe(200);
    expect(await login(siteHost, '127.0.0.9')).toBe(404);
    expect(await login(siteHost, '127.0.0.1', named)).toBe(404);
    expect(await login('evil.example', '127.0.0.9', [['X-Forwarded-Host', 'evil.example']])).toBe(404);
  });

  test('a site without a domain is served on this machine, where login links lead to it', async () => {
    await built.setRules({ path: '/', access: 'members' });
    const { port } = built.site;
    await setDomain(null);
    const visitor = new Visitor({ port, host: `localhost:${port}` });
    const denied = await visitor.get('/members/');
    const url = denied.headers.get('location')!;
    expect(url).toBe(`http://localhost:${port}/_gatehouse/login?next=%2Fmembers%2F`);
    const page = await visitor.get('/_gatehouse/login');
    expect(page.status).toBe(200);
    const requested = await visitor.post('/_gatehouse/login', { email: 'ada@example.com' });
    expect(requested.status).toBe(303);
    // Without TLS the browser would not store a cookie with a prefix.
    expect(requested.cookies.join()).toMatch(/^gatehouse_login=[^;]+;(?!.*Secure)/);
    await setDomain(siteHost);
  });

  test('a site with https has secure cookies, and tells browsers to use only https', async () => {
    await setDomain(siteHost, 'https');
    await built.setRules({ path: '/', access: 'public' });
    const page = await built.anonymous().get('/');
    expect(page.headers.get('strict-transport-security')).toBe('max-age=31536000');
    const { visitor } = await built.memberWith();
    expect(visitor.cookieHeader).toMatch(/__Host-gatehouse_session=/);
    await setDomain(siteHost);
  });

  test('other hosts of the site are served too, with one login, and www. is redirected', async () => {
    const { port } = built.site;
    const forumHost = 'forum.example.net';
    const hosts = [siteHost, forumHost].map((domain) => ({ domain, scheme: 'http' }));
    await built.api('PATCH', '/site', { hosts });
    await built.setRules(
      { path: '/', access: 'public' },
      { path: '/', access: 'members', hosts: [forumHost] },
      { path: '/members', access: 'members' },
    );
    const { visitor: member } = await built.memberWith();
    const forum = new Visitor({ port, host: forumHost });
    const pathOf = (answer: { headers: ReadonlyMap<string, string> }, host: string) => {
      const { host: found, pathname, search } = new URL(answer.headers.get('location')!);
      expect(found).toBe(host);
      return pathname + search;
    };
    const denied = await forum.get('/members/news.html', [['Accept', 'text/html']]);
    const login = await forum.get(pathOf(denied, forumHost));
    const back = await member.get(pathOf(login, siteHost));
    const entered = await forum.get(pathOf(back, forumHost));
    expect(pathOf(entered, forumHost)).toBe('/members/news.html');
    expect((await forum.get('/members/news.html')).text).toContain(secret);
    await member.post('/_gatehouse/logout', {});
    expect((await forum.get('/')).status).toBe(302);
    const www = await new Visitor({ port, host: `www.${siteHost}` }).get('/public/?x=1');
    expect([www.status, pathOf(www, siteHost)]).toEqual([302, '/public/?x=1']);
    await built.setRules({ path: '/', access: 'public' });
    await built.api('PATCH', '/site', { hosts: hosts.slice(0, 1) });
  });

  test('a program has access with a token of a member, which the pages do not see', async () => {
    await built.setRules(
      { path: '/', access: 'members' },
      { path: '/public', access: 'members', acceptsTokenInUrl: true },
    );
    const { id } = await built.memberWith();
    const { secret: token } = (await built.api('POST', `/members/${id}/access-tokens`, { name: 'Reader' }))
      .body.data;
    const get = (target: string, authorization?: string) =>
      built.anonymous().get(target, authorization === undefined ? [] : [['Authorization', authorization]]);
    expect((await get('/members/news.html', `Bearer ${token}`)).text).toContain(secret);
    expect((await get(`/public/?access_token=${token}`)).text).toContain('for everybody');
    // A folder is named with a slash, and the program needs its token there.
    const folder = await get(`/public?access_token=${token}`);
    expect(folder.headers.get('location')).toBe(`/public/?access_token=${token}`);
    expect((await get(`/members/news.html?access_token=${token}`)).text).not.toContain(secret);
    // Where the query is not looked at, the token must not appear in the address of the login page.
    const login = await built
      .anonymous()
      .get(`/members/?page=2&access_token=${token}`, [['Accept', 'text/html']]);
    expect(login.headers.get('location')).toMatch(/\/_gatehouse\/login\?next=%2Fmembers%2F%3Fpage%3D2$/);
    const wrong = await get('/members/news.html', 'Bearer gmt_wrong');
    await built.setRules({ path: '/', access: 'public' });
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Basic /),
    ]);
  });

  test('the site has nothing of the dashboard, and the dashboard nothing of the site', async () => {
    const { address } = built.server;
    const dashboardHost = new URL(address).host;
    for (const target of [
      '/dashboard/',
      '/dashboard/api/me',
      '/api/v1/site',
      '/docs',
      '/healthz',
      '/readyz',
      '/readyz/writes',
    ])
      expect([target, (await built.anonymous().get(target)).status]).toEqual([target, 404]);
    const inside = ['/_gatehouse/auth', '/_gatehouse/forward-auth', '/_gatehouse/self-check/settings'];
    for (const target of inside)
      expect([target, (await built.anonymous().get(target)).status]).toEqual([target, 404]);
    for (const host of [dashboardHost, 'localhost:8080', siteHost]) {
      const page = await visit(address, 'GET', '/_gatehouse/login', { headers: { host } });
      expect([host, page.status]).toEqual([host, 404]);
    }
    const front = await visit(address, 'GET', '/', { headers: { host: dashboardHost } });
    expect([front.status, front.headers.location]).toEqual([302, '/dashboard/']);
  });

  test('the API of the dashboard answers no page of the site on another port', async () => {
    const request = (value: string | undefined, method = 'GET') =>
      send(`${built.server.address}/dashboard/api/me`, method, {
        headers: value === undefined ? {} : { 'sec-fetch-site': value },
      });
    for (const value of ['same-site', 'cross-site', 'none', 'x'])
      expect([value, (await request(value)).body.error.code]).toEqual([value, 'permission_denied']);
    for (const value of ['same-origin', undefined])
      expect([value, (await request(value)).body.error.code]).toEqual([value, 'logged_out']);
  });
});
