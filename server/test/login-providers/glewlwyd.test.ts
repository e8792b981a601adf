import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aMember } from '../contract/given.ts';
import { forEachStore } from '../stores.ts';
import { useTestServer } from '../use-server.ts';
import { continueAt, type Glewlwyd, lacksGlewlwyd, startGlewlwyd } from './glewlwyd.ts';
import { anEnabledProvider, aProviderSite, outcomeOf, ProviderBrowser, pathOf } from './provider-site.ts';

const secret = 'a-secret.of_the~tests';

describe.skipIf(lacksGlewlwyd())('Glewlwyd as a login provider', () => {
  let glewlwyd: Glewlwyd;

  beforeAll(async () => {
    glewlwyd = await startGlewlwyd();
  }, 30_000);
  afterAll(() => glewlwyd?.stop());

  forEachStore((store) => {
    const server = useTestServer(store);

    /** A site that is a client of Glewlwyd. */
    async function aClient() {
      const { site } = await aProviderSite(server, []);
      const id = `club-${crypto.randomUUID()}`;
      const { issuer, addClient } = glewlwyd;
      const provider = await anEnabledProvider(site, { name: 'Club', issuer, clientId: id, secret });
      await addClient({ id, secret, redirectUri: provider.redirectUri! });
      const logIn = async (cookie: string) => {
        const browser = new ProviderBrowser(site);
        const page = await browser.begin(provider);
        return { browser, callback: pathOf(await continueAt(page, cookie)) };
      };
      return { site, id, provider, logIn };
    }

    test('logs in the member with a verified address, again with the same account, and in no other browser', async () => {
      const { site, id, logIn } = await aClient();
      const { email } = await aMember(site);
      const cookie = await glewlwyd.addPerson(id, { name: crypto.randomUUID(), email, isVerified: true });
      for (const _ of ['first', 'second']) {
        const { browser, callback } = await logIn(cookie);
        expect(outcomeOf(await new ProviderBrowser(site).get(callback))).toBe('expired');
        expect(outcomeOf(await browser.get(callback))).toBe('to /');
        expect(await browser.email()).toBe(email);
      }
    });

    test('sends the ordinary link where the address is not verified', async () => {
      const { site, id, logIn } = await aClient();
      const { email } = await aMember(site);
      const cookie = await glewlwyd.addPerson(id, { name: crypto.randomUUID(), email, isVerified: false });
      const { browser, callback } = await logIn(cookie);
      expect(outcomeOf(await browser.get(callback))).toBe('check');
      expect(await browser.email()).toBeUndefined();
    });

    test('is found to be right, and with another secret to be wrong', async () => {
      const { site, provider } = await aClient();
      const run = async () => (await site.post(`/login-providers/${provider.id}/test`, {})).body.data;
      expect((await run()).ok).toBe(true);
      await site.patch(`/login-providers/${provider.id}`, { secret: 'another' });
      const { ok, checks } = await run();
      const found = checks.filter(({ status }: { status: string }) => status === 'failed');
      expect([ok, found.map(({ check }: { check: string }) => check)]).toEqual([false, ['secret']]);
    });
  });
});
