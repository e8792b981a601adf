import type { AccessRule } from '@gatehouse/contract';
import { expect, test } from 'vitest';
import { knownForwardingHeaders, knownIdentityHeaders } from '../../../contract/test/forwarding-names.ts';
import { aDomain, aGroup, aMember, anAccessToken, aSession } from '../contract/given.ts';
import { forEachStore } from '../stores.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { checkAsTraefik as checkWith, forwardAuthOf, managed, type VisitorRequest } from './as-traefik.ts';
import { cookieTricks, faultsOfCookies } from './cookie-tricks.ts';
import { pathTricks } from './path-tricks.ts';
import { readConfiguration } from './proxies.ts';
import type { HeaderLines } from './visitor.ts';

const configuration = readConfiguration('traefik-dynamic.yml');
const { address, copied } = forwardAuthOf(configuration);
const checkAsTraefik = (server: TestServer, target: string, request: VisitorRequest) =>
  checkWith(address, server.address, target, request);

// Only Traefik itself can show the effect of this setting.
test('the configuration deletes headers with names that a program may read as Remote-User', () => {
  const websecure = /\n {2}websecure:\n((?: {4}.*\n)+)/.exec(readConfiguration('traefik.yml'))![1];
  expect(websecure).toMatch(/^ {6}aliasHeadersStrategy: delete$/m);
});

test('the configuration removes headers that only Gatehouse may set, and the scope of service workers', () => {
  expect(configuration).toMatch(/middlewares: \[gatehouse, gatehouse-headers\]/);
  expect(configuration).toMatch(/customRequestHeaders:\n +Remote-Credential: ""\n/);
  expect(configuration).toMatch(/customResponseHeaders:\n(?: +#.*\n)* +Service-Worker-Allowed: ""\n/);
});

test('the configuration removes the headers that the built-in server removes', () => {
  const [, removed = ''] = /customRequestHeaders:\n((?: {10}.*\n)+)/.exec(configuration)!;
  const names = [...removed.matchAll(/^ +([\w-]+): ""$/gm)].map(([, name]) => name!.toLowerCase());
  const known = [...knownForwardingHeaders, ...knownIdentityHeaders].filter((name) => !managed.test(name));
  expect(known.filter((name) => !names.includes(name))).toEqual([]);
});

forEachStore((store) => {
  const server = useTestServer(store, { settings: { trustedProxies: ['127.0.0.1'] } });
  const siteWith = async (...rules: AccessRule[]): Promise<{ site: TestSite; host: string }> => {
    const site = await server.createSite();
    expect((await site.request('PUT', '/access-rules', { body: { rules } })).status).toBe(200);
    return { site, host: await aDomain(site) };
  };
  const cookie = async (site: TestSite, memberId: string): Promise<HeaderLines> => [
    ['Cookie', `theme=dark; __Host-gatehouse_session=${(await aSession(site, memberId)).token}`],
  ];

  test('Traefik redirects an anonymous visitor to the login page, with an absolute URL, and back', async () => {
    const { host } = await siteWith();
    const target = '/courses/?week=1&lang=en';
    // Traefik resolves a relative URL against Gatehouse's own address.
    expect(await checkAsTraefik(server, target, { host, headers: [['Accept', 'text/html']] })).toMatchObject({
      status: 302,
      headers: { location: `https://${host}/_gatehouse/login?next=${encodeURIComponent(target)}` },
    });
    const program = await checkAsTraefik(server, target, { host, headers: [['Accept', 'application/json']] });
    expect(program.status).toBe(401);
  });

  test('Traefik forwards a member’s request with all the headers that it copies', async () => {
    const { site, host } = await siteWith({ path: '/open', access: 'public' });
    const group = await aGroup(site, { name: 'Rudern, früh' });
    const member = await aMember(site, { displayName: 'Zoë Löwe', accessGroupIds: [group.id] });
    const answer = await checkAsTraefik(server, '/', { host, headers: await cookie(site, member.id) });
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(copied.map((name) => [name, answer.headers[name.toLowerCase()]]))).toEqual({
      'Remote-User': member.id,
      'Remote-Email': member.email,
      'Remote-Name': encodeURIComponent('Zoë Löwe'),
      'Remote-Groups': encodeURIComponent('Rudern, früh'),
      'Remote-Page-Code': undefined,
      Cookie: 'theme=dark',
      Authorization: undefined,
      Referer: undefined,
    });
    // Traefik removes headers that are missing here from the visitor's request.
    const open = await checkAsTraefik(server, '/open', { host });
    expect(open.status).toBe(204);
    expect(copied.map((name) => open.headers[name.toLowerCase()])).toEqual(copied.map(() => undefined));
    const form = await checkAsTraefik(server, '/form', {
      host,
      method: 'POST',
      headers: [
        ...(await cookie(site, member.id)),
        ['Content-Type', 'application/x-www-form-urlencoded'],
        ['Content-Length', '10000'],
      ],
    });
    expect(form.status).toBe(204);
  });

  test('the program behind Traefik receives no cookie and no access token of Gatehouse', async () => {
    const { site, host } = await siteWith({ path: '/open', access: 'public' });
    const { secret } = await anAccessToken(site, (await aMember(site)).id);
    const seen = async (headers: HeaderLines) => {
      const answer = await checkAsTraefik(server, '/open', { host, headers });
      expect(answer.status).toBe(204);
      const { cookie, authorization, referer } = answer.headers;
      return { cookie, authorization, referer };
    };
    expect(copied).toEqual(expect.arrayContaining(['Cookie', 'Authorization', 'Referer']));
    for (const trick of cookieTricks()) {
      const { cookie } = await seen(trick.lines.map((line) => ['Cookie', line] as const));
      const received = cookie === undefined ? [] : [String(cookie)];
      expect([trick.note, faultsOfCookies(trick, received)]).toEqual([trick.note, []]);
    }
    const referer = `https://${host}/feed?page=2`;
    const withToken: HeaderLines = [
      ['Authorization', `Bearer ${secret}`],
      ['Referer', `${referer}&access_token=${secret}`],
    ];
    expect(await seen(withToken)).toEqual({ cookie: undefined, authorization: undefined, referer });
    const authorization = 'Bearer of-the-program';
    expect(await seen([['Authorization', authorization]])).toMatchObject({ authorization });
  });

  test('Traefik shows a member without access an error page within its size limit', async () => {
    const { site, host } = await siteWith({ path: '/', access: 'paying_members' });
    const member = await aMember(site);
    const headers = [['Accept', 'text/html'] as const, ...(await cookie(site, member.id))];
    const answer = await checkAsTraefik(server, '/', { host, headers });
    expect(answer.status).toBe(403);
    expect(answer.headers['content-type']).toContain('text/html');
    const maximum = Number(/maxResponseBodySize: (\d+)/.exec(configuration)![1]);
    expect(Buffer.byteLength(answer.text)).toBeLessThan(maximum / 4);
  });

  test('forged headers about the host, the path or the sender give no access', async () => {
    const { host: own } = await siteWith({ path: '/open', access: 'public' });
    const names = [
      'X-Original-URI',
      'X_Forwarded_Uri',
      'X-Forwarded-Path',
      'X-Original-URL',
      'X-Rewrite-URL',
      'X.Forwarded.Uri',
      'X-Replaced-Path',
      'X-Forwarded-Prefix',
    ];
    const asPage = ['Accept', 'text/html'] as const;
    const forged: HeaderLines = [
      ...names.map((name) => [name, '/open'] as const),
      ['Forwarded', 'for=127.0.0.1;host=open.example.org'],
      ['X-Original-Host', 'open.example.org'],
    ];
    for (const attempt of [
      ...forged.map((header) => [header]),
      ...forged.map((header) => [header, header]),
      forged,
    ]) {
      const headers = [asPage, ...attempt];
      expect([headers, (await checkAsTraefik(server, '/restricted', { host: own, headers })).status]).toEqual(
        [headers, 302],
      );
    }
    for (const host of ['open.example.org', `${own}:1`, `${own}, ${own}`, '', 'localhost']) {
      expect([host, (await checkAsTraefik(server, '/open', { host })).status]).toEqual([host, 403]);
    }
  });

  test('no trick with a path gives access', async () => {
    // A header cannot contain what a request line cannot contain either.
    const sendable = pathTricks.filter(({ target }) => /^[\x21-\x7e]*$/.test(target));
    for (const programPaths of [false, true]) {
      const { host } = await siteWith({ path: '/public', access: 'public', programPaths });
      for (const { target, note } of sendable) {
        const { status } = await checkAsTraefik(server, target, { host });
        expect([target, note, status < 300]).toEqual([target, note, false]);
      }
    }
  });
});
