import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aMember } from '../contract/given.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { metricsToken, skipsDashboard, startDashboard, turnTo, useBrowser } from './dashboard-browser.ts';

/** For a busy machine. */
const patience = { timeout: 30_000 };

describe.skipIf(skipsDashboard())('live pages', { timeout: 180_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  let site: TestSite;
  let slug: string;

  beforeAll(async () => {
    server = await startDashboard();
  });
  beforeEach(async () => {
    site = await server.createSite();
    slug = (await site.get('/site')).body.data.slug;
    await expect.poll(openStreams, patience).toBe(0);
  });

  const go = (page: Page, path: string) => page.goto(`/dashboard/${slug}${path}`);
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
  const events = (page: Page) => page.getByRole('list', { name: 'Events', exact: true });

  async function openStreams(): Promise<number> {
    const headers = { authorization: `Bearer ${metricsToken}` };
    const text = await (await fetch(`${server.address}/metrics`, { headers })).text();
    return Number(/^gatehouse_dashboard_streams (\d+)$/m.exec(text)![1]);
  }
  /** Headless browsers have no hidden tabs. */
  const setVisibility = (page: Page, state: 'hidden' | 'visible') =>
    page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`,
    );
  /** Waits until the page follows changes. */
  const followed = () => expect.poll(openStreams, patience).toBe(1);

  test('the tabs of a browser share one stream, which another one takes over, and both show a new member', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    await go(page, '/members');
    await followed();
    const second = await page.context().newPage();
    await second.goto(`/dashboard/${slug}/members`);
    await second.getByText('No members yet').waitFor();
    await aMember(site, { displayName: 'Ada Lovelace' });
    for (const tab of [page, second]) await row(tab, 'Ada Lovelace').waitFor();
    expect(await openStreams()).toBe(1);

    await page.close();
    await followed();
    await aMember(site, { displayName: 'Grace Hopper' });
    await row(second, 'Grace Hopper').waitFor();
    expect(await openStreams()).toBe(1);
    expect(faults).toEqual([]);
  });

  test('the list of events shows new events by itself, and says how many there are to a reader who has scrolled down', async () => {
    for (let number = 0; number < 30; number += 1) await aMember(site, { displayName: `Member ${number}` });
    const { page, faults } = await browser.open(server, site.siteId);
    await go(page, '/events');
    await events(page).getByText('Member 29').waitFor();
    await followed();
    await aMember(site, { displayName: 'Ada Lovelace' });
    await events(page).getByText('Ada Lovelace').waitFor();

    await page.mouse.wheel(0, 900);
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(500);
    const before = await page.evaluate('scrollY');
    await aMember(site, { displayName: 'Grace Hopper' });
    await aMember(site, { displayName: 'Jean Bartik' });
    const news = page.getByRole('button', { name: '2 new events' });
    await news.waitFor();
    expect(await page.evaluate('scrollY')).toBe(before);
    expect(await events(page).getByText('Jean Bartik').count()).toBe(0);
    await news.click();
    await events(page).getByText('Jean Bartik').waitFor();
    await news.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  test('input stays while what is behind it changes', async () => {
    const { id } = await aMember(site, { displayName: 'Ada Lovelace', paid: false });
    const { page } = await browser.open(server, site.siteId);
    await go(page, '/settings/site');
    const title = page.getByRole('textbox', { name: 'Title' });
    await followed();
    await title.fill('Rowing Club of the Cam');
    const saved = page.waitForResponse((response) => response.url().endsWith('/api/v1/site'));
    await site.patch('/site', { title: 'Regatta' });
    await saved;
    await page.getByRole('button', { name: 'Regatta' }).first().waitFor();
    expect(await title.inputValue()).toBe('Rowing Club of the Cam');

    await page.evaluate('onbeforeunload = null');
    await page.getByRole('button', { name: 'Discard' }).click();
    await turnTo(page, `/dashboard/${slug}/members/${id}`);
    await page.getByRole('button', { name: 'Change: Name' }).click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Ada King');
    await followed();
    await site.post(`/members/${id}/block`, undefined);
    await page.getByText('Blocked', { exact: true }).waitFor();
    expect(await name.inputValue()).toBe('Ada King');
  });

  test('an import of many members causes few requests', async () => {
    const { page } = await browser.open(server, site.siteId);
    await go(page, '/members');
    await page.getByText('No members yet').waitFor();
    await followed();
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/v1/members?')) requests.push(request.url());
    });
    const startedAt = performance.now();
    for (let bulk = 0; bulk < 20; bulk += 1) {
      const members = Array.from({ length: 500 }, (_, number) => ({
        email: `m${bulk}-${number}@example.com`,
      }));
      await site.post('/members/bulk', { members });
    }
    await page.getByText('10,000 members').waitFor();
    const seconds = (performance.now() - startedAt) / 1_000;
    // Two pages of the list are shown, in pauses of two seconds.
    expect(requests.length).toBeLessThanOrEqual(2 * (seconds / 2 + 2));
  });

  test('a hidden tab has no stream, and shows what it has missed when it is shown again', async () => {
    const { page } = await browser.open(server, site.siteId);
    await go(page, '/members');
    await page.getByText('No members yet').waitFor();
    await followed();
    await setVisibility(page, 'hidden');
    await expect.poll(openStreams, patience).toBe(0);
    await aMember(site, { displayName: 'Ada Lovelace' });
    const resumed = page.waitForRequest(/\/changes\?after=/);
    await setVisibility(page, 'visible');
    await resumed;
    await row(page, 'Ada Lovelace').waitFor();
  });

  test('when it is not known what was missed, everything shown is fetched again', async () => {
    await aMember(site, { displayName: 'Ada Lovelace' });
    const { page } = await browser.open(server, site.siteId);
    // As when the events since the page was loaded have been purged.
    const answer = { status: 400, json: { error: { code: 'invalid_cursor' } } };
    await page.route(/\/changes\?after=/, async (route) => {
      await row(page, 'Ada Lovelace').waitFor();
      await aMember(site, { displayName: 'Grace Hopper' });
      await route.fulfill(answer);
    });
    await go(page, '/members');
    await row(page, 'Grace Hopper').waitFor();
  });

  test('a log-out in one tab ends the stream, and the others ask to log in', async () => {
    const { page } = await browser.open(server, site.siteId);
    await go(page, '/members');
    await followed();
    const second = await page.context().newPage();
    await second.goto(`/dashboard/${slug}/groups`);
    await second.getByRole('heading', { level: 1, name: 'Access groups' }).waitFor();
    await second.getByRole('button', { name: /^Account/ }).click();
    await second.getByRole('menuitem', { name: 'Log out' }).click();
    await second.waitForURL('**/dashboard/login');
    await page.getByRole('dialog').getByRole('link', { name: 'Log in' }).waitFor();
    expect(await openStreams()).toBe(0);
  });

  test('a new role applies at once', async () => {
    const { page, operator } = await browser.open(server, site.siteId, 'viewer');
    await go(page, '/members');
    await followed();
    expect(await page.getByRole('link', { name: 'Add members' }).count()).toBe(0);
    await site.patch(`/operators/${operator.id}`, { role: 'admin' });
    await page.getByRole('link', { name: 'Add members' }).first().waitFor();
  });
});
