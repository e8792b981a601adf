import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { commandsOn } from '../../../test/command-line.ts';
import { expectResponse } from '../../../test/contract/answers.ts';
import { everyItem } from '../../../test/contract/given.ts';
import { movableTime } from '../../../test/movable-time.ts';
import { anOperator } from '../../../test/operator.ts';
import { forEachStore } from '../../../test/stores.ts';
import { type TestSite, visit } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { newId } from '../../base/ids.ts';
import { findOperatorTenant } from './operator-tenant.ts';
import { updateOperatorTenant } from './site-store.ts';
import { createSite } from './sites.ts';

/** A name that no other test uses. */
const freshName = () => `${randomUUID()}.example.org`;

/** How the owner has the name, and how another site tries to take it. */
const spellings: readonly (readonly [owned: (name: string) => string, claimed: (name: string) => string])[] =
  [
    [(name) => name, (name) => `www.${name}`],
    [(name) => `www.${name}`, (name) => name],
    [(name) => name, (name) => `WWW.${name.toUpperCase()}`],
    [(name) => name, (name) => `www.${name}:8443`],
    [(name) => `${name}:8443`, (name) => `www.${name}`],
    [(name) => name, (name) => ` www.${name} `],
    [(name) => name, (name) => `www\u3002${name}`],
    [(name) => name, (name) => `\uff57\uff57\uff57.${name}`],
    [(name) => name, (name) => `www.www.${name}`],
    [(name) => `www.www.${name}`, (name) => name],
    [(name) => `b\u00fccher.${name}`, (name) => `www.xn--bcher-kva.${name}`],
    [(name) => `xn--bcher-kva.${name}`, (name) => `www.bu\u0308cher.${name}`],
  ];

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock, settings: { trustedProxies: ['127.0.0.1'] } });

  /** Every way to give a site a host: what each answers. */
  const claims: Record<string, (site: TestSite, domain: string) => Promise<string | undefined>> = {
    'as its domain': async (site, domain) => codeOf(await site.patch('/site', { domain })),
    'as its first host': async (site, domain) => codeOf(await site.patch('/site', { hosts: [{ domain }] })),
    'as another host': async (site, domain) =>
      codeOf(await site.patch('/site', { hosts: [{ domain: freshName() }, { domain }] })),
    'as a redirected host': async (site, domain) =>
      codeOf(await site.patch('/site', { hosts: [{ domain: freshName() }, { domain, redirect: true }] })),
    'in the dashboard, as a new site': async (site, domain) => {
      const { browser } = await anOperator(server, site.siteId, 'owner');
      const body = { slug: randomUUID(), title: 'Another', domain };
      return codeOf(await browser.request('POST', 'sites', body));
    },
    'on the command line, as a new site': async (_, domain) => {
      const run = commandsOn(server.databaseUrl);
      const args = ['site', 'create', '--slug', randomUUID(), '--domain', domain, '--json'];
      return (await run(args)).json.error?.code;
    },
    'on the command line': async (site, domain) => {
      const { slug } = (await site.get('/site')).body.data;
      const run = commandsOn(server.databaseUrl);
      const args = ['site', 'update', slug, '--domain', freshName(), '--host', domain, '--json'];
      return (await run(args)).json.error?.code;
    },
  };
  const codeOf = ({ body }: { body: { error?: { code: string } } }) => body.error?.code;

  /** A site with a domain, with an API key. */
  async function aSiteAt(domain: string): Promise<TestSite> {
    const site = await server.createSite();
    expectResponse('updateSite', await site.patch('/site', { domain }), 200);
    return site;
  }

  const refusals = async (site: TestSite) =>
    (await everyItem(site, '/events?type=host-claim.refused')).map(({ data }) => data);

  describe('a name with and without www. belongs to one site', () => {
    test.each(
      spellings.map(([owned, claimed]) => ({ owned, claimed, title: `${owned('x')} and ${claimed('x')}` })),
    )('$title', async ({ owned, claimed }) => {
      const name = freshName();
      const owner = await aSiteAt(owned(name));
      const other = await server.createSite();
      expect(await claims['as another host']!(other, claimed(name))).toBe('site_domain_taken');
      // It is free for the site itself.
      const { domain } = (await owner.get('/site')).body.data;
      const hosts = [{ domain }, { domain: claimed(name) }];
      if (!claimed(name).includes('8443') && !owned(name).includes('8443'))
        expectResponse('updateSite', await owner.patch('/site', { hosts }), 200);
    });

    test.each(Object.keys(claims))('however it is claimed: %s', async (how) => {
      for (const [owned, claimed] of spellings.slice(0, 2)) {
        const name = freshName();
        const owner = await aSiteAt(owned(name));
        const other = await server.createSite();
        expect(await claims[how]!(other, claimed(name))).toBe('site_domain_taken');
        expect(await claims[how]!(other, `sub.${claimed(name)}`)).toBeUndefined();
        expect(await refusals(owner)).toMatchObject([{ domain: owned(name) }]);
        // A name that its site gives up is free.
        await owner.patch('/site', { domain: null });
        expect(await claims[how]!(await server.createSite(), claimed(name))).toBeUndefined();
      }
    });

    test('also if it is not the primary host, or only redirected', async () => {
      const [forum, old] = [freshName(), freshName()];
      const owner = await server.createSite();
      const hosts = [{ domain: freshName() }, { domain: forum }, { domain: `www.${old}`, redirect: true }];
      expectResponse('updateSite', await owner.patch('/site', { hosts }), 200);
      const other = await server.createSite();
      for (const domain of [`www.${forum}`, old]) {
        expectResponse('updateSite', await other.patch('/site', { domain }), 409, 'site_domain_taken');
      }
    });

    test('except on the local machine, where sites differ by port', async () => {
      const port = 20_000 + Math.floor(Math.random() * 10_000);
      const sites = [`localhost:${port}`, `www.localhost:${port}`, `localhost:${port + 10_000}`];
      for (const domain of [...sites, `127.0.0.1:${port}`]) await aSiteAt(domain);
      const headers = { host: `www.127.0.0.1:${port}` };
      expect((await visit(server.address, 'GET', '/_gatehouse/login', { headers })).status).toBe(404);
    });

    test('and that of the dashboard to no site', async () => {
      const { id } = await findOperatorTenant(server.database);
      const site = await server.createSite();
      const putDashboardAt = (host: string) =>
        server.database.transaction((tx) => updateOperatorTenant(tx, id, host, 'https'));
      for (const [dashboard, domain] of [
        ['gate.example.net', 'www.gate.example.net'],
        ['www.gate.example.net:8443', 'gate.example.net'],
      ] as const) {
        await putDashboardAt(dashboard);
        for (const how of Object.keys(claims).filter((each) => each.startsWith('as '))) {
          expect(await claims[how]!(site, domain)).toBe('site_domain_taken');
        }
        const make = changing(server.database, newId(), (change) =>
          createSite(change, { slug: randomUUID(), domain }),
        );
        await expect(make).rejects.toMatchObject({ code: 'site_domain_taken' });
      }
      await putDashboardAt('localhost:8080');
    });
  });

  describe('a site whose host another site has tried to take', () => {
    test('is notified once an hour, without the name of the other site', async () => {
      const name = freshName();
      const owner = await aSiteAt(name);
      const others = [await server.createSite(), await server.createSite()];
      const attempts = async () => {
        for (const other of others) {
          for (const domain of [name, `www.${name}`, `www.${name}:8443`])
            expectResponse('updateSite', await other.patch('/site', { domain }), 409, 'site_domain_taken');
        }
      };
      await attempts();
      await attempts();
      const found = await everyItem(owner, '/events?type=host-claim.refused');
      expect(found).toMatchObject([
        {
          actor: { type: 'system', id: null, name: null },
          requestId: null,
          ipAddress: null,
          data: { domain: name, claimed: name },
        },
      ]);
      for (const { siteId, keyId } of others) {
        expect(JSON.stringify(found)).not.toContain(siteId);
        expect(JSON.stringify(found)).not.toContain(keyId);
      }
      advance(3_600_001);
      await attempts();
      expect(await refusals(owner)).toHaveLength(2);
      for (const other of others) expect(await refusals(other)).toEqual([]);
    });

    test('is notified once, even by 16 attempts at the same time', async () => {
      const name = freshName();
      const owner = await aSiteAt(name);
      const other = await server.createSite();
      await Promise.all(Array.from({ length: 16 }, () => other.patch('/site', { domain: `www.${name}` })));
      expect(await refusals(owner)).toEqual([{ domain: name, claimed: `www.${name}` }]);
    });

    test('is not told by itself, nor by a dry attempt at a free name', async () => {
      const name = freshName();
      const owner = await aSiteAt(name);
      await owner.patch('/site', { hosts: [{ domain: name }, { domain: `www.${name}` }] });
      await owner.patch('/site', { hosts: [{ domain: `www.${name}` }] });
      await (await server.createSite()).patch('/site', { domain: freshName() });
      expect(await refusals(owner)).toEqual([]);
    });
  });
});
