import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBuiltInSite } from '../built-in-site.ts';
import { freePort } from '../free-port.ts';
import { forEachStore } from '../stores.ts';
import { startTestServer, type TestServer, type TestSite } from '../test-server.ts';
import { type Api, clubHost, forumHost, makeCertificate, writeSite, wwwHost } from './club.ts';
import { pathTricks } from './path-tricks.ts';
import { caddy, nginx, type RunningProxy } from './proxies.ts';
import { type ProxiedSite, Visitor } from './visitor.ts';

const secret = 'only for members of the club';
const targets = ['/members/', '/members/news.html', ...pathTricks.map(({ target }) => target)];

/** The files of a site that another site cannot open, by the name of the first one with or without `www.` */
function testsOf(start: () => Promise<{ server: TestServer; club: Api; at(host: string): ProxiedSite }>) {
  let server: TestServer;
  let club: Api;
  let other: TestSite;
  let at: (host: string) => ProxiedSite;
  beforeAll(async () => {
    ({ server, club, at } = await start());
    other = await server.createSite();
    await other.patch('/site', { domain: forumHost });
    await club('PUT', '/access-rules', { rules: [{ path: '/', access: 'members' }] });
  });

  const openedAt = async (host: string) => {
    const answers = await new Visitor(at(host)).getAll(targets);
    return targets.filter((_, index) => answers[index]!.text.includes(secret));
  };
  const setOpen = (fields = {}) => {
    const rules = [{ path: '/', access: 'public', ...fields }];
    return other.request('PUT', '/access-rules', { body: { rules } });
  };

  test.each([
    [clubHost, wwwHost],
    [wwwHost, clubHost],
  ])('of a site at %s, by taking %s', async (own, counterpart) => {
    const scheme = 'http';
    await club('PATCH', '/site', { hosts: [{ domain: own, scheme }] });
    expect((await new Visitor(at(own)).get('/members/')).status).toBe(302);
    const taken = await other.patch('/site', {
      hosts: [{ domain: forumHost }, { domain: counterpart, scheme }],
    });
    expect(taken.body.error.code).toBe('site_domain_taken');
    expect((await setOpen({ hosts: [counterpart] })).body.error.code).toBe('invalid_request');
    expect((await setOpen()).status).toBe(200);
    expect(await openedAt(counterpart)).toEqual([]);
    expect((await new Visitor(at(counterpart)).get('/members/')).headers.get('location')).toContain(
      `//${own}`,
    );
  });
}

forEachStore((store) => {
  describe.each([nginx, caddy])('no other site opens the files behind $name', (proxy) => {
    describe.skipIf(proxy.leftOut())('of the guides', () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-taken-'));
      let running: RunningProxy;
      afterAll(async () => {
        await running?.stop();
        rmSync(folder, { recursive: true, force: true });
      });

      testsOf(async () => {
        const files = path.join(folder, 'site');
        writeSite(files, secret);
        const [certificate, certificateKey] = makeCertificate(folder);
        const server = await startTestServer(store, { settings: { trustedProxies: ['127.0.0.1'] } });
        const gatehousePort = Number(new URL(server.address).port);
        const upstreams = {
          gatehousePort,
          appPort: await freePort(),
          site: files,
          certificate,
          certificateKey,
        };
        running = await proxy.start(upstreams, (configuration) => proxy.withHost(configuration, wwwHost));
        const at = (host: string) => ({
          port: running.httpsPort,
          host,
          certificate: readFileSync(certificate, 'utf8'),
        });
        const site = await server.createSite();
        return { server, club: (method, path, body) => site.request(method, path, { body }), at };
      });
    });
  });

  describe('no other site opens the files of the built-in server', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-taken-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    testsOf(async () => {
      writeSite(folder, secret);
      const { server, site, api } = await startBuiltInSite(store, { siteFolder: folder });
      const at = (host: string) => ({ port: site.port, host });
      return { server, club: api, at };
    });
  });
});
