import { describe, expect, test } from 'vitest';
import { aDomain, aMember, anAccessToken, aSession } from '../../../test/contract/given.ts';
import { forEachStore } from '../../../test/stores.ts';
import { type TestServer, type TestSite, visit } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

const preflight = {
  origin: 'https://forum.example.net',
  'access-control-request-method': 'PUT',
  'access-control-request-headers': 'content-type',
};

const marker = 'preflights=without-body';

async function viaNginx(server: TestServer, site: TestSite, path: string, method: string, headers: object) {
  const own = { 'x-forwarded-host': await aDomain(site), 'x-original-uri': path };
  const url = `/_gatehouse/auth?method=${method}&${marker}`;
  return visit(server.address, 'GET', url, { headers: { ...own, ...headers } });
}

async function viaCaddy(server: TestServer, site: TestSite, path: string, method: string, headers: object) {
  const own = {
    'x-forwarded-host': await aDomain(site),
    'x-forwarded-uri': path,
    'x-forwarded-method': method,
  };
  const url = `/_gatehouse/forward-auth?${marker}`;
  return visit(server.address, 'GET', url, { headers: { ...own, ...headers } });
}

forEachStore((store) => {
  const server = useTestServer(store, { settings: { trustedProxies: ['127.0.0.1'] } });
  const siteWith = async (...rules: object[]) => {
    const site = await server.createSite();
    expect((await site.request('PUT', '/access-rules', { body: { rules } })).status).toBe(200);
    return site;
  };
  const api = { path: '/api', access: 'members', acceptsTokenInUrl: true, preflights: true };

  describe.each([
    ['nginx', viaNginx],
    ['Caddy and Traefik', viaCaddy],
  ])('for %s', (_, check) => {
    test('a preflight passes without a visitor where the rule lets it', async () => {
      const site = await siteWith(api, { path: '/private', access: 'members' });
      const { secret } = await anAccessToken(site, (await aMember(site)).id);
      for (const path of ['/api', '/api/x?y=1', `/api?access_token=${secret}`]) {
        const { status, headers } = await check(server, site, path, 'OPTIONS', preflight);
        const identity = Object.keys(headers).filter((name) => name.startsWith('remote-'));
        expect([path, status, identity]).toEqual([path, 204, ['remote-cache', 'remote-credential']]);
      }
      for (const path of [
        '/private',
        '/',
        '/apis',
        '/API',
        '/api/../private',
        '/api//x',
        '/api;x',
        '/api%2fx',
      ])
        expect([path, (await check(server, site, path, 'OPTIONS', preflight)).status]).toEqual([
          path,
          ['/private', '/', '/apis'].includes(path) ? 401 : 403,
        ]);
    });

    test('nothing but a preflight passes', async () => {
      const site = await siteWith(api);
      const { token } = await aSession(site, (await aMember(site)).id);
      const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'TRACE', 'OPTIONSX', 'PREFLIGHT'];
      for (const method of methods)
        expect([method, (await check(server, site, '/api', method, preflight)).status]).toEqual([
          method,
          401,
        ]);
      const { origin, ...withoutOrigin } = preflight;
      const { 'access-control-request-method': _requested, ...withoutMethod } = preflight;
      const others: Record<string, object> = {
        'no origin': withoutOrigin,
        'no requested method': withoutMethod,
        'no header at all': {},
        'an empty origin': { ...preflight, origin: '' },
        'two origins': { ...preflight, origin: [origin, origin] },
        'joined origins': { ...preflight, origin: `${origin}, ${origin}` },
        'an empty requested method': { ...preflight, 'access-control-request-method': '' },
        'two requested methods': { ...preflight, 'access-control-request-method': ['GET', 'PUT'] },
        'a requested method with a space': { ...preflight, 'access-control-request-method': 'GET /' },
        'a cookie': { ...preflight, cookie: 'theme=dark' },
        'another credential': { ...preflight, authorization: 'Bearer eyJ' },
        'a wrong token': { ...preflight, authorization: 'Bearer gmt_wrong' },
        'a type': { ...preflight, 'content-type': 'application/json' },
        'another method': { ...preflight, 'x-http-method-override': 'DELETE' },
        'another method, spelled otherwise': { ...preflight, x_method_override: 'GET' },
        'an upgrade': { ...preflight, upgrade: 'h2c' },
      };
      for (const [note, headers] of Object.entries(others))
        expect([note, (await check(server, site, '/api', 'OPTIONS', headers)).status]).toEqual([note, 401]);
      // A member has access as before.
      const cookie = `__Host-gatehouse_session=${token}`;
      const ofMember = await check(server, site, '/api', 'OPTIONS', { ...preflight, cookie });
      expect([ofMember.status, ofMember.headers['remote-user']]).toEqual([204, expect.any(String)]);
    });
  });

  test('a proxy that does not keep bodies away from the program gets no preflight', async () => {
    const site = await siteWith(api);
    const host = { 'x-forwarded-host': await aDomain(site), ...preflight };
    const caddy = { 'x-forwarded-uri': '/api', 'x-forwarded-method': 'OPTIONS', ...host };
    const nginx = { 'x-original-uri': '/api', ...host };
    const status = async (url: string, headers: Record<string, string>) =>
      (await visit(server.address, 'GET', `/_gatehouse/${url}`, { headers })).status;
    expect(await status('auth?method=OPTIONS', nginx)).toBe(401);
    expect(await status('forward-auth', caddy)).toBe(401);
    for (const wrong of ['preflights', 'preflights=yes', `x${marker}`, `${marker}x`])
      expect([wrong, await status(`forward-auth?${wrong}`, caddy)]).toEqual([wrong, 401]);
  });

  test('the API answers for a preflight as the gate does', async () => {
    const site = await siteWith(api, { path: '/', access: 'paying_members' });
    const check = async (...checks: object[]) =>
      (await site.request('POST', '/access-checks', { body: { checks } })).body;
    const paths = ['/api/x', '/', '/a;b'];
    const { data } = await check(...paths.map((path) => ({ path, preflight: true })));
    expect(data.map(({ reason }: { reason: string }) => reason)).toEqual([
      'preflight',
      'anonymous',
      'ambiguous_path',
    ]);
    expect((await check({ path: '/api', method: 'OPTIONS' })).data[0].reason).toBe('anonymous');
    const { id } = await aMember(site);
    expect((await check({ path: '/api', preflight: true, memberId: id })).error.details[0].path).toBe(
      '/checks/0/preflight',
    );
    expect((await check({ path: '/api', preflight: true, method: 'GET' })).error.details[0].path).toBe(
      '/checks/0/method',
    );
    const verify = async (body: object) => (await site.post('/sessions/verify', body)).body;
    const { token } = await aSession(site, id);
    for (const sent of [null, token]) {
      const { data: verified } = await verify({
        token: sent,
        path: '/api',
        method: 'OPTIONS',
        preflight: true,
        edgeToken: true,
      });
      expect([verified.access.reason, verified.member, verified.edgeToken]).toEqual([
        'preflight',
        null,
        null,
      ]);
    }
    const { data: stored } = (await site.get('/access-rules')).body;
    expect(stored.rules).toContainEqual(api);
  });
});
