import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '../../src/credentials/sessions.ts';
import { anOperator, realmOfOperators, type TestOperator } from '../operator.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import {
  desktop,
  leftOutDashboard,
  look,
  phone,
  signIn,
  startDashboard,
  useBrowser,
} from './dashboard-browser.ts';

describe.skipIf(leftOutDashboard())('the frame of the dashboard', { timeout: 180_000 }, () => {
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
  const account = (page: Page) => page.goto('/dashboard/me');
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  test.each(['light', 'dark'] as const)(
    'its pages fit and can be used by everybody, in %s',
    async (colorScheme) => {
      for (const [size, viewport] of Object.entries({ phone, desktop })) {
        const { page, faults } = await browser.open(server, site.siteId, 'owner', { viewport, colorScheme });
        const name = (each: string) => `dashboard-${each}-${size}-${colorScheme}`;
        await operators(page);
        await page.getByText('Last sign-in').first().waitFor({ state: 'attached' });
        await look(page, name('operators'));
        await page.getByRole('button', { name: 'Invite' }).click();
        await settled(page, 'Invite to Rowing Club');
        await look(page, name('invitation'));
        await account(page);
        await page.getByText('This browser', { exact: true }).waitFor();
        await look(page, name('account'));
        await page.goto(`/dashboard/${slug}-of-others/members`);
        await heading(page, 'There is nothing here').waitFor();
        await look(page, name('not-found'));
        expect(faults).toEqual([]);
        await page.context().close();
      }
    },
  );

  test('the front leads to the site, and a role shows the pages that it can use', async () => {
    const { page } = await browser.open(server, site.siteId, 'viewer');
    await page.goto('/dashboard/');
    await page.waitForURL(`**/dashboard/${slug}`);
    await heading(page, 'Overview').waitFor();
    const navigation = page.getByRole('navigation', { name: 'Pages of the site' });
    expect(await navigation.getByRole('link').allTextContents()).toEqual([
      'Overview',
      'Members',
      'Access groups',
      'Access rules',
      'Events',
      'Mails',
      'Operators',
      'Settings',
    ]);
    await navigation.getByRole('link', { name: 'Operators' }).click();
    await heading(page, 'Operators').waitFor();
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
  });

  test('with the keyboard alone, the search goes to a member and to a page', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    await operators(page);
    await heading(page, 'Operators').waitFor();
    await page.keyboard.press('Control+k');
    await settled(page, 'Search or go to…');
    await page.keyboard.type('lovelace');
    await page.getByRole('button', { name: /Ada Lovelace/ }).waitFor();
    await look(page, 'dashboard-search');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/dashboard/${slug}/members/*`);
    await page.keyboard.press('Control+k');
    await settled(page, 'Search or go to…');
    await page.keyboard.type('api keys');
    await page.getByRole('dialog').getByText('API keys').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/dashboard/${slug}/keys`);
    await page.keyboard.press('Control+k');
    await settled(page, 'Search or go to…');
    await page.keyboard.insertText('a'.repeat(201));
    const { status } = await page
      .waitForEvent('response', (response) => response.url().includes('q=aaa'))
      .then((response) => ({ status: response.status() }));
    expect(status).toBe(200);
    expect(faults).toEqual([]);
  });

  test('the search finds groups and what can be done, under whole headings', async () => {
    const { id } = (await site.post('/access-groups', { name: 'Patrons of the regatta' })).body.data;
    const { page, operator, faults } = await browser.open(server, site.siteId, 'owner', { viewport: phone });
    const displayName = `Olga O’Neill-${'Wolfeschlegelsteinhausenbergerdorff-'.repeat(3)}Owner`;
    await operator.browser.ask('PATCH', 'me', { displayName });
    await operators(page);
    await heading(page, 'Operators').waitFor();
    const search = async (typed: string) => {
      await page.keyboard.press('Control+k');
      await settled(page, 'Search or go to…');
      await page.keyboard.type(typed);
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
      'New access rule',
      'New API key',
      'Invite operator',
      'Sign out',
    ])
      expect(await found(name).count()).toBe(1);
    await look(page, 'dashboard-search-phone');
    await page.keyboard.type('log out');
    await found('Sign out').waitFor();
    await page.keyboard.press('Escape');

    await search('patr');
    await found(/Patrons of the regatta/).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/dashboard/${slug}/groups/${id}`);

    for (const [typed, dialog, field] of [
      ['new access group', 'New access group', 'Name'],
      ['new access rule', 'Add a rule', 'Path'],
      ['new api', 'Create a key', 'Name'],
      ['invite', 'Invite to Rowing Club', 'E-mail address'],
      ['new site', 'New site', 'Name of the site'],
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

  test('each heading of the navigation has pages below it, whatever the role', async () => {
    for (const role of ['owner', 'support', 'viewer'] as const) {
      const { page } = await browser.open(server, site.siteId, role);
      await page.goto(`/dashboard/${slug}`);
      await heading(page, 'Overview').waitFor();
      const navigation = page.getByRole('navigation', { name: 'Pages of the site' });
      const groups = await navigation.locator('> div').all();
      expect(groups.length).toBeGreaterThan(1);
      for (const group of groups) expect(await group.getByRole('link').count()).toBeGreaterThan(0);
      if (role === 'support') expect(await navigation.innerText()).not.toContain('Activity\n\nSet-up');
      await page.context().close();
    }
  });

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
    await page.keyboard.type('new api key');
    await page.keyboard.press('Enter');
    // As tall as a dialog gets.
    await page.getByRole('radio', { name: 'Only what I choose' }).check();
    await expect.poll(areApart).toBe(true);
    await look(page, `dashboard-note-and-dialog-${viewport.width}`);
    await site.patch('/site', { title: 'Rowing Club' });
  });

  test('an invitation, a role changed and changed back, and the end of a role', async () => {
    const { page, operator, faults } = await browser.open(server, site.siteId);
    await operators(page);
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('E-mail address').fill('grace@example.com');
    await page.getByRole('textbox', { name: 'Name' }).fill('Grace <b>Hopper</b>');
    await page.getByRole('radio', { name: /Viewer/ }).check();
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    const row = page.getByRole('row', { name: /grace@example.com/ });
    expect(await row.textContent()).toContain('Grace <b>Hopper</b>Invited');
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

  test('what the service refuses is put back, and told with its request id', async () => {
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

  test('what the service refuses is told in the language of the operator, once and at its field', async () => {
    const { page, operator } = await browser.open(server, site.siteId, 'owner', { locale: 'de' });
    await operators(page);
    await page.getByRole('button', { name: 'Einladen' }).click();
    const dialog = page.getByRole('dialog');
    const email = dialog.getByRole('textbox').first();
    await email.fill(operator.email);
    await page.keyboard.press('Enter');
    const alert = dialog.getByRole('alert');
    expect(await alert.textContent()).toContain('gehört schon zu den Betreibern');
    expect(await alert.getAttribute('id')).toBe(
      await email
        .getAttribute('aria-describedby')
        .then((ids) => ids!.split(' ').find((id) => id.includes('error'))),
    );
    await dialog.getByRole('button', { name: 'Abbrechen' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Einladen' }).click();
    expect([await email.inputValue(), await alert.count()]).toEqual(['', 0]);
    // A press beside a dialog does not throw away what was typed.
    await email.fill('typed');
    await page.mouse.click(5, 5);
    await page.keyboard.press('Tab');
    expect(await email.inputValue()).toBe('typed');

    await page.goto(`/dashboard/${slug}/add`);
    const address = page.getByRole('textbox', { name: 'E-Mail-Adresse' });
    await address.fill('ada@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('Diese Adresse hat schon ein anderes Mitglied.').waitFor();
    await page.getByRole('link', { name: 'Mitglied anzeigen' }).click();
    await page.getByRole('button', { name: 'Verlassen' }).click();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  });

  test('whoever is signed out already comes to sign in, also from the last site', async () => {
    const { page, operator } = await browser.open(server, site.siteId);
    await operators(page);
    await page.getByRole('button', { name: 'Rowing Club' }).click();
    await page.getByRole('menuitem', { name: 'New site' }).click();
    await page.getByLabel('Name of the site').fill('Made by nobody');
    await operator.browser.ask('POST', 'sign-out', {});
    await page.getByRole('button', { name: 'Create the site' }).click();
    await page.getByRole('dialog', { name: 'You are signed out' }).waitFor();
    await operators(page);
    await page.waitForURL('**/dashboard/login?*');

    const leaving = await browser.open(server, site.siteId);
    await operators(leaving.page);
    const account = leaving.page.getByRole('button', { name: /Account of/ });
    await account.waitFor();
    await leaving.operator.browser.ask('POST', 'sign-out', {});
    await account.click();
    await leaving.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await leaving.page.waitForURL('**/dashboard/login');

    const removed = await browser.open(server, site.siteId);
    await operators(removed.page);
    const row = removed.page.getByRole('row', { name: removed.operator.email });
    await row.getByRole('button', { name: /^Remove/ }).click();
    await removed.page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await removed.page.waitForURL('**/dashboard/login*');
  });

  test('a new title stands everywhere, and pointing at a site does not go there', async () => {
    const { page, operator } = await browser.open(server, site.siteId);
    await operator.browser.ask('POST', 'sites', { slug: 'pointed-at', title: 'Pointed at' });
    await page.goto(`/dashboard/${slug}/settings`);
    await page.getByRole('textbox', { name: 'Title' }).fill('Sailing Club');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Sailing Club' }).waitFor();
    await page.getByRole('link', { name: 'Operators' }).click();
    await page.getByText('Who runs Sailing Club').waitFor();
    await page.getByRole('button', { name: 'Sailing Club' }).click();
    const token = page.waitForResponse('**/dashboard/api/token');
    await page.getByRole('menuitem', { name: 'Pointed at' }).hover();
    await token;
    await page.goto('/dashboard/');
    await page.waitForURL(`**/dashboard/${slug}`);
    await site.patch('/site', { title: 'Rowing Club' });
  });

  test('times go on, and a token is fetched anew before its end, whatever the clock says', async () => {
    const { page } = await browser.open(server, site.siteId);
    await page.clock.install({ time: Date.now() + 16 * 60_000 });
    let tokens = 0;
    page.on('request', (request) => {
      tokens += Number(request.url().endsWith('/dashboard/api/token'));
    });
    await page.goto(`/dashboard/${slug}/events`);
    const time = page.getByRole('list', { name: 'Events' }).locator('time').first();
    await time.waitFor();
    await page.getByRole('link', { name: 'API keys' }).click();
    await heading(page, 'API keys').waitFor();
    await page.getByRole('link', { name: 'Events' }).click();
    const before = await time.textContent();
    expect(tokens).toBe(1);
    await page.clock.fastForward(14.5 * 60_000);
    await expect.poll(() => time.textContent()).not.toBe(before);
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    await expect.poll(() => tokens).toBe(2);
  });

  test('a token that is refused is fetched anew, and the call made again', async () => {
    const { page } = await browser.open(server, site.siteId);
    await operators(page);
    await page.getByText('Last sign-in').first().waitFor({ state: 'attached' });
    let refused = 0;
    await page.route('**/api/v1/members?*', async (route) => {
      refused += 1;
      if (refused > 1) return route.continue();
      const headers = { ...route.request().headers(), authorization: 'Bearer gateop_ended' };
      return route.continue({ headers });
    });
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    expect(refused).toBe(2);
  });

  test('a change that is refused is taken back before the eye', async () => {
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
    await page.getByText('The site needs an owner.').waitFor();
    await expect.poll(() => role.inputValue()).toBe('Viewer');
  });

  test('a page whose files are gone asks to be loaded anew', async () => {
    const { page } = await browser.open(server, site.siteId);
    await account(page);
    await page.getByText('This browser', { exact: true }).waitFor();
    await page.route('**/assets/keys-page-*.js', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Back to Rowing Club' }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByText('Gatehouse was updated.').waitFor();
  });

  test('an operator adds a passkey on the account page, and removes it', async () => {
    const { page, operator, faults } = await browser.open(server, site.siteId);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const options = { protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true } as const;
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    });
    await account(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('My laptop');
    await page.getByRole('button', { name: 'Go on' }).click();
    const removal = page.getByRole('button', { name: 'Remove “My laptop”' });
    await removal.waitFor();
    const passkeys = async () => (await operator.browser.ask('GET', 'passkeys')).body.data;
    expect(await passkeys()).toMatchObject([{ name: 'My laptop' }]);
    await removal.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await removal.waitFor({ state: 'detached' });
    expect(await passkeys()).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('a page whose session ended keeps what was typed, and saves it once its operator is back', async () => {
    const { page, operator } = await browser.open(server, site.siteId);
    await account(page);
    await page.getByRole('textbox', { name: 'Your name' }).fill('Barbara Liskov');
    await operator.browser.ask('POST', 'sign-out', { everywhere: true });
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'You are signed out' });
    await dialog.waitFor();
    expect(await page.getByRole('textbox', { name: 'Your name' }).inputValue()).toBe('Barbara Liskov');
    await look(page, 'dashboard-signed-out');

    await signInAgain(server, operator);
    await signIn(page, operator);
    const tab = await page.context().newPage();
    await tab.goto('/dashboard/me');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: /Account of Barbara Liskov/ }).waitFor();
  });

  test('somebody else who signs in gets a page of their own', async () => {
    const { page, operator } = await browser.open(server, site.siteId);
    await account(page);
    await page.getByRole('textbox', { name: 'Your name' }).fill('Not theirs');
    await operator.browser.ask('POST', 'sign-out', { everywhere: true });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'You are signed out' }).waitFor();
    const other = await anOperator(server, site.siteId, 'viewer');
    await signIn(page, other);
    page.on('dialog', (question) => question.accept());
    await page.getByRole('button', { name: 'I have signed in' }).click();
    await page.getByText(other.email).first().waitFor();
    expect(await page.getByRole('textbox', { name: 'Your name' }).inputValue()).toBe('');
  });

  test('a page does nothing more once somebody else has signed in, and starts anew', async () => {
    const { page, operator } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}/groups`);
    await page.getByRole('button', { name: 'New group' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Made by nobody');
    await operator.browser.ask('POST', 'sign-out', { everywhere: true });
    const other = await anOperator(server, site.siteId);
    await signIn(page, other);
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: `Account of ${other.email}` }).waitFor();
    expect(JSON.stringify((await site.get('/access-groups')).body)).not.toContain('Made by nobody');
  });

  test('whoever leaves what is not saved is asked first', async () => {
    const { page } = await browser.open(server, site.siteId);
    await account(page);
    await page.getByRole('textbox', { name: 'Your name' }).fill('Grace');
    await page.getByRole('link', { name: 'Back to Rowing Club' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(page.url()).toContain('/dashboard/me');
    expect(await page.getByRole('textbox', { name: 'Your name' }).inputValue()).toBe('Grace');
    await page.getByRole('link', { name: 'Back to Rowing Club' }).click();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await page.waitForURL(`**/dashboard/${slug}`);
  });

  test('it says when the browser is offline, and when the service is a newer one', async () => {
    const { page, operator } = await browser.open(server, site.siteId);
    await account(page);
    await page.getByText('This browser', { exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.context().setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'hidden' });

    const { body } = await operator.browser.ask('GET', 'me');
    await page.route('**/dashboard/api/me', (route) =>
      route.fulfill({ json: { ...body, version: '99.0.0' } }),
    );
    await page.getByRole('textbox', { name: 'Your name' }).fill('Margaret Hamilton');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Gatehouse was updated.').waitFor();
  });

  test('what cannot be sent offline fails at once, and is not done later', async () => {
    const { page } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}/settings`);
    await page.getByRole('textbox', { name: 'Title' }).fill('Must not be saved');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Save' }).click();
    const failure = page.getByRole('alert').filter({ hasText: 'nothing was sent or saved' });
    await failure.waitFor();
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Must not be saved');
    await page.getByRole('button', { name: 'Discard' }).click();

    await page.getByRole('link', { name: 'API keys' }).click();
    await failure.waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, 'API keys').waitFor();

    await page.getByRole('button', { name: 'Create a key' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Must not be made');
    await page.context().setOffline(true);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create a key' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'nothing was sent or saved' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Operators' }).click();
    await heading(page, 'Operators').waitFor();
    await page.getByText('Last sign-in').first().waitFor({ state: 'attached' });
    expect((await site.get('/site')).body.data.title).toBe('Rowing Club');
    const keys = (await site.get('/api-keys')).body.data;
    expect(keys.map(({ name }: { name: string }) => name)).not.toContain('Must not be made');
  });

  test('with the keyboard alone, the focus is where it was after each dialog and each change', async () => {
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

    // What a dialog may need later does not make the page wait.
    const later = '**/assets/errors-*.js';
    await page.route(later, (route) => route.abort());
    for (const [where, opener] of [
      ['groups', 'New group'],
      ['keys', 'Create a key'],
      ['rules', 'Add a rule'],
    ] as const) {
      await page.goto(`/dashboard/${slug}/${where}`);
      await press(opener);
      await closes(/./, opener);
    }
    await page.unroute(later);

    await page.goto(`/dashboard/${slug}/groups`);
    await press('New group');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Rowers');
    await keyboard.press('Enter');
    await page.getByText('The group Rowers is made').waitFor();
    await expect.poll(focused).toBe('New group');

    await page.goto(`/dashboard/${slug}/members/${id}`);
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
    await page.getByRole('menuitem', { name: 'Make a login link' }).press('Enter');
    await closes('Login link', 'More actions');
    expect(faults).toEqual([]);
  });

  test('with the keyboard alone, what is done to many is near, and can be taken back without haste', async () => {
    const { page } = await browser.open(server, site.siteId);
    const { keyboard } = page;
    await page.clock.install();
    await page.goto(`/dashboard/${slug}/members`);
    const ticks = page.getByRole('checkbox', { name: /^Select (?!all)/ });
    await ticks.first().press('Space');
    await page.getByRole('checkbox', { name: 'Select all' }).focus();
    await keyboard.press('Shift+Tab');
    expect(await page.getByRole('button', { name: 'Actions' }).evaluate((it) => it.matches(':focus'))).toBe(
      true,
    );
    await page.getByRole('button', { name: 'Block' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Block 1 member' }).press('Enter');
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

  test('an operator makes a further site and is its owner', async () => {
    const { page, operator } = await browser.open(server, site.siteId);
    await operators(page);
    await page.getByRole('button', { name: 'Rowing Club' }).click();
    await page.getByRole('menuitem', { name: 'New site' }).click();
    await page.getByLabel('Name of the site').fill('Café du Port');
    expect(await page.getByLabel('Short name').inputValue()).toBe('cafe-du-port');
    await page.getByRole('button', { name: 'Create the site' }).click();
    await page.waitForURL('**/dashboard/cafe-du-port');
    const { body } = await operator.browser.ask('GET', 'me');
    expect(body.sites).toContainEqual(expect.objectContaining({ slug: 'cafe-du-port', role: 'owner' }));
  });

  test.each([
    ['de', 'Betreiber'],
    ['fr', 'Opérateurs'],
    ['es', 'Operadores'],
    ['ja', '運営者'],
  ])('it speaks the language of the browser, %s', async (locale, title) => {
    const { page } = await browser.open(server, site.siteId, 'owner', { locale });
    await operators(page);
    await heading(page, title).waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe(locale);
  });
});

/** Dialogs come in with a movement, in which their colours are not yet those that stay and they do not have the focus yet. */
async function settled(page: Page, dialog: string): Promise<void> {
  await page.getByRole('dialog', { name: dialog }).locator('input:focus').waitFor();
  await page.evaluate(`Promise.allSettled(
    document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity)
      .map(({ finished }) => finished),
  ).then(() => {})`);
}

/** A new session for an operator whose last one has ended. */
async function signInAgain(server: TestServer, { id, browser }: TestOperator): Promise<void> {
  const realm = await realmOfOperators(server);
  const client = { userAgent: null, clientAddress: null };
  const { token } = await server.database.transaction((tx) =>
    openSession(tx, realm.id, id, client, new Date().toISOString()),
  );
  browser.cookies.set('gatehouse_operator', token);
}
