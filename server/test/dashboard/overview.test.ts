import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { desktop, look, phone } from '../browser.ts';
import { changing } from '../change.ts';
import { anEmailAtRest } from '../contract/given.ts';
import { storeJoinRequest } from '../stored-rows.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { skipsDashboard, startDashboard, untilQuiet, useBrowser } from './dashboard-browser.ts';

const reply = '550 5.1.1 <typo@example.com>: User unknown';
const dayMilliseconds = 86_400_000;

describe.skipIf(skipsDashboard())('the overview of a site', { timeout: 120_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  let site: TestSite;
  let slug: string;

  beforeAll(async () => {
    server = await startDashboard();
    site = await server.createSite();
    slug = (await site.patch('/site', { title: 'Rowing Club' })).body.data.slug;
    const member = (await site.post('/members', { email: 'typo@example.com' })).body.data;
    await site.failEmail(await anEmailAtRest(site, member.id), reply);
    const longAddress = `${'b'.repeat(64)}@${'long-domain.'.repeat(12)}example.com`;
    const other = (await site.post('/members', { email: longAddress })).body.data;
    await site.failEmail(await anEmailAtRest(site, other.id), reply);
    await changing(server.database, site.siteId, (change) => storeJoinRequest(change));
    const group = (await site.post('/access-groups', { name: 'Course' })).body.data.id;
    const expiresAt = new Date(Date.now() + 3 * dayMilliseconds).toISOString();
    const ada = (await site.post('/members', { email: 'ada@example.com', displayName: 'Ada' })).body.data;
    await site.post(`/access-groups/${group}/members`, { memberId: ada.id, expiresAt });
  });

  const row = (page: Page, hasText: string | RegExp) =>
    page.getByRole('list', { name: 'Needs attention' }).getByRole('listitem').filter({ hasText });

  test('what needs a person is one list, each with the reason and one action', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}`);
    await row(page, '1 person asks to join').getByRole('link', { name: 'Decide' }).waitFor();
    await untilQuiet(page);
    await look(page, 'overview-attention');
    await page.setViewportSize(phone);
    await page.emulateMedia({ colorScheme: 'dark' });
    await untilQuiet(page);
    await look(page, 'overview-attention-phone');
    await page.setViewportSize(desktop);

    await row(page, '1 membership ends in the next 14 days')
      .getByRole('link', { name: 'See members' })
      .click();
    await page.waitForURL('**/members?status=active&ends=14');
    await page.getByRole('row').filter({ hasText: 'Ada' }).waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'typo@example.com' }).count()).toBe(0);
    await page.goBack();

    const failed = row(page, 'The login link for typo@example.com could not be sent');
    expect(await failed.innerText()).toContain(reply);
    await failed.getByRole('button', { name: 'Resend' }).click();
    await page.getByText('A new email is being sent to typo@example.com.').waitFor();
    await failed.getByText('On its way').waitFor();
    await failed.getByRole('link', { name: 'typo@example.com' }).click();
    await page.getByText('The last email could not be delivered').waitFor();
    expect(faults).toEqual([]);
  });

  test('a failed email can be sent again from the page of the member after a correction', async () => {
    const { site, slug } = await aSite();
    const member = (await site.post('/members', { email: 'typo@example.com' })).body.data;
    await site.failEmail(await anEmailAtRest(site, member.id), reply);
    await site.patch(`/members/${member.id}`, { email: 'right@example.com' });
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}`);
    await row(page, 'typo@example.com').getByRole('link', { name: 'typo@example.com' }).click();
    await page.getByText('The email address has been corrected since.').waitFor();
    await untilQuiet(page);
    await look(page, 'member-corrected');
    await page.getByRole('button', { name: 'Resend to right@example.com' }).click();
    await page.getByText('A new email is being sent to right@example.com.').waitFor();
    expect(faults).toEqual([]);
  });

  test('what is not an operator’s to do is shown without its button', async () => {
    const { site, slug } = await aSite();
    const member = (await site.post('/members', { email: 'typo@example.com' })).body.data;
    await site.failEmail(await anEmailAtRest(site, member.id), reply);
    await changing(server.database, site.siteId, (change) => storeJoinRequest(change));
    const { page, faults } = await browser.open(server, site.siteId, 'viewer');
    await page.goto(`/dashboard/${slug}`);
    await row(page, 'typo@example.com').getByRole('link', { name: 'Open' }).waitFor();
    await untilQuiet(page);
    expect(await row(page, '').count()).toBe(1);
    expect(await page.getByRole('heading', { name: 'Set up your site' }).count()).toBe(0);
    await look(page, 'overview-viewer');
    await row(page, 'typo@example.com').getByRole('link', { name: 'Open' }).click();
    await page.getByRole('dialog').getByText(reply).waitFor();
    expect(faults).toEqual([]);
  });

  test('a new site needs nobody, and its owners can hide the steps to set it up, and show them again', async () => {
    const { site, slug } = await aSite();
    const admin = await browser.open(server, site.siteId, 'admin');
    await admin.page.goto(`/dashboard/${slug}`);
    await admin.page.getByText('Nothing needs attention').waitFor();
    await untilQuiet(admin.page);
    expect(await admin.page.getByRole('heading', { name: 'Set up your site' }).count()).toBe(0);

    const { page, faults } = await browser.open(server, site.siteId, 'owner');
    await page.goto(`/dashboard/${slug}`);
    await page.getByText('Nothing needs attention').waitFor();
    const steps = page.getByRole('heading', { name: 'Set up your site' });
    await steps.waitFor();
    await untilQuiet(page);
    await look(page, 'overview-new');
    const isShown = async () => (await site.get('/site')).body.data.showsSetUpSteps;
    const hide = page.getByRole('button', { name: 'Hide' });
    await hide.click();
    await steps.waitFor({ state: 'detached' });
    await expect.poll(isShown).toBe(false);
    await page.getByRole('button', { name: /Undo/ }).click();
    await steps.waitFor();
    await expect.poll(isShown).toBe(true);
    expect(faults).toEqual([]);
  });

  test('the figures and charts cover the days of the URL', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    await page.setViewportSize(phone);
    await page.goto(`/dashboard/${slug}?days=91`);
    const figures = page.getByRole('region', { name: 'Statistics of the site' });
    await figures.getByText('+3 in 30 days').waitFor();
    await page.getByRole('img', { name: 'Members: from 0 to 3' }).waitFor();
    await page.getByRole('link', { name: '7 days', exact: true }).click();
    await page.waitForURL(`**/dashboard/${slug}?days=7`);
    await figures.getByText('+3 in 7 days').waitFor();
    await page.reload();
    await figures.getByText('+3 in 7 days').waitFor();
    expect(await page.getByRole('link', { name: '7 days', exact: true }).getAttribute('aria-current')).toBe(
      'page',
    );
    await page.getByRole('link', { name: '90 days' }).click();
    await figures.getByText('+3 in 90 days').waitFor();
    expect(faults).toEqual([]);
  });

  async function aSite() {
    const site = await server.createSite();
    const { slug } = (await site.get('/site')).body.data;
    return { site, slug };
  }
});
