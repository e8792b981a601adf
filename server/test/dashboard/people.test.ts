import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { systemCause } from '../../src/base/cause.ts';
import { syncScope } from '../../src/members/scope-sync.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { leftOutDashboard, startDashboard, useBrowser } from './dashboard-browser.ts';

describe.skipIf(leftOutDashboard())('people and groups', { timeout: 90_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  beforeAll(async () => {
    server = await startDashboard();
  });

  async function open(path: string, role: 'owner' | 'support' = 'owner') {
    const site = await server.createSite();
    const { slug } = (await site.get('/site')).body.data;
    const opened = await browser.open(server, site.siteId, role);
    await opened.page.goto(`/dashboard/${slug}${path}`);
    return { ...opened, site, go: (to: string) => opened.page.goto(`/dashboard/${slug}${to}`) };
  }
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const emails = async (site: TestSite, query = '') =>
    (await site.get(`/members?limit=100${query}`)).body.data.map(({ email }: { email: string }) => email);

  test('a group is made, changed, filled, emptied and deleted', async () => {
    const { page, site, faults } = await open('/groups');
    const { id } = (await site.post('/members', { email: 'ada@example.com', displayName: 'Ada' })).body.data;
    await button(page, 'New group').first().click();
    await button(page, 'Create the group').click();
    await page.getByText('Give the group a name.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Course');
    await page.getByLabel('Description').fill('Wednesdays');
    await button(page, 'Create the group').click();
    await page.getByText('The group Course is made').waitFor();
    await page.getByRole('link', { name: 'Course' }).click();

    await button(page, 'Change').click();
    await page.getByLabel('Name', { exact: true }).fill('Course 2026');
    await button(page, 'Save').click();
    await page.getByRole('heading', { level: 1, name: 'Course 2026' }).waitFor();

    await page.getByPlaceholder('Name or address').click();
    await page.keyboard.type('ada');
    await page.getByRole('option', { name: /Ada/ }).click();
    await button(page, 'Add').click();
    await page.getByText('Ada is in Course 2026').waitFor();
    const [group] = (await site.get('/access-groups')).body.data;
    const membership = `/access-groups/${group.id}/members/${id}`;
    expect((await site.get(membership)).body.data.expiresAt).toBeNull();
    await button(page, 'Remove Ada').click();
    await page.getByText('Ada is no longer in Course 2026').waitFor();
    expect((await site.get(membership)).status).toBe(404);
    await button(page, 'Undo').last().click();
    await button(page, 'Remove Ada').waitFor();
    expect((await site.get(membership)).status).toBe(200);

    await button(page, 'Delete').click();
    await page.getByText('1 member loses what the group may see.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The group Course 2026 is deleted').waitFor();
    await page.getByText('No access group yet').waitFor();
    expect(await emails(site)).toEqual(['ada@example.com']);
    expect(faults).toEqual([]);
  });

  test('a name that is taken is told, and what was typed stays', async () => {
    const { page, site } = await open('/groups');
    await site.post('/access-groups', { name: 'Course' });
    await button(page, 'New group').first().click();
    await page.getByLabel('Name', { exact: true }).fill('Course');
    await page.getByLabel('Description').fill('Wednesdays');
    await button(page, 'Create the group').click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('Wednesdays');
    await page.getByLabel('Name', { exact: true }).fill('Another course');
    await button(page, 'Create the group').click();
    await page.getByText('The group Another course is made').waitFor();
  });

  test('a scope group says why it cannot be changed', async () => {
    const { page, site, go } = await open('/groups');
    const people = [{ email: 'ada@example.com', displayName: 'Ada' }];
    await server.database.transaction((tx) =>
      syncScope(
        tx,
        site.siteId,
        { collection: 'rowers', name: 'Workspace', people },
        systemCause(new Date().toISOString()),
      ),
    );
    await go('/groups');
    await page.getByRole('link', { name: 'Workspace' }).click();
    await page.getByText('This group follows a collection of an external workspace').waitFor();
    await page.getByRole('link', { name: 'Ada' }).waitFor();
    for (const name of ['Delete', 'Change', 'Add', /^Remove/])
      expect(await button(page, name).count()).toBe(0);
  });

  test('one is added, and a taken address keeps what was typed', async () => {
    const { page, site } = await open('/add');
    const email = page.getByLabel('Email address');
    await email.fill('Ada@Example.com');
    await page.getByLabel('Name').fill('Ada Lovelace');
    await page.getByLabel('Paying member').check();
    await button(page, 'Add').click();
    await page.getByText('Ada Lovelace is added').waitFor();
    expect(await email.inputValue()).toBe('');
    expect((await site.get('/members')).body.data).toMatchObject([
      { email: 'ada@example.com', displayName: 'Ada Lovelace', paid: true },
    ]);
    await email.fill('ada@example.com');
    await button(page, 'Add').click();
    await page.getByText('Use another address').waitFor();
    expect(await email.inputValue()).toBe('ada@example.com');
  });

  test('addresses are pasted in any disorder', async () => {
    const { page, site } = await open('/add');
    await site.post('/members', { email: 'known@example.com' });
    await page.getByRole('tab', { name: 'Paste addresses' }).click();
    await page
      .getByRole('textbox', { name: 'Addresses' })
      .fill('Ada Lovelace <ada@example.com>; grace@example.com\nknown@example.com, ADA@example.com');
    await page.getByText('1 already a member').waitFor();
    await page.getByText('1 given twice').waitFor();
    await button(page, 'Add 2 people').click();
    await page.getByText('4 of 4 done. 2 were added. 2 were members already.').waitFor();
    expect(await emails(site, '&sort=email&order=asc')).toEqual([
      'ada@example.com',
      'grace@example.com',
      'known@example.com',
    ]);
  });

  test('a file of 5,000 is shown beforehand and added, and its failed rows come back as a file', async () => {
    const { page, site, faults } = await open('/add');
    await site.post('/members', { email: 'person1@example.com', displayName: 'Was here' });
    const groupId = (await site.post('/access-groups', { name: 'Course' })).body.data.id;
    const rows = Array.from({ length: 5_000 }, (_, index) =>
      index % 1_000 === 7
        ? `nobody ${index};Nobody;nein`
        : `person${index}@example.com;Jos\u00e9 ${index};ja`,
    );
    // As an old spreadsheet on Windows writes it.
    const buffer = Buffer.from(`E-Mail;Vorname;Bezahlt\r\n${rows.join('\r\n')}\r\n`, 'latin1');
    await page.getByRole('tab', { name: 'CSV file' }).click();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
    await page.getByText('4,994 new').waitFor();
    await page.getByText('1 already a member').waitFor();
    await page.getByText('5 no addresses').waitFor();
    await page.getByPlaceholder('None').last().click();
    await page.getByRole('option', { name: 'Course' }).click();
    await page.keyboard.press('Escape');
    await button(page, 'Add 4,994 people').click();
    await page.getByText('5,000 of 5,000 done. 4,994 were added. 1 was a member already.').waitFor();
    expect((await site.get(`/access-groups/${groupId}`)).body.data.memberCount).toBe(4_994);
    const [jose] = (await site.get('/members?email=person2@example.com')).body.data;
    expect(jose).toMatchObject({ displayName: 'José 2', paid: true });
    const [kept] = (await site.get('/members?email=person1@example.com')).body.data;
    expect(kept).toMatchObject({ displayName: 'Was here', paid: false });

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Save these rows to mend them').click(),
    ]);
    const failed = readFileSync(await download.path(), 'utf8');
    expect(failed.match(/^nobody \d+,Nobody,false,/gm)).toHaveLength(5);
    await button(page, 'Add more people').click();
    const mended = Buffer.from(failed.replaceAll(/^nobody (\d+)/gm, 'mended$1@example.com'));
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'mended.csv', mimeType: 'text/csv', buffer: mended });
    await button(page, 'Add 5 people').click();
    await page.getByText('5 of 5 done. 5 were added.').waitFor();
    expect(faults).toEqual([]);
  });

  test('an import that is cut off goes on where it stopped, and doubles nothing', async () => {
    const { page, site } = await open('/add');
    await page.getByRole('tab', { name: 'CSV file' }).click();
    const buffer = Buffer.from(
      Array.from({ length: 1_200 }, (_, index) => `p${index}@example.com`).join('\n'),
    );
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
    let sent = 0;
    await page.route('**/members/bulk', async (route) => {
      sent += 1;
      if (sent === 1) return route.continue();
      return route.fulfill({
        status: 400,
        json: { error: { code: 'invalid_request', message: 'Cut off.', requestId: 'x' } },
      });
    });
    await button(page, 'Add 1,200 people').click();
    await page.getByText('Cut off.').waitFor();
    await page.getByText('500 of 1,200 done.').waitFor();
    await page.unroute('**/members/bulk');
    await button(page, 'Go on').click();
    await page.getByText('1,200 of 1,200 done. 1,200 were added.').waitFor();
    expect((await site.get('/events?type=member.created&limit=100')).body.data).toHaveLength(100);
    expect((await site.get('/overview')).body.data.members.total).toBe(1_200);
  });

  test('who may not add people is told so', async () => {
    const { page } = await open('/add', 'support');
    await page.getByRole('heading', { name: 'You may not add people' }).waitFor();
  });
});
