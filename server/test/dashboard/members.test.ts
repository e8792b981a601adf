import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { desktop, look, phone } from '../browser.ts';
import { aSession } from '../contract/given.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { skipsDashboard, startDashboard, turnTo, useBrowser } from './dashboard-browser.ts';

/** For a busy machine. */
const patience = { timeout: 30_000 };

describe.skipIf(skipsDashboard())('the pages of members', { timeout: 180_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  let site: TestSite;
  let slug: string;
  let ada: string;

  beforeAll(async () => {
    server = await startDashboard();
    site = await server.createSite();
    slug = (await site.get('/site')).body.data.slug;
    await site.patch('/site', { title: 'Rowing Club', domain: `${slug}.example.org` });
    const group = (await site.post('/access-groups', { name: 'Course 2026' })).body.data.id;
    const member = { email: 'ada@example.com', displayName: 'Ada Lovelace', paid: true };
    const members = Array.from({ length: 450 }, (_, number) => ({
      email: `member-${number}@example.com`,
      displayName: number % 3 ? `Member ${number}` : null,
      paid: number % 2 === 0,
    }));
    await site.post('/members/bulk', { members });
    ada = (await site.post('/members', { ...member, accessGroupIds: [group] })).body.data.id;
    await site.patch(`/members/${ada}`, { displayName: 'Ada King' });
  });

  const go = (page: Page, path: string) => page.goto(`/dashboard/${slug}${path}`);
  const turn = (page: Page, path: string) => turnTo(page, `/dashboard/${slug}${path}`);
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

  test('the search runs while typing, and the URL contains the filters and the sorting', async () => {
    const { page } = await browser.open(server, site.siteId);
    await go(page, '/members');
    await page.getByRole('searchbox').pressSequentially('king');
    await page.waitForURL('**/members?q=king');
    await page.getByRole('row').filter({ hasText: 'Ada King' }).waitFor();
    await expect.poll(() => page.getByRole('row').count(), patience).toBe(2);
    await button(page, 'Clear the search').click();
    await button(page, 'Filter').click();
    await page.getByRole('menuitemcheckbox', { name: 'Not paying' }).click();
    await page.waitForURL('**/members?paid=false');
    await page.keyboard.press('Escape');
    await button(page, 'Name').click();
    await page.waitForURL('**/members?paid=false&sort=displayName&order=asc');
    await page.reload();
    await button(page, 'Remove this filter: Not paying').click();
    await page.waitForURL('**/members?sort=displayName&order=asc');
  });

  test('a member that is opened right after typing stays open, however long its page takes to load', async () => {
    const { page } = await browser.open(server, site.siteId);
    let loads = false;
    await page.route('**/assets/member-page-*.js', async (route) => {
      while (!loads) await sleep(10);
      await route.continue();
    });
    await go(page, '/members');
    const link = page.getByRole('link', { name: 'Ada King' });
    await link.waitFor();
    await page.getByRole('searchbox').fill('king');
    await link.dispatchEvent('click');
    await page.waitForURL(`**/members/${ada}`);
    // More than the time for which the search waits for more typing.
    await sleep(500);
    loads = true;
    await button(page, 'Block').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/dashboard/${slug}/members/${ada}`);
  });

  test('the number of matches is shown only as far as it is known', async () => {
    const { page } = await browser.open(server, site.siteId);
    await go(page, '/members?q=member-1');
    await page.getByText('More than 100 members match').waitFor();
    await page.getByRole('searchbox').fill('member-11@');
    await page.getByText('1 member matches').waitFor();
    await page.getByRole('searchbox').fill('nobody at all');
    await page.getByText('0 members match').waitFor();
    await page.getByText('No members match').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByText(/^45\d members$/).waitFor();
  });

  test('an internationalized domain is shown and found in Unicode, and so is a name', async () => {
    await site.post('/members', { email: 'lena@münchen.example' });
    await site.post('/members', { email: 'mueller@example.com', displayName: 'Jörg Müller' });
    const { page } = await browser.open(server, site.siteId);
    await go(page, '/members');
    for (const [query, found] of [
      ['münchen', 'lena@münchen.example'],
      ['lena@MÜNCHEN.ex', 'lena@münchen.example'],
      ['müller', 'Jörg Müller'],
    ] as const) {
      await turn(page, `/members?q=${encodeURIComponent(query)}`);
      await page.getByRole('link', { name: found }).waitFor();
      await page.getByText('1 member matches').waitFor();
    }
    await page.getByRole('link', { name: 'Jörg Müller' }).click();
    await page.getByText('mueller@example.com').first().waitFor();
  });

  test('blocking many members asks with the exact number first, and is shown as one event', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    const blocked = async () => (await site.get('/overview')).body.data.members.blocked;
    await go(page, '/members?q=member-1');
    await page.getByRole('checkbox', { name: 'Select all matching members' }).check();
    // They span more than one page, and the exact number is still shown.
    await page.getByText('All 111 selected').waitFor();
    await page.getByRole('checkbox', { name: 'Select Member 199' }).uncheck();
    await page.getByText('110 selected').waitFor();
    await page.getByRole('checkbox', { name: 'Select Member 199' }).check();
    await button(page, 'Block').click();
    const question = page.getByRole('dialog', { name: 'Block 111 members?' });
    await question
      .getByText('111 members will be blocked and logged out. Undo does not restore the sessions.')
      .waitFor();
    // Pressing Enter must not block anyone.
    await expect.poll(() => page.evaluate('document.activeElement.textContent'), patience).toBe('Cancel');
    await look(page, 'dashboard-members-block-question');
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'hidden' });
    expect(await blocked()).toBe(0);
    await button(page, 'Block').click();
    await question.getByRole('button', { name: 'Block 111 members' }).click();
    await page.getByText('111 members blocked').waitFor();
    expect(await blocked()).toBe(111);
    await button(page, 'Undo').click();
    await page.getByText('Undone for 111 members').waitFor();
    expect(await blocked()).toBe(0);

    await turn(page, '/events');
    const events = page.getByRole('list', { name: 'Events', exact: true });
    await events.getByText(/ unblocked 111 members$/).waitFor();
    await events.getByText(/ blocked 111 members$/).waitFor();
    expect(faults).toEqual([]);
  });

  test('actions on more than 25 members ask for confirmation, actions on fewer do not', async () => {
    const { page } = await browser.open(server, site.siteId);
    const choose = async (name: string) => {
      await button(page, 'Actions').click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    const dialog = page.getByRole('dialog');
    await go(page, '/members?q=member-30');
    await page.getByRole('checkbox', { name: 'Select all matching members' }).check();
    await page.getByText('All 11 selected').waitFor();
    await choose('Mark as paying');
    await page.getByText(/^\d+ members marked as paying$/).waitFor();
    await button(page, 'Undo').click();
    await page.getByText(/^Undone for \d+ members$/).waitFor();
    await turn(page, '/members?q=member-4');
    await page.getByRole('checkbox', { name: 'Select all matching members' }).check();
    await page.getByText('All 61 selected').waitFor();
    for (const [action, title] of [
      ['Mark as paying', 'Mark 61 members as paying?'],
      ['Mark as not paying', 'Mark 61 members as not paying?'],
      ['Unblock', 'Unblock 61 members?'],
    ] as const) {
      await choose(action);
      await dialog.getByText(title, { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'hidden' });
    }
  });

  test('the members of an import are a filter that can be removed, and the bulk actions apply to them alone', async () => {
    const group = (await site.post('/access-groups', { name: 'Newcomers' })).body.data.id;
    const requestId = crypto.randomUUID();
    // More than one page of the list.
    const members = Array.from({ length: 130 }, (_, index) => ({
      email: `new-${index}@example.com`,
      paid: index < 30,
    }));
    const batches = [members.slice(0, 65), members.slice(65)];
    for (const batch of batches) {
      await site.post('/members/bulk', { members: batch }, { 'x-request-id': requestId });
    }
    await site.post('/members', { email: 'new-later@example.com' });
    const { page, faults } = await browser.open(server, site.siteId);
    await go(page, `/members?createdByRequest=${requestId}&q=new`);
    await page.getByText(/^Added by an import on \w+ \d+, \d+, \d+:\d+:\d+ [AP]M \S+$/).waitFor();
    await page.getByRole('checkbox', { name: 'Select all matching members' }).check();
    await page.getByText('All 130 selected').waitFor();
    await look(page, 'dashboard-members-of-import');
    await button(page, 'Clear the selection').click();
    await button(page, 'Clear the search').click();
    await page.waitForURL(`**/members?createdByRequest=${requestId}`);
    await page.getByRole('checkbox', { name: 'Select all matching members' }).check();
    await page.getByText('All 130 selected').waitFor();
    await button(page, 'Actions').click();
    await page.getByRole('menuitem', { name: 'Add to a group' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox').click();
    await page.getByRole('option', { name: 'Newcomers' }).click();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByRole('button', { name: 'Add 130 members' }).click();
    await page.getByText('130 members added to Newcomers').waitFor();
    expect((await site.get(`/access-groups/${group}`)).body.data.memberCount).toBe(130);

    await turn(page, `/members?createdByRequest=${requestId}&paid=true`);
    await page.getByText('30 members match').waitFor();
    await button(page, 'Remove this filter: Paying').click();
    await button(page, /^Remove this filter: Added by an import on /).click();
    await page.waitForURL('**/members');
    await page.getByText(/^\d+ members$/).waitFor();
    expect(faults).toEqual([]);
  });

  test('an import without members says so, and invalid filters in the address are left out', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    await go(page, `/members?createdByRequest=${crypto.randomUUID()}`);
    await page.getByText('No members match the filters').waitFor();
    await page.getByText('Added by an import', { exact: true }).waitFor();
    await button(page, 'Clear all filters').last().click();
    await page.waitForURL('**/members');
    await turn(page, '/members?createdByRequest=none');
    await page.getByText(/^\d+ members$/).waitFor();
    await turn(page, '/members?status=none&paid=perhaps');
    await page.getByText(/^\d+ members$/).waitFor();
    expect(faults).toEqual([]);
  });

  test('a last day for many members also applies to existing members of the group, and undo restores each previous end', async () => {
    const group = (await site.post('/access-groups', { name: 'Winter' })).body.data.id;
    const members = Array.from({ length: 4 }, (_, index) => ({ email: `winter-${index}@example.com` }));
    const created = await site.post('/members/bulk', { members });
    const ids: string[] = created.body.data.map(({ member }: { member: { id: string } }) => member.id);
    const soon = '2080-06-30T10:00:00.000Z';
    await site.post(`/access-groups/${group}/members`, { memberId: ids[0] });
    await site.post(`/access-groups/${group}/members`, { memberId: ids[1], expiresAt: soon });
    const ends = () =>
      Promise.all(
        ids.map(async (id) => (await site.get(`/access-groups/${group}/members/${id}`)).body.data?.expiresAt),
      );
    const before = await ends();
    const options = { timezoneId: 'Pacific/Auckland' };
    const { page, faults } = await browser.open(server, site.siteId, 'owner', options);
    await go(page, '/members?q=winter');
    await page.getByRole('checkbox', { name: 'Select all matching members' }).check();
    await button(page, 'Add to a group').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox').click();
    await page.getByRole('option', { name: 'Winter' }).click();
    await dialog.getByText('Members who are already in the group keep their last day.').waitFor();
    await dialog.getByLabel('Last day').fill('2090-12-31');
    await dialog.getByText('This last day also applies to members who are already in the group.').waitFor();
    await look(page, 'dashboard-members-group-until');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page
      .getByText(
        '2 members added to Winter. 2 members were already in Winter; their last day is now Dec 31, 2090',
      )
      .waitFor();
    expect(await ends()).toEqual(Array(4).fill('2091-01-01T00:00:00.000Z'));
    await button(page, 'Undo').click();
    await page.getByText('Undone for 4 members').waitFor();
    expect(await ends()).toEqual(before);
    expect(before).toEqual([null, soon, undefined, undefined]);
    expect(faults).toEqual([]);
  });

  test.each(Object.entries({ phone, desktop }))(
    'the bulk actions are accessible on a %s',
    async (size, viewport) => {
      const { page, faults } = await browser.open(server, site.siteId, 'owner', { viewport });
      await go(page, '/members?q=member-2&status=active&paid=true');
      await page.getByRole('checkbox', { name: 'Select Member 298' }).waitFor();
      await page.getByRole('checkbox', { name: 'Select all matching members' }).check();
      await page.getByRole('checkbox', { name: 'Select Member 298' }).uncheck();
      await page.getByText('55 selected').waitFor();
      if (size === 'phone')
        expect(await page.getByRole('combobox', { name: 'Sort' }).inputValue()).toBe('Newest first');
      await look(page, `dashboard-members-selected-${size}`);
      await button(page, 'Actions').click();
      await page.getByRole('menuitem', { name: 'Add to a group' }).click();
      await page.getByRole('dialog').getByRole('combobox').click();
      await page.getByRole('option', { name: 'Course 2026' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Add 55 members' }).click();
      await page.getByText('55 members added to Course 2026').waitFor();
      await button(page, 'Undo').click();
      await page.getByText('Undone for 55 members').waitFor();
      expect(faults).toEqual([]);
    },
  );

  test('deleting members asks with their number first, and deletes none before the confirmation', async () => {
    const emails = ['leaving-1@example.com', 'leaving-2@example.com', 'leaving-3@example.com'];
    await site.post('/members/bulk', { members: emails.map((email) => ({ email })) });
    const { page } = await browser.open(server, site.siteId);
    await go(page, '/members?q=leaving');
    await page.getByRole('checkbox', { name: 'Select all matching members' }).check();
    await button(page, 'Actions').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 3 members?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await site.get('/members?q=leaving')).body.data).toHaveLength(3);
    await button(page, 'Actions').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete 3 members' }).click();
    await page.getByText('3 members deleted').waitFor();
    expect((await site.get('/members?q=leaving')).body.data).toEqual([]);
    await page.getByText('No members match').waitFor();
  });

  test('login links and invitations that cannot be sent are not reported as sent', async () => {
    const { page } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}`);
    const steps = page.getByRole('list').filter({ hasText: 'Set your domain' });
    await steps.getByRole('listitem').first().getByText('Set your domain').waitFor();
    await turn(page, `/members/${ada}`);
    await button(page, 'Send a login link').click();
    await page
      .getByText('The login link for ada@example.com is waiting: no mail server is connected')
      .waitFor();
    await turn(page, '/members?q=ada@');
    await page.getByRole('checkbox', { name: 'Select all matching members' }).check();
    await page.getByRole('button', { name: 'Send a login link', exact: true }).click();
    await button(page, 'Send 1 email').click();
    await page.getByText('The login link for 1 member is waiting: no mail server is connected').waitFor();
    await turn(page, '/operators');
    await button(page, 'Invite').click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Email address' }).fill('sue@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByText('sue@example.com was invited, but the email is waiting').waitFor();
  });

  test('a click anywhere on a row opens the member, except when it selects text or ticks the checkbox', async () => {
    const { page } = await browser.open(server, site.siteId);
    await go(page, '/members?q=member-7@');
    const row = page.getByRole('row').filter({ hasText: 'member-7@example.com' });
    const { x, y, height } = (await row.getByText('member-7@example.com').boundingBox())!;
    await page.mouse.move(x + 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + height / 2, { steps: 4 });
    await page.mouse.up();
    expect(await page.evaluate('getSelection().toString()')).not.toBe('');
    await row.getByRole('checkbox').click();
    await page.getByText('1 selected').waitFor();
    expect(page.url()).toContain('/members?q=');
    await page.evaluate('getSelection().removeAllRanges()');
    await row.getByRole('cell').last().click();
    await page.waitForURL(/\/members\/[0-9a-f-]{36}$/);
  });

  test('the page of a member leads to the next and the previous one of its list, and back to the list', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    const shows = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await go(page, '/members?q=member-44&sort=email&order=asc');
    await page.getByRole('link', { name: 'Member 440' }).click();
    await shows('Member 440');
    await page.keyboard.press('j');
    await shows('member-441@example.com');
    await button(page, 'Next member').click();
    await shows('Member 442');
    await page.keyboard.press('k');
    await shows('member-441@example.com');
    await page.getByRole('main').getByRole('link', { name: 'Members' }).click();
    await page.waitForURL('**/members?q=member-44&sort=email&order=asc');
    // Its email address is the last one in this order.
    await page.getByRole('link', { name: 'Member 44', exact: true }).click();
    await shows('Member 44');
    await expect.poll(() => button(page, 'Next member').isDisabled(), patience).toBe(true);
    expect(faults).toEqual([]);
  });

  test('the CSV file has the current data of the members with their groups, and runs no formulas in a spreadsheet', async () => {
    const course = (await site.post('/access-groups', { name: '=Course;A' })).body.data.id;
    const board = (await site.post('/access-groups', { name: 'Board' })).body.data.id;
    const formula = {
      email: 'formula@example.com',
      displayName: '=HYPERLINK("//x")',
      accessGroupIds: [course],
    };
    const { id } = (await site.post('/members', formula)).body.data;
    const expiresAt = '2090-12-31T23:00:00.000Z';
    await site.post(`/access-groups/${board}/members`, { memberId: id, expiresAt });
    await site.patch('/site', { timeZone: 'Europe/Berlin' });
    const options = { timezoneId: 'Pacific/Auckland' };
    const { page } = await browser.open(server, site.siteId, 'owner', options);
    await go(page, '/members?q=formula');
    await page.getByRole('checkbox', { name: /^Select =HYPERLINK/ }).check();
    await site.patch(`/members/${id}`, { paid: true });
    const rows = [];
    for (const exportsAll of [false, true]) {
      if (exportsAll) await turn(page, '/members');
      else await button(page, 'Actions').click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        exportsAll
          ? button(page, 'Export').click()
          : page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
      ]);
      expect(file.suggestedFilename()).toBe(`${slug}-members.csv`);
      const [headings, ...lines] = readFileSync(await file.path(), 'utf8').split('\r\n');
      expect(headings).toContain('id,email,displayName,status,verified,paid,groups,groupsEndAt');
      rows.push(lines.find((line) => line.startsWith(`${id},`)));
    }
    const expected = `,"'=HYPERLINK(""//x"")",active,false,true,"'=Course\\;A;Board",;2090-12-31,`;
    expect(rows).toEqual([expect.stringContaining(expected), expect.stringContaining(expected)]);
    expect(rows[0]).toBe(rows[1]);
    await site.patch('/site', { timeZone: 'UTC' });
  });

  test('rows are gone through and selected in ranges with the keyboard, and with Shift', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    await go(page, '/members?q=member-2&sort=email&order=asc');
    await page.getByRole('checkbox', { name: 'Select Member 200' }).waitFor();
    const focused = () => page.evaluate('document.activeElement.textContent');
    for (const name of ['Member 200', 'member-201@example.com', 'Member 202']) {
      await page.keyboard.press('j');
      await expect.poll(focused, patience).toBe(name);
    }
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    // A member who is added above the active row moves it, and the keys still act on the same member.
    const { id } = (await site.post('/members', { email: 'a-member-2@example.com', displayName: 'Zoe' })).body
      .data;
    await page.getByRole('link', { name: 'Zoe' }).waitFor();
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor({ state: 'hidden' });
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await site.delete(`/members/${id}`);
    await page.getByRole('link', { name: 'Zoe' }).waitFor({ state: 'hidden' });
    // Beyond the rows that are rendered.
    for (let presses = 0; presses < 60; presses += 1) await page.keyboard.press('j');
    await page.keyboard.press('Shift+X');
    await page.getByText('61 selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('61 selected').waitFor({ state: 'hidden' });
    await page.evaluate('window.scrollTo(0, 0)');
    await page.getByRole('checkbox', { name: 'Select Member 200' }).click();
    await page.getByRole('checkbox', { name: 'Select Member 209' }).click({ modifiers: ['Shift'] });
    await page.getByText('10 selected').waitFor();
    await page.keyboard.press('o');
    await page.getByRole('heading', { level: 1, name: 'Member 209' }).waitFor();
    expect(faults).toEqual([]);
  });

  test('the list scrolls to the last row, and renders only some of the rows', async () => {
    const { page } = await browser.open(server, site.siteId);
    await go(page, '/members?q=member&sort=createdAt&order=asc');
    await page.getByText('member-0@example.com').first().waitFor();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 4_000);
        return page.getByText('Member 449').count();
      }, patience)
      .toBe(1);
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    await page.evaluate('window.scrollTo(0, 0)');
    await page.getByText('member-0@example.com').first().waitFor();
  });

  test('a name is edited in place, and the change can be undone', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    await go(page, `/members/${ada}`);
    await button(page, 'Change: Name').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Augusta');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Augusta' }).waitFor();
    await page.getByText(/^o-\S+ changed Augusta: name$/).waitFor();
    await button(page, 'Undo').click();
    await page.getByRole('heading', { level: 1, name: 'Ada King' }).waitFor();
    expect(faults).toEqual([]);
  });

  test('the input stays in the form when it cannot be saved', async () => {
    const { page } = await browser.open(server, site.siteId);
    await go(page, `/members/${ada}`);
    await button(page, 'Change: Email').click();
    const field = page.getByRole('textbox', { name: 'Email' });
    await field.fill('member-1@example.com');
    await button(page, 'Save').click();
    await page.getByRole('alert').waitFor();
    expect(await field.inputValue()).toBe('member-1@example.com');
    await field.fill('ada.king@example.com');
    await button(page, 'Save').click();
    await page.getByText('The email address was changed').waitFor();
    expect((await site.get(`/members/${ada}`)).body.data.email).toBe('ada.king@example.com');
  });

  test('blocking a member with active sessions asks for confirmation, because undo does not restore the sessions', async () => {
    const { id } = (await site.post('/members', { email: 'logged-in@example.com' })).body.data;
    await aSession(site, id);
    const { page } = await browser.open(server, site.siteId);
    await go(page, `/members/${id}`);
    const status = async () => (await site.get(`/members/${id}`)).body.data.status;
    const question = page.getByRole('dialog', { name: 'Block logged-in@example.com?' });
    await button(page, 'Block').press('Space');
    await question.getByText('will be logged out of 1 browser. Undo does not restore the session.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(await status()).toBe('active');
    await button(page, 'Block').press('Space');
    await question.getByRole('button', { name: 'Block' }).click();
    await page.getByText('logged-in@example.com was blocked').first().waitFor();
    expect(await status()).toBe('blocked');
  });

  test('a member is blocked with one press, and added to a group until a day', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    await site.post('/access-groups', { name: 'Boathouse' });
    await go(page, `/members/${ada}`);
    expect(await button(page, 'Next member').count()).toBe(0);
    await page.getByRole('heading', { name: 'What Ada King can open' }).waitFor();
    const url = `https://${slug}.example.org/lake?day=1`;
    await page.getByRole('textbox', { name: 'Test a URL or path' }).fill(url);
    await page.getByText('Allowed', { exact: true }).waitFor();
    await button(page, 'Block').press('Space');
    await page.getByText('Ada King was blocked').waitFor();
    expect((await site.get(`/members/${ada}`)).body.data.status).toBe('blocked');
    await page.getByText('Denied', { exact: true }).waitFor();
    await button(page, 'Undo').click();
    await page.getByText('Active', { exact: true }).waitFor();
    await button(page, 'Add to a group').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Access group' }).click();
    await page.getByRole('option', { name: 'Boathouse' }).click();
    await dialog.getByLabel('Last day').fill('2090-12-31');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByText('Until Dec 31, 2090', { exact: true }).waitFor();
    await button(page, 'Remove from Boathouse').click();
    await page.getByText('Removed from Boathouse').waitFor();
    await page
      .getByRole('alert')
      .filter({ hasText: 'Removed from Boathouse' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await page.getByText('Until Dec 31, 2090', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  test('deleting a member asks for confirmation, and the page of a deleted member says so', async () => {
    const { id } = (await site.post('/members', { email: 'gone@example.com' })).body.data;
    const { page } = await browser.open(server, site.siteId);
    await go(page, `/members/${id}`);
    await button(page, 'More actions').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete gone@example.com?' });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(`**/dashboard/${slug}/members`);
    await page.getByText('gone@example.com was deleted').waitFor();
    await go(page, `/members/${id}`);
    await page.getByRole('heading', { level: 1, name: 'Member not found' }).waitFor();
  });

  test('a role shows only the actions that it allows', async () => {
    const { page } = await browser.open(server, site.siteId, 'viewer');
    await go(page, `/members/${ada}`);
    await page.getByText('Active', { exact: true }).waitFor();
    expect(await page.getByRole('switch').count()).toBe(0);
    expect(await button(page, 'Send a login link').count()).toBe(0);
    expect(await button(page, 'Change: Name').count()).toBe(0);
  });
});
