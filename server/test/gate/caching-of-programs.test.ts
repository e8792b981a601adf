import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AccessRule } from '@gatehouse/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltInSite, startBuiltInSite } from '../built-in-site.ts';
import { forOneStore } from '../stores.ts';
import { type Club, clubHost, loggedIn, startClub } from './club.ts';
import { caddy, nginx, type RunningProxy } from './proxies.ts';
import { type Answer, type ProxiedSite, Visitor } from './visitor.ts';

const cdnHeaders = [
  'surrogate-control',
  'edge-control',
  'cdn-cache-control',
  'cloudflare-cdn-cache-control',
  'netlify-cdn-cache-control',
  'vercel-cdn-cache-control',
];
type Headers = Readonly<Record<string, string | readonly string[]>>;
const forAll: Headers = {
  'cache-control': 'public, max-age=3600, s-maxage=3600',
  expires: 'Fri, 01 Jan 2100 00:00:00 GMT',
  vary: 'Accept',
  ...Object.fromEntries(cdnHeaders.map((name) => [name, 'max-age=3600'])),
};

/** What a program answers, by the name in the query. */
const responses: Readonly<Record<string, readonly [status: number, headers: Headers]>> = {
  cached: [200, forAll],
  error: [404, forAll],
  'not-modified': [304, { ...forAll, etag: '"1"' }],
  cookie: [200, { ...forAll, 'set-cookie': 'own=1; Path=/; Secure' }],
  'no-store': [200, { 'cache-control': 'no-store' }],
  'error-of-no-store': [500, { 'cache-control': 'No-Store, must-revalidate' }],
  'two-lines': [200, { 'cache-control': ['public', 'max-age=60'] }],
  expires: [200, { expires: 'Fri, 01 Jan 2100 00:00:00 GMT' }],
  nothing: [200, { 'last-modified': 'Fri, 01 Jan 2010 00:00:00 GMT' }],
};

const rules: AccessRule[] = [
  { path: '/', access: 'public' },
  { path: '/app/members', access: 'members' },
  {
    path: '/app/office',
    access: 'conditional',
    anyOf: [{ access: 'public', networks: ['127.0.0.0/8'] }],
  },
];

interface Visitors {
  readonly anonymous: Visitor;
  readonly member: Visitor;
}
type Page = readonly [path: string, who: keyof Visitors];
const forEverybody: Page = ['/app/public', 'anonymous'];
const notForEverybody: Page[] = [
  ['/app/public', 'member'],
  ['/app/members', 'member'],
  ['/app/office', 'anonymous'],
];

const get = (visitors: Visitors, [path, who]: Page, name: string) => visitors[who].get(`${path}?${name}`);

/** What caches may do with a response (RFC 9111, sections 3 and 4.2). */
function cachingOf({ status, headers, cookies }: Answer) {
  const control = headers.get('cache-control')?.toLowerCase() ?? '';
  const has = (directive: RegExp) => control.split(/ *, */).some((each) => directive.test(each));
  const expires = Date.parse(headers.get('expires') ?? '');
  const isFresh = has(/^(?:s-)?max-age=[1-9]/) || expires > Date.now();
  return {
    status,
    cookies,
    browserStores: !has(/^no-store$/),
    othersStore: !has(/^(?:no-store|private)$/),
    isUsedAgain: isFresh && !has(/^no-(?:store|cache)$/),
    isGuessed: control === '' && !headers.has('expires'),
    variesByCookie: /(?:^|,) *cookie *(?:,|$)/i.test(headers.get('vary') ?? ''),
  };
}

forOneStore((store) => {
  let program: Server;
  let built: BuiltInSite;
  let ofBuiltIn: Visitors;
  beforeAll(async () => {
    program = createServer(({ url = '' }, response) => {
      const [status, headers] = responses[url.split('?')[1] ?? ''] ?? [200, {}];
      response.statusCode = status;
      response.setHeaders(new Map(Object.entries(headers))).end();
    });
    program.listen(0, '127.0.0.1');
    await once(program, 'listening');
    const { port } = program.address() as AddressInfo;
    built = await startBuiltInSite(store, { siteUpstream: `http://127.0.0.1:${port}` });
    await built.setRules(...rules);
    ofBuiltIn = { anonymous: built.anonymous(), member: (await built.memberWith()).visitor };
  });
  afterAll(() => {
    program?.closeAllConnections();
    program?.close();
  });

  for (const proxy of [nginx, caddy]) {
    describe.skipIf(proxy.leftOut())(`a program behind ${proxy.name}`, () => {
      let club: Club;
      let running: RunningProxy;
      let visitors: Visitors;
      beforeAll(async () => {
        club = await startClub();
        await club.setRules(...rules);
        const { port: appPort } = program.address() as AddressInfo;
        running = await proxy.start({ ...club.upstreams, appPort });
        const proxied: ProxiedSite = {
          port: running.httpsPort,
          host: clubHost,
          certificate: club.certificate,
          // The address of the proxy itself says nothing about a visitor.
          from: '127.0.0.2',
        };
        const member = await loggedIn(proxied, await club.linkOf(await club.createMember('ada@example.com')));
        visitors = { anonymous: new Visitor(proxied), member };
      });
      afterAll(async () => {
        await running?.stop();
        await club?.stop();
      });

      test.each(Object.keys(responses))('is cached as behind the built-in server: %s', async (name) => {
        for (const page of [forEverybody, ...notForEverybody]) {
          const [here, there] = [await get(visitors, page, name), await get(ofBuiltIn, page, name)];
          expect([page, cachingOf(here)]).toEqual([page, cachingOf(there)]);
        }
      });

      test('says itself how long a page for everybody may be stored', async () => {
        for (const name of Object.keys(responses)) {
          const [here, there] = [
            await get(visitors, forEverybody, name),
            await get(ofBuiltIn, forEverybody, name),
          ];
          for (const header of ['cache-control', 'expires'])
            expect([name, header, here.headers.get(header)]).toEqual([
              name,
              header,
              there.headers.get(header),
            ]);
        }
      });

      test('cannot let a cache in between store a page that is not for everybody', async () => {
        const pairs = Object.keys(responses).flatMap((name) =>
          notForEverybody.map((page) => [page, name] as const),
        );
        for (const [page, name] of pairs) {
          for (const site of [visitors, ofBuiltIn]) {
            const answer = await get(site, page, name);
            const instructions = cdnHeaders.filter((header) => answer.headers.has(header));
            expect([page, name, instructions, cachingOf(answer)]).toMatchObject([
              page,
              name,
              [],
              { othersStore: false, isUsedAgain: false, isGuessed: false },
            ]);
          }
        }
      });

      test('is not for everybody because a visitor says so', async () => {
        const forged = [['Remote-Cache', 'public'] as const];
        const answer = await visitors.member.get('/app/members?cached', forged);
        expect(cachingOf(answer)).toMatchObject({ status: 200, othersStore: false, isUsedAgain: false });
      });

      test('the files of the login pages are cached as Gatehouse says', async () => {
        for (const target of ['/_gatehouse/style.css', '/_gatehouse/login']) {
          const [here, there] = [await visitors.anonymous.get(target), await built.anonymous().get(target)];
          for (const header of ['cache-control', 'expires'])
            expect([target, header, here.headers.get(header)]).toEqual([
              target,
              header,
              there.headers.get(header),
            ]);
        }
      });
    });
  }
});
