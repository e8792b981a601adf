import type { AccessRule } from '@gatehouse/client';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { desktop, look, phone } from '../browser.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { skipsDashboard, startDashboard, turnTo, untilStill, useBrowser } from './dashboard-browser.ts';

describe.skipIf(skipsDashboard())('access rules in the dashboard', { timeout: 180_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  let site: TestSite;
  let address: string;
  let board: string;

  beforeAll(async () => {
    server = await startDashboard();
    site = await server.createSite();
    address = `/dashboard/${(await site.get('/site')).body.data.slug}/rules`;
    board = (await site.post('/access-groups', { name: 'Board' })).body.data.id;
    await site.post('/members', { email: 'ada@example.com', displayName: 'Ada Lovelace', paid: true });
    await site.post('/members', { email: 'alan@example.com', displayName: 'Alan Turing' });
  });

  const setRules = (rules: object[]) => site.request('PUT', '/access-rules', { body: { rules } });
  const savedRules = async () => (await site.get('/access-rules')).body.data.rules;
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const dialog = (page: Page) => page.getByRole('dialog');
  const condition = (page: Page, number: number) =>
    dialog(page).getByRole('group', { name: `Condition ${number}` });
  const choose = async (page: Page, number: number, label: string, option: string) => {
    await condition(page, number).getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  /** What most rules do not have. */
  const more = (page: Page) => dialog(page).getByRole('button', { name: 'More' });

  /** Opens the dialog for a new rule and fills in what the rule applies to. */
  async function add(page: Page, path: string, access: string): Promise<void> {
    await button(page, 'Add a rule').click();
    await dialog(page).getByRole('textbox', { name: 'Path' }).fill(path);
    if (access !== 'Conditions') return dialog(page).getByRole('radio', { name: access }).check();
    await more(page).click();
    await dialog(page).getByRole('checkbox', { name: access }).check();
  }

  const testedPath = (page: Page) => page.getByRole('textbox', { name: 'Path or URL' });

  async function save(page: Page): Promise<void> {
    await button(page, 'Save').click();
    await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'hidden' });
  }

  async function lookAt(page: Page, name: string): Promise<void> {
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport);
      await untilStill(page);
      await look(page, `${name}-${viewport.width}`);
    }
  }

  test('a page, a name with * and conditions have rules of their own, and a test says which part decided', async () => {
    await setRules([{ path: '/', access: 'members' }]);
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(address);
    await add(page, '/', 'Everyone');
    await button(page, 'Apply').click();
    await dialog(page).getByText('This path already has a rule.').waitFor();
    expect(await dialog(page).getByRole('radio', { name: 'Only this page' }).isVisible()).toBe(false);
    await more(page).click();
    await dialog(page).getByRole('radio', { name: 'Only this page' }).check();
    await dialog(page).getByRole('combobox', { name: 'Query parameters' }).fill('lang, utm');
    await button(page, 'Apply').click();
    await add(page, '/blog/premium-*', 'Paying members');
    await button(page, 'Apply').click();
    await add(page, '/courses', 'Conditions');
    await choose(page, 1, 'Groups', 'Board');
    await button(page, 'Add a condition').click();
    await choose(page, 2, 'Who', 'Paying members');
    await button(page, 'Apply').click();
    await save(page);
    expect(await savedRules()).toEqual([
      { path: '/', access: 'members' },
      { path: '/', appliesTo: 'page', queryParameters: ['lang', 'utm'], access: 'public' },
      { path: '/blog/premium-*', access: 'paying_members' },
      {
        path: '/courses',
        access: 'conditional',
        anyOf: [{ access: 'members', groupIds: [board], match: 'any' }, { access: 'paying_members' }],
      },
    ]);

    await page.getByText('The rule for the page / applies.').waitFor();
    await page.getByText('Open to everyone').waitFor();
    await testedPath(page).fill('/?p=7');
    await page.getByText('The rule for / applies.').waitFor();
    await page.getByText('Not logged in').waitFor();
    await testedPath(page).fill('/courses/rowing');
    const results = page.getByRole('list', { name: 'Conditions' }).getByRole('listitem');
    await results.getByText('Not logged in').first().waitFor();
    await page.getByPlaceholder('Not logged in').click();
    await page.keyboard.insertText('lovelace');
    await page.getByRole('option', { name: /Ada/ }).click();
    await page.getByText('Allowed', { exact: true }).waitFor();
    await page.getByText('The rule for /courses applies.').waitFor();
    expect(await results.allInnerTexts()).toEqual([
      expect.stringMatching(/^Members · in Board\s+Not in Board$/),
      expect.stringMatching(/^Paying members\s+Met$/),
    ]);

    await button(page, 'Remove the rule for the page /').press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('BUTTON');
    expect(await button(page, 'Add a rule below /blog/premium-*').count()).toBe(0);
    await save(page);
    expect(await savedRules()).not.toContainEqual(expect.objectContaining({ appliesTo: 'page' }));

    await turnTo(page, address.replace('/rules', '/events?type=access-rules.updated'));
    const details = page.getByRole('button', { name: 'Details' });
    await details.nth(1).click();
    await page.getByText('Only the page /: empty → everyone').waitFor();
    await page.getByText('/courses: empty → conditions').waitFor();
    expect(faults).toEqual([]);
  });

  test('a public root with protected pages below it is explained, and files need no warning', async () => {
    await setRules([
      { path: '/', access: 'public' },
      { path: '/members', access: 'members' },
    ]);
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(address);
    const warning = page.getByText('Protected pages may be visible at other URLs');
    await page.getByText('everyone may see these pages there: /members.').waitFor();
    await testedPath(page).fill('/members/news');
    await page.getByText('it may show this page at other URLs too.').waitFor();
    await lookAt(page, 'rules-with-a-public-root');
    await button(page, 'Edit the rule for /').click();
    await dialog(page).getByText('Only for a folder of files.').waitFor();
    await lookAt(page, 'rule-of-a-public-root');
    await more(page).click();
    await dialog(page).getByRole('radio', { name: 'Only this page' }).check();
    await dialog(page).getByText('Only for a folder of files.').waitFor({ state: 'hidden' });
    await button(page, 'Apply').click();
    await warning.waitFor({ state: 'hidden' });
    await button(page, 'Discard').click();
    await warning.waitFor();
    await button(page, 'My pages are files').click();
    await warning.waitFor({ state: 'hidden' });
    await turnTo(page, address);
    await page.getByText('Not logged in').waitFor();
    expect(await warning.count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test('a condition that is not met says which groups are missing, and when it starts or ended', async () => {
    const crew = (await site.post('/access-groups', { name: 'Crew' })).body.data.id;
    const anyOf = [
      { access: 'members', groupIds: [board, crew] },
      { access: 'members', groupIds: [board, crew], match: 'all' },
      { access: 'members', from: '2090-12-01T12:00:00.000Z' },
      { access: 'members', until: '2020-12-01T12:00:00.000Z' },
      { access: 'paying_members' },
    ];
    await setRules([{ path: '/regatta', access: 'conditional', anyOf }]);
    const { id } = (await site.post('/members', { email: 'grace@example.org', displayName: 'Grace' })).body
      .data;
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(address);
    await button(page, 'Test /regatta').click();
    expect(await testedPath(page).inputValue()).toBe('/regatta');
    await page.getByPlaceholder('Not logged in').click();
    await page.keyboard.insertText('grace');
    await page.getByRole('option', { name: /Grace/ }).click();
    const results = page.getByRole('list', { name: 'Conditions' }).getByRole('listitem');
    await results.getByText('Not paying').waitFor();
    expect((await results.allInnerTexts()).map((text) => text.split(/\n+/).at(-1))).toEqual([
      'Not in Board or Crew',
      'Not in all of Board and Crew',
      expect.stringMatching(/^Starts Dec 1, 2090, \d/),
      expect.stringMatching(/^Ended Dec 1, 2020, \d/),
      'Not paying',
    ]);
    await site.request('DELETE', `/members/${id}`);
    await site.request('DELETE', `/access-groups/${crew}`);
    expect(faults).toEqual([]);
  });

  test('times and networks of a condition are checked, and stay exact when something else is edited', async () => {
    const until = '2030-03-31T21:59:59.999Z';
    const open = { access: 'public', until, networks: ['192.0.2.0/24'] };
    await setRules([{ path: '/office', access: 'conditional', anyOf: [open] }]);
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(address);
    await testedPath(page).fill('/office');
    await page.getByText('Not from this network').waitFor();
    const visitor = page.getByRole('textbox', { name: 'IP address' });
    await visitor.pressSequentially('192.0.2.7');
    await page.getByText('Allowed', { exact: true }).waitFor();
    await lookAt(page, 'rule-with-a-network');

    await button(page, 'Edit the rule for /office').click();
    const from = condition(page, 1).getByLabel('From');
    await from.fill('2030-04-01T10:00');
    const networks = condition(page, 1).getByRole('combobox', { name: 'Networks' });
    await networks.pressSequentially('192.0.2.7/24 ');
    await button(page, 'Apply').click();
    await dialog(page).getByText('This time is not later than “From”.').waitFor();
    await dialog(page).getByText('“192.0.2.7/24” is not an IP address or network.').waitFor();
    await lookAt(page, 'rule-with-errors');
    await networks.press('Backspace');
    await networks.fill('2001:db8::/32');
    // Only a part of a time: the day is missing.
    await from.focus();
    await page.keyboard.press('Delete');
    await button(page, 'Apply').click();
    await dialog(page).getByText('Enter the complete date and time, or clear the field.').waitFor();
    await from.fill('2026-01-01T08:30');
    await button(page, 'Add a condition').click();
    await choose(page, 2, 'Who', 'Everyone');
    await button(page, 'Apply').click();
    await dialog(page).getByText('With this condition everyone would always have access.').waitFor();
    await button(page, 'Remove condition 2').click();
    await button(page, 'Apply').click();
    await save(page);
    const start = await page.evaluate<string>(`new Date('2026-01-01T08:30').toISOString()`);
    const networksNow = ['192.0.2.0/24', '2001:db8::/32'];
    expect(await savedRules()).toEqual([
      {
        path: '/office',
        access: 'conditional',
        anyOf: [{ access: 'public', from: start, until, networks: networksNow }],
      },
    ]);
    expect(faults).toEqual([]);
  });

  test('a site gets a second host, and a rule of its own there', async () => {
    const own = await server.createSite();
    const { slug } = (await own.get('/site')).body.data;
    const [club, forum] = [`${slug}.example.com`, `${slug}.example.org`];
    await own.patch('/site', { domain: club });
    await own.request('PUT', '/access-rules', { body: { rules: [{ path: '/', access: 'members' }] } });
    const { page, faults } = await browser.open(server, own.siteId);
    await page.goto(`/dashboard/${slug}/settings/hosts`);
    await button(page, 'Add a host').click();
    await page.getByRole('textbox', { name: 'Host', exact: true }).fill(`https://${forum}/topics`);
    await lookAt(page, 'hosts');
    await save(page);
    expect((await own.get('/site')).body.data.hosts).toMatchObject([{ domain: club }, { domain: forum }]);
    await turnTo(page, `/dashboard/${slug}/rules`);
    await add(page, `https://${forum}/`, 'Everyone');
    await lookAt(page, 'rule-for-a-host');
    await button(page, 'Apply').click();
    await save(page);
    await button(page, `Edit the rule for / (${forum})`).waitFor();
    const rules = (await own.get('/access-rules')).body.data.rules;
    expect(rules).toEqual([
      { path: '/', access: 'members' },
      { path: '/', hosts: [forum], access: 'public' },
    ]);
    await page.getByText('Denied', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Host', exact: true }).click();
    await page.getByRole('option', { name: forum }).click();
    await page.getByText('Allowed', { exact: true }).waitFor();
    await lookAt(page, 'rules-of-hosts');

    await page.route('**/page-checks', (route) => {
      const isOpen = route
        .request()
        .postDataJSON()
        .rules?.some(({ path }: AccessRule) => path === '/assets');
      const files = ['/assets/site.css', '/assets/boat.svg'].map((path) => ({
        url: `https://${club}${path}`,
        path,
        host: club,
        type: path.endsWith('.css') ? 'style_sheet' : 'image',
        allowed: isOpen === true,
        reason: isOpen ? 'public' : 'anonymous',
        rule: null,
      }));
      const data = { url: `https://${forum}/`, status: 200, files, isComplete: true };
      return route.fulfill({ json: { data } });
    });
    await button(page, 'Check the files of the page').click();
    await page.getByText('2 files of the page are closed').waitFor();
    await page.getByText(`Everyone gets access to everything below ${club}/assets,`).waitFor();
    await lookAt(page, 'closed-files-of-a-page');
    await button(page, `Make ${club}/assets public`).click();
    await page.getByText('All 2 files of the page are open too').waitFor();
    await testedPath(page).fill(`https://${club}/assets/boat.svg`);
    await page.getByText('The rule for /assets applies.').waitFor();
    await page.getByText('By your unsaved rules.').waitFor();
    await testedPath(page).fill('https://other.example/');
    await page.getByText('other.example is not a host of this site.').waitFor();
    expect((await own.get('/access-rules')).body.data.rules).toEqual(rules);
    expect(faults).toEqual([]);
  });
});
