import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import {
  aDomain,
  aGroup,
  aMember,
  aMembership,
  anAccessToken,
  aSession,
} from '../../../test/contract/given.ts';
import { day, hour, movableTime } from '../../../test/movable-time.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { forEachStore } from '../../../test/stores.ts';
import { type TestServer, type TestSite, visit } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { formKeyIn } from '../../../test/visitor.ts';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const basic = (token: string, user = 'reader') => ({
  authorization: `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`,
});

/** A request to the gate as Caddy and Traefik send it. */
async function forward(
  server: TestServer,
  site: TestSite,
  path: string,
  headers: Record<string, string>,
  client = '192.0.2.1',
) {
  const own = {
    'x-forwarded-host': await aDomain(site),
    'x-forwarded-uri': path,
    'x-forwarded-method': 'GET',
    'x-forwarded-for': client,
  };
  return visit(server.address, 'GET', '/_gatehouse/forward-auth', { headers: { ...own, ...headers } });
}

/** A request to the gate as nginx sends it. */
async function auth(
  server: TestServer,
  site: TestSite,
  path: string,
  headers: Record<string, string>,
  kind: 'auth' | 'denied' = 'auth',
) {
  const own = {
    'x-forwarded-host': await aDomain(site),
    'x-original-uri': path,
    'x-forwarded-for': '192.0.2.2',
  };
  return visit(server.address, 'GET', `/_gatehouse/${kind}`, { headers: { ...own, ...headers } });
}

const setRules = (site: TestSite, rules: unknown) =>
  site.request('PUT', '/access-rules', { body: { rules } });

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, {
    clock,
    settings: { trustedProxies: ['127.0.0.1'], loginLimitClient: 0, rateLimitUnauthenticated: 3 },
  });

  test('a token grants what the member has at that moment, with the headers of the member', async () => {
    const site = await server.createSite();
    const group = await aGroup(site);
    await setRules(site, [{ path: '/', access: 'groups', groupIds: [group.id] }]);
    const member = await aMember(site);
    const { secret } = await anAccessToken(site, member.id);
    expect(secret).toMatch(/^gmt_[\w-]{43}$/);
    for (const headers of [bearer(secret), basic(secret), basic(secret, '')]) {
      const denied = await forward(server, site, '/feed', headers);
      expect([denied.status, denied.headers.location]).toEqual([403, undefined]);
    }
    await aMembership(site, group.id, member.id);
    for (const headers of [bearer(secret), basic(secret), basic(secret, '')]) {
      const allowed = await forward(server, site, '/feed', headers);
      expect([allowed.status, allowed.headers['remote-user']]).toEqual([204, member.id]);
      expect((await auth(server, site, '/feed', headers)).status).toBe(204);
    }
  });

  test('a token works below its prefix only, by whole names in their exact spelling', async () => {
    const site = await server.createSite();
    const { secret } = await anAccessToken(site, (await aMember(site)).id, { pathPrefix: '/Caf\u00e9/pod/' });
    const statuses: Record<string, number> = {
      '/Caf%C3%A9/pod': 204,
      '/Caf%c3%a9/pod/': 204,
      '/Caf%C3%A9/%70od/1.mp3?x=1': 204,
      '/Cafe%CC%81/pod': 401,
      '/caf%C3%A9/pod': 401,
      '/Caf%C3%A9/podcast': 401,
      '/Cafe/pod': 401,
      '/Caf%C3%A9/pod-': 401,
      '/Caf%C3%A9-/pod/x': 401,
      '/Caf%C3%A9': 401,
      '/': 401,
      '/Caf%C3%A9/pod/../x': 403,
      '/Caf%C3%A9/pod/%2e%2e/x': 403,
      '/Caf%C3%A9/pod;x': 403,
      '/Caf%C3%A9//pod': 403,
    };
    for (const [path, status] of Object.entries(statuses))
      expect([path, (await auth(server, site, path, bearer(secret))).status]).toEqual([path, status]);
  });

  test('below a path that is passed on as it is, a token counts only for the whole of it', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    await setRules(site, [
      { path: '/', access: 'members' },
      { path: '/app', access: 'members', programPaths: true, acceptsTokenInUrl: true },
    ]);
    const tokenFor = async (pathPrefix: string) =>
      (await anAccessToken(site, member.id, { pathPrefix })).secret;
    const paths = ['/app/files/a', '/app/files/a%2Fb', '/app/files;a', '/app/x', '/app'];
    for (const [prefix, status] of Object.entries({ '/': 204, '/app': 204, '/app/files': 401, '/ap': 401 })) {
      const secret = await tokenFor(prefix);
      for (const path of paths) {
        const inHeader = await auth(server, site, path, bearer(secret));
        const target = `${path}?x=1&access_token=${secret}`;
        const inQuery = await auth(server, site, target, { 'sec-fetch-mode': 'cors' });
        expect([prefix, path, inHeader.status, inQuery.status]).toEqual([prefix, path, status, status]);
      }
      expect((await auth(server, site, '/app/%2e%2e/x', bearer(secret))).status).toBe(403);
    }
  });

  test('a request with a token is decided by the token alone', async () => {
    const site = await server.createSite();
    const { token } = await aSession(site, (await aMember(site)).id);
    const cookie = `__Host-gatehouse_session=${token}`;
    expect((await auth(server, site, '/', { cookie })).status).toBe(204);
    expect((await auth(server, site, '/', { cookie, ...bearer('gmt_wrong') })).status).toBe(401);
    expect((await auth(server, site, '/', { cookie, ...basic('gmt_wrong') })).status).toBe(401);
    for (const own of [bearer('eyJhbGciOi'), basic('secret'), { authorization: 'Digest gmt_x' }])
      expect((await auth(server, site, '/', { cookie, ...own })).status).toBe(204);
  });

  test('the query counts only where a rule says so', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const { secret } = await anAccessToken(site, member.id);
    await setRules(site, [
      { path: '/', access: 'members' },
      { path: '/podcast', acceptsTokenInUrl: true, access: 'members' },
      { path: '/podcast/private', access: 'members' },
      { path: '/feed.xml', appliesTo: 'page', acceptsTokenInUrl: true, access: 'members' },
    ]);
    const status = async (path: string, headers = {}) =>
      (await forward(server, site, path, { 'sec-fetch-mode': 'cors', ...headers })).status;
    expect(await status(`/podcast/1.mp3?access_token=${secret}`)).toBe(204);
    expect(await status(`/podcast/1.mp3?a=1&access_token=${secret}&b=2`)).toBe(204);
    expect(await status(`/feed.xml?access_token=${secret}`)).toBe(204);
    expect(await status(`/podcast/1.mp3?Access_Token=${secret}`)).toBe(401);
    expect(await status(`/podcast/private/1?access_token=${secret}`)).toBe(401);
    expect(await status(`/other?access_token=${secret}`)).toBe(401);
    expect(await status(`/podcast/1?access_token=${secret}&access_token=gmt_other`)).toBe(401);
    const { token } = await aSession(site, member.id);
    const cookie = `__Host-gatehouse_session=${token}`;
    expect(await status('/other?access_token=gmt_wrong', { cookie })).toBe(204);
    expect(await status('/podcast/1?access_token=gmt_wrong', { cookie })).toBe(401);
    expect(await status('/podcast/1?access_token=own', { cookie })).toBe(204);
  });

  test('a program gets a challenge and never the login page', async () => {
    const site = await server.createSite();
    await setRules(site, [
      { path: '/', access: 'members' },
      { path: '/feed', acceptsTokenInUrl: true, access: 'members' },
    ]);
    const html = { accept: 'text/html' };
    const wrong = await forward(server, site, '/x', { ...html, ...bearer('gmt_wrong') });
    expect([wrong.status, wrong.headers.location]).toEqual([401, undefined]);
    expect(wrong.headers['www-authenticate']).toMatch(/^Basic realm="[a-z0-9-]+", charset="UTF-8"$/);
    const reader = await forward(server, site, '/feed', { accept: '*/*' });
    expect([reader.status, reader.headers['www-authenticate']]).toEqual([401, expect.any(String)]);
    expect((await auth(server, site, '/feed', { accept: '*/*' }, 'denied')).status).toBe(401);
    expect((await forward(server, site, '/feed', html)).status).toBe(302);
    const scripts = [
      { 'sec-fetch-mode': 'cors' },
      { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)', 'accept-language': 'de' },
    ];
    for (const headers of scripts) {
      const script = await forward(server, site, '/feed', { accept: '*/*', ...headers });
      expect([script.status, script.headers['www-authenticate']]).toEqual([401, undefined]);
    }
  });

  test('wrong tokens are limited for a wide IPv6 network too', async () => {
    const site = await server.createSite();
    const statuses: number[] = [];
    for (let subnet = 0; subnet <= 48; subnet += 1) {
      const address = `2001:db8:77:${subnet.toString(16)}::1`;
      statuses.push((await forward(server, site, '/', bearer('gmt_wrong'), address)).status);
    }
    expect(statuses).toEqual([...Array(48).fill(401), 429]);
  });

  test('wrong tokens are limited for each address, and right ones are not', async () => {
    const site = await server.createSite();
    const { secret } = await anAccessToken(site, (await aMember(site)).id);
    const wrong = (client: string) => forward(server, site, '/', bearer('gmt_wrong'), client);
    for (let count = 0; count < 3; count += 1) expect((await wrong('192.0.2.9')).status).toBe(401);
    const limited = await wrong('192.0.2.9');
    expect([limited.status, Number(limited.headers['retry-after']) > 0]).toEqual([429, true]);
    expect((await forward(server, site, '/', bearer(secret), '192.0.2.9')).status).toBe(204);
    expect((await wrong('192.0.2.10')).status).toBe(401);
  });

  describe('a token ends', () => {
    type End = (site: TestSite, memberId: string, tokenId: string) => Promise<unknown>;
    const ends: Record<string, End> = {
      'when it is deleted': (site, id, token) => site.delete(`/members/${id}/access-tokens/${token}`),
      'with all sessions of the member': (site, id) => site.delete(`/members/${id}/sessions`),
      'when the member is blocked': (site, id) => site.post(`/members/${id}/block`, {}),
      'with another email address': (site, id) =>
        site.patch(`/members/${id}`, { email: `${id}@new.example` }),
      'with the member': (site, id) => site.delete(`/members/${id}`),
      'with another scheme of the site': (site) => site.patch('/site', { scheme: 'http' }),
      'when it expires': async () => advance(day),
    };
    test.each(Object.entries(ends))('%s, at the next request', async (_, end) => {
      const site = await server.createSite();
      const { id } = await aMember(site);
      const expiresAt = new Date(clock().getTime() + day).toISOString();
      const token = await anAccessToken(site, id, { expiresAt });
      const status = async () => (await auth(server, site, '/', bearer(token.secret))).status;
      expect(await status()).toBe(204);
      await end(site, id, token.id);
      expect(await status()).toBe(401);
    });
  });

  test('the last use is recorded at most once in an hour', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    const { secret } = await anAccessToken(site, id);
    const lastUsed = async () => (await site.get(`/members/${id}/access-tokens`)).body.data[0].lastUsedAt;
    expect(await lastUsed()).toBeNull();
    await auth(server, site, '/', bearer(secret));
    await expect.poll(lastUsed).toEqual(expect.any(String));
    const first = await lastUsed();
    advance(hour - 1_000);
    await auth(server, site, '/', bearer(secret));
    expect(await lastUsed()).toBe(first);
    advance(2_000);
    // A use is not recorded until the service knows that the one before was.
    const lastUsedAfterAnother = async () => {
      await auth(server, site, '/', bearer(secret));
      return lastUsed();
    };
    await expect.poll(async () => (await lastUsedAfterAnother()) > first).toBe(true);
  });

  test('a member has at most 20 tokens, and their secrets are never shown again', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    const tokens = [];
    for (let count = 0; count < 20; count += 1) tokens.push(await anAccessToken(site, id));
    const { secret } = await site.createKey({ permissions: ['login-links:write'] });
    const create = (body: unknown) =>
      site.request('POST', `/members/${id}/access-tokens`, { body, headers: bearer(secret) });
    expect((await create({ name: 'One more' })).body.error.code).toBe('too_many_access_tokens');
    const listed = await site.get(`/members/${id}/access-tokens?limit=100`);
    expect(listed.body.data).toHaveLength(20);
    for (const token of tokens) expect(JSON.stringify(listed.body)).not.toContain(token.secret);
    await site.delete(`/members/${id}/access-tokens/${tokens[0]!.id}`);
    for (const pathPrefix of ['/a*', '/a?b', '/a/../b', '/%61'])
      expect((await create({ name: 'x', pathPrefix })).body.error.code).toBe('invalid_request');
    expect((await create({ name: 'x', expiresAt: '2000-01-01T00:00:00Z' })).status).toBe(400);
    expect((await create({ name: 'x' })).status).toBe(201);
    await site.post(`/members/${id}/block`, {});
    expect((await create({ name: 'x' })).body.error.code).toBe('member_blocked');
  });

  test('expired tokens are deleted in the background', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    const expiresAt = new Date(clock().getTime() + day).toISOString();
    await anAccessToken(site, id, { expiresAt });
    const remaining = await anAccessToken(site, id, {});
    advance(day);
    await purgeExpired(server.database, clock);
    const rows = await server.database.all<{ id: string }>(
      sql`SELECT id FROM access_tokens WHERE site_id = ${site.siteId}`,
    );
    expect(rows).toEqual([{ id: remaining.id }]);
  });

  test('members create and delete tokens on their account page only while the site allows it', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    const headers = { cookie: `__Host-gatehouse_session=${(await aSession(site, id)).token}` };
    const send = (form: Record<string, string>) =>
      site.visit('POST', '/_gatehouse/account/access-tokens', { headers, form });
    const account = async () => (await site.visit('GET', '/_gatehouse/account', { headers })).text;
    const create = async (pathPrefix: string, days = '30') =>
      send({ name: 'My <reader>', pathPrefix, days, ...hiddenFields(await account()) });
    expect(await account()).not.toContain('access-tokens');
    expect((await create('/')).status).toBe(400);
    await site.patch('/site', { membersCreateTokens: true });
    expect((await create('no path')).status).toBe(400);
    expect((await create('/feed', '36500')).status).toBe(400);
    const form = { name: 'My <reader>', pathPrefix: '/feed', days: '30', ...hiddenFields(await account()) };
    const sent = await Promise.all([send(form), send(form)]);
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 400]);
    const [secret] = /gmt_[\w-]{43}/.exec(sent.map(({ text }) => text).join())!;
    const again = await send(form);
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('was sent before')]);
    expect((await auth(server, site, '/feed/1', bearer(secret))).status).toBe(204);
    const page = await account();
    expect(page).toContain('My &lt;reader&gt;');
    expect(page).not.toContain(secret);
    const [token, ...others] = (await site.get(`/members/${id}/access-tokens`)).body.data;
    expect([others, token.expiresAt]).toEqual([
      [],
      new Date(Date.parse(token.createdAt) + 30 * day).toISOString(),
    ]);
    expect(page).toContain(`<time datetime="${token.expiresAt}">`);
    const event = (await site.get('/events?type=access-token.created')).body.data.at(-1);
    expect(event.actor).toMatchObject({ type: 'member', id });
    await site.visit('POST', '/_gatehouse/account/access-tokens/delete', {
      headers,
      form: { id: token.id, formKey: formKeyIn(page) },
    });
    expect((await auth(server, site, '/feed/1', bearer(secret))).status).toBe(401);
    expect((await send(form)).text).toContain('was sent before');
    expect((await site.get(`/members/${id}/access-tokens`)).body.data).toEqual([]);
    expect((await create('/feed')).status).toBe(200);
    await site.patch('/site', { timeZone: 'Pacific/Auckland', languages: ['en'] });
    const feed = { name: 'Feed', expiresAt: '2099-06-30T12:00:00.000Z' };
    await site.post(`/members/${id}/access-tokens`, feed);
    expect(await account()).toContain('Valid until <time datetime="2099-06-30T12:00:00.000Z">June 30, 2099<');
  });

  test('a form that is sent again later creates no second token, also when the first one is deleted', async () => {
    const site = await server.createSite();
    await site.patch('/site', { membersCreateTokens: true });
    const { id } = await aMember(site);
    await anAccessToken(site, id);
    const headers = { cookie: `__Host-gatehouse_session=${(await aSession(site, id)).token}` };
    const page = (await site.visit('GET', '/_gatehouse/account', { headers })).text;
    const form = { name: 'Reader', pathPrefix: '/', days: '30', ...hiddenFields(page) };
    const send = () => site.visit('POST', '/_gatehouse/account/access-tokens', { headers, form });
    const tokens = async () => (await site.get(`/members/${id}/access-tokens`)).body.data;
    expect((await send()).status).toBe(200);
    await site.delete(`/members/${id}/access-tokens/${(await tokens())[0].id}`);
    for (const later of [0, day / 2, day]) {
      advance(later);
      await purgeExpired(server.database, clock);
      expect([later, (await send()).status]).toEqual([later, 400]);
    }
    expect(await tokens()).toHaveLength(1);
  });
});

/** The fields with which the form for an access token shows when it was made. */
function hiddenFields(page: string): Record<string, string> {
  const fields = page.matchAll(/<input type="hidden" name="(newest|shownAt|formKey)" value="([^"]*)">/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value]));
}
