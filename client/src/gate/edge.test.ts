import { createHmac, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { decodeJwt, SignJWT } from 'jose';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { aPageCode } from '../../../server/test/contract/ways-in.ts';
import { forOneStore } from '../../../server/test/stores.ts';
import { useTestServer } from '../../../server/test/use-server.ts';
import { Visitor } from '../../../server/test/visitor.ts';
import { anEdgeSite, type EdgeSite, signAnything } from '../../test/edge-site.ts';
import { Gatehouse } from '../index.ts';
import { identityVerifier } from '../tokens/identity.ts';
import { gate } from './edge.ts';

const cookieName = '__Host-gatehouse_edge';
let offsetMilliseconds = 0;

forOneStore((store) => {
  const server = useTestServer(store, { clock: () => new Date(Date.now() + offsetMilliseconds) });
  beforeEach(() => {
    offsetMilliseconds = 0;
  });

  /** A worker with the gate. Requests for the public keys go to the server as if its domain existed. */
  async function aWorker(options: Partial<Parameters<typeof gate>[1]> = {}) {
    const edge = await anEdgeSite(server);
    const state = { checks: 0, isDown: false, errors: [] as unknown[] };
    const globalFetch = globalThis.fetch;
    const fetchFromWorker = async (url: string | URL | Request, init?: RequestInit) => {
      if (state.isDown) throw new TypeError('unreachable');
      if (String(url) === `${edge.origin}/_gatehouse/jwks.json`) return new Response(await edge.keySet());
      if (String(url).endsWith('/sessions/verify')) state.checks += 1;
      return globalFetch(url, init);
    };
    vi.stubGlobal('fetch', fetchFromWorker);
    onTestFinished(() => void vi.unstubAllGlobals());
    const gatehouse = new Gatehouse({
      url: server.address,
      key: edge.key,
      retries: 0,
      fetch: fetchFromWorker,
    });
    const { siteId } = edge.site;
    const onError = (error: unknown) => state.errors.push(error);
    const worker = gate(gatehouse, { siteId, origin: edge.origin, onError, ...options });
    const page = (_: Request, { memberId }: { memberId: string | null }) =>
      new Response(`The page for ${memberId}.`, { headers: { 'cache-control': 'public, max-age=60' } });
    const visit = async (
      path: string,
      cookies: string[] = [],
      init: RequestInit = {},
      origin = edge.origin,
    ) => {
      const headers = { cookie: cookies.join('; '), accept: 'text/html', ...init.headers };
      const response = await worker(new Request(origin + path, { ...init, headers }), page);
      const cookie = response.headers.get('set-cookie') ?? '';
      const token = new RegExp(`^${cookieName}=([^;]*);`).exec(cookie)?.[1];
      return { response, status: response.status, token, cookie, body: await response.text() };
    };
    /** Whether a request is allowed without asking Gatehouse. */
    const isKept = async (token: string, path = '/courses/a', session = edge.adaSession) => {
      const before = state.checks;
      const { status } = await visit(path, [session, `${cookieName}=${token}`]);
      return status === 200 && state.checks === before;
    };
    const tokenFor = async (path = '/courses/a') => (await visit(path, [edge.adaSession])).token!;
    return { edge, state, visit, isKept, tokenFor, worker };
  }

  const claimsFor = ({ site, host }: EdgeSite, token: string) => {
    const { session, sub = '' } = decodeJwt(token);
    const now = Math.floor(Date.now() / 1000);
    return {
      iss: site.siteId,
      aud: host,
      sub,
      session,
      purpose: 'edge',
      page: '/courses/a',
      iat: now,
      exp: now + 55,
    };
  };

  test('it allows and denies as the rules say, and asks again only for other pages', async () => {
    const { edge, state, visit } = await aWorker();
    const first = await visit('/courses/a?b=c', [edge.adaSession]);
    expect([first.status, first.body]).toEqual([200, `The page for ${edge.ada.id}.`]);
    expect(first.cookie).toMatch(
      /^__Host-gatehouse_edge=[\w.-]+; Path=\/; Max-Age=55; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(first.response.headers.get('cache-control')).toBe('private, max-age=60');
    const cookies = [edge.adaSession, `${cookieName}=${first.token}`];
    const again = await visit('/courses/a?b=c', cookies);
    expect([again.status, again.body, again.cookie]).toEqual([200, first.body, '']);
    expect(state.checks).toBe(1);
    for (const path of ['/courses/a', '/courses/a?b=c&d', '/courses/b?b=c', '/courses/a/?b=c'])
      expect((await visit(path, cookies)).status).toBe(200);
    expect(state.checks).toBe(5);
    expect((await visit('/courses/secret', cookies)).status).toBe(403);
    expect((await visit('/courses/a')).status).toBe(302);
    expect((await visit('/')).body).toBe('The page for null.');
    expect((await visit('/_gatehouse/account', cookies)).status).toBe(404);
  });

  test('a decision for a folder is used for everything below it, and for nothing else', async () => {
    const { edge, state, visit } = await aWorker();
    const { token } = await visit('/courses/rowing/1', [edge.adaSession]);
    const cookies = [edge.adaSession, `${cookieName}=${token}`];
    for (const path of ['/courses/rowing/2', '/courses/rowing/2/a.css?v=1', '/courses/rowing/2/'])
      expect((await visit(path, cookies)).status).toBe(200);
    expect(state.checks).toBe(1);
    const others = [
      '/courses/rowing',
      '/courses/rowing/',
      '/courses/Rowing/a',
      '/courses/rowing-club/a',
      '/courses/rowing/%2e%2e/secret',
      '/courses/rowing/a%2fb',
      '/courses/rowing//a',
      '/courses/rowing/a;b',
      '/courses/rowing/..%2fsecret',
      '/courses/rowing/a.',
      '/courses/secret/a',
      '/_gatehouse/rowing/a',
    ];
    for (const path of others) {
      const before = state.checks;
      const { status } = await visit(path, cookies);
      expect([path, state.checks > before || status === 404 || status === 400]).toEqual([path, true]);
    }
  });

  test.each([
    ['POST', {}],
    ['PUT', {}],
    ['GET', { 'x-http-method-override': 'DELETE' }],
    ['GET', { upgrade: 'websocket' }],
  ])('a decision is not used for %s with %j', async (method, headers) => {
    const { edge, state, visit } = await aWorker();
    const { token } = await visit('/courses/a', [edge.adaSession]);
    const response = await visit('/courses/a', [edge.adaSession, `${cookieName}=${token}`], {
      method,
      headers,
    });
    expect([response.status, response.token, state.checks]).toEqual([200, undefined, 2]);
  });

  test('a decision for one visitor is worth nothing to another', async () => {
    const { edge, visit, isKept, tokenFor } = await aWorker();
    const token = await tokenFor();
    expect(await isKept(token)).toBe(true);
    expect(await isKept(token, '/courses/a', edge.eveSession)).toBe(false);
    expect(await isKept(token, '/courses/a', 'a=b')).toBe(false);
    expect((await visit('/courses/a', [`${cookieName}=${token}`])).status).toBe(302);
    const twice = [edge.adaSession, edge.eveSession, `${cookieName}=${token}`];
    expect((await visit('/courses/a', twice)).status).toBe(302);
    const { token: open } = await visit('/public');
    expect(await isKept(open!, '/public', 'a=b')).toBe(true);
    expect(await isKept(open!, '/public', edge.adaSession)).toBe(false);
  });

  test('a block takes effect when the token expires, in less than a minute; a logout in the browser at once', async () => {
    const { edge, visit, isKept, tokenFor } = await aWorker();
    const token = await tokenFor();
    await edge.site.patch(`/members/${edge.ada.id}`, { status: 'blocked' });
    expect(await isKept(token)).toBe(true);
    const response = await visit('/courses/b', [edge.adaSession, `${cookieName}=${token}`]);
    expect([response.status, response.token]).toEqual([302, '']);
    expect(response.cookie).toContain('Max-Age=0');
    expect((await visit('/courses/a', [`${cookieName}=${token}`])).status).toBe(302);
  });

  test('an expired token, or one of the future, is not used', async () => {
    offsetMilliseconds = -120_000;
    const { isKept, tokenFor } = await aWorker();
    for (const [seconds, expected] of [
      [-61, false],
      [-40, true],
      [0, true],
      [10, false],
    ] as const) {
      offsetMilliseconds = seconds * 1000;
      const token = await tokenFor();
      expect(token).toMatch(/^ey/);
      expect([seconds, await isKept(token)]).toEqual([seconds, expected]);
    }
  });

  test('while Gatehouse is unavailable, only decisions that are still valid are used', async () => {
    const { edge, state, visit, isKept, tokenFor } = await aWorker();
    const token = await tokenFor();
    expect(await isKept(token)).toBe(true);
    state.isDown = true;
    expect(await isKept(token)).toBe(true);
    for (const path of ['/courses/b', '/', '/courses/a?b']) {
      const visited = await visit(path, [edge.adaSession, `${cookieName}=${token}`]);
      expect([visited.status, visited.body.includes('The page')]).toEqual([503, false]);
      expect([visited.response.headers.get('retry-after'), visited.cookie]).toEqual(['5', '']);
    }
    expect(state.errors).toHaveLength(3);
  });

  test('a worker that has no keys yet denies access while Gatehouse is unavailable', async () => {
    const { edge, state, visit } = await aWorker();
    const { token } = await visit('/courses/a', [edge.adaSession]);
    state.isDown = true;
    expect((await visit('/courses/a', [edge.adaSession, `${cookieName}=${token}`])).status).toBe(503);
  });

  test('a key that was rotated is used until it is no longer published', async () => {
    const first = await aWorker();
    const token = await first.tokenFor();
    await first.edge.site.post('/site/signing-keys', {});
    expect(await first.isKept(token)).toBe(true);
    await first.edge.site.post('/site/signing-keys', { revokeOld: true });
    // A worker that loads the keys now.
    const gatehouse = new Gatehouse({ url: server.address, key: first.edge.key });
    const { siteId } = first.edge.site;
    const later = gate(gatehouse, { siteId, origin: first.edge.origin });
    const headers = { cookie: `${first.edge.adaSession}; ${cookieName}=${token}` };
    const before = first.state.checks;
    await later(new Request(`${first.edge.origin}/courses/a`, { headers }), () => new Response('The page.'));
    expect(first.state.checks).toBe(before + 1);
  });

  test('a decision by a page code is used for the pass of the browser only, and for no member', async () => {
    const { edge, state, visit, isKept } = await aWorker();
    const code = await aPageCode(edge.site);
    await edge.site.request('PUT', '/access-rules', {
      body: { rules: [{ path: '/courses', access: 'code', pageCodeIds: [code.id] }] },
    });
    const browser = new Visitor(edge.site);
    await browser.get('/_gatehouse/page-code');
    await browser.post('/_gatehouse/page-code', { code: code.code! });
    const pass = `__Host-gatehouse_pass=${browser.cookies.get('__Host-gatehouse_pass')}`;
    const first = await visit('/courses/a', [pass, edge.adaSession]);
    expect([first.status, first.body, first.response.headers.get('cache-control')]).toEqual([
      200,
      'The page for null.',
      'private, max-age=60',
    ]);
    expect(decodeJwt(first.token!)).not.toHaveProperty('sub');
    const before = state.checks;
    const again = await visit('/courses/a', [pass, `${cookieName}=${first.token}`]);
    expect([again.status, again.body, again.response.headers.get('cache-control'), state.checks]).toEqual([
      200,
      'The page for null.',
      'private, max-age=60',
      before,
    ]);
    for (const cookies of [[], [edge.adaSession], [`${pass}x`], [pass, pass]])
      expect((await visit('/courses/a', [...cookies, `${cookieName}=${first.token}`])).status).toBe(302);
    const { pass: claim } = decodeJwt(first.token!);
    const { session: _, ...claims } = claimsFor(edge, first.token!);
    expect(
      await isKept(await signAnything(edge, { ...claims, sub: undefined, pass: claim }), '/courses/a', pass),
    ).toBe(true);
    for (const wrong of [{ pass: 'x' }, { session: claim }, { sub: edge.ada.id }])
      expect(
        await isKept(
          await signAnything(edge, { ...claims, sub: undefined, pass: claim, ...wrong }),
          '/courses/a',
          pass,
        ),
      ).toBe(false);
  });

  test.each([
    ['public, s-maxage=600', 'private'],
    ['private="x-name", public, max-age=60', 'private, max-age=60'],
    ['no-store', 'private, no-store'],
    ['', 'private'],
  ])('no shared cache stores a page of a member: %j', async (control, expected) => {
    const { edge, worker } = await aWorker();
    const ofCdns = ['CDN-Cache-Control', 'Cloudflare-CDN-Cache-Control', 'ExampleCDN-Cache-Control'];
    const names = [...ofCdns, 'Surrogate-Control', 'Edge-Control', 'Expires'];
    const headers = Object.fromEntries(names.map((name) => [name, 'max-age=600']));
    const serve = () => new Response('the page', { headers: { ...headers, 'cache-control': control } });
    const request = new Request(`${edge.origin}/courses/a`, { headers: { cookie: edge.adaSession } });
    const response = await worker(request, serve);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, expected]);
    expect(names.filter((name) => response.headers.has(name))).toEqual([]);
  });

  test('a page that is public under a condition is not for everybody', async () => {
    const { edge, visit } = await aWorker();
    const cacheControl = async () => (await visit('/open')).response.headers.get('cache-control');
    const setRule = (rule: object) =>
      edge.site.request('PUT', '/access-rules', { body: { rules: [{ path: '/open', ...rule }] } });
    await setRule({ access: 'public' });
    expect(await cacheControl()).toBe('public, max-age=60');
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await setRule({ access: 'conditional', anyOf: [{ access: 'public', until }] });
    expect(await cacheControl()).toBe('private, max-age=60');
  });

  test('at a host that the site no longer has, nobody has access', async () => {
    const { edge, state, visit } = await aWorker();
    await edge.site.patch('/site', { domain: `moved-${edge.host}` });
    const { status, token } = await visit('/');
    expect([status, token, state.errors.length]).toEqual([503, undefined, 1]);
  });

  test('each host has its own rules, and a gate answers only for its own host', async () => {
    const edge = await anEdgeSite(server);
    const forum = `forum-${edge.host}`;
    await edge.site.patch('/site', { hosts: [{ domain: edge.host }, { domain: forum }] });
    const rules = [
      { path: '/', access: 'public' },
      { path: '/', access: 'members', hosts: [forum] },
    ];
    await edge.site.request('PUT', '/access-rules', { body: { rules } });
    const gatehouse = new Gatehouse({ url: server.address, key: edge.key, retries: 0 });
    const status = async (gateHost: string, requestHost: string) => {
      const options = { siteId: edge.site.siteId, origin: `https://${gateHost}` };
      const request = new Request(`https://${requestHost}/page`, { headers: { accept: 'text/html' } });
      return (await gate(gatehouse, options)(request, () => new Response('the page'))).status;
    };
    expect(await status(edge.host, edge.host)).toBe(200);
    expect(await status(forum, forum)).toBe(302);
    expect([await status(edge.host, forum), await status(forum, edge.host)]).toEqual([421, 421]);
  });

  test('tokens for another host, site or purpose do not count', async () => {
    const { edge, state, visit, isKept, tokenFor } = await aWorker();
    const claims = claimsFor(edge, await tokenFor());
    expect(await isKept(await signAnything(edge, claims))).toBe(true);
    const wrong: object[] = [
      { aud: 'other.example.com' },
      { aud: [edge.host] },
      { aud: [edge.host, 'a'] },
      { aud: undefined },
      { iss: '01980a2f-5b10-7c55-8a01-6f0d2c9b7e11' },
      { iss: undefined },
      { iss: [claims.iss] },
      { iss: [claims.iss, 'a'] },
      { iss: ['a', claims.iss] },
      { purpose: 'identity' },
      { purpose: undefined },
      { session: undefined },
      { session: 'a' },
      { page: undefined },
      { page: '/courses/b' },
      { page: ['/courses/a'] },
      { folder: '/courses/' },
      { page: undefined, folder: '/courses' },
      { page: undefined, folder: '' },
      { page: true },
      { exp: claims.exp + 3_600 },
      { exp: undefined },
      { iat: undefined },
      { iat: claims.iat + 60 },
      { iat: claims.iat - 70, exp: claims.iat - 15 },
      { iat: 'now' },
      { nbf: claims.iat + 60 },
    ];
    for (const each of wrong)
      expect([each, await isKept(await signAnything(edge, { ...claims, ...each }))]).toEqual([each, false]);
    const token = await tokenFor();
    const cookies = [edge.adaSession, `${cookieName}=${token}`];
    const before = state.checks;
    const elsewhere = await visit('/courses/a', cookies, {}, 'https://other.example.com');
    expect([elsewhere.status, elsewhere.token, state.checks]).toEqual([421, undefined, before]);
    expect((await visit('/courses/a', [...cookies, `${cookieName}=${token}`])).token).toBeDefined();
  });

  test('no other algorithm, key or form of a token is accepted', async () => {
    const { edge, isKept, tokenFor } = await aWorker();
    const token = await tokenFor();
    const claims = claimsFor(edge, token);
    const other = generateKeyPairSync('ed25519');
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const header = { alg: 'EdDSA', typ: 'gatehouse-edge+jwt', kid: edge.keyId };
    const signed = (with_: object) =>
      new SignJWT(claims).setProtectedHeader({ ...header, ...with_ }).sign(other.privateKey);
    const jwk = { ...other.publicKey.export({ format: 'jwk' }), alg: 'EdDSA', kid: edge.keyId };
    const hmac = (alg: string, secret: string) => {
      const text = `${encode({ ...header, alg })}.${encode(claims)}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };
    const { x } = JSON.parse(await edge.keySet()).keys[0];
    const forged = [
      `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`,
      `${encode({ ...header, alg: 'none' })}.${encode(claims)}.${token.split('.')[2]}`,
      hmac('HS256', x),
      hmac('EdDSA', x),
      hmac('HS256', await edge.keySet()),
      ...(await Promise.all([
        signed({}),
        signed({ jwk }),
        signed({ kid: 'a' }),
        signed({ jku: 'https://a.example' }),
      ])),
      ...(await Promise.all(
        [
          { kid: undefined },
          { kid: '../../a' },
          { kid: '' },
          { typ: undefined },
          { typ: 'JWT' },
          { typ: 'gatehouse-identity+jwt' },
          { typ: 'GATEHOUSE-EDGE+JWT' },
          { jku: 'https://a.example' },
          { x5u: 'https://a.example' },
          { jwk },
          { cty: 'JWT' },
          { crit: ['b64'], b64: true },
        ].map((each) => signAnything(edge, claims, each)),
      )),
      '',
      '.',
      '..',
      'a.b.c',
      `${token}.`,
      `${token}.a.b`,
      ` ${token}`,
      'x'.repeat(5_000),
    ];
    for (const each of forged) expect([each, await isKept(each)]).toEqual([each, false]);
    expect(await isKept(token)).toBe(true);
  });

  test('a token that was changed anywhere is not accepted', async () => {
    const { isKept, tokenFor } = await aWorker();
    const token = await tokenFor();
    const changed = fc.tuple(fc.nat(token.length - 1), fc.constantFrom(...'AZaz09-_.='));
    await fc.assert(
      fc.asyncProperty(changed, async ([index, character]) => {
        fc.pre(token[index] !== character);
        expect(await isKept(token.slice(0, index) + character + token.slice(index + 1))).toBe(false);
      }),
      { numRuns: 60 },
    );
    for (const length of [1, 10, token.length - 1]) expect(await isKept(token.slice(0, length))).toBe(false);
  });

  test('an identity token is proof for a program, and an edge token is none', async () => {
    const { edge, isKept, tokenFor } = await aWorker();
    const { siteId } = edge.site;
    const verify = identityVerifier({ siteId, origin: edge.origin });
    const edgeToken = await tokenFor();
    const claims = {
      ...claimsFor(edge, edgeToken),
      purpose: 'identity',
      email: 'ada@example.com',
      name: 'Ada',
      groups: ['a', 'b'],
    };
    const typ = 'gatehouse-identity+jwt';
    const token = await signAnything(edge, claims, { typ });
    expect(await verify(token)).toEqual({
      memberId: edge.ada.id,
      email: 'ada@example.com',
      name: 'Ada',
      groups: ['a', 'b'],
      hasMoreGroups: false,
    });
    expect(await isKept(token)).toBe(false);
    const wrong = [
      edgeToken,
      undefined,
      null,
      '',
      `${token}, ${token}`,
      `Bearer ${token}`,
      await signAnything(edge, claims),
      await signAnything(edge, { ...claims, purpose: 'edge' }, { typ }),
      await signAnything(edge, { ...claims, sub: undefined }, { typ }),
      await signAnything(edge, { ...claims, groups: 'a,b' }, { typ }),
      await signAnything(edge, { ...claims, aud: 'other.example.com' }, { typ }),
    ];
    for (const each of wrong) expect([each, await verify(each)]).toEqual([each, undefined]);
    const otherHost = identityVerifier({
      siteId,
      origin: 'https://other.example.com',
      keysUrl: `${edge.origin}/_gatehouse/jwks.json`,
    });
    expect(await otherHost(token)).toBeUndefined();
  });

  test('a site without https cannot be at the edge', () => {
    const gatehouse = new Gatehouse({ url: server.address, key: 'gate_test' });
    expect(() => gate(gatehouse, { siteId: 'a', origin: 'http://a.example' })).toThrow('https://');
  });
});
