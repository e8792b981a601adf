import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestServer, TestSite } from '../test-server.ts';
import { desktop, leftOutDashboard, look, phone, startDashboard, useBrowser } from './dashboard-browser.ts';

describe.skipIf(leftOutDashboard())('the pages of the people of a site', { timeout: 90_000 }, () => {
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
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

  test.each(['light', 'dark'] as const)(
    'they fit and can be used by everybody, in %s',
    async (colorScheme) => {
      const shown: [path: string, sign: string][] = [['/members', 'Ada King']];
      for (const [size, viewport] of Object.entries({ phone, desktop })) {
        const { page, faults } = await browser.open(server, site.siteId, 'owner', { viewport, colorScheme });
        for (const [path, sign] of shown) {
          await go(page, path);
          await page.getByText(sign).first().waitFor();
          await page.waitForLoadState('networkidle');
          await look(page, `dashboard-${path.slice(1)}-${size}-${colorScheme}`);
        }
        expect(faults).toEqual([]);
        await page.context().close();
      }
    },
  );

  test('the search finds while it is typed, and the address holds the view', async () => {
    const { page } = await browser.open(server, site.siteId);
    await go(page, '/members');
    await page.getByRole('searchbox').pressSequentially('king');
    await page.waitForURL('**/members?q=king');
    await page.getByRole('row').filter({ hasText: 'Ada King' }).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
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

  test('all who match can be selected and blocked, and that can be undone', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    await go(page, '/members?q=member-1');
    await page.getByRole('checkbox', { name: 'Select all that match' }).check();
    await button(page, 'Block').click();
    await page.getByText('111 members blocked').waitFor();
    expect((await site.get('/overview')).body.data.members.blocked).toBe(111);
    await button(page, 'Undo').click();
    await page.getByText('Undone for 111 members').waitFor();
    expect((await site.get('/overview')).body.data.members.blocked).toBe(0);
    expect(faults).toEqual([]);
  });

  test('the rows go on to the last one, and only some of them are drawn', async () => {
    const { page } = await browser.open(server, site.siteId);
    await go(page, '/members?sort=createdAt&order=asc');
    await page.getByText('member-0@example.com').first().waitFor();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 4_000);
        return page.getByText('Ada King').count();
      })
      .toBe(1);
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    await page.evaluate('window.scrollTo(0, 0)');
    await page.getByText('member-0@example.com').first().waitFor();
  });
});
