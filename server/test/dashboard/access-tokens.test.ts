import { beforeAll, describe, expect, test } from 'vitest';
import { desktop, look, phone } from '../browser.ts';
import { aMember } from '../contract/given.ts';
import type { TestServer } from '../test-server.ts';
import { skipsDashboard, startDashboard, untilStill, useBrowser } from './dashboard-browser.ts';

describe.skipIf(skipsDashboard())('access tokens in the dashboard', { timeout: 60_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  beforeAll(async () => {
    server = await startDashboard();
  });

  test('an operator creates a token for a member, sees it once, and deletes it', async () => {
    const site = await server.createSite();
    const { slug } = (await site.get('/site')).body.data;
    const { id } = await aMember(site);
    await site.patch('/site', { timeZone: 'Europe/Berlin' });
    const options = { timezoneId: 'Pacific/Auckland' };
    const { page, faults } = await browser.open(server, site.siteId, 'owner', options);
    const lookAt = async (name: string) => {
      for (const viewport of [phone, desktop]) {
        await page.setViewportSize(viewport);
        await untilStill(page);
        await look(page, `${name}-${viewport.width}`);
      }
    };
    await page.goto(`/dashboard/${slug}/settings/sessions`);
    await page.getByRole('switch', { name: 'Members can create access tokens' }).check({ force: true });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(async () => (await site.get('/site')).body.data.membersCreateTokens).toBe(true);

    await page.goto(`/dashboard/${slug}/members/${id}`);
    await page.getByRole('button', { name: 'Create a token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create an access token' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Podcast app');
    await dialog.getByRole('textbox', { name: 'Path' }).fill('/a*');
    await dialog.getByRole('button', { name: 'Create a token' }).click();
    await dialog.getByRole('textbox', { name: 'Path' }).and(page.locator('[aria-invalid=true]')).waitFor();
    await dialog.getByRole('textbox', { name: 'Path' }).fill('/podcast');
    await dialog.getByRole('combobox', { name: 'Expires' }).click();
    await page.getByRole('option', { name: '90 days' }).click();
    await dialog.getByRole('button', { name: 'Create a token' }).click();
    const secret = await dialog.locator('pre').textContent();
    expect(secret).toMatch(/^gmt_[\w-]{43}$/);
    await lookAt('token-secret');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.textContent('body')).not.toContain(secret);
    await page.getByText('not used yet').waitFor();
    await page.getByText('created the access token').waitFor();
    const [token] = (await site.get(`/members/${id}/access-tokens`)).body.data;
    expect(Date.parse(token.expiresAt) - Date.parse(token.createdAt)).toBeCloseTo(90 * 86_400_000, -4);
    await lookAt('tokens');
    const feed = { name: 'Feed reader', expiresAt: '2099-10-31T23:00:00.000Z' };
    const made = await site.post(`/members/${id}/access-tokens`, feed);
    await page.getByText(/ · expires Oct 31, 2099$/).waitFor();
    await site.delete(`/members/${id}/access-tokens/${made.body.data.id}`);
    await page.getByRole('button', { name: 'Delete the token Podcast app' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No program has access as this member.').waitFor();
    expect((await site.get(`/members/${id}/access-tokens`)).body.data).toEqual([]);
    expect(faults).toEqual([]);
  });
});
