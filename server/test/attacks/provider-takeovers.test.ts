import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aMember } from '../contract/given.ts';
import { unlimitedJoining } from '../joining.ts';
import { MockProvider } from '../login-providers/mock-provider.ts';
import { aProviderSite, ProviderBrowser, unverified } from '../login-providers/provider-site.ts';
import { forEachStore } from '../stores.ts';
import { useTestServer } from '../use-server.ts';
import { providerTakeovers, type Scene } from './provider-takeovers.ts';

let mocks: MockProvider[];

beforeAll(async () => {
  mocks = [await MockProvider.start(), await MockProvider.start()];
});
afterAll(() => {
  for (const mock of mocks) mock.stop();
});

test('the table has every attack once', () => {
  const names = providerTakeovers.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(40);
});

forEachStore((store) => {
  const server = useTestServer(store, { settings: unlimitedJoining });

  async function aScene(): Promise<Scene> {
    const { site, providers } = await aProviderSite(server, mocks);
    return {
      server,
      site,
      a: providers[0]!,
      b: providers[1]!,
      victim: await aMember(site, { email: `vera-x-${site.siteId}@example.com` }),
      victimBrowser: new ProviderBrowser(site, 'the victim'),
      attacker: new ProviderBrowser(site, 'the attacker'),
    };
  }

  /** Sessions of the victim in the browser of the attacker, and accounts of the attacker that are linked to the victim. */
  async function takenOver({ site: { siteId }, victim: { id } }: Scene): Promise<unknown[]> {
    const { database } = server;
    return [
      ...(await database.all(sql`
        SELECT id FROM sessions WHERE site_id = ${siteId} AND member_id = ${id} AND user_agent = 'the attacker'`)),
      ...(await database.all(sql`
        SELECT id FROM member_identities
        WHERE site_id = ${siteId} AND member_id = ${id} AND subject LIKE 'mallory%'`)),
    ];
  }

  const named = providerTakeovers.map((attack) => [attack.name, attack] as const);

  test.each(named)('%s: no access to another member', async (_, { run, expected }) => {
    const scene = await aScene();
    expect(await run(scene)).toBe(expected);
    expect(await takenOver(scene)).toEqual([]);
    // Nor later, when the attacker comes back with the same account.
    await scene.attacker.logInWith(scene.b, unverified('mallory', scene.victim.email));
    expect(await scene.attacker.email()).not.toBe(scene.victim.email);
    expect(await takenOver(scene)).toEqual([]);
  });
});
