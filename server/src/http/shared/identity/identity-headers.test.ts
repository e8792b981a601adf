import { defaultIdentityHeaders, isReservedHeaderName } from '@gatehouse/contract/identity-headers';
import fc from 'fast-check';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../../../contract/test/any-character.ts';
import { expectResponse } from '../../../../test/contract/answers.ts';
import { aDomain, aGroup, aMember, aSession, everyItem } from '../../../../test/contract/given.ts';
import { movableTime } from '../../../../test/movable-time.ts';
import { forEachStore, forOneStore } from '../../../../test/stores.ts';
import { type TestServer, type TestSite, visit } from '../../../../test/test-server.ts';
import { useTestServer } from '../../../../test/use-server.ts';
import type { Visitor } from '../../../domain/access-rules/visitor.ts';
import { identityHeaders } from './identity-headers.ts';
import type { IdentityTokens } from './identity-tokens.ts';

/** The headers of the gate for a new member. */
async function headersFor(server: TestServer, site: TestSite, values: Parameters<typeof aMember>[1] = {}) {
  const { token } = await aSession(site, (await aMember(site, values)).id);
  return headersOf(server, site, token);
}

async function headersOf(server: TestServer, site: TestSite, token: string) {
  const { status, headers } = await visit(server.address, 'GET', '/_gatehouse/auth', {
    headers: {
      'x-forwarded-host': await aDomain(site),
      'x-original-uri': '/',
      cookie: `__Host-gatehouse_session=${token}`,
    },
  });
  expect(status).toBe(204);
  return headers as Record<string, string>;
}

const setHeaders = (site: TestSite, changes: object) =>
  site.patch('/site', { identityHeaders: { ...defaultIdentityHeaders, ...changes } });
const utf8 = (value: string) => Buffer.from(value, 'latin1').toString('utf8');

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock, settings: { trustedProxies: ['127.0.0.1'] } });

  test('the names of the headers are settings, and a header without a name is not sent', async () => {
    const site = await server.createSite();
    expect((await site.get('/site')).body.data.identityHeaders).toEqual(defaultIdentityHeaders);
    const names = { user: 'X-WebAuth-User', email: null, groups: 'x-webauth-groups' };
    const { data } = expectResponse('updateSite', await setHeaders(site, names), 200);
    expect(data.identityHeaders).toEqual({
      encoding: 'percent',
      user: 'x-webauth-user',
      email: null,
      name: 'remote-name',
      groups: 'x-webauth-groups',
      signed: null,
    });
    const headers = await headersFor(server, site, { displayName: 'Ada' });
    expect(headers).toMatchObject({ 'remote-name': 'Ada', 'x-webauth-groups': '' });
    expect(headers['x-webauth-user']).toMatch(/^[\w-]{36}$/);
    for (const name of ['remote-user', 'remote-email', 'remote-groups', 'gatehouse-identity'])
      expect(headers).not.toHaveProperty(name);
    expectResponse('updateSite', await setHeaders(site, {}), 200);
    expect(await headersFor(server, site)).toHaveProperty('remote-user');
    const events = await everyItem(site, '/events?type=site.updated');
    expect(events.flatMap((event) => event.data.changes).map(({ field }) => field)).toEqual(
      expect.arrayContaining(['identityHeaders']),
    );
  });

  test('an identity token proves who the member is, and follows every change', async () => {
    const site = await server.createSite();
    const host = await aDomain(site);
    expectResponse(
      'updateSite',
      await setHeaders(site, { signed: 'gatehouse-identity' }),
      409,
      'signing_key_missing',
    );
    await site.post('/site/signing-keys', {});
    expectResponse('updateSite', await setHeaders(site, { signed: 'gatehouse-identity' }), 200);
    const [one, two] = [await aGroup(site), await aGroup(site)];
    const member = await aMember(site, { displayName: 'Ada Ä', accessGroupIds: [one.id] });
    const { token: session } = await aSession(site, member.id);
    const identity = async () => (await headersOf(server, site, session))['gatehouse-identity']!;
    const token = await identity();
    const keySet = JSON.parse((await site.visit('GET', '/_gatehouse/jwks.json')).text);
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keySet), {
      currentDate: clock(),
    });
    expect(protectedHeader).toEqual({
      alg: 'EdDSA',
      typ: 'gatehouse-identity+jwt',
      kid: keySet.keys[0].kid,
    });
    expect(payload).toEqual({
      iss: site.siteId,
      aud: host,
      sub: member.id,
      purpose: 'identity',
      email: member.email,
      name: 'Ada Ä',
      groups: [one.name],
      iat: expect.any(Number),
      exp: payload.iat! + 55,
    });
    expect(await identity()).toBe(token);
    await site.post(`/access-groups/${two.id}/members`, { memberId: member.id });
    expect((decodeJwt(await identity()).groups as string[]).sort()).toEqual([one.name, two.name].sort());
    advance(10_000);
    const later = await identity();
    expect(decodeJwt(later).iat).toBe(payload.iat! + 10);
    await site.post('/site/signing-keys', { revokeOld: true });
    const renewed = await identity();
    await expect(jwtVerify(renewed, createLocalJWKSet(keySet))).rejects.toThrow();
  });
});

forOneStore((store) => {
  const server = useTestServer(store, { settings: { trustedProxies: ['127.0.0.1'] } });

  test.each([
    'cookie',
    'Set-Cookie',
    'authorization',
    'Host',
    'Content-Length',
    'content-anything',
    'Connection',
    'transfer-encoding',
    'te',
    'Upgrade',
    'X-Forwarded-For',
    'x-forwarded-user',
    'Sec-Fetch-Site',
    'Location',
    'proxy',
    'Proxy-Authorization',
    'X-Real-IP',
    'X-Original-URL',
    'X-Rewrite-URL',
    'via',
    'X-HTTP-Method-Override',
    'X-Accel-Redirect',
    'X-Sendfile',
    'cache-control',
    'If-Match',
    'Range',
    'x-middleware-subrequest',
    'CF-Connecting-IP',
    'keep-alive',
    'Expect',
    'x-gatehouse-visitor',
  ])('no identity header can be named %s', async (name) => {
    const site = await server.createSite();
    const answer = await setHeaders(site, { user: name });
    expectResponse('updateSite', answer, 400, 'invalid_request');
    expect(answer.body.error.details).toMatchObject([{ path: '/identityHeaders/user' }]);
  });

  test.each([
    '',
    'a b',
    'a:b',
    'remote_user',
    '-a',
    'a-',
    'a--b',
    '1a',
    'é',
    'a\r\nb',
    'a,b',
    '__proto__',
    'x'.repeat(65),
  ])('%j is not the name of a header', async (name) => {
    const site = await server.createSite();
    expectResponse('updateSite', await setHeaders(site, { email: name }), 400, 'invalid_request');
  });

  test('two headers cannot have the same name in any case', async () => {
    const site = await server.createSite();
    await site.post('/site/signing-keys', {});
    for (const change of [{ user: 'Remote-Email' }, { signed: 'remote-groups' }, { name: 'REMOTE-USER' }])
      expectResponse('updateSite', await setHeaders(site, change), 400, 'invalid_request');
  });

  test('in UTF-8, names are readable, and no name of a group can be read as two', async () => {
    const site = await server.createSite();
    expectResponse('updateSite', await setHeaders(site, { encoding: 'utf8' }), 200);
    const groups = [];
    for (const name of ['Kurs, Ä & B', '100 %2C', 'あ']) groups.push(await aGroup(site, { name }));
    const headers = await headersFor(server, site, {
      displayName: 'Ada, "Ä" 😀',
      accessGroupIds: groups.map(({ id }) => id),
    });
    expect(utf8(headers['remote-name']!)).toBe('Ada, "Ä" 😀');
    expect(utf8(headers['remote-groups']!).split(',').sort()).toEqual(['100 %252C', 'Kurs%2C Ä & B', 'あ']);
  });

  test.each(['percent', 'utf8'])('with a token, the headers in %s stay below 4 KiB', async (encoding) => {
    const site = await server.createSite();
    await site.post('/site/signing-keys', {});
    const long = (index: number) => `x${index}`.padEnd(64, 'x');
    const names = { user: long(1), email: long(2), name: long(3), groups: long(4), signed: long(5) };
    const domain = `${encoding}${'d'.repeat(50)}.${'e'.repeat(60)}.${'f'.repeat(60)}.${'g'.repeat(60)}.org`;
    expectResponse('updateSite', await site.patch('/site', { domain }), 200);
    expectResponse('updateSite', await setHeaders(site, { ...names, encoding }), 200);
    const groups = [];
    for (const letter of ['あ', '😀', '"']) groups.push(await aGroup(site, { name: letter.repeat(100) }));
    const member = {
      email: `${'m'.repeat(64)}@${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(63)}.org`,
      displayName: '😀'.repeat(200),
      accessGroupIds: groups.map(({ id }) => id),
    };
    const headers = await headersFor(server, site, member);
    const length = Object.entries(headers).reduce(
      (sum, [name, value]) => sum + name.length + value.length + 4,
      0,
    );
    expect(length).toBeLessThan(3_900);
    const claims = decodeJwt(headers[names.signed]!);
    expect(claims).toMatchObject({ aud: domain, email: member.email, more_groups: true });
  });

  test('an identity token is not accepted by the gate as a session', async () => {
    const site = await server.createSite();
    await site.post('/site/signing-keys', {});
    const host = await aDomain(site);
    await setHeaders(site, { signed: 'gatehouse-identity' });
    const headers = await headersFor(server, site);
    const token = headers['gatehouse-identity']!;
    const forged = [
      { cookie: `__Host-gatehouse_session=${token}` },
      { 'gatehouse-identity': token },
      { cookie: `__Host-gatehouse_edge=${token}` },
    ];
    for (const each of forged) {
      const { status } = await visit(server.address, 'GET', '/_gatehouse/auth', {
        headers: { 'x-forwarded-host': host, 'x-original-uri': '/', ...each },
      });
      expect(status).toBe(401);
    }
  });
});

const noTokens = { tokenFor: async () => undefined } as unknown as IdentityTokens;
const texts = fc.string({ unit: anyCharacter, maxLength: 120 });
const hostileTexts = fc.string({
  unit: fc.constantFrom(...'a,%\r\n\0\t 💙é\u2028\u0085\ud800'),
  maxLength: 60,
});
const anyText = fc.oneof(texts, hostileTexts);

async function headersWith(encoding: 'percent' | 'utf8', displayName: string, groupNames: string[]) {
  const identity = { ...defaultIdentityHeaders, encoding };
  const visitor = { status: 'active', memberId: 'm', email: 'a@b.c', displayName, groupNames };
  return identityHeaders({ identityHeaders: identity } as never, visitor as unknown as Visitor, noTokens);
}

test('no name can end a header or add a value, whatever its characters are', async () => {
  const safe = { percent: /^[\x21-\x7e]*$/, utf8: /^(?:[\x21-\x7e\x80-\xff][\x20-\x7e\x80-\xff]*)?$/ };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('percent' as const, 'utf8' as const),
      anyText,
      fc.array(
        anyText.map((text) => `g${text}`),
        { maxLength: 6 },
      ),
      async (encoding, name, groups) => {
        const headers = await headersWith(encoding, name, groups);
        for (const value of Object.values(headers)) expect(value).toMatch(safe[encoding]);
        const list = headers['remote-groups']!;
        expect(list.length).toBeLessThanOrEqual(2_000);
        const values = list === '' ? [] : list.split(',');
        expect(values.length).toBe(groups.length);
        const decoded = values.map((value) => decodeURIComponent(encoding === 'utf8' ? utf8(value) : value));
        const wellFormed = groups.map((each) => each.toWellFormed());
        const plain = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ').trim();
        expect(decoded).toEqual(encoding === 'utf8' ? wellFormed.map(plain) : wellFormed);
      },
    ),
    { numRuns: 300 },
  );
});

test('a long list ends with a whole name', async () => {
  for (const encoding of ['percent', 'utf8'] as const) {
    const names = Array.from({ length: 100 }, (_, index) => `${index}é`.padEnd(90, 'ü'));
    const value = (await headersWith(encoding, '', names))['remote-groups']!;
    const decoded = value
      .split(',')
      .map((each) => decodeURIComponent(encoding === 'utf8' ? utf8(each) : each));
    expect(decoded.length).toBeGreaterThan(2);
    expect(names.slice(0, decoded.length)).toEqual(decoded);
  }
});

test('a long name in UTF-8 is cut between characters', async () => {
  const value = (await headersWith('utf8', `${'x'.repeat(999)}😀`, []))['remote-name']!;
  expect(utf8(value)).toBe('x'.repeat(999));
});

test('names with which Gatehouse or CGI means something else are no names of identity headers', () => {
  const names = [
    'Remote-Cache',
    'Remote-Credential',
    'Script-Name',
    'Path-Info',
    'Remote-Addr',
    'Request-Method',
    'Query-String',
    'Auth-Type',
    'Forwarded-For',
    'X-Original-User',
    'Fastly-Client-IP',
    'X-Host',
    'SSL-Client-Verify',
    'Proxy-User',
    'Host',
  ];
  for (const name of names) expect([name, isReservedHeaderName(name)]).toEqual([name, true]);
});

test('names that programs often expect are allowed', () => {
  const expected = [
    'remote-user',
    'X-Remote-User',
    'X-WebAuth-User',
    'X-Auth-Request-Email',
    'X-authentik-username',
    'gatehouse-identity',
    'auth-user',
    'X-User-Id',
    'Tailscale-User-Login',
    'x-token-subject',
  ];
  for (const name of expected) expect([name, isReservedHeaderName(name)]).toEqual([name, false]);
});
