import type { PageCode } from '@gatehouse/contract';
import { expect, test } from 'vitest';
import { aDomain, aMember, aSession } from '../../../test/contract/given.ts';
import { aPageCode } from '../../../test/contract/ways-in.ts';
import { forEachStore } from '../../../test/stores.ts';
import { type TestServer, type TestSite, visit } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { Visitor } from '../../../test/visitor.ts';

const pass = '__Host-gatehouse_pass';
const html = { accept: 'text/html' };

/** A request to the gate as Caddy and Traefik send it. */
async function forward(
  server: TestServer,
  site: TestSite,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
) {
  const own = {
    'x-forwarded-host': await aDomain(site),
    'x-forwarded-uri': path,
    'x-forwarded-method': method,
  };
  return visit(server.address, 'GET', '/_gatehouse/forward-auth', { headers: { ...own, ...headers } });
}

/** As nginx sends it. */
async function auth(
  server: TestServer,
  site: TestSite,
  path: string,
  headers: Record<string, string>,
  kind: 'auth?method=GET' | 'denied' = 'auth?method=GET',
) {
  const own = { 'x-forwarded-host': await aDomain(site), 'x-original-uri': path };
  return visit(server.address, 'GET', `/_gatehouse/${kind}`, { headers: { ...own, ...headers } });
}

async function setRules(site: TestSite, ...rules: object[]): Promise<void> {
  await aDomain(site);
  expect((await site.request('PUT', '/access-rules', { body: { rules } })).status).toBe(200);
}

/** A browser in which a code was entered. */
async function withPass(site: TestSite, code: string): Promise<string> {
  const visitor = new Visitor(site);
  await visitor.get('/_gatehouse/page-code');
  const { status } = await visitor.post('/_gatehouse/page-code', { code });
  expect(status).toBe(303);
  return `${pass}=${visitor.cookies.get(pass)}`;
}

const identity = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('remote-'));

forEachStore((store) => {
  const server = useTestServer(store, { settings: { trustedProxies: ['127.0.0.1'] } });

  async function aSiteWithCode(access: (code: PageCode) => object) {
    const site = await server.createSite();
    const code = await aPageCode(site, { label: 'Class 7b, été' });
    await setRules(site, { path: '/class', ...access(code) });
    return { site, code };
  }
  const onlyCode = ({ id }: PageCode) => ({ access: 'code', pageCodeIds: [id] });
  const orMembers = ({ id }: PageCode) => ({
    access: 'conditional',
    anyOf: [{ access: 'members' }, { access: 'code', pageCodeIds: [id] }],
  });

  test('with a code, everyone has access: the program gets its label, and nobody a name', async () => {
    const { site, code } = await aSiteWithCode(onlyCode);
    const cookie = await withPass(site, code.code!);
    const { token } = await aSession(site, (await aMember(site)).id);
    for (const sent of [cookie, `${cookie}; __Host-gatehouse_session=${token}`])
      for (const answer of [
        await forward(server, site, '/class/1', { cookie: sent }),
        await auth(server, site, '/class/1', { cookie: sent }),
      ]) {
        expect(answer.status).toBe(204);
        expect(identity(answer.headers).sort()).toEqual([
          'remote-cache',
          'remote-credential',
          'remote-page-code',
        ]);
        expect(answer.headers['remote-page-code']).toBe('Class%207b%2C%20%C3%A9t%C3%A9');
        expect(answer.headers['remote-cache']).toBe('private');
      }
    expect((await forward(server, site, '/', { cookie })).status).toBe(401);
  });

  test('a session that suffices wins over a code', async () => {
    const { site, code } = await aSiteWithCode(orMembers);
    const cookie = await withPass(site, code.code!);
    const { id } = await aMember(site);
    const { token } = await aSession(site, id);
    const both = await forward(server, site, '/class', {
      cookie: `${cookie}; __Host-gatehouse_session=${token}`,
    });
    expect([both.status, both.headers['remote-user'], both.headers['remote-page-code']]).toEqual([
      204,
      id,
      undefined,
    ]);
    const alone = await forward(server, site, '/class', { cookie });
    expect([alone.status, alone.headers['remote-user']]).toEqual([204, undefined]);
    expect(alone.headers['remote-page-code']).toBeDefined();
  });

  test('people are sent to the page for codes, and programs get an error that they can read', async () => {
    const { site } = await aSiteWithCode(onlyCode);
    const url = `https://${await aDomain(site)}/_gatehouse/page-code?next=%2Fclass%3Fa%3D1`;
    expect((await auth(server, site, '/class?a=1', html)).status).toBe(401);
    for (const answer of [
      await forward(server, site, '/class?a=1', html),
      await auth(server, site, '/class?a=1', html, 'denied'),
    ])
      expect([answer.status, answer.headers.location]).toEqual([302, url]);
    const program = await forward(server, site, '/class?a=1', { accept: '*/*' });
    expect([program.status, JSON.parse(program.text)]).toEqual([
      401,
      { error: { code: 'page_code_required', message: `Enter a page code first: ${url}` } },
    ]);
  });

  test('who has entered the code is sent to what is missing beside it', async () => {
    const { site, code } = await aSiteWithCode(onlyCode);
    await setRules(
      site,
      { path: '/', access: 'members' },
      { path: '/class/a', appliesTo: 'page', access: 'code', pageCodeIds: [code.id] },
    );
    const cookie = await withPass(site, code.code!);
    expect((await forward(server, site, '/class/a', { cookie })).status).toBe(204);
    const { location } = (await forward(server, site, '/class/a?utm=1', { ...html, cookie })).headers;
    expect(location).toMatch(/\/_gatehouse\/login\?/);
  });

  test('where members have access too, the login page and the page without access offer a code', async () => {
    const { site } = await aSiteWithCode((code) => ({
      access: 'conditional',
      anyOf: [{ access: 'paying_members' }, { access: 'code', pageCodeIds: [code.id] }],
    }));
    const link = 'href="https://[^"]+/_gatehouse/page-code\\?next=%2Fclass&amp;login=yes"';
    const { location } = (await forward(server, site, '/class', html)).headers;
    expect(location).toMatch(/\/_gatehouse\/login\?next=%2Fclass&code=yes$/);
    const login = await site.visit('GET', new URL(location!).pathname + new URL(location!).search);
    expect(login.text).toMatch(new RegExp(link));
    expect((await site.visit('GET', '/_gatehouse/login?next=%2Fclass')).text).not.toContain('page-code');
    const { token } = await aSession(site, (await aMember(site)).id);
    const denied = await forward(server, site, '/class', {
      ...html,
      cookie: `__Host-gatehouse_session=${token}`,
    });
    expect([denied.status, denied.text]).toEqual([
      403,
      expect.stringContaining('/_gatehouse/page-code?next=%2Fclass"'),
    ]);
  });

  test('a pass is no pass when it is sent twice, without its prefix, shortened, or as another cookie', async () => {
    const { site, code } = await aSiteWithCode(onlyCode);
    const cookie = await withPass(site, code.code!);
    const token = cookie.slice(pass.length + 1);
    const wrong = [
      `${cookie}; ${cookie}`,
      `${cookie}; ${pass}=x`,
      `gatehouse_pass=${token}`,
      `__Secure-gatehouse_pass=${token}`,
      `${pass}=${token.slice(0, -1)}`,
      `${pass}=${token}A`,
      `${pass}="${token}"`,
      `__Host-gatehouse_session=${token}`,
      `__host-gatehouse_pass=${token}`,
      `${pass}=`,
    ];
    for (const each of wrong)
      expect([each, (await auth(server, site, '/class', { cookie: each })).status]).toEqual([each, 401]);
    const { token: session } = await aSession(site, (await aMember(site)).id);
    expect((await auth(server, site, '/', { cookie: `${pass}=${session}` })).status).toBe(401);
    expect((await auth(server, site, '/class', { cookie, authorization: 'Bearer gmt_wrong' })).status).toBe(
      401,
    );
    expect((await auth(server, site, '/class', { cookie })).status).toBe(204);
  });

  test.each([
    ['replaced', (site: TestSite, { id }: PageCode) => site.post(`/page-codes/${id}/replace`, {})],
    ['revoked', (site: TestSite, { id }: PageCode) => site.delete(`/page-codes/${id}`)],
    [
      'no longer in the rule',
      (site: TestSite) => site.request('PUT', '/access-rules', { body: { rules: [] } }),
    ],
  ])('a pass ends at once when its code is %s', async (_, end) => {
    const { site, code } = await aSiteWithCode(onlyCode);
    const cookie = await withPass(site, code.code!);
    expect((await auth(server, site, '/class', { cookie })).status).toBe(204);
    expect((await end(site, code)).status).toBeLessThan(300);
    expect((await auth(server, site, '/class', { cookie })).status).toBeGreaterThanOrEqual(401);
  });

  test('a page that is public for a query, but opened by a code, is for nobody else', async () => {
    const { site, code } = await aSiteWithCode(onlyCode);
    await setRules(
      site,
      { path: '/', access: 'public' },
      { path: '/', appliesTo: 'page', access: 'code', pageCodeIds: [code.id] },
    );
    const cookie = await withPass(site, code.code!);
    const { headers, status } = await forward(server, site, '/?p=7', { cookie });
    expect([status, headers['remote-cache'], headers['remote-page-code']]).toEqual([
      204,
      'private',
      expect.any(String),
    ]);
  });

  test('a rule names only codes of the site, except those that it named before', async () => {
    const { site, code } = await aSiteWithCode(orMembers);
    const other = await aPageCode(await server.createSite());
    const put = (...ids: string[]) =>
      site.request('PUT', '/access-rules', {
        body: { rules: [{ path: '/class', access: 'code', pageCodeIds: ids }] },
      });
    expect((await put(other.id)).body.error.code).toBe('page_code_not_found');
    expect((await site.delete(`/page-codes/${code.id}`)).status).toBe(204);
    expect((await put(code.id, code.id.toUpperCase())).status).toBe(200);
    expect((await site.get('/access-rules')).body.data.rules[0].pageCodeIds).toEqual([code.id]);
    const alternative = (anyOf: object) =>
      site.request('PUT', '/access-rules', {
        body: { rules: [{ path: '/', access: 'conditional', anyOf: [anyOf] }] },
      });
    for (const wrong of [
      { access: 'code' },
      { access: 'code', pageCodeIds: [code.id], groupIds: [code.id] },
      { access: 'members', pageCodeIds: [code.id] },
      { access: 'public', pageCodeIds: [code.id] },
    ])
      expect((await alternative(wrong)).body.error.code).toBe('invalid_request');
  });

  test('access checks and programs decide as the gate does', async () => {
    const { site, code } = await aSiteWithCode(orMembers);
    await setRules(site, { path: '/class', ...orMembers(code) }, { path: '/exam', ...onlyCode(code) });
    const check = async (...checks: object[]) =>
      (await site.post('/access-checks', { checks })).body.data.map(
        ({ reason, alternatives }: { reason: string; alternatives: string[] | null }) => [
          reason,
          alternatives,
        ],
      );
    const pageCodeIds = [code.id.toUpperCase()];
    const { id: memberId } = await aMember(site);
    expect(
      await check(
        { path: '/exam' },
        { path: '/exam', pageCodeIds },
        { path: '/exam', memberId },
        { path: '/class' },
        { path: '/class', pageCodeIds },
      ),
    ).toEqual([
      ['code_required', null],
      ['page_code', null],
      ['code_required', null],
      ['anonymous', ['login', 'code']],
      ['condition_met', ['login', 'met']],
    ]);
    const cookie = await withPass(site, code.code!);
    const pagePass = cookie.slice(pass.length + 1);
    const verify = async (body: object) => (await site.post('/sessions/verify', body)).body.data;
    const { token } = await aSession(site, memberId);
    const opened = await verify({ token, pagePass, path: '/exam' });
    expect([opened.access.reason, opened.pageCode, opened.member.id]).toEqual([
      'page_code',
      { id: code.id, label: code.label },
      memberId,
    ]);
    const asMember = await verify({ token, pagePass, path: '/class' });
    expect([asMember.access.allowed, asMember.pageCode]).toEqual([true, null]);
    const without = await verify({ path: '/exam' });
    expect([without.access.reason, without.pageCode, without.loginUrl]).toEqual([
      'code_required',
      null,
      expect.stringMatching(/\/_gatehouse\/page-code\?next=%2Fexam$/),
    ]);
    expect((await verify({ path: '/class' })).loginUrl).toMatch(/\/login\?next=%2Fclass&code=yes$/);
  });
});
