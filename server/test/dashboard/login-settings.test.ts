import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LoginProvider } from '@gatehouse/contract';
import { providerCallbackPath } from '@gatehouse/contract/provider-issuers';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { desktop, look, phone } from '../browser.ts';
import { aGroup, aMember } from '../contract/given.ts';
import { aLoginProvider } from '../contract/ways-in.ts';
import { MockProvider } from '../login-providers/mock-provider.ts';
import { aProviderSite, ProviderBrowser, verified } from '../login-providers/provider-site.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { skipsDashboard, startDashboard, untilQuiet, untilStill, useBrowser } from './dashboard-browser.ts';

describe.skipIf(skipsDashboard())('the settings of logins in the dashboard', { timeout: 120_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  beforeAll(async () => {
    server = await startDashboard();
  });

  async function aClub(): Promise<{ site: TestSite; address: string; origin: string }> {
    const site = await server.createSite();
    const { slug } = (await site.get('/site')).body.data;
    const domain = `${slug}.example.org`;
    await site.patch('/site', { title: 'Rowing Club', domain });
    return { site, address: `/dashboard/${slug}/settings/login`, origin: `https://${domain}` };
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
  const secretField = (page: Page) => page.getByLabel('Client secret', { exact: true });
  const providersOf = async (site: TestSite): Promise<LoginProvider[]> =>
    (await site.get('/login-providers')).body.data;

  async function lookAt(page: Page, name: string): Promise<void> {
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport);
      await untilStill(page);
      await look(page, `${name}-${viewport.width}`);
    }
  }

  test('a provider is set up with the redirect URI, tested, turned on, changed and deleted', async () => {
    const { site, address, origin } = await aClub();
    const { id: rowers } = await aGroup(site, { name: 'Rowers' });
    const issuer = await startIssuer(origin);
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(address.replace('/login', ''));
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Login' }).click();
    await page.getByText('No providers yet').waitFor();
    await page.getByRole('link', { name: 'Add a provider' }).click();
    await page.getByRole('link', { name: 'Set up OpenID Connect' }).click();
    await page.getByText('Enter the issuer below first.').waitFor();

    await button(page, 'Save and test').click();
    await page.getByText('Enter the URL of the issuer').waitFor();
    await field(page, 'Issuer').fill('https://10.1.2.3');
    await field(page, 'Client ID').fill('gatehouse');
    await secretField(page).fill('mistyped');
    expect(await secretField(page).getAttribute('type')).toBe('password');
    await button(page, 'Show the secret').click();
    expect(await secretField(page).getAttribute('type')).toBe('text');
    await button(page, 'Show the secret').click();
    await field(page, 'Name').fill('Club account');
    await page.getByRole('radio', { name: 'Always' }).check();
    await page.getByText('Choose this only for a server that you run yourself').waitFor();
    await lookAt(page, 'login-provider-set-up');
    await page.getByRole('radio', { name: 'If the provider has verified it' }).check();
    await button(page, 'Save and test').click();
    await page.getByText('The host is in a private network.').waitFor();
    await field(page, 'Issuer').fill(`${issuer}/other/.well-known/openid-configuration`);
    await button(page, 'Save and test').click();
    await page.getByText('Nothing was saved, because the issuer cannot be used.').waitFor();
    await page.getByText(`${issuer}/other/.well-known/openid-configuration answered 404.`).waitFor();
    await lookAt(page, 'login-provider-issuer');
    expect(await field(page, 'Issuer').inputValue()).toBe(`${issuer}/other`);
    expect(await secretField(page).inputValue()).toBe('mistyped');
    expect(await providersOf(site)).toEqual([]);
    await field(page, 'Issuer').fill(issuer);
    await page
      .getByLabel('Redirect URI')
      .getByText(origin + providerCallbackPath(issuer))
      .waitFor();
    await button(page, 'Save and test').click();

    await page.getByRole('heading', { level: 1, name: 'Club account' }).waitFor();
    await page.getByText('Something is not right yet.').waitFor();
    const secretCheck = page.getByRole('listitem').filter({ hasText: 'Client ID and secret' });
    await secretCheck.getByText('Failed', { exact: true }).waitFor();
    await untilQuiet(page);
    await lookAt(page, 'login-provider-failed');
    await page.getByRole('switch', { name: 'Offer on the login page' }).click({ force: true });
    await page.getByRole('dialog', { name: 'Turn Club account on?' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await button(page, 'Replace the secret').click();
    await secretField(page).fill('a-secret');
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the secret' }).click();
    await page.getByText('The secret was replaced').waitFor();
    await page.getByText('before the last change').waitFor();
    await lookAt(page, 'login-provider-outdated');
    await button(page, 'Test again').click();
    await page.getByText('Nothing is wrong').waitFor();
    expect(await page.getByText('OK', { exact: true }).count()).toBe(4);
    await page.getByRole('switch', { name: 'Offer on the login page' }).click({ force: true });
    await expect.poll(async () => (await providersOf(site))[0]!.enabled).toBe(true);

    await button(page, 'Change').click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('textbox', { name: 'Issuer' }).count()).toBe(0);
    await dialog.getByRole('radio', { name: 'Never' }).check();
    await dialog.getByRole('button', { name: /^Groups/ }).click();
    await dialog.getByRole('textbox', { name: 'Claim with the groups' }).fill('teams');
    await dialog.getByRole('button', { name: 'Add a group' }).click();
    await dialog.getByRole('textbox', { name: 'Value of the claim' }).fill('rowers');
    await dialog.getByRole('combobox', { name: 'Access group' }).click();
    await page.getByRole('option', { name: 'Rowers' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('rowers → Rowers').waitFor();
    const [saved] = await providersOf(site);
    expect(saved).toMatchObject({
      emailTrust: 'never',
      groupsClaim: 'teams',
      groupMap: [{ value: 'rowers', accessGroupId: rowers }],
    });

    await button(page, 'Delete').click();
    await page.getByRole('dialog').getByText('No member has linked an account there.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No providers yet').waitFor();
    expect(await providersOf(site)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('an issuer that ends in a slash is kept when the URL of its configuration is entered', async () => {
    const { site, address } = await aClub();
    const issuer = `${await startIssuer('https://club.example.org', '/')}/`;
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(`${address}/new?type=oidc`);
    await field(page, 'Issuer').fill(`${issuer}.well-known/openid-configuration`);
    await field(page, 'Client ID').fill('gatehouse');
    await field(page, 'Client secret').fill('a-secret');
    await field(page, 'Name').fill('Club account');
    await button(page, 'Save and test').click();
    await page.getByRole('heading', { level: 1, name: 'Club account' }).waitFor();
    expect((await providersOf(site)).map((each) => each.issuer)).toEqual([issuer]);
    expect(faults).toEqual([]);
  });

  test('each type asks only for its own fields, and Apple for a private key', async () => {
    const { site, address, origin } = await aClub();
    const { page, faults } = await browser.open(server, site.siteId);
    const shownUri = (end: string) =>
      page
        .getByLabel('Redirect URI')
        .getByText(`${origin}/_gatehouse/login/callback/${end}`, { exact: true });
    const labels = async (type: string) => {
      await page.goto(`${address}/new?type=${type}`);
      await field(page, 'Name').waitFor();
      return page
        .locator('main :is(input:not([type=radio]), textarea):visible')
        .evaluateAll((all) => all.map((each) => each.labels[0].textContent));
    };
    expect(await labels('google')).toEqual(['Client ID', 'Client secret', 'Name']);
    expect(await page.getByRole('button', { name: /^Groups/ }).count()).toBe(1);
    expect(await labels('github')).toEqual(['Client ID', 'Client secret', 'Name']);
    expect(await page.getByRole('button', { name: /^Groups/ }).count()).toBe(0);
    await shownUri('github.com').waitFor();
    expect(await labels('microsoft')).toContain('Directory ID');
    await page.getByText('Enter the directory ID below first.').waitFor();
    const tenant = '5a3e1f2d-7b64-4c8e-9d10-2f6b8a4c7e91';
    await field(page, 'Directory ID').fill(tenant.toUpperCase());
    await shownUri(`login.microsoftonline.com/${tenant}/v2.0`).waitFor();
    expect(await labels('apple')).toEqual(['Services ID', 'Team ID', 'Key ID', 'Private key', 'Name']);
    await field(page, 'Private key').fill('a password');
    await button(page, 'Save and test').click();
    await page.getByText('Paste the whole text of the .p8 file').waitFor();
    expect(faults).toEqual([]);
  });

  test('the accounts of a member are listed and unlinked, one or all, and counted for each provider', async () => {
    const { site, address } = await aClub();
    const { id } = await aMember(site, { displayName: 'Ada Lovelace' });
    const club = await aLoginProvider(site, { name: 'Club account', enabled: true });
    for (const provider of [club, club, await aLoginProvider(site, { name: 'University' })])
      await site.storeIdentity(id, provider);
    const identities = async () => (await site.get(`/members/${id}/identities`)).body.data;
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(address);
    const row = page.getByRole('listitem').filter({ hasText: 'Club account' });
    await row.getByText('1 member', { exact: true }).waitFor();
    await page.getByRole('switch', { name: 'Offer Club account on the login page' }).click({ force: true });
    await page.getByRole('dialog').getByText('1 member has linked an account there').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await expect.poll(async () => (await providersOf(site))[0]!.enabled).toBe(false);

    await page.goto(address.replace('settings/login', `members/${id}`));
    const all = page.getByRole('list', { name: 'Linked accounts' });
    await all.getByText('University').waitFor();
    await lookAt(page, 'member-identities');
    await button(page, 'Unlink University · ada@example.com').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
    await expect.poll(async () => (await identities()).length).toBe(2);
    await page.getByText('removed the account at University').waitFor();
    await button(page, 'Unlink all').click();
    await page.getByRole('dialog', { name: 'Unlink all 2 accounts?' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink all' }).click();
    await all.waitFor({ state: 'detached' });
    expect(await identities()).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('an event names the provider of a login, and the account that was linked by it', async () => {
    const mock = await MockProvider.start();
    onTestFinished(() => mock.stop());
    const { site, providers } = await aProviderSite(server, [mock]);
    const { id, email } = await aMember(site, { displayName: 'Ada Lovelace' });
    await new ProviderBrowser(site).logInWith(providers[0]!, verified('ada', email));
    const { slug } = (await site.get('/site')).body.data;
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}/members/${id}`);
    await page.getByText('Ada Lovelace logged in with an account at Provider 1').waitFor();
    await page.getByText('Ada Lovelace linked an account at Provider 1').waitFor();
    await lookAt(page, 'member-login-events');
    expect(faults).toEqual([]);
  });

  test('passkeys are turned off for the site, and removed from a member, one or all', async () => {
    const { site, address } = await aClub();
    const { id } = await aMember(site, { displayName: 'Ada Lovelace' });
    for (const rpId of [null, null, 'former.example.org']) await site.storePasskey(id, { rpId });
    const passkeys = async () => (await site.get(`/members/${id}/passkeys`)).body.data;
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(address);
    const allowed = page.getByRole('switch', { name: 'Passkeys' });
    await page.getByRole('listitem').filter({ hasText: 'Passkeys' }).getByText('1 member').waitFor();
    await allowed.click({ force: true });
    await page.getByRole('dialog').getByText('1 member can then no longer log in with a passkey').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await expect.poll(async () => (await site.get('/site')).body.data.allowsPasskeys).toBe(false);
    await allowed.click({ force: true });
    await expect.poll(async () => (await site.get('/site')).body.data.allowsPasskeys).toBe(true);

    await page.goto(address.replace('settings/login', `members/${id}`));
    const all = page.getByRole('list', { name: 'Passkeys' });
    await all.getByText('Disabled').waitFor();
    await lookAt(page, 'member-passkeys');
    await button(page, 'Remove the passkey My phone').first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect.poll(async () => (await passkeys()).length).toBe(2);
    await page.getByText('removed the passkey My phone of').waitFor();
    await button(page, 'Remove all').click();
    await page.getByRole('dialog', { name: 'Remove all 2 passkeys?' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove all' }).click();
    await all.waitFor({ state: 'detached' });
    expect(await passkeys()).toEqual([]);

    await site.patch('/site', { scheme: 'http' });
    await page.goto(address);
    await page.getByText('Passkeys work only with https').waitFor();
    expect(await allowed.isDisabled()).toBe(true);
    expect(faults).toEqual([]);
  });

  test('operators without the permission see the ways to log in, and change nothing', async () => {
    const { site, address } = await aClub();
    const { id } = await aLoginProvider(site);
    const { page, faults } = await browser.open(server, site.siteId, 'viewer');
    await page.goto(address);
    await page.getByRole('link', { name: 'Club account' }).waitFor();
    await expect.poll(() => page.getByRole('switch').count()).toBe(2);
    for (const each of await page.getByRole('switch').all()) expect(await each.isDisabled()).toBe(true);
    expect(await page.getByRole('link', { name: 'Add a provider' }).count()).toBe(0);
    await page.goto(`${address}/${id}`);
    await page.getByText('Stored encrypted').waitFor();
    expect(await page.getByRole('button', { name: /^(?:Test|Change|Replace|Delete)/ }).count()).toBe(0);
    await page.goto(`${address}/new`);
    await page.getByText('You are not allowed to add login providers').waitFor();
    expect(faults).toEqual([]);
  });
});

/** A server with OpenID Connect, which knows its redirect URI for an origin and the secret `a-secret`. Returns its issuer. */
/** Returns its URL. @param end of its issuer */
async function startIssuer(origin: string, end = ''): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // It has no types.
  const { default: Provider } = (await import('oidc-provider' as string)) as {
    default: new (issuer: string, configuration: object) => { callback(): (...args: unknown[]) => void };
  };
  const redirectUris = [origin + providerCallbackPath(issuer + end)];
  const client = { client_id: 'gatehouse', client_secret: 'a-secret', redirect_uris: redirectUris };
  server.on('request', new Provider(issuer + end, { clients: [client] }).callback());
  return issuer;
}
