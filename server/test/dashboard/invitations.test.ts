import { beforeAll, describe, expect, test } from 'vitest';
import { look } from '../browser.ts';
import { aMember, aSession, everyItem } from '../contract/given.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import {
  ownContext,
  pressInDialog,
  skipsDashboard,
  startDashboard,
  untilQuiet,
  untilStill,
  useBrowser,
} from './dashboard-browser.ts';

describe.skipIf(skipsDashboard())('invitations in the dashboard', { timeout: 120_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  let site: TestSite;
  let slug: string;

  beforeAll(async () => {
    server = await startDashboard();
    site = await server.createSite();
    slug = (await site.get('/site')).body.data.slug;
    await site.patch('/site', { title: 'Rowing Club', domain: `${slug}.example.org` });
    await site.post('/access-groups', { name: 'Beginners' });
  });

  test('an operator creates a link in one dialog, copies it and sees its QR code, changes and revokes it', async () => {
    const { page, faults } = await browser.open(server, site.siteId, 'owner', ownContext);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`/dashboard/${slug}/invitations`);
    await untilQuiet(page);
    await page.getByRole('button', { name: 'Invite people' }).first().click();
    await page.getByLabel('Access groups').first().click();
    const end = page.getByRole('combobox', { name: 'Membership in the groups ends' });
    expect(await end.isDisabled()).toBe(true);
    await page.getByRole('option', { name: 'Beginners' }).click();
    // The list of groups is still open beside it.
    await page.getByRole('option', { name: 'Beginners' }).waitFor();
    await end.click({ trial: true });
    await page.getByRole('textbox', { name: 'How many people can join' }).fill('30');
    await page.getByRole('textbox', { name: 'Note' }).fill('Autumn course');
    await page.getByRole('button', { name: 'Create the link' }).click();

    await page.getByRole('img', { name: 'QR code: Rowing Club · Autumn course' }).waitFor();
    await untilQuiet(page);
    await look(page, 'i-created');
    await page.getByRole('button', { name: 'Copy' }).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(/^https:\/\/s-[\w-]+\.example\.org\/_gatehouse\/join\/[\w-]{43}$/);
    await page.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('link', { name: 'Autumn course' }).click();
    await page.getByText('0 of 30').waitFor();
    await untilQuiet(page);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'How many people can join' }).fill('40');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('0 of 40').waitFor();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).waitFor();
    await untilStill(page);
    await look(page, 'i-revoke');
    await pressInDialog(page, 'Revoke');
    await page.getByText('Those who have joined stay members.').waitFor();
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test('an operator pastes email addresses, and sees which of them were invited', async () => {
    const { page, faults } = await browser.open(server, site.siteId, 'owner', ownContext);
    await page.goto(`/dashboard/${slug}/invitations`);
    await page.getByRole('button', { name: 'Invite people' }).first().click();
    await page.getByText('Certain email addresses').click();
    const pasted = 'Ada Lovelace <ada@example.com>, grace@example.com\nbroken@';
    await page.getByRole('textbox', { name: 'Email addresses' }).fill(pasted);
    await look(page, 'i-addresses');
    await page.getByRole('button', { name: 'Send 3 invitations' }).click();
    await page.getByText('2 people were invited').waitFor();
    await look(page, 'i-results');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'grace@example.com' }).waitFor();
    expect(faults).toEqual([]);
  });

  test('members who have never logged in are invited, from the list and from their page', async () => {
    const own = await server.createSite();
    const { slug } = (await own.get('/site')).body.data;
    await own.patch('/site', { domain: `${slug}.example.org` });
    const [ada, grace, joan] = [
      await anInvitee(own, 'Ada'),
      await anInvitee(own, 'Grace'),
      await anInvitee(own, 'Joan'),
    ];
    await aSession(own, grace.id);
    const { page, faults } = await browser.open(server, own.siteId, 'owner', ownContext);
    await page.goto(`/dashboard/${slug}/members`);
    for (const name of ['Ada', 'Grace']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Invite', exact: true }).click();
    await page.getByRole('dialog').getByText('Invite 1 member?').waitFor();
    await look(page, 'i-again');
    await pressInDialog(page, 'Send 1 invitation');
    await page.getByText('The invitation for 1 member is waiting').waitFor();

    await page.goto(`/dashboard/${slug}/members/${joan.id}`);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await expect.poll(async () => invitedOf(own)).toEqual([ada.email, joan.email].sort());
    await page.getByRole('button', { name: 'Invite again' }).waitFor();
    await page.goto(`/dashboard/${slug}/members/${grace.id}`);
    await untilQuiet(page);
    expect(await page.getByRole('button', { name: /^Invite/ }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  const anInvitee = (own: TestSite, displayName: string) => aMember(own, { displayName });
  const invitedOf = async (own: TestSite) =>
    (await everyItem(own, '/invitations')).map(({ email }) => email).sort();
});
