import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { OperatorRole } from '@gatehouse/contract';
import { parse as parseCsv } from 'csv-parse/sync';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { desktop, look, phone } from '../browser.ts';
import { commandsWith, temporaryFolder } from '../command-line.ts';
import { effort } from '../effort.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { skipsDashboard, startDashboard, turnTo, useBrowser } from './dashboard-browser.ts';
import { createSmallSite } from './filled-site.ts';
import { clubList, drop, listWithQuestions, manyMembers, messyList } from './member-lists.ts';

const patience = { timeout: 30_000 };

describe.skipIf(skipsDashboard())('adding members, and their groups', { timeout: 180_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;

  beforeAll(async () => {
    server = await startDashboard();
  });

  /** Opens the dashboard for an operator of a site, with a time limit. */
  async function open({ siteId }: TestSite, role?: OperatorRole, options?: BrowserContextOptions) {
    const opened = await browser.open(server, siteId, role, options);
    opened.page.setDefaultTimeout(patience.timeout);
    return opened;
  }

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const dialog = (page: Page) => page.getByRole('dialog');
  const previewOf = (page: Page) => page.getByRole('radiogroup', { name: 'Preview of the rows' });
  const named = async (site: TestSite, name: string) =>
    (await site.get('/access-groups')).body.data.find((group: { name: string }) => group.name === name);
  const memberCount = async (site: TestSite) => (await site.get('/overview')).body.data.members.total;

  /** Creates a separate site. */
  async function aSite() {
    const small = await createSmallSite(server);
    const go = (page: Page, path: string) => page.goto(`/dashboard/${small.slug}${path}`);
    const turn = (page: Page, path: string) => turnTo(page, `/dashboard/${small.slug}${path}`);
    return { ...small, go, turn };
  }

  test('a group is created, found, renamed and deleted', async () => {
    const { site, go } = await aSite();
    const { page, faults } = await open(site);
    await go(page, '/groups');
    await button(page, 'New group').click();
    const name = dialog(page).getByRole('textbox', { name: 'Name' });
    await button(page, 'Create the group').click();
    await page.getByText('Enter a name for the group.').waitFor();
    await name.fill('Course 2026');
    await dialog(page).getByRole('textbox', { name: 'Description' }).fill('Eight, and a cox');
    await button(page, 'Create the group').click();
    // The name is taken: the input stays and can be corrected.
    await dialog(page).getByRole('alert').waitFor();
    expect(await dialog(page).getByRole('textbox', { name: 'Description' }).inputValue()).toBe(
      'Eight, and a cox',
    );
    await name.fill('Crew');
    await page.keyboard.press('Enter');
    await page.getByText('The group Crew was created').waitFor();

    await page.getByRole('searchbox').fill('crew');
    await expect.poll(() => page.getByRole('row').count(), patience).toBe(2);
    await page.getByRole('link', { name: 'Crew' }).click();
    await page.getByText('This group has no members yet').waitFor();
    await button(page, 'Edit').click();
    await name.fill('Crew of 2026');
    await button(page, 'Save').click();
    await page.getByRole('heading', { level: 1, name: 'Crew of 2026' }).waitFor();
    expect(await named(site, 'Crew of 2026')).toMatchObject({ description: 'Eight, and a cox' });

    await button(page, 'Delete').click();
    await dialog(page).getByText('The group has no members.').waitFor();
    await button(page, 'Cancel').click();
    await dialog(page).waitFor({ state: 'hidden' });
    await button(page, 'Delete').click();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The group Crew of 2026 was deleted').waitFor();
    await page.waitForURL('**/groups');
    await page.getByRole('link', { name: 'Course 2026' }).waitFor();
    expect(await page.getByRole('link', { name: 'Crew of 2026' }).count()).toBe(0);
    expect(await named(site, 'Crew of 2026')).toBeUndefined();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Group not found' }).waitFor();
    expect(faults).toEqual([]);
  });

  test('a site without groups explains their purpose', async () => {
    const site = await server.createSite();
    const { slug } = (await site.get('/site')).body.data;
    const { page } = await open(site);
    await page.goto(`/dashboard/${slug}/groups`);
    await page.getByText('No access groups yet').waitFor();
    await button(page, 'New group').last().click();
    await dialog(page).getByRole('textbox', { name: 'Name' }).waitFor();
  });

  test('a member joins a group until a day, is removed, and is restored with the same day', async () => {
    const { site, go, groupId } = await aSite();
    const member = { email: 'grace@example.com', displayName: 'Grace Hopper' };
    const { id } = (await site.post('/members', member)).body.data;
    const end = async () => (await site.get(`/access-groups/${groupId}/members/${id}`)).body.data?.expiresAt;
    const { page, faults } = await open(site);
    await go(page, `/groups/${groupId}`);
    await button(page, 'Add a member').first().click();
    await page.getByRole('combobox', { name: 'Add a member' }).click();
    await page.keyboard.insertText('hopper');
    await page.getByRole('option', { name: /Grace Hopper/ }).click();
    await page.getByRole('textbox', { name: 'Last day' }).fill('2090-12-31');
    await button(page, 'Add').click();
    await page.getByText('Grace Hopper was added to Course 2026').waitFor();
    await button(page, 'Cancel').click();
    const grace = page.getByRole('row', { name: 'Grace Hopper' });
    await grace.getByText('Dec 31, 2090').waitFor();
    const expiresAt = await end();
    expect(expiresAt).toMatch(/^209/);

    await button(page, 'Remove Grace Hopper').click();
    await page.getByText('Grace Hopper was removed from Course 2026').waitFor();
    await grace.waitFor({ state: 'hidden' });
    expect(await end()).toBeUndefined();
    await button(page, 'Undo').last().click();
    await grace.waitFor();
    expect(await end()).toBe(expiresAt);
    expect(faults).toEqual([]);
  });

  test('the members of a large group are searched, and their memberships end a year later together', async () => {
    const { site, go, turn, groupId } = await aSite();
    const members = Array.from({ length: 120 }, (_, number) => ({ email: `rower-${number}@example.com` }));
    await site.post('/members/bulk', { members, accessGroupIds: [groupId] });
    await site.post('/members', { email: 'rower-1-of-another-group@example.com' });
    const { page, faults } = await open(site);
    await go(page, `/groups/${groupId}`);
    await page.getByText('121 members').waitFor();
    await page.getByRole('searchbox').fill('rower-1');
    await page.waitForURL(`**/groups/${groupId}?q=rower-1`);
    await page.getByRole('checkbox', { name: 'Select all matching members' }).check();
    await page.getByText('All 31 selected').waitFor();
    await button(page, 'Change the last day').click();
    await dialog(page).getByRole('radio', { name: 'Another day' }).check();
    await dialog(page).getByRole('textbox', { name: 'Last day' }).fill('2090-12-31');
    await dialog(page).getByText('31 memberships in Course 2026 will end on Dec 31, 2090.').waitFor();
    await button(page, 'Change 31 memberships').click();
    await page.getByText('The last day of 31 members is now Dec 31, 2090').waitFor();
    await page.getByRole('row', { name: 'rower-11@' }).getByText('Dec 31, 2090').waitFor();
    const ending = '/members?limit=100&expiresBefore=2091-06-30T00:00:00Z';
    expect((await site.get(`${ending}&groupId=${groupId}`)).body.data).toHaveLength(31);
    expect((await site.get(ending)).body.data).toHaveLength(31);

    // From the list of all members: those who are not in the group stay out of it.
    await turn(page, '/members?q=rower-1');
    await page.getByText('rower-1-of-another-group@example.com').waitFor();
    await page.getByRole('checkbox', { name: 'Select all matching members' }).check();
    await page.getByText('All 32 selected').waitFor();
    await button(page, 'Actions').click();
    await page.getByRole('menuitem', { name: 'Change the last day' }).click();
    await dialog(page).getByText('31 memberships in Course 2026 will end on Dec 31, 2091.').waitFor();
    await dialog(page).getByText('1 selected member is not in Course 2026.').waitFor();
    await button(page, 'Change 31 memberships').click();
    await page.getByText('The last day of 31 members is now Dec 31, 2091').waitFor();
    expect((await site.get(ending)).body.data).toHaveLength(0);
    await button(page, 'Undo').last().click();
    await page.getByText('Undone for 31 members').waitFor();
    expect((await site.get(`${ending}&groupId=${groupId}`)).body.data).toHaveLength(31);
    expect((await site.get('/members?limit=100&q=another')).body.data).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  test('a scope group shows its source and cannot be changed', async () => {
    const { site, go, turn, scopeGroupId } = await aSite();
    const { page } = await open(site);
    await go(page, '/groups');
    await page
      .getByRole('row')
      .filter({ hasText: 'Staff of the university' })
      .getByRole('link', { name: /^Source / })
      .waitFor();
    await turn(page, `/groups/${scopeGroupId}`);
    await page.getByText('mary@example.com').waitFor();
    await page.getByText('A source manages the members of this group').waitFor();
    for (const name of ['Edit', 'Delete', 'Add', 'Remove Mary Shelley']) {
      expect(await button(page, name).count()).toBe(0);
    }
    await turn(page, '/add');
    await page.getByRole('combobox', { name: 'Access groups' }).click();
    await page.getByRole('option', { name: 'Course 2026' }).waitFor();
    expect(await page.getByRole('option').count()).toBe(1);
  });

  test('a role shows only the actions that it allows', async () => {
    const { site, go, turn, groupId } = await aSite();
    const { page } = await open(site, 'support');
    await go(page, '/groups');
    await page.getByText('Course 2026').waitFor();
    expect(await button(page, 'New group').count()).toBe(0);
    await turn(page, `/groups/${groupId}`);
    await page.getByText('ada@example.com').waitFor();
    expect(await button(page, 'Remove Ada Lovelace').count()).toBe(0);
    await turn(page, '/add');
    await page.getByText('You are not allowed to add members').waitFor();
  });

  test('members are added one after the other, with the same groups', async () => {
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
    // The email is taken: the input stays unchanged.
    await page.getByRole('alert').waitFor();
    await email.fill('Alan@Example.com');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Alan \u202egniruT');
    await button(page, 'Add').click();
    await page.getByText('This name contains invisible characters').first().waitFor();
    await name.fill('Alan Turing');
    await button(page, 'Add').click();
    await page.getByText('Alan Turing was added').waitFor();
    expect(await email.inputValue()).toBe('');
    const [alan] = (await site.get('/members?email=alan@example.com')).body.data;
    expect(alan).toMatchObject({ displayName: 'Alan Turing', paid: true });
    await expect.poll(() => email.evaluate('document.activeElement.type'), patience).toBe('email');
    await page.keyboard.type('grace@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('grace@example.com was added').waitFor();
    const { data } = (await site.get(`/access-groups/${groupId}/members`)).body;
    expect(data.map((member: { email: string }) => member.email).sort()).toEqual([
      'ada@example.com',
      'alan@example.com',
      'grace@example.com',
    ]);
    expect(faults).toEqual([]);
  });

  test('new members are invited, one in a language of the site and those of a list after a question', async () => {
    const { site, slug, go } = await aSite();
    await site.patch('/site', { domain: `${slug}.example.org`, languages: ['en', 'de'] });
    await site.post('/invitations', { email: 'rower-12@example.com' });
    const { page, faults } = await open(site, 'admin');
    await go(page, '/add');
    await page.getByRole('textbox', { name: 'Email address' }).fill('grace@example.com');
    await page.getByRole('checkbox', { name: 'Send an invitation by email' }).check();
    await page.getByRole('combobox', { name: 'Language of the email' }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await look(page, 'dashboard-add-invited');
    await button(page, 'Add').click();
    await page.getByText('grace@example.com was added and invited').waitFor();
    const [first] = (await site.get('/invitations?email=grace@example.com')).body.data;
    expect(first).toMatchObject({ language: 'de', accessGroupIds: [], status: 'active' });

    await page.getByRole('tab', { name: 'CSV file' }).click();
    await drop(page, manyMembers(520));
    await button(page, 'Add 511 members').click();
    await page.getByText('520 of 520 done.').waitFor();
    await button(page, 'Invite these 511').click();
    await dialog(page).getByText('Each of the 511 new members gets an email').waitFor();
    await button(page, 'Send 511 invitations').click();
    await dialog(page).getByText('511 of 511 done. 510 people were invited.').waitFor();
    await dialog(page)
      .getByText('rower-12@example.com: This person already has an active invitation')
      .waitFor();
    await look(page, 'dashboard-add-invite-failed');
    const [open12] = (await site.get('/invitations?email=rower-12@example.com')).body.data;
    await site.delete(`/invitations/${open12.id}`);
    await button(page, 'Try this one again').click();
    await dialog(page).getByText('1 of 1 done. 1 person was invited.').waitFor();
    await button(page, 'Close').last().click();
    expect(await button(page, 'Invite these 511').count()).toBe(0);
    await button(page, 'Add more members').click();
    await page.getByRole('tab', { name: 'Invite' }).click();
    await look(page, 'dashboard-add-by-link');
    await page.getByRole('link', { name: 'Create an invitation' }).click();
    await dialog(page).getByText('Invite people to Rowing Club').waitFor();
    expect(faults).toEqual([]);
  });

  test('addresses are found in any text, and the preview shows the result of each', async () => {
    const { site, go } = await aSite();
    const { page, faults } = await open(site);
    await go(page, '/add');
    await page.getByRole('tab', { name: 'Paste email addresses' }).click();
    const text = page.getByRole('textbox', { name: 'Email addresses' });
    await text.fill('nobody at all');
    await page.getByText('No email address was found in this text.').waitFor();
    await text.fill(Array.from({ length: 501 }, (_, number) => `rower-${number}@example.com`).join(' '));
    await page.getByText('This text contains 501 email addresses.').waitFor();
    await text.fill(messyList);
    for (const count of [
      '8 rows',
      '4 new',
      '1 already a member',
      '1 duplicate',
      '2 without a valid email address',
    ]) {
      await previewOf(page).getByText(count, { exact: true }).waitFor();
    }
    await page.getByText('2 without a valid email address', { exact: true }).click();
    await expect.poll(() => page.getByRole('row').count(), patience).toBe(3);
    await page.getByRole('cell', { name: 'not@.address' }).waitFor();
    await page.getByRole('cell', { name: 'rosa(at)example.com' }).waitFor();
    await button(page, 'Add 4 members').click();
    await page
      .getByText('8 of 8 done. 4 members were added. 1 was already a member. 1 row was merged')
      .waitFor();
    await page.getByText('2 members could not be added').waitFor();
    const [grace] = (await site.get('/members?email=grace@example.com')).body.data;
    expect(grace.displayName).toBe('Hopper, Grace');
    await button(page, 'Add more members').click();
    expect(await text.inputValue()).toBe('');
    expect(faults).toEqual([]);
  });

  const [rows, added] = [effort.rowsOfFile, effort.rowsOfFile - 9];
  const shown = (count: number) => count.toLocaleString('en');

  test(`a file of ${shown(rows)} is imported into a group, and the failed rows are downloaded, corrected and imported`, async () => {
    const { site, go, groupId } = await aSite();
    const { page, faults } = await open(site);
    await go(page, '/add');
    await page.getByRole('tab', { name: 'CSV file' }).click();
    await drop(page, manyMembers(rows));
    for (const count of [
      `${shown(rows)} rows`,
      `${shown(added)} new`,
      // An existing member has another name in the file.
      '1 conflict',
      '2 duplicates with another name',
      '5 without a valid email address',
      '1 without a valid name',
    ]) {
      await previewOf(page).getByText(count, { exact: true }).waitFor();
    }
    const first = page.getByRole('row').filter({ hasText: 'Jörg Größer 0' }).first();
    await first.getByRole('cell', { name: 'Yes', exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Access groups' }).last().click();
    await page.getByRole('option', { name: 'Course 2026' }).click();
    await button(page, `Add ${shown(added)} members`).click();
    await page
      .getByText(`${shown(rows)} of ${shown(rows)} done. ${shown(added)} members were added.`)
      .waitFor();
    // The duplicates have another name too.
    await page.getByText('9 members could not be added').waitFor();
    await page
      .getByText('Row 8, Ada@Example.com: A member with this email address already exists, with a different')
      .waitFor();
    expect(await memberCount(site)).toBe(added + 2);
    expect((await site.get(`/access-groups/${groupId}`)).body.data.memberCount).toBe(added + 1);
    const [paying] = (await site.get('/members?email=rower-10@example.com')).body.data;
    expect(paying).toMatchObject({ displayName: 'Jörg Größer 10', paid: true });
    const [unchanged] = (await site.get('/members?email=ada@example.com')).body.data;
    expect(unchanged).toMatchObject({ displayName: 'Ada Lovelace', paid: false });

    const { name, text: failed } = await failedRows(page);
    expect(name).toBe('members-failed.csv');
    const lines = failed.trim().split('\r\n');
    expect(lines[0]).toBe('E-Mail;Vorname;Nachname;Bezahlt;error_line;error_code;error_message');
    expect(lines.slice(1).map((line) => Number(/;(\d+);[a-z_]+;/.exec(line)?.[1]))).toEqual([
      3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
    expect(lines[1]).toMatch(/^"?'=rower 1"?;Jörg;Größer 1;;3;invalid_email;/);
    expect(lines[6]).toMatch(/^Ada@Example.com;Jörg;Größer 6;ja;8;email_taken;/);

    const corrected = failed
      .replace("'=rower 1", 'corrected-1@example.com')
      .replace('rower 2', 'corrected-2@example.com')
      .replace('Jörg;Größer 6;ja', 'Ada;Lovelace;')
      .replace(/x{201}/, 'x');
    await button(page, 'Add more members').click();
    await drop(page, Buffer.from(corrected), name);
    await page.getByText('3 new', { exact: true }).waitFor();
    expect(await page.getByText(/Ignored column/).count()).toBe(0);
    await button(page, 'Add 3 members').click();
    await page.getByText('9 of 9 done. 3 members were added. 1 was already a member.').waitFor();
    expect(await memberCount(site)).toBe(added + 2 + 3);
    const again = await failedRows(page);
    expect(again.name).toBe('members-failed.csv');
    expect(again.text.trim().split('\r\n')[0]).toBe(lines[0]);
    expect(faults).toEqual([]);
  });

  test('a file has the same result as on the command line, and the preview shows what will happen', async () => {
    const { site: ours, go, turn } = await aSite();
    const { site: theirs } = await aSite();
    const members = [
      { email: 'same@example.com', displayName: 'Same', paid: true },
      { email: 'other@example.com', displayName: 'Other' },
      { email: 'joins@example.com', displayName: 'Joins' },
    ];
    for (const site of [ours, theirs]) await site.post('/members/bulk', { members });
    const folder = temporaryFolder();
    await writeFile(path.join(folder, 'members.csv'), everythingAtOnce);
    const options = ['--failed', 'failed.csv', '--create-groups', '--yes', '--json'];
    const run = commandsWith(server, theirs);
    const { json } = await run(['member', 'import', 'members.csv', ...options], { cwd: folder });

    const { page, faults } = await open(ours);
    await go(page, '/add');
    await page.getByRole('tab', { name: 'CSV file' }).click();
    await drop(page, Buffer.from(everythingAtOnce));
    await page.getByText('Ignored columns: Notes and Shoe size.').waitFor();
    await page.getByText('“maybe” is neither yes nor no.').waitFor();
    await page.getByText('No members are added to “Staff of the university”').waitFor();
    await page.getByText('In 1 row, a group membership has already ended. It will not be created.').waitFor();
    await page.getByText('The site has no access groups “A;B” and “Choir”.').waitFor();
    const add = button(page, /^Add \d+ and update 1 member$/);
    expect(await add.isDisabled()).toBe(true);
    const undecided = page.getByText('2 access groups do not exist yet. Decide below.');
    await undecided.waitFor();
    await page.getByRole('checkbox', { name: 'Create these 2 groups' }).check();
    await undecided.waitFor({ state: 'detached' });
    await look(page, 'dashboard-add-everything');
    await add.click();
    await page.getByText(`${json.rows} of ${json.rows} done. ${json.created} members were added.`).waitFor();
    await page.getByText('The groups of 1 existing member were changed.').waitFor();
    await page.getByText(`${json.unchanged} was already a member.`).waitFor();
    await page.getByText(`${json.failed} members could not be added`).waitFor();
    await page.getByText(/^Row 6: /).waitFor();
    await page.getByText(`and ${json.failed - 10} more`).waitFor();
    await look(page, 'dashboard-add-everything-failed');
    const saved = await failedRows(page);

    expect(await membersOn(ours)).toEqual(await membersOn(theirs));
    expect(await groupsOn(ours)).toEqual(await groupsOn(theirs));
    const [mine, cli] = [saved.text, await readFile(path.join(folder, 'failed.csv'), 'utf8')].map(
      (text): string[][] => parseCsv(text, { bom: true, relax_column_count: true }),
    );
    /** All cells except the line number and the message. */
    const inShort = ([headings, ...rows]: string[][]) => {
      const compared = headings!.flatMap((heading, at) => (/_(line|message)$/.test(heading) ? [] : [at]));
      const cells = (row: string[]) => [...compared.map((at) => row[at]), ...row.slice(headings!.length)];
      return [cells(headings!), ...rows.map(cells).sort()];
    };
    expect(inShort(mine!)).toEqual(inShort(cli!));
    const place = mine![0]!.indexOf('error_line');
    const lines = mine!.slice(1).map((row) => Number(row[place]));
    expect(lines).toEqual(lines.toSorted((one, other) => one - other));
    // All changes of one import are one entry of the list of events.
    await turn(page, '/events?type=member.created');
    await page.getByText(`added ${json.created} members`).waitFor();
    expect(faults).toEqual([]);
  });

  test('columns are assigned by hand if they cannot be recognized', async () => {
    const { site, go } = await aSite();
    const { page } = await open(site);
    await go(page, '/add');
    await page.getByRole('tab', { name: 'CSV file' }).click();
    await drop(page, Buffer.from('PK\u0003\u0004\u0000'));
    await page.getByText('This is a ZIP archive.').waitFor();
    await drop(page, Buffer.from('PK\u0003\u0004\u0000'), 'members.xlsx');
    await page.getByText('This is a workbook. Open it in your spreadsheet program').waitFor();
    await drop(page, Buffer.from('%PDF-1.7'), 'members.pdf');
    await page.getByText('This is a PDF.').waitFor();
    await drop(page, Buffer.from('email;name\n'));
    await page.getByText('This file contains only column headings.').waitFor();
    await button(page, 'Another file').click();
    await drop(page, Buffer.from('\ufeffwho|contact\nBob|none\nGrace|grace(at)example.com\n', 'utf16le'));
    await page.getByText('Choose the column that contains the email addresses.').waitFor();
    await page.getByRole('combobox', { name: 'Email' }).click();
    await page.getByRole('option', { name: 'contact' }).click();
    await page.getByRole('combobox', { name: 'Name', exact: true }).click();
    await page.getByRole('option', { name: 'who' }).click();
    await page.getByText('2 without a valid email address', { exact: true }).waitFor();
    await page.getByRole('switch', { name: 'The first row contains column headings' }).click();
    await page.getByText('3 without a valid email address', { exact: true }).waitFor();
    await button(page, 'Another file').click();
    await drop(page, Buffer.from('Anna <anna@example.com>;Anna;x\nbert@example.com;Bert;\n'));
    await page.getByText('Ignored columns: Column 2 and Column 3.').waitFor();
    await page.getByRole('cell', { name: 'anna@example.com', exact: true }).waitFor();
    await button(page, 'Another file').click();
    await page.getByText('Drop a CSV file here').waitFor();
  });

  test('an export of another system is recognized, with all columns that say who is left out', async () => {
    const { site, go } = await aSite();
    const { page, faults } = await open(site);
    await go(page, '/add');
    await page.getByRole('tab', { name: 'CSV file' }).click();
    const exported = path.resolve(import.meta.dirname, '../../../member-lists/test/exports/discourse.csv');
    await drop(page, await readFile(exported));
    await page.getByText('This is an export of Discourse.').waitFor();
    await page.getByText('“suspended_till” · “active” · “staged”').waitFor();
    await page.getByText('2 left out', { exact: true }).waitFor();
    await page.getByText('Each value of “group_names” is a group').waitFor();
    // Names, as they would be read, and not the cells.
    await page.getByText('garden-team · choir · staff', { exact: true }).waitFor();
    await page.getByText('Every answer can be changed below.', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  test.each([desktop, phone])(
    'the list of a German club becomes members or listed rows with ten clicks, on $width × $height',
    async (viewport) => {
      const { site, go } = await aSite();
      const { page, faults } = await open(site, 'owner', { locale: 'de', viewport });
      await go(page, '/members');
      let clicks = 0;
      const click = async (what: Locator) => {
        clicks += 1;
        await what.click();
      };
      await click(page.getByRole('link', { name: 'Mitglieder hinzufügen' }).first());
      await click(page.getByRole('tab', { name: 'CSV-Datei' }));
      const chooser = page.waitForEvent('filechooser');
      await click(page.getByText('CSV-Datei hier ablegen'));
      const file = { name: 'Mitglieder.csv', mimeType: 'text/csv', buffer: clubList() };
      await (await chooser).setFiles(file);
      await page.getByRole('table').waitFor();
      await look(page, `dashboard-add-club-questions-${viewport.width}`);
      const questions = page.getByRole('region', { name: /Fragen? zu dieser Liste/ });
      const group = questions.getByRole('group', { name: 'Welche Spalten werden Zugriffsgruppen?' });
      expect(await group.getByRole('checkbox', { name: /Vorstand/ }).isChecked()).toBe(true);
      await click(group.getByRole('checkbox', { name: /Abteilung/ }));
      await click(group.getByRole('button', { name: 'Diese 2 Spalten verwenden' }));
      await click(questions.getByRole('button', { name: /^„,“ „Rudern“/ }));
      await questions.waitFor({ state: 'hidden' });
      await click(page.getByRole('checkbox', { name: 'Diese 4 Gruppen erstellen' }));
      await look(page, `dashboard-add-club-preview-${viewport.width}`);
      await click(page.getByRole('button', { name: '176 Mitglieder hinzufügen' }));
      await page.getByText('181 von 181 erledigt. 176 Mitglieder wurden hinzugefügt.').waitFor();
      await page.getByText('5 Mitglieder konnten nicht hinzugefügt werden').waitFor();
      await look(page, `dashboard-add-club-result-${viewport.width}`);
      expect(clicks).toBeLessThanOrEqual(10);

      const [chair] = (await site.get('/members?email=joerg.26@example.org')).body.data;
      expect(chair).toMatchObject({ displayName: 'Jörg Größer-26', paid: true });
      expect(chair.registeredAt).toMatch(/^2010-03-2/);
      const { data } = (await site.post('/members/lookup', { emails: ['joerg.26@example.org'] })).body;
      const names = data[0].accessGroups.map(({ name }: { name: string }) => name);
      expect(names.sort()).toEqual(['Jugend', 'Rudern', 'Vorstand']);
      await page.getByRole('link', { name: 'Die 176 neuen Mitglieder anzeigen' }).click();
      await page.waitForURL('**/members?createdByRequest=*');
      await page
        .getByText(/^joerg\.\d+@example\.org$/)
        .first()
        .waitFor();
      expect(faults).toEqual([]);
    },
  );

  test('the order of dates, the words for states and a column about payments are chosen with clicks', async () => {
    const { site, go } = await aSite();
    const { page, faults } = await open(site);
    await go(page, '/add');
    await page.getByRole('tab', { name: 'CSV file' }).click();
    await drop(page, listWithQuestions);
    await previewOf(page).getByText('4 invalid', { exact: true }).waitFor();
    await look(page, 'dashboard-add-open-questions');

    const dates = page.getByRole('group', { name: /^What comes first in dates such as 03\/04\/2020/ });
    await dates.getByRole('button', { name: 'The day 03/04/2020 = April 3, 2020' }).click();
    await dates.waitFor({ state: 'hidden' });
    await page.getByText('Apr 3, 2020').waitFor();
    const words = page.getByRole('group', { name: 'What do the words in “Status” mean for members?' });
    await words.getByRole('radiogroup', { name: 'gone' }).getByText('Left out').click();
    await button(page, 'Use these meanings').click();
    await previewOf(page).getByText('3 new', { exact: true }).waitFor();
    await previewOf(page).getByText('1 left out', { exact: true }).waitFor();

    await page.getByText('The column “Dues” may say who is blocked or paying. It is not used.').waitFor();
    // The words of the column are shown, to say what they mean.
    await button(page, 'Use “Dues” as “Paying”').click();
    await previewOf(page).getByText('1 invalid', { exact: true }).waitFor();
    await page.getByRole('radiogroup', { name: 'waived' }).getByText('Not paying').click();
    await button(page, 'Add 3 members').click();
    await page.getByText('4 of 4 done. 3 members were added. 1 row was left out').waitFor();
    const members = (await site.get('/members')).body.data.filter(({ email }: { email: string }) =>
      email.endsWith('@example.org'),
    );
    const inShort = members.map((member: Record<string, string>) => [
      member.email,
      member.status,
      member.paid,
      member.registeredAt!.slice(0, 10),
    ]);
    expect(inShort.sort()).toEqual([
      ['alan@example.org', 'active', true, '2020-04-03'],
      ['grace@example.org', 'blocked', false, '2020-06-05'],
      ['katherine@example.org', 'active', false, '2020-08-07'],
    ]);
    expect(faults).toEqual([]);
  });

  test('members who exist are updated if that is chosen, after a look at each change, and a file says what was done', async () => {
    const { site, go } = await aSite();
    const { page, faults } = await open(site);
    await go(page, '/add');
    await page.getByRole('tab', { name: 'CSV file' }).click();
    await drop(
      page,
      Buffer.from(
        'email,name,paid\nada@example.com,Ada King,yes\nnew@example.com,New,no\nnew@example.com,New,no\n',
      ),
    );
    await previewOf(page).getByText('1 conflict', { exact: true }).waitFor();
    await page.getByText('Turn on “Also update members who already exist”, or empty these cells').waitFor();
    await button(page, 'Add 1 member').waitFor();
    const updates = page.getByRole('switch', { name: 'Also update members who already exist' });
    expect(await updates.isChecked()).toBe(false);
    await updates.locator('xpath=..').click();
    await previewOf(page).getByText('1 to update', { exact: true }).waitFor();
    await page.getByText('Name: “Ada Lovelace” → “Ada King”').waitFor();
    await page.getByText('Paying: No → Yes').waitFor();
    await page.getByText('Merged into row 3: the same person.').waitFor();
    await look(page, 'dashboard-add-update');
    await button(page, 'Add 1 and update 1 member').click();
    await page.getByText('1 existing member was updated.').waitFor();
    const [ada] = (await site.get('/members?email=ada@example.com')).body.data;
    expect(ada).toMatchObject({ displayName: 'Ada King', paid: true });
    const download = page.waitForEvent('download');
    await button(page, 'Download results').click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(parseCsv(text, { bom: true })).toEqual([
      ['row', 'email', 'result', 'changes', 'groups', 'message'],
      ['2', 'ada@example.com', 'updated', 'Name: “Ada Lovelace” → “Ada King”\nPaying: No → Yes', '', ''],
      ['3', 'new@example.com', 'created', '', '', ''],
      ['4', 'new@example.com', 'merged', '', '', 'Merged into row 3: the same person.'],
    ]);
    expect(faults).toEqual([]);
  });

  test('members of a long list are looked up once they are to be updated, until it is stopped', async () => {
    const { site, go } = await aSite();
    const { page, faults } = await open(site);
    const held = Promise.withResolvers<void>();
    let requests = 0;
    await page.route('**/api/v1/members/lookup', async (route) => {
      requests += 1;
      if (requests === 2) await held.promise;
      await route.continue().catch(() => {});
    });
    await go(page, '/add');
    await page.getByRole('tab', { name: 'CSV file' }).click();
    const others = Array.from({ length: 10_001 }, (_, number) => `rower-${number}@example.com,Rower`);
    await drop(page, Buffer.from(['email,name', 'ada@example.com,Ada King', ...others].join('\n')));
    await page.getByText('Existing members are detected during the import.').waitFor();
    expect(requests).toBe(0);
    const updates = page.getByRole('switch', { name: 'Also update members who already exist' });
    await updates.locator('xpath=..').click();
    await page.getByText('500 of 10,002 done.').waitFor();
    expect(await button(page, 'Import 10,002 members').isDisabled()).toBe(true);
    await look(page, 'dashboard-add-looking-up');
    await button(page, 'Stop').click();
    held.resolve();
    await page.getByText('Existing members are detected during the import.').waitFor();
    expect(await updates.isChecked()).toBe(false);
    expect(await button(page, 'Add 10,002 members').isEnabled()).toBe(true);
    expect(requests).toBe(2);
    await updates.locator('xpath=..').click();
    await page.getByText('Name: “Ada Lovelace” → “Ada King”').waitFor();
    expect(await button(page, 'Add 10,001 and update 1 member').isEnabled()).toBe(true);
    expect(requests).toBe(2 + 21);
    expect(faults).toEqual([]);
  });

  test('an interrupted import is continued without duplicates', async () => {
    const { site, go } = await aSite();
    const { page, faults } = await open(site);
    // The third batch is processed, but its response is lost.
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
    await drop(page, manyMembers(2_000));
    await page.getByText('1,991 new').waitFor();
    await button(page, 'Add 1,991 members').click();
    await page.getByText('Something went wrong on the server.').waitFor();
    await page.getByText('1,000 of 2,000 done.').waitFor();

    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByText('Leave this page?').waitFor();
    await button(page, 'Cancel').click();
    await button(page, 'Continue').click();
    await page.getByText('2,000 of 2,000 done. 1,991 members were added.').waitFor();
    await page.getByText('9 members could not be added').waitFor();
    // Four batches of 500 rows, and one of them twice.
    expect(requests).toBe(5);
    expect(await memberCount(site)).toBe(1_991 + 2);
    expect(faults).toEqual([]);
  });

  test('an import is stopped, and the file is still available', async () => {
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
    await drop(page, manyMembers(1_500));
    await button(page, 'Add 1,491 members').click();
    await page.getByText('500 of 1,500 done.').waitFor();
    await button(page, 'Stop').click();
    await button(page, 'Back to the preview').click();
    held.resolve();
    await page.getByText('members.csv').waitFor();
    // Of the first 500 rows, six are invalid, two are duplicates and one is in conflict.
    await page.getByText('491 already members', { exact: true }).waitFor();
    await button(page, 'Add 1,000 members').click();
    await page
      .getByText('1,500 of 1,500 done. 1,000 members were added. 491 were already members.')
      .waitFor();
    expect(await memberCount(site)).toBe(1_491 + 2);
  });
});

/** The file of failed rows, as downloaded from the page. */
async function failedRows(page: Page): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download failed rows' }).click();
  const file = await download;
  const text = await readFile(await file.path(), 'utf8');
  return { name: file.suggestedFilename(), text: text.replace('\ufeff', '') };
}

/**
 * Everything that a file can contain: all fields of members, all kinds of groups, duplicates, and all kinds of
 * errors.
 */
const everythingAtOnce = [
  'Notes,E-Mail,Full_Name,PAID,Access Groups,Status,Shoe size,Groups end,Mitglied seit',
  'first,new@example.com,New,yes,Choir;Course 2026,,38,;2090-01-01T09:00:00+02:00,2024-05-01',
  '"a, ""b""",blocked@example.com,Blocked,no,,blocked,',
  ',maybe@example.com,Maybe,maybe,Choir,,40',
  ',no address,Nobody,yes,,,',
  ',,Nameless,yes,,,',
  ',gone@example.com,Gone,,,gone,',
  ',same@example.com,Same,1,,active,',
  ',other@example.com,Somebody else,,,,',
  ',joins@example.com,,,Choir,,,2090-06-30,2001-01-01',
  ',ends@example.com,,,Choir;Course 2026;A,,,2090-01-01;2090-01-01',
  ',later@example.com,,,,,,,2999-01-01',
  ',ended@example.com,,,Choir;Course 2026,,,2001-01-01;2090-01-01',
  String.raw`,escaped@example.com,,0,"A\;B; Choir ;",,`,
  ',NEW@example.com,New,,Choir;Course 2026,,again',
  ',new@example.com,Another name,,Choir;Course 2026,,once more',
  ',scope@example.com,,false,Staff of the university,,',
  ',wide@example.com,Wide,,,,,,,too wide',
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

async function membersOn(site: TestSite) {
  const members = await everyItem(site, '/members');
  return members
    .map(({ email, displayName, paid, status, registeredAt }) => ({
      email: String(email),
      displayName,
      paid,
      status,
      // For the other members, it is the time of the import.
      registeredAt: String(registeredAt).startsWith('2024') ? registeredAt : null,
    }))
    .sort((one, other) => (one.email < other.email ? -1 : 1));
}

/** The groups of each member, with the ends of the memberships. */
async function groupsOn(site: TestSite) {
  const emails = (await everyItem(site, '/members')).map(({ email }) => email);
  const { data } = (await site.post('/members/lookup', { emails })).body;
  type Found = { email: string; accessGroups: { name: string; expiresAt: string | null }[] };
  return Object.fromEntries(
    data.map(({ email, accessGroups }: Found) => [
      email,
      accessGroups.map(({ name, expiresAt }) => [name, expiresAt]),
    ]),
  );
}
