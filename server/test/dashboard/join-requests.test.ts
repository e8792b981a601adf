import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { look } from '../browser.ts';
import { aJoinRequest, anOpenSite, joinRequestsOf } from '../joining.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { skipsDashboard, startDashboard, untilQuiet, useBrowser } from './dashboard-browser.ts';

const message = `I row on <b>Tuesdays</b>.\n\n${'verylongword'.repeat(20)}`;

describe.skipIf(skipsDashboard())('requests to join in the dashboard', { timeout: 120_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  let site: TestSite;
  let slug: string;
  let groupId: string;

  beforeAll(async () => {
    server = await startDashboard();
  });
  beforeEach(async () => {
    site = await anOpenSite(server);
    slug = (await site.get('/site')).body.data.slug;
    groupId = (await site.post('/access-groups', { name: 'Crew' })).body.data.id;
    const people = ['Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'Jean Bartik'];
    for (const displayName of people) await aJoinRequest(server, site, { displayName, message });
  });

  const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

  async function statuses(): Promise<Record<string, string>> {
    const requests = await joinRequestsOf(site);
    return Object.fromEntries(requests.map(({ displayName, status }) => [displayName, status]));
  }

  test('are decided with keys, which can be undone before it is sent, or with the page that is left', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}/join-requests`);
    await row(page, 'Ada Lovelace').waitFor();
    await untilQuiet(page);
    await page.getByText('4 pending').waitFor();
    expect(await page.locator('main b').count()).toBe(0);

    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('d');
    await page.getByText('Alan Turing declined').waitFor();
    expect(await row(page, 'Alan Turing').count()).toBe(0);
    await page.keyboard.press('Control+z');
    await row(page, 'Alan Turing').waitFor();

    await page.keyboard.press('k');
    await page.keyboard.press('a');
    // Return approves.
    await page.locator('button[type=submit]:focus').waitFor();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Access groups' }).click();
    await page.getByRole('option', { name: 'Crew' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Alan Turing approved').waitFor();
    await look(page, 'j-approved');
    expect(await statuses()).toMatchObject({ 'Alan Turing': 'pending', 'Jean Bartik': 'pending' });
    await page.getByRole('link', { name: 'Members' }).click();
    await expect.poll(statuses).toMatchObject({ 'Alan Turing': 'approved', 'Jean Bartik': 'pending' });
    const { data } = (await site.get(`/access-groups/${groupId}/members`)).body;
    expect(data.map(({ displayName }: { displayName: string }) => displayName)).toEqual(['Alan Turing']);
    expect(faults).toEqual([]);
  });

  test('are decided together, and those that somebody else has decided are named with who that was', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}/join-requests`);
    await page.getByRole('checkbox', { name: 'Select Ada Lovelace' }).check();
    await page.getByRole('checkbox', { name: 'Select Grace Hopper' }).check();
    await look(page, 'j-selected');
    await page.getByRole('button', { name: 'Decline the selected' }).click();
    await page.getByText('2 requests declined').waitFor();
    const ada = (await joinRequestsOf(site)).find(({ displayName }) => displayName === 'Ada Lovelace')!;
    await site.post('/join-requests/decide', { decision: 'approve', joinRequestIds: [ada.id] });
    await page.getByRole('tab', { name: 'Declined' }).click();
    await page.getByText(/Ada Lovelace: already approved by/).waitFor();
    await row(page, 'Grace Hopper').waitFor();
    await untilQuiet(page);
    await look(page, 'j-declined');
    expect(await statuses()).toMatchObject({ 'Ada Lovelace': 'approved', 'Grace Hopper': 'declined' });
    expect(faults).toEqual([]);
  });
});
