import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { aDomain, aMember, aSession } from '../contract/given.ts';
import { freePort } from '../free-port.ts';
import { forEachStore } from '../stores.ts';
import { startTestServer, type TestSite, visit } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { dashboardHost, makeCertificate } from './club.ts';
import { caddy, nginx, startCaddyOfDashboard, startNginxOfDashboard } from './proxies.ts';
import { type HeaderLines, Visitor } from './visitor.ts';

const gatePaths = ['auth', 'forward-auth', 'denied'].map((name) => `/_gatehouse/${name}`);
const pages = ['/_gatehouse/login', '/_gatehouse/account', '/_gatehouse/style.css'];

/** The headers of an attacker who pretends to be the site's proxy. */
const forged = (host: string): Record<string, string> => ({
  'X-Forwarded-Host': host,
  'X-Original-URI': '/open',
  'X-Forwarded-Uri': '/open',
});

const openSite = async (site: TestSite): Promise<string> => {
  await site.request('PUT', '/access-rules', { body: { rules: [{ path: '/open', access: 'public' }] } });
  return aDomain(site);
};

forEachStore((store) => {
  const server = useTestServer(store, {
    settings: { trustedProxies: ['127.0.0.1'], publicUrl: `https://${dashboardHost}`, loginLimitClient: 0 },
  });
  const statusOf = async (target: string, headers: Record<string, string>) =>
    (await visit(server.address, 'GET', target, { headers: { accept: 'text/html', ...headers } })).status;

  test('the host of the dashboard serves neither the gate nor pages of a site, whatever the headers', async () => {
    const site = await server.createSite();
    const domain = await openSite(site);
    const { token } = await aSession(site, (await aMember(site)).id);
    const cookie = `__Host-gatehouse_session=${token}`;
    for (const host of [dashboardHost, 'Gate.Example.Org', `${dashboardHost}.`, `${dashboardHost}:443`]) {
      for (const target of [...gatePaths, ...pages]) {
        for (const headers of [{}, forged(domain), forged(dashboardHost), { ...forged(domain), cookie }]) {
          expect([host, target, headers, await statusOf(target, { host, ...headers })]).toEqual([
            host,
            target,
            headers,
            404,
          ]);
        }
      }
      expect(await statusOf('/', { host, ...forged(domain) })).toBe(404);
    }
    expect(await statusOf('/dashboard/login', { host: dashboardHost })).toBe(200);
    expect(await statusOf('/_gatehouse/auth', { host: domain, ...forged(domain) })).toBe(204);
    expect(await statusOf('/_gatehouse/login', { host: domain })).toBe(200);
  });

  test('X-Forwarded-Host is used only at the same host and at an internal address', async () => {
    const [site, other] = [await server.createSite(), await server.createSite()];
    const [domain, otherDomain] = [await openSite(site), await openSite(other)];
    const same = [domain, domain.toUpperCase(), `${domain}:443`];
    const inside = ['127.0.0.1:8080', 'localhost:8080', '[::1]:8080', '10.0.0.5:8080', 'gatehouse:8080'];
    for (const host of [...same, ...inside, 'gatehouse.default.svc.cluster.local:80']) {
      expect([host, await statusOf('/_gatehouse/auth', { host, ...forged(domain) })]).toEqual([host, 204]);
      expect([host, await statusOf('/_gatehouse/login', { host, ...forged(domain) })]).toEqual([host, 200]);
    }
    for (const host of [otherDomain, 'elsewhere.example.net', 'localhost', '127.0.0.1', 'gatehouse']) {
      expect([host, await statusOf('/_gatehouse/auth', { host, ...forged(domain) })]).toEqual([host, 403]);
      expect([host, await statusOf('/_gatehouse/login', { host, ...forged(domain) })]).toEqual([host, 404]);
    }
  });

  test('a site and the dashboard can share a host', async () => {
    const host = 'localhost:8080';
    const settings = { trustedProxies: ['127.0.0.1'], publicUrl: `http://${host}` };
    const { address, createSite, stop } = await startTestServer(store, { settings });
    const site = await createSite();
    expect((await site.patch('/site', { domain: host })).status).toBe(200);
    await openSite(site);
    const pathsAndHeaders = [
      ['/_gatehouse/auth', forged(host), 204],
      ['/_gatehouse/login', {}, 200],
      ['/dashboard/login', {}, 200],
    ] as const;
    for (const [target, headers, status] of pathsAndHeaders) {
      const answer = await visit(address, 'GET', target, { headers: { host, ...headers } });
      expect([target, answer.status]).toEqual([target, status]);
    }
    await stop();
  });

  test('an internal host name of the dashboard is for visitors, not for proxies', async () => {
    const settings = { trustedProxies: ['127.0.0.1'], publicUrl: 'http://gatehouse.lan:8080' };
    const { address, createSite, stop } = await startTestServer(store, { settings });
    const domain = await openSite(await createSite());
    const statusAt = async (host: string, target: string, headers: Record<string, string> = {}) =>
      (await visit(address, 'GET', target, { headers: { accept: 'text/html', host, ...headers } })).status;
    for (const target of [...gatePaths, ...pages]) {
      const status = await statusAt('gatehouse.lan:8080', target, forged(domain));
      expect([target, status]).toEqual([target, 404]);
    }
    expect(await statusAt('gatehouse.lan:8080', '/dashboard/login')).toBe(200);
    expect(await statusAt('gatehouse:8080', '/_gatehouse/auth', forged(domain))).toBe(204);
    await stop();
  });

  describe.skipIf(nginx.leftOut() || store.dialect !== 'sqlite')('behind a proxy', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-dashboard-'));
    const [certificate, certificateKey] = makeCertificate(folder);
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    const startWith = async (
      change?: (configuration: string) => string,
      start: typeof startNginxOfDashboard = startNginxOfDashboard,
    ) => {
      const gatehousePort = Number(new URL(server.address).port);
      const upstreams = {
        gatehousePort,
        appPort: await freePort(),
        site: folder,
        certificate,
        certificateKey,
      };
      const running = await start(upstreams, change);
      const visitor = new Visitor({
        port: running.httpsPort,
        host: dashboardHost,
        certificate: readFileSync(certificate, 'utf8'),
      });
      return { running, visitor };
    };
    const expectNothing = async (visitor: Visitor, domain: string, hosts: readonly string[]) => {
      const odd = [
        '//_gatehouse/auth',
        '/%5fgatehouse/auth',
        '/x/../_gatehouse/login',
        '/_gatehouse/../_gatehouse/auth',
      ];
      for (const target of [...gatePaths, ...pages, ...odd]) {
        for (const host of hosts) {
          const headers: HeaderLines = [['Host', host], ...Object.entries(forged(domain))];
          const { status } = await visitor.get(target, headers);
          expect([target, host, status >= 400]).toEqual([target, host, true]);
          expect([target, host, status]).not.toEqual([target, host, 401]);
        }
      }
      expect((await visitor.get('/dashboard/login')).status).toBe(200);
    };

    test('the configuration of the guide shows anonymous visitors only the dashboard and nothing of a site', async () => {
      const domain = await openSite(await server.createSite());
      const { running, visitor } = await startWith();
      await expectNothing(visitor, domain, [dashboardHost, domain, 'localhost', '127.0.0.1:8080']);
      await running.stop();
    });

    test.skipIf(caddy.leftOut())('the configuration for Caddy shows nothing else either', async () => {
      const domain = await openSite(await server.createSite());
      const { running, visitor } = await startWith(undefined, startCaddyOfDashboard);
      await expectNothing(visitor, domain, [dashboardHost]);
      // Caddy has no page for other hosts.
      for (const host of [domain, 'localhost', '127.0.0.1:8080'])
        expect((await visitor.get('/dashboard/login', [['Host', host]])).text).toBe('');
      await running.stop();
    });

    test('what is set for all servers changes no response of the dashboard and the API', async () => {
      const forAll =
        'expires 1h; proxy_redirect / /x/; proxy_intercept_errors on; error_page 401 404 =200 /dashboard/login;';
      const { running, visitor } = await startWith((configuration) => `${forAll}\n${configuration}`);
      const login = await visitor.get('/dashboard/login');
      expect([login.status, login.headers.get('cache-control')]).toEqual([200, 'no-store']);
      const refused = await visitor.get('/api/v1/members');
      expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([401, 'missing_api_key']);
      await running.stop();
    });

    test('a configuration that passes every header does so too', async () => {
      const domain = await openSite(await server.createSite());
      const { running, visitor } = await startWith((configuration) =>
        configuration
          .replace('$server_name', '$host')
          .replaceAll(
            / +proxy_set_header (?:Forwarded|X-Forwarded-Host|X-Forwarded-Uri|X-Original-URI) .*\n/g,
            '',
          )
          .replace(/ +location \^~ [\s\S]*?\}\n/, ''),
      );
      await expectNothing(visitor, domain, [dashboardHost, 'localhost', '127.0.0.1:8080', 'gatehouse']);
      await running.stop();
    });
  });
});
