import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { OperatorRole } from '@gatehouse/contract';
import { parse as parseCsv } from 'csv-parse/sync';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { systemCause } from '../../src/base/cause.ts';
import { syncScope } from '../../src/members/scope-sync.ts';
import { commandsWith, temporaryFolder } from '../command-line.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { desktop, leftOutDashboard, look, phone, startDashboard, useBrowser } from './dashboard-browser.ts';

const mess = `Ada Lovelace <ada@example.com>; ADA@example.com, "Hopper, Grace" <grace@example.com>
call Alan (alan@example.com). not@.address
katherine@example.com\tmargaret@example.com
rosa(at)example.com`;

const patience = { timeout: 10_000 };

describe.skipIf(leftOutDashboard())('adding people, and their groups', { timeout: 180_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;

  beforeAll(async () => {
    server = await startDashboard();
  });

  /** A page for an operator of a site, who does not wait for ever. */
  async function open({ siteId }: TestSite, role?: OperatorRole, options?: BrowserContextOptions) {
    const opened = await browser.open(server, siteId, role, options);
    opened.page.setDefaultTimeout(patience.timeout);
    return opened;
  }

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const dialog = (page: Page) => page.getByRole('dialog');
  const named = async (site: TestSite, name: string) =>
    (await site.get('/access-groups')).body.data.find((group: { name: string }) => group.name === name);
  const memberCount = async (site: TestSite) => (await site.get('/overview')).body.data.members.total;

  /** A site of its own, with a member and two groups, one of which follows a workspace. */
  async function aSite() {
    const site = await server.createSite();
    const { slug } = (await site.patch('/site', { title: 'Rowing Club' })).body.data;
    const group = { name: 'Course 2026', description: 'Who learns to row this year.' };
    const groupId = (await site.post('/access-groups', group)).body.data.id;
    const ada = { email: 'ada@example.com', displayName: 'Ada Lovelace', accessGroupIds: [groupId] };
    await site.post('/members', ada);
    await server.database.transaction((tx) => {
      const people = [{ email: 'mary@example.com', displayName: 'Mary Shelley' }];
      const scope = { collection: 'staff', name: 'Staff of the university', people };
      return syncScope(tx, site.siteId, scope, systemCause(new Date().toISOString()));
    });
    const scopeGroupId = (await named(site, 'Staff of the university')).id;
    const go = (page: Page, path: string) => page.goto(`/dashboard/${slug}${path}`);
    return { site, go, groupId, scopeGroupId };
  }

  test.each(['light', 'dark'] as const)(
    'fit on every page, and can be used by everybody, in %s',
    async (colorScheme) => {
      for (const [size, viewport] of Object.entries({ phone, desktop })) {
        const { site, go, groupId, scopeGroupId } = await aSite();
        const { page, faults } = await open(site, 'owner', { viewport, colorScheme });
        const picture = async (name: string, sign: string) => {
          await page.getByText(sign).first().waitFor();
          await page.waitForLoadState('networkidle');
          await look(page, `dashboard-${name}-${size}-${colorScheme}`);
        };
        await go(page, '/groups');
        await picture('groups', 'Course 2026');
        await go(page, `/groups/${groupId}`);
        await picture('group', 'ada@example.com');
        await go(page, `/groups/${scopeGroupId}`);
        await picture('scope-group', 'mary@example.com');
        await go(page, '/add');
        await picture('add', 'One person');
        await page.getByRole('tab', { name: 'Paste addresses' }).click();
        await page.getByRole('textbox', { name: 'Addresses' }).fill(mess);
        await picture('add-paste', '1 already a member');
        const isCut =
          '[...document.querySelectorAll("td .mantine-Badge-label")].some((e) => e.scrollWidth > e.clientWidth)';
        expect(await page.evaluate(isCut)).toBe(false);
        await page.getByRole('tab', { name: 'CSV file' }).click();
        await picture('add-file', 'Drop a CSV file here');
        await drop(page, manyPeople(300));
        await picture('add-preview', 'and 200 more rows');
        await button(page, /^Add \d+ people$/).click();
        await picture('add-import', 'could not be added');
        expect(faults).toEqual([]);
        await page.context().close();
      }
    },
  );

  test('a group is made, found, renamed and deleted', async () => {
    const { site, go } = await aSite();
    const { page, faults } = await open(site);
    await go(page, '/groups');
    await button(page, 'New group').click();
    const name = dialog(page).getByRole('textbox', { name: 'Name' });
    await button(page, 'Create the group').click();
    await page.getByText('Give the group a name.').waitFor();
    await name.fill('Course 2026');
    await dialog(page).getByRole('textbox', { name: 'Description' }).fill('Eight, and a cox');
    await button(page, 'Create the group').click();
    // The name is taken: what was typed stays, and is mended.
    await dialog(page).getByRole('alert').waitFor();
    expect(await dialog(page).getByRole('textbox', { name: 'Description' }).inputValue()).toBe(
      'Eight, and a cox',
    );
    await name.fill('Crew');
    await page.keyboard.press('Enter');
    await page.getByText('The group Crew is made').waitFor();

    await page.getByRole('searchbox').fill('crew');
    await expect.poll(() => page.getByRole('row').count(), patience).toBe(2);
    await page.getByRole('link', { name: 'Crew' }).click();
    await page.getByText('Nobody is in this group yet').waitFor();
    await button(page, 'Change').click();
    await name.fill('Crew of 2026');
    await button(page, 'Save').click();
    await page.getByRole('heading', { level: 1, name: 'Crew of 2026' }).waitFor();
    expect(await named(site, 'Crew of 2026')).toMatchObject({ description: 'Eight, and a cox' });

    await button(page, 'Delete').click();
    await dialog(page).getByText('Nobody is in it, so nobody loses anything.').waitFor();
    await button(page, 'Cancel').click();
    await dialog(page).waitFor({ state: 'hidden' });
    await button(page, 'Delete').click();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The group Crew of 2026 is deleted').waitFor();
    await page.waitForURL('**/groups');
    await page.getByRole('link', { name: 'Course 2026' }).waitFor();
    expect(await page.getByRole('link', { name: 'Crew of 2026' }).count()).toBe(0);
    expect(await named(site, 'Crew of 2026')).toBeUndefined();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'There is no such group' }).waitFor();
    expect(faults).toEqual([]);
  });

  test('a site without groups says what they are for', async () => {
    const site = await server.createSite();
    const { slug } = (await site.get('/site')).body.data;
    const { page } = await open(site);
    await page.goto(`/dashboard/${slug}/groups`);
    await page.getByText('No access group yet').waitFor();
    await button(page, 'New group').last().click();
    await dialog(page).getByRole('textbox', { name: 'Name' }).waitFor();
  });

  test('somebody joins a group until a day, leaves it, and comes back with the same day', async () => {
    const { site, go, groupId } = await aSite();
    const grace = { email: 'grace@example.com', displayName: 'Grace Hopper' };
    const { id } = (await site.post('/members', grace)).body.data;
    const end = async () => (await site.get(`/access-groups/${groupId}/members/${id}`)).body.data?.expiresAt;
    const { page, faults } = await open(site);
    await go(page, `/groups/${groupId}`);
    await page.getByRole('combobox', { name: 'Add a member' }).click();
    await page.keyboard.type('hopper');
    await page.getByRole('option', { name: /Grace Hopper/ }).click();
    await page.getByLabel('Last day').fill('2090-12-31');
    await button(page, 'Add').click();
    await page.getByText('Grace Hopper is in Course 2026').waitFor();
    const members = page.getByRole('list', { name: 'Members of the group' });
    await members.getByText('Until Dec 31, 2090').waitFor();
    const expiresAt = await end();
    expect(expiresAt).toMatch(/^209/);

    await button(page, 'Remove Grace Hopper').click();
    await page.getByText('Grace Hopper is no longer in Course 2026').waitFor();
    await expect.poll(() => members.getByRole('listitem').count(), patience).toBe(1);
    expect(await end()).toBeUndefined();
    await button(page, 'Undo').last().click();
    await members.getByText('Grace Hopper').waitFor();
    expect(await end()).toBe(expiresAt);
    expect(faults).toEqual([]);
  });

  test('the members of a large group come page after page', async () => {
    const { site, go, groupId } = await aSite();
    const members = Array.from({ length: 120 }, (_, number) => ({ email: `rower-${number}@example.com` }));
    await site.post('/members/bulk', { members, accessGroupIds: [groupId] });
    const { page } = await open(site, 'viewer');
    await go(page, `/groups/${groupId}`);
    const list = page.getByRole('list', { name: 'Members of the group' });
    await list.waitFor();
    expect(await list.getByRole('listitem').count()).toBeLessThan(121);
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 4_000);
        return list.getByRole('listitem').count();
      }, patience)
      .toBe(121);
  });

  test('a scope group says where it comes from and is left alone', async () => {
    const { site, go, scopeGroupId } = await aSite();
    const { page } = await open(site);
    await go(page, '/groups');
    await page
      .getByRole('row')
      .filter({ hasText: 'Staff of the university' })
      .getByText('From a workspace')
      .waitFor();
    await go(page, `/groups/${scopeGroupId}`);
    await page.getByText('mary@example.com').waitFor();
    await page.getByText('follows a collection of an external workspace').waitFor();
    for (const name of ['Change', 'Delete', 'Add', 'Remove Mary Shelley']) {
      expect(await button(page, name).count()).toBe(0);
    }
    await go(page, '/add');
    await page.getByRole('combobox', { name: 'Access groups' }).click();
    await page.getByRole('option', { name: 'Course 2026' }).waitFor();
    expect(await page.getByRole('option').count()).toBe(1);
  });

  test('a role shows what it can do', async () => {
    const { site, go, groupId } = await aSite();
    const { page } = await open(site, 'support');
    await go(page, '/groups');
    await page.getByText('Course 2026').waitFor();
    expect(await button(page, 'New group').count()).toBe(0);
    await go(page, `/groups/${groupId}`);
    await page.getByText('ada@example.com').waitFor();
    expect(await button(page, 'Remove Ada Lovelace').count()).toBe(0);
    await go(page, '/add');
    await page.getByText('You may not add people').waitFor();
  });

  test('one person is added after the other, with the same groups', async () => {
    const { site, go, groupId } = await aSite();
    const { page, faults } = await open(site, 'admin');
    await go(page, '/add');
    const email = page.getByRole('textbox', { name: 'Email address' });
    await email.fill('ada@example.com');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Alan Turing');
    await page.getByRole('combobox', { name: 'Access groups' }).click();
    await page.getByRole('option', { name: 'Course 2026' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'Paying member' }).check();
    await button(page, 'Add').click();
    // The address is taken: everything stays as it was typed.
    await page.getByRole('alert').waitFor();
    await email.fill('Alan@Example.com');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Alan \u202egniruT');
    await button(page, 'Add').click();
    await page.getByText('This name has invisible characters').first().waitFor();
    await name.fill('Alan Turing');
    await button(page, 'Add').click();
    await page.getByText('Alan Turing is added').waitFor();
    expect(await email.inputValue()).toBe('');
    const [alan] = (await site.get('/members?email=alan@example.com')).body.data;
    expect(alan).toMatchObject({ displayName: 'Alan Turing', paid: true });
    await expect.poll(() => email.evaluate('document.activeElement.type'), patience).toBe('email');
    await page.keyboard.type('grace@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('grace@example.com is added').waitFor();
    const { data } = (await site.get(`/access-groups/${groupId}/members`)).body;
    expect(data.map((member: { email: string }) => member.email).sort()).toEqual([
      'ada@example.com',
      'alan@example.com',
      'grace@example.com',
    ]);
    expect(faults).toEqual([]);
  });

  test('addresses in any mess are found, and what becomes of each is said beforehand', async () => {
    const { site, go } = await aSite();
    const { page, faults } = await open(site);
    await go(page, '/add');
    await page.getByRole('tab', { name: 'Paste addresses' }).click();
    const text = page.getByRole('textbox', { name: 'Addresses' });
    await text.fill('nobody at all');
    await page.getByText('There is no address in this text yet.').waitFor();
    await text.fill(Array.from({ length: 501 }, (_, number) => `rower-${number}@example.com`).join(' '));
    await page.getByText('These are 501 addresses.').waitFor();
    await text.fill(mess);
    for (const count of ['8 rows', '4 new', '1 already a member', '1 duplicate', '2 with no valid address']) {
      await page.getByText(count, { exact: true }).waitFor();
    }
    await page.getByText('2 with no valid address', { exact: true }).click();
    await expect.poll(() => page.getByRole('row').count(), patience).toBe(3);
    await page.getByRole('cell', { name: 'not@.address' }).waitFor();
    await page.getByRole('cell', { name: 'rosa(at)example.com' }).waitFor();
    await button(page, 'Add 4 people').click();
    await page.getByText('8 of 8 done. 4 were added. 2 were members already.').waitFor();
    await page.getByText('2 could not be added').waitFor();
    const [grace] = (await site.get('/members?email=grace@example.com')).body.data;
    expect(grace.displayName).toBe('Hopper, Grace');
    await button(page, 'Add more people').click();
    expect(await text.inputValue()).toBe('');
    expect(faults).toEqual([]);
  });

  test('a file of 5,000 is added to a group, and those who failed are saved, mended and added', async () => {
    const { site, go, groupId } = await aSite();
    const { page, faults } = await open(site);
    await go(page, '/add');
    await page.getByRole('tab', { name: 'CSV file' }).click();
    await drop(page, manyPeople(5_000));
    for (const count of [
      '5,000 rows',
      '4,991 new',
      '1 already a member',
      '2 duplicates',
      '5 with no valid address',
      '1 with no valid name',
    ]) {
      await page.getByText(count, { exact: true }).waitFor();
    }
    const first = page.getByRole('row').filter({ hasText: 'Jörg Größer 0' }).first();
    await first.getByRole('cell', { name: 'Yes', exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Access groups' }).last().click();
    await page.getByRole('option', { name: 'Course 2026' }).click();
    await button(page, 'Add 4,991 people').click();
    await page.getByText('5,000 of 5,000 done. 4,991 were added.').waitFor();
    // Somebody who is a member already has another name there, and so have the duplicates.
    await page.getByText('9 could not be added').waitFor();
    await page
      .getByText('Row 8, Ada@Example.com: A member with this address exists and has another')
      .waitFor();
    expect(await memberCount(site)).toBe(4_991 + 2);
    expect((await site.get(`/access-groups/${groupId}`)).body.data.memberCount).toBe(4_991 + 1);
    const [paying] = (await site.get('/members?email=rower-10@example.com')).body.data;
    expect(paying).toMatchObject({ displayName: 'Jörg Größer 10', paid: true });
    const [kept] = (await site.get('/members?email=ada@example.com')).body.data;
    expect(kept).toMatchObject({ displayName: 'Ada Lovelace', paid: false });

    const { name, text: failed } = await failedRows(page);
    expect(name).toBe('people-failed.csv');
    const lines = failed.trim().split('\r\n');
    expect(lines[0]).toBe('E-Mail;Vorname;Nachname;Bezahlt;error_line;error_code;error_message');
    expect(lines.slice(1).map((line) => Number(/;(\d+);[a-z_]+;/.exec(line)?.[1]))).toEqual([
      ...[3, 4, 5, 6, 7, 8],
      ...[9, 10, 11],
    ]);
    expect(lines[1]).toMatch(/^"?'=rower 1"?;Jörg;Größer 1;;3;invalid_email;/);
    expect(lines[6]).toMatch(/^Ada@Example.com;Jörg;Größer 6;ja;8;email_taken;/);

    const corrected = failed
      .replace("'=rower 1", 'corrected-1@example.com')
      .replace('rower 2', 'corrected-2@example.com')
      .replace('Jörg;Größer 6;ja', 'Ada;Lovelace;')
      .replace(/x{201}/, 'x');
    await button(page, 'Add more people').click();
    await drop(page, Buffer.from(corrected), name);
    await page.getByText('3 new', { exact: true }).waitFor();
    expect(await page.getByText(/Ignored column/).count()).toBe(0);
    await button(page, 'Add 3 people').click();
    await page.getByText('9 of 9 done. 3 were added. 1 was a member already.').waitFor();
    expect(await memberCount(site)).toBe(4_991 + 2 + 3);
    const again = await failedRows(page);
    expect(again.name).toBe('people-failed.csv');
    expect(again.text.trim().split('\r\n')[0]).toBe(lines[0]);
    expect(faults).toEqual([]);
  });

  test('a file has the same result here as on the command line, and what will happen is said beforehand', async () => {
    const { site: ours, go } = await aSite();
    const { site: theirs } = await aSite();
    const members = [
      { email: 'same@example.com', displayName: 'Same', paid: true },
      { email: 'other@example.com', displayName: 'Other' },
      { email: 'joins@example.com', displayName: 'Joins' },
    ];
    for (const site of [ours, theirs]) await site.post('/members/bulk', { members });
    const folder = temporaryFolder();
    await writeFile(path.join(folder, 'people.csv'), everythingAtOnce);
    const options = ['--failed', 'failed.csv', '--create-groups', '--json'];
    const run = commandsWith(server, theirs);
    const { json } = await run(['member', 'import', 'people.csv', ...options], { cwd: folder });

    const { page, faults } = await open(ours);
    await go(page, '/add');
    await page.getByRole('tab', { name: 'CSV file' }).click();
    await drop(page, Buffer.from(everythingAtOnce));
    await page.getByText('Ignored columns: Notes and Shoe size.').waitFor();
    await page.getByText('“maybe” is neither yes nor no. Write yes or no under “Paying”.').waitFor();
    await page.getByText('Nobody is added to “Staff of the university”').waitFor();
    await page.getByText('The site has no access groups “A;B” and “Choir”.').waitFor();
    const add = button(page, /^Add \d+ people$/);
    expect(await add.isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Create these 2 groups' }).check();
    await look(page, 'dashboard-add-everything');
    await add.click();
    await page.getByText(`${json.rows} of ${json.rows} done. ${json.created} were added.`).waitFor();
    await page.getByText('1 was a member already and joined the groups.').waitFor();
    await page.getByText(`${json.unchanged} were members already.`).waitFor();
    await page.getByText(`${json.failed} could not be added`).waitFor();
    await page.getByText(/^Row 6: /).waitFor();
    await page.getByText(`and ${json.failed - 10} more`).waitFor();
    await look(page, 'dashboard-add-everything-failed');
    const saved = await failedRows(page);

    expect(await peopleOn(ours)).toEqual(await peopleOn(theirs));
    expect(await groupsOn(ours)).toEqual(await groupsOn(theirs));
    const [mine, cli] = [saved.text, await readFile(path.join(folder, 'failed.csv'), 'utf8')].map(
      (text): string[][] => parseCsv(text, { bom: true, relax_column_count: true }),
    );
    /** All but where it stood and what is said of it. */
    const inShort = ([headings, ...rows]: string[][]) => {
      const compared = headings!.flatMap((heading, at) => (/_(line|message)$/.test(heading) ? [] : [at]));
      const cells = (row: string[]) => [...compared.map((at) => row[at]), ...row.slice(headings!.length)];
      return [cells(headings!), ...rows.map(cells).sort()];
    };
    expect(inShort(mine!)).toEqual(inShort(cli!));
    const place = mine![0]!.indexOf('error_line');
    const lines = mine!.slice(1).map((row) => Number(row[place]));
    expect(lines).toEqual(lines.toSorted((one, other) => one - other));
    // All that one import did is one entry of the events.
    await go(page, '/events?type=member.created');
    await page.getByText(`added ${json.created} members`).waitFor();
    expect(faults).toEqual([]);
  });

  test('columns are chosen by hand where nothing tells them', async () => {
    const { site, go } = await aSite();
    const { page } = await open(site);
    await go(page, '/add');
    await page.getByRole('tab', { name: 'CSV file' }).click();
    await drop(page, Buffer.from('PK\u0003\u0004\u0000'));
    await page.getByText('Drop one CSV file of at most 20 MB. A spreadsheet saves one').waitFor();
    await drop(page, Buffer.from('email;name\n'));
    await page.getByText('There are no people in this file, only headings.').waitFor();
    await button(page, 'Another file').click();
    await drop(page, Buffer.from('\ufeffwho|contact\nBob|none\nGrace|grace@example.com\n', 'utf16le'));
    await page.getByText('Choose the column that holds the addresses.').waitFor();
    await page.getByRole('combobox', { name: 'Address' }).click();
    await page.getByRole('option', { name: 'contact' }).click();
    await page.getByRole('combobox', { name: 'Name', exact: true }).click();
    await page.getByRole('option', { name: 'who' }).click();
    await page.getByText('1 with no valid address', { exact: true }).waitFor();
    await page.getByRole('switch', { name: 'The first row holds headings' }).click();
    await page.getByText('2 with no valid address', { exact: true }).waitFor();
    await button(page, 'Another file').click();
    await page.getByText('Drop a CSV file here').waitFor();
  });

  test('an import that breaks off is taken up again, and doubles nothing', async () => {
    const { site, go } = await aSite();
    const { page, faults } = await open(site);
    // The third lot is done, but its answer is lost on the way.
    let requests = 0;
    await page.route('**/api/v1/members/bulk', async (route) => {
      requests += 1;
      const response = await route.fetch();
      const error = {
        code: 'internal_error',
        message: 'The answer is lost.',
        requestId: 'lost',
      };
      if (requests === 3) await route.fulfill({ status: 500, json: { error } });
      else await route.fulfill({ response });
    });
    await go(page, '/add');
    await page.getByRole('tab', { name: 'CSV file' }).click();
    await drop(page, manyPeople(2_000));
    await page.getByText('1,991 new').waitFor();
    await button(page, 'Add 1,991 people').click();
    await page.getByText('Something went wrong on our side.').waitFor();
    await page.getByText('1,000 of 2,000 done.').waitFor();

    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByText('Leave this page?').waitFor();
    await button(page, 'Cancel').click();
    await button(page, 'Go on').click();
    await page.getByText('2,000 of 2,000 done. 1,991 were added.').waitFor();
    await page.getByText('9 could not be added').waitFor();
    expect(requests).toBe(6);
    expect(await memberCount(site)).toBe(1_991 + 2);
    expect(faults).toEqual([]);
  });

  test('an import is stopped, and the file is still there', async () => {
    const { site, go } = await aSite();
    const { page } = await open(site);
    const held = Promise.withResolvers<void>();
    let requests = 0;
    await page.route('**/api/v1/members/bulk', async (route) => {
      requests += 1;
      if (requests === 2) await held.promise;
      await route.continue().catch(() => {});
    });
    await go(page, '/add');
    await page.getByRole('tab', { name: 'CSV file' }).click();
    await drop(page, manyPeople(1_500));
    await button(page, 'Add 1,491 people').click();
    await page.getByText('500 of 1,500 done.').waitFor();
    await button(page, 'Stop').click();
    await button(page, 'Back to the list').click();
    held.resolve();
    await page.getByText('people.csv').waitFor();
    await page.getByText('494 already members', { exact: true }).waitFor();
    await button(page, 'Add 998 people').click();
    await page.getByText('1,500 of 1,500 done. 998 were added. 493 were members already.').waitFor();
    expect(await memberCount(site)).toBe(1_491 + 2);
  });
});

/** Drops a file on the page. */
async function drop(page: Page, buffer: Buffer, name = 'people.csv'): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
}

/** The file of failed rows, as the page gives it. */
async function failedRows(page: Page): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download failed rows' }).click();
  const file = await download;
  const text = await readFile(await file.path(), 'utf8');
  return { name: file.suggestedFilename(), text: text.replace('\ufeff', '') };
}

/** Everything that a file can have: what members have, groups of every kind, duplicates, and whatever is wrong. */
const everythingAtOnce = [
  'Notes,E-Mail,Full_Name,PAID,Access Groups,Status,Shoe size',
  'first,new@example.com,New,yes,Choir;Course 2026,,38',
  '"a, ""b""",blocked@example.com,Blocked,no,,blocked,',
  ',maybe@example.com,Maybe,maybe,Choir,,40',
  ',no address,Nobody,yes,,,',
  ',,Nameless,yes,,,',
  ',gone@example.com,Gone,,,gone,',
  ',same@example.com,Same,1,,active,',
  ',other@example.com,Somebody else,,,,',
  ',joins@example.com,,,Choir,,',
  String.raw`,escaped@example.com,,0,"A\;B; Choir ;",,`,
  ',NEW@example.com,New,,Choir;Course 2026,,again',
  ',new@example.com,Another name,,Choir;Course 2026,,once more',
  ',scope@example.com,,false,Staff of the university,,',
  ',wide@example.com,Wide,,,,,too wide',
  `,long@example.com,${'x'.repeat(201)},,,,`,
  `,longer@example.com,${'x'.repeat(2_000)},,,,`,
  ',müller@münchen.example,Jörg,TRUE,,,',
  ',anna@münchen.example,Anna,TRUE,,,',
  ',wrong-and-twice@example.com,W,perhaps,,,',
  ',wrong-and-twice@example.com,W,,,,',
  '',
].join('\n');

async function everyItem(site: TestSite, address: string): Promise<Record<string, unknown>[]> {
  return (await site.get(`${address}?limit=100`)).body.data;
}

async function peopleOn(site: TestSite) {
  const members = await everyItem(site, '/members');
  return members
    .map(({ email, displayName, paid, status }) => ({ email: String(email), displayName, paid, status }))
    .sort((one, other) => (one.email < other.email ? -1 : 1));
}

async function groupsOn(site: TestSite) {
  const groups = await everyItem(site, '/access-groups');
  const each = groups.map(async ({ id, name }) => {
    const members = await everyItem(site, `/access-groups/${id}/members`);
    return [name, members.map(({ email }) => email).sort()];
  });
  return Object.fromEntries(await Promise.all(each));
}

/**
 * A file as an old spreadsheet on Windows writes it. One of its people is a member already, two are given twice, five
 * have no address, and one has a name that is too long.
 */
function manyPeople(count: number): Buffer {
  const lines = Array.from({ length: count }, (_, index) => {
    const name = `Jörg;Größer ${index}`;
    if (index === 1) return `=rower 1;${name};`;
    if (index > 1 && index < 6) return `rower ${index};${name};`;
    if (index === 6) return `Ada@Example.com;${name};ja`;
    if (index === 7 || index === 8) return `ROWER-0@example.com;${name};`;
    if (index === 9) return `rower-9@example.com;${'x'.repeat(201)};;`;
    return `rower-${index}@example.com;${name};${index % 10 === 0 ? 'ja' : 'nein'}`;
  });
  return Buffer.from(`${['E-Mail;Vorname;Nachname;Bezahlt', ...lines].join('\r\n')}\r\n`, 'latin1');
}
