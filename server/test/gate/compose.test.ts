import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkAsTraefik, forwardAuthOf } from './as-traefik.ts';
import { type Club, clubHost, dashboardHost, type Echo, loggedIn, startClub, targetOf } from './club.ts';
import { caddy, nginx, type RunningProxy, startCaddy, startNginx } from './proxies.ts';
import { type HeaderLines, Visitor } from './visitor.ts';

const folder = path.resolve(import.meta.dirname, '../../../examples/compose');
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
const hosts = { SITE_HOST: clubHost, DASHBOARD_HOST: dashboardHost };

/** The containers, as processes of this machine. */
const containers = ({ upstreams }: Club): Record<string, string> => ({
  'gatehouse:8080': `127.0.0.1:${upstreams.gatehousePort}`,
  'whoami:3000': `127.0.0.1:${upstreams.appPort}`,
});

function startNginxOfCompose(club: Club): Promise<RunningProxy> {
  const templates = read('nginx/site.conf.template') + read('nginx/dashboard.conf.template');
  const configuration = templates
    .replaceAll(/\$\{(\w+)\}/g, (_, name: keyof typeof hosts) => hosts[name])
    // The tests run an older nginx, which does not know this line.
    .replaceAll('    http2 on;\n', '');
  const certificates = Object.values(hosts).flatMap((host) => [
    [`/etc/letsencrypt/live/${host}/fullchain.pem`, club.upstreams.certificate],
    [`/etc/letsencrypt/live/${host}/privkey.pem`, club.upstreams.certificateKey],
  ]);
  return startNginx(configuration, { ...containers(club), ...Object.fromEntries(certificates) });
}

function startCaddyOfCompose(club: Club): Promise<RunningProxy> {
  return startCaddy(read('caddy/Caddyfile'), club.upstreams, containers(club), hosts);
}

/** The headers of a visitor who says to be a member, or at a public page, or the proxy. */
const forged: HeaderLines = [
  ['Remote-User', 'forged'],
  ['Remote_User', 'forged'],
  ['Remote-Groups', 'forged'],
  ['X-Forwarded-Host', 'forged.example.org'],
  ['X-Forwarded-Uri', '/public'],
  ['X-Original-URI', '/public'],
  ['X-Forwarded-For', '10.213.71.2'],
];

let club: Club;
beforeAll(async () => {
  club = await startClub({}, { GATEHOUSE_PUBLIC_URL: `https://${dashboardHost}` });
  await club.setRules({ path: '/', access: 'members' }, { path: '/public', access: 'public' });
});
afterAll(() => club?.stop());

describe.each([
  { proxy: nginx, start: startNginxOfCompose },
  { proxy: caddy, start: startCaddyOfCompose },
])('the example with $proxy.name', ({ proxy, start }) => {
  describe.skipIf(proxy.leftOut())('as processes', () => {
    let running: RunningProxy;
    beforeAll(async () => {
      running = await start(club);
    });
    afterAll(() => running?.stop());

    const visitorOf = (host: string) =>
      new Visitor({ port: running.httpsPort, host, certificate: club.certificate });
    const aMember = async () => {
      const id = await club.createMember(`${crypto.randomUUID()}@example.com`);
      const proxied = { port: running.httpsPort, host: clubHost, certificate: club.certificate };
      return { id, visitor: await loggedIn(proxied, await club.linkOf(id)) };
    };

    test('visitors who are not logged in do not reach the program, whatever headers they send', async () => {
      for (const headers of [[], forged]) {
        const denied = await visitorOf(clubHost).get('/members?page=2', headers);
        expect([denied.status, denied.text.includes(club.secret)]).toEqual([302, false]);
        const login = targetOf(denied.headers.get('location'));
        expect(login).toBe('/_gatehouse/login?next=%2Fmembers%3Fpage%3D2');
        expect((await visitorOf(clubHost).get(login)).text).toContain('name="email"');
      }
      expect((await visitorOf(clubHost).get('/public')).status).toBe(200);
    });

    test('the program receives the member who is logged in, and nothing that the visitor makes up', async () => {
      const { id, visitor } = await aMember();
      const { text } = await visitor.get('/members?page=2', forged);
      expect(text).toContain(club.secret);
      expect(text).not.toMatch(/forged|10\.213|gatehouse_/);
      const echo = JSON.parse(text) as Echo;
      expect(echo.url).toBe('/members?page=2');
      const users = echo.headers.filter(([name]) => /^remote.user$/i.test(name));
      expect(users.map(([, value]) => value)).toEqual([id]);
    });

    test('a member who logs out, or is blocked, has no access any more', async () => {
      const [first, second] = [await aMember(), await aMember()];
      const copy = first.visitor.twin();
      expect((await first.visitor.post('/_gatehouse/logout', {})).status).toBe(200);
      expect((await copy.get('/members')).status).toBe(302);
      expect((await second.visitor.get('/members')).status).toBe(200);
      await club.api('PATCH', `/members/${second.id}`, { status: 'blocked' });
      expect((await second.visitor.get('/members')).status).toBe(302);
    });

    test('the dashboard and the API are at their host only, and nothing of the site is there', async () => {
      const dashboard = visitorOf(dashboardHost);
      expect((await dashboard.get('/dashboard/login')).status).toBe(200);
      const refused = await dashboard.get('/api/v1/members');
      expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([401, 'missing_api_key']);
      const ofSite = ['auth', 'forward-auth', 'denied', 'login'].map((name) => `/_gatehouse/${name}`);
      for (const target of ofSite) {
        for (const headers of [[], forged, [['X-Forwarded-Host', clubHost] as const]])
          expect([target, (await dashboard.get(target, headers)).status]).toEqual([target, 404]);
      }
      for (const target of ofSite.slice(0, 3)) {
        expect([target, (await visitorOf(clubHost).get(target, forged)).status]).toEqual([target, 404]);
      }
      const { visitor } = await aMember();
      expect((await visitor.get('/dashboard/login')).text).toContain(club.secret);
    });
  });
});

describe('the example with Traefik', () => {
  const environment = (text: string) =>
    text.replaceAll(/\{\{ env "(\w+)" \}\}/g, (_, name: keyof typeof hosts) => hosts[name]);
  const text = environment(read('traefik/site.yml'));
  const site = parse(text).http;
  const dashboard = parse(environment(read('traefik/dashboard.yml'))).http;
  const { address } = forwardAuthOf(text);
  const gatehouse = () => `http://127.0.0.1:${club.upstreams.gatehousePort}`;

  test('every router but the one of the login pages has the check', () => {
    const routers = Object.values<{ rule: string; middlewares?: string[]; service: string }>({
      ...site.routers,
      ...dashboard.routers,
    });
    expect(routers.map(({ rule, service, middlewares }) => [rule, service, middlewares])).toEqual([
      ['Host(`club.example.org`)', 'club', ['gatehouse', 'gatehouse-headers']],
      [
        'Host(`club.example.org`) && PathPrefix(`/_gatehouse/`) && !Path(`/_gatehouse/auth`) && ' +
          '!Path(`/_gatehouse/forward-auth`) && !Path(`/_gatehouse/denied`)',
        'gatehouse',
        undefined,
      ],
      ['Host(`gate.example.org`) && !PathPrefix(`/_gatehouse/`)', 'gatehouse', ['dashboard-headers']],
    ]);
    const urls = ['club', 'gatehouse'].map((name) => site.services[name].loadBalancer.servers[0].url);
    expect(urls).toEqual(['http://whoami:3000', 'http://gatehouse:8080']);
    expect(site.middlewares.gatehouse.forwardAuth.trustForwardHeader).toBe(false);
  });

  test('the check lets members pass, and visitors who are not logged in only to public pages', async () => {
    expect(address.href).toBe('http://gatehouse:8080/_gatehouse/forward-auth');
    const check = (target: string, headers: HeaderLines = []) =>
      checkAsTraefik(address, gatehouse(), target, {
        host: clubHost,
        headers: [['Accept', 'text/html'], ...headers],
      });
    for (const headers of [[], forged]) {
      const denied = await check('/members', headers);
      expect([denied.status, denied.headers.location]).toEqual([
        302,
        `https://${clubHost}/_gatehouse/login?next=%2Fmembers`,
      ]);
    }
    expect((await check('/public')).status).toBe(204);
    const id = await club.createMember('member-behind-traefik@example.com');
    const { body } = await club.api('POST', `/members/${id}/access-tokens`, { name: 'Reader' });
    const allowed = await check('/members', [...forged, ['Authorization', `Bearer ${body.data.secret}`]]);
    expect(allowed).toMatchObject({ status: 204, headers: { 'remote-user': id } });
    expect(allowed.headers.authorization).toBeUndefined();
    await club.api('PATCH', `/members/${id}`, { status: 'blocked' });
    const blocked = await check('/members', [['Authorization', `Bearer ${body.data.secret}`]]);
    expect(blocked.status).toBe(401);
  });
});
