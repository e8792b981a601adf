import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { version, versionAndCommit } from '../../src/base/version.ts';
import { openSession } from '../../src/domain/sessions/sessions.ts';
import { operatorAccountUrl } from '../../src/domain/sites/site-addresses.ts';
import { desktop, look, phone } from '../browser.ts';
import { changing } from '../change.ts';
import { anOperator, moveLogin, operatorTenantOf, type TestOperator } from '../operator.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import {
  logIn,
  ownContext,
  pressInDialog,
  skipsDashboard,
  startDashboard,
  turnTo,
  untilQuiet,
  untilStill,
  useBrowser,
} from './dashboard-browser.ts';

describe.skipIf(skipsDashboard())('the frame of the dashboard', { timeout: 180_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  let site: TestSite;
  let slug: string;

  beforeAll(async () => {
    server = await startDashboard();
    site = await server.createSite();
    slug = (await site.get('/site')).body.data.slug;
    await site.patch('/site', { title: 'Rowing Club', domain: `${slug}.example.org` });
    await site.post('/members', { email: 'ada@example.com', displayName: 'Ada Lovelace' });
  });

  const operators = (page: Page) => page.goto(`/dashboard/${slug}/operators`);
  /** The page that emails link to. */
  const account = async (page: Page) =>
    page.goto(new URL(operatorAccountUrl(await operatorTenantOf(server))).pathname);
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  test('the start page leads to the site, and a role shows only the pages that it can use', async () => {
    const { page } = await browser.open(server, site.siteId, 'viewer');
    await page.goto('/dashboard/');
    await page.waitForURL(`**/dashboard/${slug}`);
    await heading(page, 'Overview').waitFor();
    const navigation = page.getByRole('navigation', { name: 'Pages of the site' });
    expect(await navigation.getByRole('link').locator('> span:first-of-type').allTextContents()).toEqual([
      'Overview',
      'Members',
      'Access groups',
      'Sources',
      'Access rules',
      'Events',
      'Emails',
      'Operators',
      'Settings',
    ]);
    await navigation.getByRole('link', { name: 'Operators' }).click();
    await heading(page, 'Operators').waitFor();
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
  });

  test('the help is the documentation of the page that is shown, in a new tab', async () => {
    const { page } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}`);
    const help = page.getByRole('link', { name: 'Help' });
    await expect.poll(() => help.getAttribute('href')).toMatch(/^\/help\/guides\/dashboard\.html#/);
    await page.getByRole('link', { name: 'Access rules', exact: true }).click();
    await heading(page, 'Access rules').waitFor();
    expect(await help.getAttribute('href')).toBe('/help/guides/access-rules.html');
    expect(await help.getAttribute('target')).toBe('_blank');
    await look(page, 'dashboard-help');
    await page.setViewportSize(phone);
    await untilStill(page);
    await look(page, 'dashboard-help-phone');
  });

  test('the search opens a member and a page with the keyboard only', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    await operators(page);
    await heading(page, 'Operators').waitFor();
    await page.keyboard.press('Control+k');
    await settled(page, 'Search or go to…');
    await page.keyboard.press('Enter');
    await heading(page, 'Overview').waitFor();
    await page.keyboard.press('Control+k');
    await settled(page, 'Search or go to…');
    await page.keyboard.type('lovelace');
    await page.getByRole('button', { name: /Ada Lovelace/ }).waitFor();
    await look(page, 'dashboard-search');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/dashboard/${slug}/members/*`);
    await heading(page, 'Ada Lovelace').waitFor();
    await page.keyboard.press('Control+k');
    await settled(page, 'Search or go to…');
    await page.keyboard.insertText('api keys');
    await page.getByRole('dialog').getByText('API keys').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/dashboard/${slug}/keys`);
    await page.keyboard.press('Control+k');
    await settled(page, 'Search or go to…');
    await page.getByRole('group', { name: 'Recently opened' }).getByText('Ada Lovelace').waitFor();
    await look(page, 'dashboard-search-recent');
    await page.keyboard.insertText('test /course as lovelace');
    await page.getByRole('button', { name: /^Test \/course as Ada Lovelace/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/dashboard/${slug}/rules?path=*&memberId=*`);
    await page.keyboard.press('Control+k');
    await settled(page, 'Search or go to…');
    await page.keyboard.insertText('block lovelace');
    await page.getByRole('button', { name: /^Block Ada Lovelace/ }).waitFor();
    await look(page, 'dashboard-search-command');
    await page.keyboard.press('Enter');
    // Enter alone must not block anybody.
    const question = page.getByRole('dialog', { name: 'Block Ada Lovelace?' });
    await question.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await settled(page, 'Search or go to…');
    await page.keyboard.insertText('a'.repeat(201));
    const { status } = await page
      .waitForEvent('response', (response) => response.url().includes('q=aaa'))
      .then((response) => ({ status: response.status() }));
    expect(status).toBe(200);
    expect(faults).toEqual([]);
  });

  test('shortcuts open pages and the search, are listed, and can be turned off', async () => {
    const { page, faults } = await browser.open(server, site.siteId, 'owner', ownContext);
    const { keyboard } = page;
    await operators(page);
    await heading(page, 'Operators').waitFor();
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    // The shortcuts are loaded after the page.
    await expect
      .poll(async () => {
        await keyboard.press('?');
        return sheet.isVisible();
      })
      .toBe(true);
    await sheet.getByText('G then M').waitFor();
    // In a dialog, they have no effect.
    await keyboard.press('g');
    await keyboard.press('k');
    await keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await keyboard.press('g');
    await keyboard.press('m');
    await heading(page, 'Members').waitFor();
    await keyboard.press('g');
    await keyboard.press('g');
    await heading(page, 'Access groups').waitFor();

    await keyboard.press('?');
    await sheet.getByRole('switch').uncheck();
    await keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await keyboard.press('?');
    await keyboard.press('g');
    await keyboard.press('m');
    await page.getByRole('button', { name: /^Account of/ }).press('Enter');
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).press('Enter');
    await sheet.getByRole('switch').check();
    expect(new URL(page.url()).pathname).toBe(`/dashboard/${slug}/groups`);
    await keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await keyboard.press('g');
    await keyboard.press('o');
    await heading(page, 'Overview').waitFor();
    await keyboard.press('/');
    await settled(page, 'Search or go to…');
    expect(faults).toEqual([]);
  });

  test('the search finds groups and actions, and its headings are not cut off', async () => {
    const { id } = (await site.post('/access-groups', { name: 'Patrons of the regatta' })).body.data;
    const { page, operator, faults } = await browser.open(server, site.siteId, 'owner', { viewport: phone });
    const displayName = `Olga O’Neill-${'Wolfeschlegelsteinhausenbergerdorff-'.repeat(3)}Owner`;
    await operator.browser.request('PATCH', 'me', { displayName });
    await operators(page);
    await heading(page, 'Operators').waitFor();
    const search = async (typed: string) => {
      await page.keyboard.press('Control+k');
      await settled(page, 'Search or go to…');
      await page.keyboard.insertText(typed);
    };
    const found = (name: string | RegExp) => page.getByRole('dialog').getByRole('button', { name });

    await search('');
    for (const name of ['Pages', 'Actions', `Account of ${displayName}`]) {
      const title = page.getByRole('group', { name }).getByText(name, { exact: true });
      expect(await title.evaluate((it) => it.scrollWidth <= it.clientWidth)).toBe(true);
    }
    for (const name of [
      'Add members',
      'New access group',
      'Connect a source',
      'New access rule',
      'New API key',
      'Invite operator',
      'Log out',
    ])
      expect(await found(name).count()).toBe(1);
    await look(page, 'dashboard-search-phone');
    await page.keyboard.insertText('log out');
    await found('Log out').waitFor();
    await page.keyboard.press('Escape');

    await search('patr');
    await found(/Patrons of the regatta/).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/dashboard/${slug}/groups/${id}`);

    for (const [typed, dialog, field] of [
      ['new access group', 'New access group', 'Name'],
      ['new access rule', 'Add a rule', 'Path'],
      ['new api', 'Create API key', 'Name'],
      ['invite operator', 'Invite to Rowing Club', 'Email address'],
      ['new site', 'New site', 'Title'],
    ] as const) {
      await search(typed);
      await page.keyboard.press('Enter');
      const focused = page.getByRole('dialog', { name: dialog }).locator('input:focus');
      await focused.waitFor();
      expect(
        await focused.evaluate(
          (it) => (it as unknown as { labels: { textContent: string }[] }).labels[0]!.textContent,
        ),
      ).toBe(field);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }

    const theme = () => page.getAttribute('html', 'data-mantine-color-scheme');
    for (const scheme of ['dark', 'light']) {
      await search(`${scheme} theme`);
      await page.keyboard.press('Enter');
      await expect.poll(theme).toBe(scheme);
    }
    expect(faults).toEqual([]);
  });

  test.each(['owner', 'support', 'viewer'] as const)(
    'each heading of the navigation has pages below it, for the role %s',
    async (role) => {
      const { page } = await browser.open(server, site.siteId, role);
      await page.goto(`/dashboard/${slug}`);
      await heading(page, 'Overview').waitFor();
      const navigation = page.getByRole('navigation', { name: 'Pages of the site' });
      const groups = await navigation.locator('> div').all();
      expect(groups.length).toBeGreaterThan(1);
      for (const group of groups) expect(await group.getByRole('link').count()).toBeGreaterThan(0);
      if (role === 'support') expect(await navigation.innerText()).not.toContain('Logs\n\nAdministration');
    },
  );

  test.each([
    ['a phone', phone],
    ['a desk', desktop],
  ])('on %s, notes cover no dialog, and the title of the site is whole', async (_, viewport) => {
    await site.patch('/site', { title: 'Jogging & Paddling' });
    const { page } = await browser.open(server, site.siteId, 'owner', { viewport });
    const other = await anOperator(server, site.siteId, 'viewer');
    await operators(page);
    await page.route(`**/api/v1/operators/${other.id}`, (route) => route.fulfill({ status: 503, json: {} }));
    await page.getByRole('row', { name: other.email }).getByRole('combobox').click();
    await page.getByRole('option', { name: 'Admin' }).click();
    const note = page.getByRole('region', { name: 'Notifications' }).getByRole('alert');
    await note.waitFor();

    const isWhole = await page.evaluate<boolean>(`(() => {
      const names = [...document.querySelectorAll('header span')];
      const title = names.findLast(({ textContent }) => textContent === 'Jogging & Paddling');
      const range = document.createRange();
      range.selectNodeContents(title);
      const text = range.getBoundingClientRect();
      const box = title.getBoundingClientRect();
      return text.top >= box.top && text.bottom <= box.bottom;
    })()`);
    expect(isWhole).toBe(true);

    const boxes = async () => {
      const [noteBox, dialogBox] = [await note.boundingBox(), await page.getByRole('dialog').boundingBox()];
      return { note: noteBox!, dialog: dialogBox! };
    };
    const areApart = async () => {
      const { note, dialog } = await boxes();
      const isInView = note.y >= 0 && note.y + note.height <= viewport.height;
      return (
        isInView && dialog.y >= 0 && (dialog.y + dialog.height <= note.y || note.y + note.height <= dialog.y)
      );
    };
    await page.getByRole('button', { name: 'Invite' }).click();
    await settled(page, 'Invite to Jogging & Paddling');
    await expect.poll(areApart).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await settled(page, 'Search or go to…');
    await expect.poll(areApart).toBe(true);
    await page.keyboard.insertText('new api key');
    await page.keyboard.press('Enter');
    // The tallest dialog.
    await page.getByRole('radio', { name: 'Choose' }).check();
    await expect.poll(areApart).toBe(true);
    await look(page, `dashboard-note-and-dialog-${viewport.width}`);
    await site.patch('/site', { title: 'Rowing Club' });
  });

  test('an operator is invited, changes role and back, and is removed', async () => {
    const { page, operator, faults } = await browser.open(server, site.siteId);
    await operators(page);
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Email address').fill('grace@example.com');
    await page.getByRole('textbox', { name: 'Name' }).fill('Grace <b>Hopper</b>');
    await page.getByRole('radio', { name: /Viewer/ }).check();
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    const row = page.getByRole('row', { name: /grace@example.com/ });
    await row.getByText('Grace <b>Hopper</b>', { exact: true }).waitFor();
    await row
      .getByRole('cell', { name: /Invited/ })
      .first()
      .waitFor();
    await row.getByRole('cell', { name: 'Never', exact: true }).waitFor();
    const roleOf = async () =>
      (await operator.browser.api(site.siteId, 'GET', '/operators')).body.data.find(
        ({ email }: { email: string }) => email === 'grace@example.com',
      )?.role;

    await row.getByRole('combobox').click();
    await page.getByRole('option', { name: 'Admin' }).click();
    await expect.poll(roleOf).toBe('admin');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(roleOf).toBe('viewer');

    await row.getByRole('button', { name: /^Remove/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect.poll(roleOf).toBeUndefined();
    await row.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  test('a rejected change is reverted, and the error shows its request id', async () => {
    const other = await server.createSite();
    const otherSlug = (await other.get('/site')).body.data.slug;
    const { page, operator } = await browser.open(server, other.siteId);
    await page.goto(`/dashboard/${otherSlug}/operators`);
    const row = page.getByRole('row', { name: operator.email });
    await row.getByRole('button', { name: /^Remove/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Request id' });
    expect(await alert.textContent()).toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(await row.count()).toBe(1);
  });

  test('an error is shown in the language of the operator, once and at its field', async () => {
    const { page, operator } = await browser.open(server, site.siteId, 'owner', { locale: 'de' });
    await operators(page);
    await page.getByRole('button', { name: 'Einladen' }).click();
    const dialog = page.getByRole('dialog');
    const email = dialog.getByRole('textbox').first();
    await email.fill(operator.email);
    await page.keyboard.press('Enter');
    const alert = dialog.getByRole('alert');
    expect(await alert.textContent()).toContain('ist bereits Betreiber');
    expect(await alert.getAttribute('id')).toBe(
      await email
        .getAttribute('aria-describedby')
        .then((ids) => ids!.split(' ').find((id) => id.includes('error'))),
    );
    await dialog.getByRole('button', { name: 'Abbrechen' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Einladen' }).click();
    expect([await email.inputValue(), await alert.count()]).toEqual(['', 0]);
    // A click outside a dialog does not discard the input.
    await email.fill('typed');
    await page.mouse.click(5, 5);
    await page.keyboard.press('Tab');
    expect(await email.inputValue()).toBe('typed');

    await page.goto(`/dashboard/${slug}/add`);
    const address = page.getByRole('textbox', { name: 'E-Mail-Adresse' });
    await address.fill('ada@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('Ein Mitglied mit dieser E-Mail-Adresse existiert bereits.').waitFor();
    await page.getByRole('link', { name: 'Mitglied anzeigen' }).click();
    await page.getByRole('button', { name: 'Verlassen' }).click();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  });

  test('operators whose session has ended are sent to the login page', async () => {
    const { page, operator } = await browser.open(server, site.siteId);
    await operators(page);
    await page.getByRole('button', { name: 'Rowing Club' }).click();
    await page.getByRole('menuitem', { name: 'New site' }).click();
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Made by nobody');
    await operator.browser.request('POST', 'logout', {});
    await page.getByRole('dialog', { name: 'You are logged out' }).waitFor();
    await operators(page);
    await page.waitForURL('**/dashboard/login?*');
  });

  test('operators whose session has ended can log out', async () => {
    const { page, operator } = await browser.open(server, site.siteId);
    // A page of a site, or one that still loads, would show at once that the session has ended.
    await account(page);
    await untilQuiet(page);
    const menu = page.getByRole('button', { name: /Account of/ });
    await menu.waitFor();
    await operator.browser.request('POST', 'logout', {});
    await menu.click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL('**/dashboard/login');
  });

  test('operators who leave their last site are sent to the login page', async () => {
    const { page, operator } = await browser.open(server, site.siteId);
    await operators(page);
    const row = page.getByRole('row', { name: operator.email });
    await row.getByRole('button', { name: /^Remove/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.waitForURL('**/dashboard/login*');
  });

  test('a new title is shown everywhere, and pointing at a site does not open it', async () => {
    const { page, operator } = await browser.open(server, site.siteId);
    await operator.browser.request('POST', 'sites', { slug: 'pointed-at', title: 'Pointed at' });
    await page.goto(`/dashboard/${slug}/settings/site`);
    await page.getByRole('textbox', { name: 'Title' }).fill('Sailing Club');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Sailing Club' }).waitFor();
    await page.getByRole('link', { name: 'Operators' }).click();
    await page.getByText('The people who manage Sailing Club').waitFor();
    await page.getByRole('button', { name: 'Sailing Club' }).click();
    const token = page.waitForResponse('**/dashboard/api/token');
    await page.getByRole('menuitem', { name: 'Pointed at' }).hover();
    await token;
    await page.goto('/dashboard/');
    await page.waitForURL(`**/dashboard/${slug}`);
    await site.patch('/site', { title: 'Rowing Club' });
  });

  test('relative times are updated, and a token is renewed before it expires, independent of the clock', async () => {
    const { page } = await browser.open(server, site.siteId, 'owner', ownContext);
    await page.clock.install({ time: Date.now() + 16 * 60_000 });
    let tokens = 0;
    page.on('request', (request) => {
      tokens += Number(request.url().endsWith('/dashboard/api/token'));
    });
    await page.goto(`/dashboard/${slug}/events`);
    const time = page.getByRole('list', { name: 'Events', exact: true }).locator('time').first();
    await time.waitFor();
    await page.getByRole('link', { name: 'API keys' }).click();
    await heading(page, 'API keys').waitFor();
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    const before = await time.textContent();
    expect(tokens).toBe(1);
    await page.clock.fastForward(14.5 * 60_000);
    await expect.poll(() => time.textContent()).not.toBe(before);
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    await expect.poll(() => tokens).toBe(2);
  });

  test('a rejected token is renewed, and the call is repeated', async () => {
    const { page } = await browser.open(server, site.siteId);
    await operators(page);
    await page.getByText('Last login').first().waitFor({ state: 'attached' });
    let attempts = 0;
    await page.route('**/api/v1/members?*', async (route) => {
      attempts += 1;
      if (attempts > 1) return route.continue();
      const headers = { ...route.request().headers(), authorization: 'Bearer gateop_ended' };
      return route.continue({ headers });
    });
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    expect(attempts).toBe(2);
  });

  test('a rejected change is reverted on the page', async () => {
    const { page, operator } = await browser.open(server, site.siteId);
    const other = await anOperator(server, site.siteId, 'viewer');
    await operators(page);
    const role = page.getByRole('row', { name: other.email }).getByRole('combobox');
    await role.waitFor();
    await page.route('**/api/v1/operators*', (route) => route.abort());
    await page.route(`**/api/v1/operators/${other.id}`, (route) =>
      route.fulfill({
        status: 409,
        json: { error: { code: 'last_owner', message: '', requestId: operator.id } },
      }),
    );
    await role.click();
    await page.getByRole('option', { name: 'Admin' }).click();
    await page.getByText('The site needs at least one owner.').waitFor();
    await expect.poll(() => role.inputValue()).toBe('Viewer');
  });

  test('a page whose files no longer exist asks to be reloaded', async () => {
    const { page } = await browser.open(server, site.siteId);
    await account(page);
    await page.getByText('This browser', { exact: true }).waitFor();
    await page.route('**/assets/keys-page-*.js', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByText('Gatehouse was updated.').waitFor();
  });

  /** Lets the browser of a page create and use passkeys. */
  async function addAuthenticator(page: Page): Promise<void> {
    const devtools = await page.context().newCDPSession(page);
    onTestFinished(() => devtools.detach());
    await devtools.send('WebAuthn.enable');
    const options = { protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true } as const;
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    });
  }

  test('an operator adds a passkey on the account page, and removes it', async () => {
    const { page, operator, faults } = await browser.open(server, site.siteId);
    await addAuthenticator(page);
    await account(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('My laptop');
    await page.getByRole('button', { name: 'Continue' }).click();
    const removal = page.getByRole('button', { name: 'Remove “My laptop”' });
    await removal.waitFor();
    const passkeys = async () => (await operator.browser.request('GET', 'passkeys')).body.data;
    expect(await passkeys()).toMatchObject([{ name: 'My laptop' }]);
    await removal.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await removal.waitFor({ state: 'detached' });
    expect(await passkeys()).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('inviting long after the login asks for the passkey, and keeps what was typed', async () => {
    const { page, operator, faults } = await browser.open(server, site.siteId);
    await addAuthenticator(page);
    await account(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: /^Remove “/ }).waitFor();

    await moveLogin(server, operator, 16 * 60_000);
    await operators(page);
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Email address').fill('barbara@example.com');
    await page.getByRole('radio', { name: /Owner/ }).check();
    const invite = page.getByRole('button', { name: 'Send the invitation' });
    await invite.click();
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await question.getByRole('button', { name: 'Use passkey' }).waitFor();
    await look(page, 'dashboard-confirm-login');
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await page.getByText('You logged in more than 15 minutes ago.').waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe('barbara@example.com');

    await invite.press('Enter');
    await question.locator('button:focus', { hasText: 'Use passkey' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /barbara@example.com/ }).waitFor();
    expect(faults.filter((fault) => !fault.includes('403'))).toEqual([]);
  });

  test('without a passkey the operator logs in again in another tab', async () => {
    const { page, operator } = await browser.open(server, site.siteId);
    await page.setViewportSize(phone);
    await moveLogin(server, operator, 16 * 60_000);
    await operators(page);
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Email address').fill('radia@example.com');
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
    const address = await question.getByRole('link', { name: 'Log in' }).getAttribute('href');
    expect(address).toBe(`/dashboard/login?next=%2Fdashboard%2F${slug}%2Foperators`);
    expect(await question.getByRole('button', { name: 'Use passkey' }).count()).toBe(0);
    await look(page, 'dashboard-confirm-login-phone');
    await question.getByRole('button', { name: 'I have logged in' }).click();
    await page.getByText('You have not logged in again in this browser yet.').waitFor();
    await logInAgain(server, operator);
    await logIn(page, operator);
    await question.getByRole('button', { name: 'I have logged in' }).click();
    await page.getByRole('row', { name: /radia@example.com/ }).waitFor();
  });

  test('a page whose session has ended keeps its input, and saves it after the next login', async () => {
    const { page, operator } = await browser.open(server, site.siteId);
    await account(page);
    await untilQuiet(page);
    await page.getByRole('textbox', { name: 'Your name' }).fill('Barbara Liskov');
    await operator.browser.request('POST', 'logout', { everywhere: true });
    // The page may notice the end by itself before, and then covers the button.
    await page.getByRole('button', { name: 'Save' }).dispatchEvent('click');
    const dialog = page.getByRole('dialog', { name: 'You are logged out' });
    await dialog.waitFor();
    expect(await page.getByRole('textbox', { name: 'Your name' }).inputValue()).toBe('Barbara Liskov');
    await look(page, 'dashboard-signed-out');

    await logInAgain(server, operator);
    await logIn(page, operator);
    const tab = await page.context().newPage();
    await tab.goto('/dashboard/me');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: /Account of Barbara Liskov/ }).waitFor();
  });

  test('another operator who logs in gets a new page', async () => {
    const { page, operator } = await browser.open(server, site.siteId);
    await account(page);
    await untilQuiet(page);
    await page.getByRole('textbox', { name: 'Your name' }).fill('Not theirs');
    await operator.browser.request('POST', 'logout', { everywhere: true });
    // The page may notice the end by itself before, and then covers the button.
    await page.getByRole('button', { name: 'Save' }).dispatchEvent('click');
    await page.getByRole('dialog', { name: 'You are logged out' }).waitFor();
    const other = await anOperator(server, site.siteId, 'viewer');
    await logIn(page, other);
    page.on('dialog', (question) => question.accept());
    await page.getByRole('button', { name: 'I have logged in' }).click();
    await page.getByText(other.email).first().waitFor();
    expect(await page.getByRole('textbox', { name: 'Your name' }).inputValue()).toBe('');
  });

  test('a page does nothing more once another operator has logged in, and reloads', async () => {
    const { page, operator } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}/groups`);
    await page.getByRole('button', { name: 'New group' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Made by nobody');
    // First the login: a page that notices the end of its session while there is none waits on the login page.
    const other = await anOperator(server, site.siteId);
    await logIn(page, other);
    await operator.browser.request('POST', 'logout', { everywhere: true });
    // The page may have noticed it before.
    const create = page.getByRole('dialog').getByRole('button', { name: 'Create' });
    await create.click({ timeout: 5_000 }).catch(() => {});
    await page.getByRole('button', { name: `Account of ${other.email}` }).waitFor();
    expect(JSON.stringify((await site.get('/access-groups')).body)).not.toContain('Made by nobody');
  });

  test('leaving unsaved changes asks for confirmation', async () => {
    const { page } = await browser.open(server, site.siteId);
    await account(page);
    await page.getByRole('textbox', { name: 'Your name' }).fill('Grace');
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(page.url()).toContain('/dashboard/me');
    expect(await page.getByRole('textbox', { name: 'Your name' }).inputValue()).toBe('Grace');
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await page.waitForURL(`**/dashboard/${slug}`);
  });

  test('a notice is shown when the browser is offline, and when the server has a new version', async () => {
    const { page, operator } = await browser.open(server, site.siteId);
    await account(page);
    await page.getByText('This browser', { exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.context().setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'hidden' });

    const { body } = await operator.browser.request('GET', 'me');
    await page.route('**/dashboard/api/me', (route) =>
      route.fulfill({ json: { data: { ...body.data, version: '99.0.0' } } }),
    );
    await page.getByRole('textbox', { name: 'Your name' }).fill('Margaret Hamilton');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Gatehouse was updated.').waitFor();
  });

  test('the account menu names the version, and a notice says that a newer one has migrated the database', async () => {
    const { page, operator } = await browser.open(server, site.siteId);
    const { body } = await operator.browser.request('GET', 'me');
    await page.route('**/dashboard/api/me', (route) =>
      route.fulfill({ json: { data: { ...body.data, newerVersion: '9.0.0' } } }),
    );
    const notice = page.getByText(
      `A newer version of Gatehouse, 9.0.0, has migrated the database. This process still runs ${version}: restart it with the new version.`,
    );
    await page.setViewportSize(phone);
    await operators(page);
    await notice.waitFor();
    await untilStill(page);
    await look(page, 'dashboard-newer-version-phone');
    await page.setViewportSize(desktop);
    await operators(page);
    await notice.waitFor();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menu').getByText(`Gatehouse ${versionAndCommit}`, { exact: true }).waitFor();
    await untilStill(page);
    await look(page, 'dashboard-newer-version');
  });

  test('a request that cannot be sent offline fails at once, and is not sent later', async () => {
    const { page } = await browser.open(server, site.siteId, 'owner', ownContext);
    await page.goto(`/dashboard/${slug}/settings/site`);
    await page.getByRole('textbox', { name: 'Title' }).fill('Must not be saved');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Save' }).click();
    const failure = page.getByRole('alert').filter({ hasText: 'nothing was sent or saved' });
    await failure.waitFor();
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Must not be saved');
    await page.getByRole('button', { name: 'Discard' }).click();

    await page.getByRole('link', { name: 'API keys' }).click();
    const notLoaded = page.getByRole('alert').filter({ hasText: 'This page could not be loaded' });
    await notLoaded.waitFor();
    expect(await failure.count()).toBe(0);
    await page.context().setOffline(false);
    await heading(page, 'API keys').waitFor();
    expect(await notLoaded.count()).toBe(0);

    await page.getByRole('button', { name: 'Create API key' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Must not be made');
    await page.context().setOffline(true);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'nothing was sent or saved' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Operators' }).click();
    await heading(page, 'Operators').waitFor();
    await page.getByText('Last login').first().waitFor({ state: 'attached' });
    expect((await site.get('/site')).body.data.title).toBe('Rowing Club');
    const keys = (await site.get('/api-keys')).body.data;
    expect(keys.map(({ name }: { name: string }) => name)).not.toContain('Must not be made');
  });

  test('a part of the page that could not be downloaded is loaded later, and no input is lost', async () => {
    const own = await server.createSite();
    const { page } = await browser.open(server, own.siteId, 'owner', ownContext);
    const parts =
      /\/assets\/(confirm-login-dialog|errors|live-updates|logged-out-dialog|notifications)-.*\.js/;
    const failed = new Set<string>();
    await page.route(parts, (route) => {
      failed.add(parts.exec(route.request().url())![1]!);
      return route.abort();
    });
    await page.goto(`/dashboard/${(await own.get('/site')).body.data.slug}/settings/site`);
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.fill('Not saved yet');
    await expect
      .poll(() => [...failed].sort())
      .toEqual(['confirm-login-dialog', 'errors', 'live-updates', 'logged-out-dialog', 'notifications']);
    const save = page.getByRole('button', { name: 'Save' });
    await page.route('**/api/v1/site', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Unavailable.' } } })
        : route.continue(),
    );
    await save.click();
    await page.getByRole('button', { name: 'Save', disabled: false }).waitFor();
    expect(await title.inputValue()).toBe('Not saved yet');
    await page.unroute(parts);
    const failure = page.getByRole('region', { name: 'Unsaved changes' }).getByRole('alert');
    await failure.waitFor();

    await page.unroute('**/api/v1/site');
    await page.context().clearCookies();
    await save.click();
    await page.getByRole('dialog', { name: 'You are logged out' }).waitFor();
    expect(await title.inputValue()).toBe('Not saved yet');
  });

  test('the search that cannot be downloaded says so, and keeps the page', async () => {
    const { page } = await browser.open(server, site.siteId, 'owner', ownContext);
    const notifications = page.waitForResponse('**/assets/notifications-*.js');
    await page.goto(`/dashboard/${slug}/settings/site`);
    await notifications;
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.fill('Not saved yet');
    await page.context().setOffline(true);
    await page.keyboard.press('Control+k');
    await page.getByRole('alert').filter({ hasText: 'nothing was sent or saved' }).waitFor();
    expect(await title.inputValue()).toBe('Not saved yet');
    await page.context().setOffline(false);
    await page.keyboard.press('Control+k');
    await settled(page, 'Search or go to…');
  });

  test('with the keyboard only, the focus returns after each dialog and each change', async () => {
    const accessGroupIds = [];
    for (const name of ['Boathouse', 'Course 2026', 'Jetty'])
      accessGroupIds.push((await site.post('/access-groups', { name })).body.data.id);
    const { id } = (await site.post('/members', { email: 'joan@example.com', accessGroupIds })).body.data;
    const { page, faults } = await browser.open(server, site.siteId);
    const { keyboard } = page;
    const focused = () =>
      page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent');
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first();
    async function press(name: string | RegExp): Promise<void> {
      await button(name).focus();
      await keyboard.press('Enter');
    }
    async function closes(dialog: string | RegExp, opener: string): Promise<void> {
      await page.getByRole('dialog', { name: dialog }).waitFor();
      await keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(focused).toContain(opener);
    }

    // Files that a dialog may need later must not delay the page.
    const later = '**/assets/errors-*.js';
    await page.route(later, (route) => route.abort());
    await page.goto(`/dashboard/${slug}`);
    for (const [where, opener] of [
      ['groups', 'New group'],
      ['keys', 'Create API key'],
      ['rules', 'Add a rule'],
    ] as const) {
      await turnTo(page, `/dashboard/${slug}/${where}`);
      await press(opener);
      await closes(/./, opener);
    }
    await page.unroute(later);

    await turnTo(page, `/dashboard/${slug}/groups`);
    await press('New group');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Rowers');
    await keyboard.press('Enter');
    await page.getByText('The group Rowers was created').waitFor();
    await expect.poll(focused).toBe('New group');

    await turnTo(page, `/dashboard/${slug}/members/${id}`);
    for (const key of ['Escape', 'Enter']) {
      await press('Change: Name');
      await keyboard.type('Grace');
      await keyboard.press(key);
      await expect.poll(focused).toBe('Change: Name');
    }
    await press('Remove from Course 2026');
    await button('Remove from Course 2026').waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Remove from Jetty');
    await keyboard.press('Control+z');
    await button('Remove from Course 2026').waitFor();
    expect(await focused()).toBe('Remove from Jetty');
    await press('More actions');
    await page.getByRole('menuitem', { name: 'Copy a login link' }).press('Enter');
    await closes('Login link', 'More actions');
    expect(faults).toEqual([]);
  });

  test('undo waits for the newest of several changes, and leaves the others', async () => {
    const accessGroupIds = [];
    for (const name of ['Harbor', 'Sauna'])
      accessGroupIds.push((await site.post('/access-groups', { name })).body.data.id);
    const { id } = (await site.post('/members', { email: 'undo@example.com', accessGroupIds })).body.data;
    const { page } = await browser.open(server, site.siteId);
    const remove = (name: string) => page.getByRole('button', { name: `Remove from ${name}`, exact: true });
    const held: (() => void)[] = [];
    await page.route('**/access-groups/*/members/*', async (route) => {
      if (route.request().method() === 'DELETE') await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await page.goto(`/dashboard/${slug}/members/${id}`);
    for (const name of ['Harbor', 'Sauna']) {
      await remove(name).click();
      await remove(name).waitFor({ state: 'detached' });
    }
    await expect.poll(() => held.length).toBe(2);
    const undone = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.keyboard.press('Control+z');
    held[0]!();
    await page.getByRole('button', { name: 'Undo' }).first().waitFor();
    held[1]!();
    expect((await undone).status()).toBe(201);
    await remove('Sauna').waitFor();
    const { accessGroups } = (await site.get(`/members/${id}`)).body.data;
    expect(accessGroups).toMatchObject([{ name: 'Sauna' }]);
  });

  test('with the keyboard only, bulk actions are close by, and undo has no time limit while it has the focus', async () => {
    const { page } = await browser.open(server, site.siteId, 'owner', ownContext);
    const { keyboard } = page;
    await page.clock.install();
    await page.goto(`/dashboard/${slug}/members`);
    const ticks = page.getByRole('checkbox', { name: /^Select (?!all)/ });
    await ticks.first().press('Space');
    await page.getByText('1 selected').waitFor();
    await page.getByRole('checkbox', { name: 'Select all' }).focus();
    await keyboard.press('Shift+Tab');
    expect(await page.getByRole('button', { name: 'Actions' }).evaluate((it) => it.matches(':focus'))).toBe(
      true,
    );
    await page.getByRole('button', { name: 'Block' }).press('Enter');
    await pressInDialog(page, 'Block 1 member');
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Block' }).evaluate((it) => it.matches(':focus')))
      .toBe(true);
    const { y, height } = (await undo.boundingBox())!;
    expect(y + height).toBeLessThan(100);
    await undo.focus();
    await page.clock.fastForward(60_000);
    expect(await undo.count()).toBe(1);
    await keyboard.press('Enter');
    await page.getByText('Undone for 1 member').waitFor();
  });

  test('an operator creates another site and is its owner', async () => {
    const options = { timezoneId: 'Asia/Tokyo' };
    const { page, operator } = await browser.open(server, site.siteId, 'owner', options);
    await operators(page);
    await page.getByRole('button', { name: 'Rowing Club' }).click();
    await page.getByRole('menuitem', { name: 'New site' }).click();
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Café du Port');
    expect(await page.getByLabel('Short name').inputValue()).toBe('cafe-du-port');
    await page.getByRole('button', { name: 'Create the site' }).click();
    await page.waitForURL('**/dashboard/cafe-du-port');
    const { body } = await operator.browser.request('GET', 'me');
    const made = { slug: 'cafe-du-port', role: 'owner', timeZone: 'Asia/Tokyo' };
    expect(body.data.sites).toContainEqual(expect.objectContaining(made));
  });

  test('a browser that does not know the time zone of the site says that days are in UTC', async () => {
    const own = await server.createSite();
    await own.patch('/site', { timeZone: 'Pacific/Chatham' });
    const { slug: ownSlug } = (await own.get('/site')).body.data;
    const member = (await own.post('/members', { email: 'ada@example.com' })).body.data.id;
    const group = (await own.post('/access-groups', { name: 'Rowers' })).body.data.id;
    const expiresAt = '2099-07-01T00:00:00.000Z';
    await own.post(`/access-groups/${group}/members`, { memberId: member, expiresAt });
    const { page } = await browser.open(server, own.siteId, 'owner', ownContext);
    const notice = page.getByText('This browser does not know the time zone of the site, Pacific/Chatham.');
    await page.goto(`/dashboard/${ownSlug}/members/${member}`);
    await page.getByText(/^Until Jul 1, 2099, 12:45\sPM GMT\+12:45$/).waitFor();
    expect(await notice.count()).toBe(0);
    await page.addInitScript(() => {
      const { DateTimeFormat } = Intl;
      Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
        construct(target, [locales, options]) {
          if (options?.timeZone === 'Pacific/Chatham') throw new RangeError('Invalid time zone');
          return new target(locales, options);
        },
      });
    });
    await page.reload();
    await page.getByText('Until Jun 30, 2099', { exact: true }).waitFor();
    await notice.waitFor();
    await page.goto('/dashboard/me');
    await heading(page, 'Your account').waitFor();
    expect(await notice.count()).toBe(0);
  });
});

/** Waits until a dialog has the focus. */
async function settled(page: Page, dialog: string): Promise<void> {
  await page.getByRole('dialog', { name: dialog }).locator('input:focus').waitFor();
  await untilStill(page);
}

/** Opens a new session for an operator whose last one has ended. */
async function logInAgain(server: TestServer, { personId, browser }: TestOperator): Promise<void> {
  const tenant = await operatorTenantOf(server);
  const client = { userAgent: null, ipAddress: null };
  const { token } = await changing(server.database, tenant.id, (change) =>
    openSession(change, personId, client, 'link'),
  );
  browser.cookies.set('gatehouse_operator', token);
}
