import type { AccessRule } from '@gatehouse/contract';
import fc from 'fast-check';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import { aDomain, aGroup, aMember, aSession } from '../../../test/contract/given.ts';
import { ruleTrees } from '../../../test/gate/reference.ts';
import { forEachStore, forOneStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { compileAccessTree, findRules, findUniformFolder } from './decision/access-tree.ts';
import { readPlainPath, readRequestPath } from './decision/request-path.ts';

const setRules = async (site: TestSite, rules: unknown) =>
  expect((await site.request('PUT', '/access-rules', { body: { rules } })).status).toBe(200);

async function aSignedSite(server: { createSite(): Promise<TestSite> }) {
  const site = await server.createSite();
  const host = await aDomain(site);
  expect((await site.post('/site/signing-keys', {})).status).toBe(201);
  const member = await aMember(site);
  const { token } = await aSession(site, member.id);
  const verify = async (path: string, more: object = {}) =>
    (await site.post('/sessions/verify', { token, path, edgeToken: true, ...more })).body.data;
  return { site, host, member, token, verify };
}

forEachStore((store) => {
  const server = useTestServer(store);

  test('an edge token says for which visitor, host and pages it is, for less than a minute', async () => {
    const { site, host, member, verify } = await aSignedSite(server);
    const { edgeToken } = await verify('/');
    const { id } = (await site.get('/site/signing-keys')).body.data[0];
    expect(decodeProtectedHeader(edgeToken)).toEqual({
      alg: 'EdDSA',
      typ: 'gatehouse-edge+jwt',
      kid: id,
    });
    const claims = decodeJwt(edgeToken);
    expect(claims).toEqual({
      iss: site.siteId,
      aud: host,
      sub: member.id,
      purpose: 'edge',
      page: '/',
      session: expect.stringMatching(/^[\w-]{43}$/),
      iat: expect.any(Number),
      exp: claims.iat! + 55,
    });
  });

  test('it is only signed on request, for a visitor with access', async () => {
    const { site, verify } = await aSignedSite(server);
    expect((await verify('/', { edgeToken: false })).edgeToken).toBeNull();
    expect((await site.post('/sessions/verify', { path: '/', edgeToken: true })).body.data).toMatchObject({
      access: { allowed: false },
      edgeToken: null,
    });
    expect((await site.post('/sessions/verify', { edgeToken: true })).body.data.edgeToken).toBeNull();
    await setRules(site, [{ path: '/', access: 'public' }]);
    const { edgeToken } = (await site.post('/sessions/verify', { path: '/', edgeToken: true })).body.data;
    expect(decodeJwt(edgeToken)).not.toHaveProperty('sub');
    expect(decodeJwt(edgeToken)).not.toHaveProperty('session');
  });
});

forOneStore((store) => {
  const server = useTestServer(store);

  test('a blocked member gets a token for public pages, not as a member', async () => {
    const { site, member, verify } = await aSignedSite(server);
    await setRules(site, [{ path: '/', access: 'public' }]);
    await site.patch(`/members/${member.id}`, { status: 'blocked' });
    expect(decodeJwt((await verify('/')).edgeToken)).not.toHaveProperty('sub');
  });

  test.each([
    ['another method than GET and HEAD', '/', { method: 'POST' }],
    ['a long path', `/${'a'.repeat(1_000)}`, {}],
    ['a path below a conditional rule', '/conditional/a', {}],
    ['an ambiguous path', '/a//b', {}],
    ['a path that is passed on as it is', '/app/a%2Fb', {}],
    ['any other path of a program', '/app/a', {}],
    ['the path of a program', '/app', {}],
  ])('there is none for %s', async (_, path, more) => {
    const { site, verify } = await aSignedSite(server);
    await setRules(site, [
      { path: '/', access: 'members' },
      { path: '/conditional', access: 'conditional', anyOf: [{ access: 'members' }] },
      { path: '/app', access: 'members', programPaths: true },
    ]);
    const { access, edgeToken } = await verify(path, more);
    expect([access.allowed, edgeToken]).toEqual([path !== '/a//b', null]);
  });

  test('there is none for a site without a domain', async () => {
    const { site, verify } = await aSignedSite(server);
    expect((await site.patch('/site', { domain: null })).status).toBe(200);
    expect((await verify('/')).edgeToken).toBeNull();
  });

  test('it is for a folder only where no rule has a part of it', async () => {
    const { site, member, verify } = await aSignedSite(server);
    const group = await aGroup(site);
    const scope = async (path: string) => {
      const { page, folder } = decodeJwt((await verify(path)).edgeToken);
      return { page, folder };
    };
    expect(await scope('/docs/a?b=c')).toEqual({ folder: '/' });
    await setRules(site, [
      { path: '/', access: 'members' },
      { path: '/', appliesTo: 'page', access: 'public' },
      { path: '/docs/internal', access: 'groups', groupIds: [group.id] },
      { path: '/blog/premium-*', access: 'paying_members' },
      { path: '/shop', appliesTo: 'page', access: 'public' },
    ]);
    const folders = ['/assets/a.css', '/docs/public/a/b', '/blog/free/a', '/shop/a/b'];
    for (const path of folders) expect(await scope(path)).toEqual({ folder: expect.any(String) });
    expect(await scope('/assets/css/a.css?v=1')).toEqual({ folder: '/assets/' });
    expect(await scope('/docs/public/a')).toEqual({ folder: '/docs/public/' });
    expect(await scope('/blog/free/a')).toEqual({ folder: '/blog/free/' });
    for (const page of ['/', '/about', '/docs/public', '/blog/free', '/shop', '/docs/a%20b/c', '/docs/?a=b'])
      expect(await scope(page)).toEqual({ page });
    for (const path of ['/docs-/a', '/docs/-internal/a', '/blog/premium.a/b', '/Shop/a'])
      expect([path, await verify(path)]).toMatchObject([path, { edgeToken: null }]);
    await site.patch(`/members/${member.id}`, { paid: true });
    expect(await scope('/blog/premium-a/b')).toEqual({ folder: '/blog/premium-a/' });
  });
});

const names = fc.constantFrom(
  'a',
  'A',
  '-a',
  'b',
  'b_',
  'a.html',
  'index.html',
  'premium-x',
  'premium.x',
  'c',
  '.well',
  'd.php',
);
const plainPaths = fc
  .tuple(fc.array(names, { maxLength: 4 }), fc.boolean())
  .map(([segments, slash]) => `/${segments.join('/')}${slash && segments.length > 0 ? '/' : ''}`);
const smallTrees = fc.uniqueArray(
  fc.record({
    path: fc.constantFrom(
      '/',
      '/a',
      '/a/b',
      '/b',
      '/b_/c',
      '/a.html',
      '/premium-*',
      '/a/premium-*',
      '/b/c/a',
    ),
    appliesTo: fc.constantFrom('folder' as const, 'page' as const),
  }),
  { selector: ({ path, appliesTo }) => `${path} ${appliesTo}` },
);

test('everything below such a folder follows the same rule', () => {
  const trees = fc.oneof(
    smallTrees.map((places) => places.map((place): AccessRule => ({ ...place, access: 'members' }))),
    ruleTrees,
  );
  let found = 0;
  fc.assert(
    fc.property(
      trees,
      plainPaths,
      fc.array(names, { minLength: 1, maxLength: 3 }),
      (rules, target, below) => {
        const tree = compileAccessTree(rules as AccessRule[]);
        const path = readPlainPath(target);
        const depth = path && findUniformFolder(tree, path);
        if (path === undefined || depth === undefined) return;
        found += 1;
        const folder = path.slice(0, depth);
        const expected = { page: undefined, folder: findRules(tree, path)!.folder };
        expect(findRules(tree, path)).toEqual(expected);
        expect(findRules(tree, [...folder, ...below])).toEqual(expected);
      },
    ),
    { numRuns: 2_000 },
  );
  expect(found).toBeGreaterThan(100);
});

test('a plain path is read as the gate reads it', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'/ab.%2;?#\\ -é') }), (text) => {
      const path = readPlainPath(`/${text}`);
      if (path !== undefined) expect(readRequestPath(`/${text}`)).toEqual(path);
    }),
    { numRuns: 2_000 },
  );
});
