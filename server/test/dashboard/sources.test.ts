import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { faultsOfView, look } from '../browser.ts';
import { type ListServer, startListServer } from '../list-server.ts';
import { scopeGroups } from '../source-steps.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import {
  sharedNotion,
  skipsDashboard,
  startDashboard,
  turnTo,
  untilQuiet,
  untilStill,
  useBrowser,
} from './dashboard-browser.ts';

/** The smallest phone that the pages are made for. */
const smallPhone = { width: 360, height: 740 };

const crew = [
  'Member,First name,Mail,Fee,Teams',
  'no,Ada,ada@example.com,yes,Rowing; Board',
  'yes,Grace,grace@example.com,no,Rowing',
  'yes,Mary,mary@example.com,yes,Sailing',
  'no,Nobody,not an address,yes,Rowing',
].join('\n');

describe.skipIf(skipsDashboard())('the pages of sources', { timeout: 180_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;

  beforeAll(async () => {
    server = await startDashboard();
  });

  async function aClub(): Promise<{ site: TestSite; slug: string }> {
    const site = await server.createSite();
    const { slug } = (await site.patch('/site', { title: 'Rowing Club' })).body.data;
    return { site, slug };
  }

  const press = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' }).click();
  const step = (page: Page, name: string) => page.getByRole('heading', { level: 2, name }).waitFor();
  const seen = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

  /** Like `look`, for states whose parts are checked elsewhere: only what depends on the size of the window. */
  const fits = async (page: Page, name: string) =>
    expect([
      name,
      await faultsOfView(page, name, { only: ['document-title', 'scrollable-region-focusable'] }),
    ]).toEqual([name, []]);

  async function choose(page: Page, field: string, option: string): Promise<void> {
    await page.getByRole('combobox', { name: field, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  }

  async function aListServer(body: string): Promise<ListServer> {
    const list = await startListServer(body);
    onTestFinished(() => list.stop());
    return list;
  }

  /** Turns a source of a list on, and waits until it was synchronized. */
  async function aList(site: TestSite, name: string, address: string): Promise<string> {
    const created = await site.post('/sources', { type: 'list', name, address });
    const { id } = created.body.data;
    const columns = { email: 'email', displayName: 'name' };
    const changes = { collections: [{ key: 'list', columns }], enabled: true };
    expect((await site.patch(`/sources/${id}`, changes)).status).toBe(200);
    const isIn = async () => (await site.get('/access-groups')).body.data[0]?.memberCount;
    await expect.poll(isIn, { timeout: 20_000 }).toBeGreaterThan(0);
    return id;
  }

  test('a list is connected step by step, and its people are in their groups', async () => {
    const list = await aListServer(crew);
    const { site, slug } = await aClub();
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}`);
    await page.getByRole('link', { name: 'Sources' }).click();
    await seen(page, 'No sources yet');
    await page.getByRole('link', { name: 'Connect a list' }).click();
    await step(page, 'Connect');
    await look(page, 'sources-connect');
    await page.getByRole('textbox', { name: 'Name' }).fill('Crew');
    await page.getByRole('textbox', { name: 'URL of the list' }).fill(list.address);
    await press(page, 'Next');

    await step(page, 'Columns');
    await page.getByRole('cell', { name: 'grace@example.com' }).waitFor();
    const chosen = (field: string) => page.getByRole('combobox', { name: field }).inputValue();
    await expect.poll(() => chosen('Email address')).toBe('Mail');
    const paid = page.getByRole('combobox', { name: 'Paying', exact: true });
    await expect.poll(() => paid.inputValue()).toBe('Fee');
    await page.getByRole('radio', { name: 'Groups by a column' }).click();
    await choose(page, 'Column with the groups', 'Teams');
    await look(page, 'sources-columns');
    await press(page, 'Next');

    await step(page, 'Check');
    await seen(page, 'Will become members');
    await seen(page, '1 row was skipped');
    await untilQuiet(page);
    await page.getByText('1 row was skipped').click();
    await seen(page, 'row 5 · not an address · not a valid email address');
    await seen(page, '1 row has an email address that cannot be read');
    await look(page, 'sources-check');
    expect((await site.get('/members')).body.data).toEqual([]);
    await press(page, 'Back');
    await step(page, 'Columns');
    expect(await chosen('Column with the groups')).toBe('Teams');
    await press(page, 'Next');
    await press(page, 'Turn on');

    await step(page, 'Turn on');
    await seen(page, 'Done. Everyone on the list is in the groups below.');
    await page.getByRole('link', { name: 'Board' }).waitFor();
    await untilQuiet(page);
    await fits(page, 'sources-start');
    const members = (await site.get('/members?sort=email&order=asc')).body.data;
    expect(members.map(({ email, paid }: { email: string; paid: boolean }) => [email, paid])).toEqual([
      ['ada@example.com', true],
      ['grace@example.com', false],
      ['mary@example.com', true],
    ]);

    await page.getByRole('link', { name: 'Rowing', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Rowing' }).waitFor();
    // "Added" sorts the list.
    expect(await page.getByRole('button', { name: /^(Edit|Delete|Add|Remove)\b/ }).count()).toBe(0);
    await fits(page, 'sources-group');
    await page.getByRole('link', { name: 'Ada' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();
    await seen(page, 'From Crew');
    await fits(page, 'sources-member');
    await page.getByRole('link', { name: 'Crew' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Crew' }).waitFor();
    await untilQuiet(page);
    await fits(page, 'sources-source');
    await turnTo(page, `/dashboard/${slug}/sources`);
    await seen(page, 'Up to date');
    await page.getByRole('row', { name: /Google Sheet or CSV link 3 3 / }).waitFor();
    await turnTo(page, `/dashboard/${slug}/events`);
    await page.getByRole('link', { name: 'Crew' }).first().waitFor();
    expect(faults).toEqual([]);
  });

  test('what a list leaves open is answered, with its states, ends and columns of groups', async () => {
    const list = await aListServer(
      'Mail,Name,State,Until,Teams,Tags,Board\n' +
        'ada@example.com,Ada King,active,03/04/2099,"Rowing, Sailing",VIP,x\n' +
        'bob@example.com,Bob Lee,former,,Rowing,,\n',
    );
    const { site, slug } = await aClub();
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}/sources/set-up?type=list`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Club');
    await page.getByRole('textbox', { name: 'URL of the list' }).fill(list.address);
    await press(page, 'Next');
    await step(page, 'Columns');
    await page.getByRole('cell', { name: 'ada@example.com' }).waitFor();
    await seen(page, /leaves some questions open/);
    const suggested = (field: string) => page.getByRole('combobox', { name: field }).inputValue();
    await expect.poll(() => suggested('Status')).toBe('State');
    await choose(page, 'Group membership ends', 'Until');
    await choose(page, '“former” means', 'Not on the list');
    await choose(page, 'Dates begin with', 'The day');
    await page.getByRole('radio', { name: 'Groups by a column' }).click();
    await choose(page, 'Column with the groups', 'Teams');
    await choose(page, 'Groups are separated by', '“,”');
    for (const [field, option] of [
      ['Further columns with groups', 'Tags'],
      ['Columns named after a group', 'Board'],
    ] as const) {
      await page.getByRole('combobox', { name: field }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
      await page.keyboard.press('Escape');
    }
    for (const meaning of ['State Status', 'Until Group membership ends', 'Tags Groups', 'Board Groups']) {
      await page.getByRole('columnheader', { name: new RegExp(meaning.replace(' ', ' ?')) }).waitFor();
    }
    await look(page, 'sources-list-columns');
    await page.setViewportSize(smallPhone);
    await fits(page, 'sources-list-columns-phone');
    await press(page, 'Next');
    await step(page, 'Check');
    await press(page, 'Turn on');
    await seen(page, 'Done. Everyone on the list is in the groups below.');
    expect(await scopeGroups(site)).toEqual({
      Rowing: ['ada'],
      Sailing: ['ada'],
      VIP: ['ada'],
      Board: ['ada'],
    });
    expect(faults).toEqual([]);
  });

  test('on a small phone, a wrong address is corrected and the set-up continued later', async () => {
    const list = await aListServer('Name,Email\nAda,ada@example.com\nGrace,grace@example.com');
    list.status = 403;
    const { site, slug } = await aClub();
    const { page, faults } = await browser.open(server, site.siteId, 'owner', { viewport: smallPhone });
    await page.goto(`/dashboard/${slug}/sources`);
    await seen(page, 'No sources yet');
    await fits(page, 'sources-empty-phone');
    await page.getByRole('link', { name: 'Connect a list' }).click();
    await press(page, 'Next');
    await seen(page, 'Paste the URL of the list.');
    await page.getByRole('textbox', { name: 'Name' }).fill('Club');
    const address = page.getByRole('textbox', { name: 'URL of the list' });
    await address.fill('ftp://club.example.org');
    await press(page, 'Next');
    await seen(page, 'The URL must begin with https://.');
    await address.fill(list.address);
    await press(page, 'Next');
    await seen(page, /does not show the list to Gatehouse \(status 403\)/);
    await untilQuiet(page);
    await fits(page, 'sources-rejected-phone');
    list.status = 200;
    await address.fill(list.address);
    await press(page, 'Next');
    await step(page, 'Columns');

    await turnTo(page, `/dashboard/${slug}/sources`);
    await seen(page, 'Set-up not finished');
    await page.getByRole('link', { name: 'Club' }).click();
    await page.getByRole('cell', { name: 'ada@example.com' }).waitFor();
    await fits(page, 'sources-columns-phone');
    await press(page, 'Next');
    await seen(page, 'Will become members');
    const [{ id }] = (await site.get('/sources')).body.data;
    await page.goto(`/dashboard/${slug}/sources/${id}`);
    await page.getByRole('link', { name: 'Continue the set-up' }).waitFor();
    await untilQuiet(page);
    await fits(page, 'sources-unfinished-phone');
    await page.getByRole('link', { name: 'Continue the set-up' }).click();
    await seen(page, 'Will become members');
    await untilQuiet(page);
    await fits(page, 'sources-check-phone');
    await press(page, 'Turn on');
    await seen(page, 'Done. Everyone on the list is in the groups below.');
    await fits(page, 'sources-start-phone');
    await page.getByRole('link', { name: 'Open the source' }).click();
    await untilQuiet(page);
    await fits(page, 'sources-source-phone');
    expect(faults).toEqual([]);
  });

  test.each([
    ['on a desktop', undefined],
    ['on a small phone', smallPhone],
  ] as const)(
    'a workspace of Notion is connected %s, and its people are in their groups',
    async (_, phone) => {
      const notion = await sharedNotion();
      const team = notion.database('Team', { Name: 'title', 'E-mail': 'email', Paid: 'checkbox' });
      team.addRow({ Name: 'Ada', 'E-mail': 'ada@example.com', Paid: true });
      team.addRow({ Name: 'Grace', 'E-mail': 'grace@example.com', Paid: false });
      const board = notion.database('Board', { Role: 'title', Who: 'people' });
      board.addRow({ Role: 'Chair', Who: [notion.person('Mary', 'mary@example.com')] });
      const { site, slug } = await aClub();
      const view = phone ? { viewport: phone } : undefined;
      const { page, faults } = await browser.open(server, site.siteId, 'owner', view);
      const name = (step: string) => `notion-${step}${phone ? '-phone' : ''}`;
      await page.goto(`/dashboard/${slug}/sources`);
      await page.getByRole('link', { name: 'Connect Notion' }).click();
      await step(page, 'Connect');
      await page.getByRole('textbox', { name: 'Name' }).fill('Workspace');
      const token = page.getByRole('textbox', { name: 'Token' });
      await token.fill('ntn_wrong');
      await fits(page, name('token'));
      await press(page, 'Next');
      await seen(page, /Notion rejected the token/);
      await token.fill(notion.token);
      await press(page, 'Next');

      for (const { title } of [team, board]) await page.getByRole('checkbox', { name: title }).check();
      await untilQuiet(page);
      await fits(page, name('collections'));
      await press(page, 'Next');
      await page.getByRole('cell', { name: 'grace@example.com' }).waitFor();
      await untilQuiet(page);
      await fits(page, name('columns'));
      await press(page, 'Next');
      await page.getByRole('cell', { name: 'Chair' }).waitFor();
      await press(page, 'Next');
      await seen(page, 'Will become members');
      await untilQuiet(page);
      await fits(page, name('dry-run'));
      await press(page, 'Turn on');
      await page.getByRole('link', { name: 'Board' }).waitFor();
      await untilQuiet(page);
      await fits(page, name('done'));
      expect(await scopeGroups(site)).toEqual({ Team: ['ada', 'grace'], Board: ['mary'] });
      const [ada] = (await site.get('/members?q=ada')).body.data;
      expect(ada).toMatchObject({ displayName: 'Ada', paid: true });
      if (!phone) await connectWebhook(page, server);
      for (const each of [team, board]) each.isShared = false;
      expect(faults).toEqual([]);
    },
  );

  test('the check says why nobody of a list is read, without a click', async () => {
    const list = await aListServer('Mail,Name,Status\nada@example.com,Ada,current\n');
    const { site, slug } = await aClub();
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}/sources`);
    await page.getByRole('link', { name: 'Connect a list' }).click();
    await step(page, 'Connect');
    await page.getByRole('textbox', { name: 'Name' }).fill('Crew');
    await page.getByRole('textbox', { name: 'URL of the list' }).fill(list.address);
    await press(page, 'Next');
    await step(page, 'Columns');
    await page.getByRole('columnheader', { name: 'Status Status' }).waitFor();
    await press(page, 'Next');
    await step(page, 'Check');
    await page.getByText(/current · a state without a meaning$/).waitFor();
    expect(faults).toEqual([]);
  });

  test('many people leave only after a confirmation, and a failed source is repaired', async () => {
    const list = await aListServer('name,email\nAda,ada@example.com\nGrace,grace@example.com');
    const few = await aListServer('name,email\nMary,mary@example.com');
    const { site, slug } = await aClub();
    const id = await aList(site, 'Club', list.address);
    list.body = 'name,email\n';
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}/sources/${id}`);
    await press(page, 'Show what would change');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Not changed without confirmation').waitFor();
    await untilStill(page);
    await look(page, 'sources-changes');
    await page.keyboard.press('Escape');
    await press(page, 'Synchronize now');
    await seen(page, '2 people would lose access');
    await seen(page, 'Needs confirmation');
    await untilQuiet(page);
    await look(page, 'sources-removals');
    await press(page, 'Confirm for 2 people');
    await dialog.getByText('with the access that these grant').waitFor();
    await untilStill(page);
    await look(page, 'sources-remove');
    await dialog.getByRole('button', { name: 'Confirm for 2 people' }).click();
    await seen(page, 'Up to date');
    expect((await site.get('/access-groups')).body.data[0].memberCount).toBe(0);

    list.status = 500;
    await press(page, 'Synchronize now');
    await seen(page, 'The last synchronization failed');
    await seen(page, /responded with status 500/);
    await untilQuiet(page);
    await page.getByRole('button', { name: /Failed/ }).click();
    await untilStill(page);
    await look(page, 'sources-failed');
    await press(page, 'Replace the URL');
    await dialog.getByRole('textbox').fill(few.address);
    await untilStill(page);
    await look(page, 'sources-replace');
    await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
    await seen(page, 'Up to date');

    await press(page, 'Change');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Club of few');
    await untilStill(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Club of few' }).waitFor();
    await press(page, 'Delete the source');
    await dialog.getByRole('radio', { name: 'Delete the groups' }).click();
    await untilStill(page);
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await seen(page, 'No sources yet');
    expect((await site.get('/access-groups')).body.data).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('the search leads to the kinds of sources, with and without a source', async () => {
    const { site, slug } = await aClub();
    const { page, faults } = await browser.open(server, site.siteId, 'admin');
    const connect = async () => {
      await page.goto(`/dashboard/${slug}`);
      await untilQuiet(page);
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Search or go to…').fill('connect a source');
      await page.getByRole('dialog').getByRole('button', { name: 'Connect a source' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Connect Notion' }).waitFor();
    };
    await connect();
    await seen(page, 'No sources yet');
    await site.post('/sources', { type: 'program', name: 'Office' });
    await connect();
    await page.getByRole('dialog').getByRole('link', { name: 'Connect Notion' }).waitFor();
    expect(faults).toEqual([]);
  });

  test('who may not change sources sees them without the buttons', async () => {
    const { site, slug } = await aClub();
    const { id } = (await site.post('/sources', { type: 'program', name: 'Office' })).body.data;
    const { page, faults } = await browser.open(server, site.siteId, 'viewer');
    await page.goto(`/dashboard/${slug}/sources`);
    await seen(page, 'No list was uploaded yet');
    expect(await page.getByRole('button', { name: 'Connect a source' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Office' }).click();
    await page.getByRole('heading', { level: 1, name: 'Office' }).waitFor();
    await untilQuiet(page);
    expect(new URL(page.url()).pathname).toBe(`/dashboard/${slug}/sources/${id}`);
    const buttons = await page.getByRole('main').getByRole('button').all();
    expect(await Promise.all(buttons.map((each) => each.getAttribute('aria-label')))).toEqual([
      'Copy: Source ID',
    ]);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search or go to…').fill('source');
    await page.getByRole('dialog').getByRole('button', { name: 'Sources' }).waitFor();
    expect(await page.getByRole('button', { name: 'Connect a source' }).count()).toBe(0);
    await page.goto(`/dashboard/${slug}/sources/set-up?type=list`);
    await page.getByRole('heading', { level: 1, name: 'You are not allowed to connect sources' }).waitFor();
    expect(faults).toEqual([]);
  });
});

/** Sends the token of Notion to the address on the page, which then shows the token. */
async function connectWebhook(page: Page, { address }: TestServer): Promise<void> {
  await page.getByRole('link', { name: 'Open the source' }).click();
  const shown = page.getByText('/hooks/notion/');
  await page.getByRole('button', { name: 'Connect Notion' }).waitFor();
  expect(await shown.count()).toBe(0);
  await page.getByRole('button', { name: 'Connect Notion' }).click();
  const path = /\/hooks\/.*/.exec((await shown.textContent())!)![0];
  const body = JSON.stringify({ verification_token: 'secret_of_notion' });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(address + path, { method: 'POST', headers, body })).status).toBe(204);
  await page.getByText('secret_of_notion').waitFor();
  await untilQuiet(page);
  await look(page, 'notion-webhook');
  await page.getByRole('button', { name: 'Reset' }).click();
  await shown.waitFor();
}
