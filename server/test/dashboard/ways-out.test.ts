import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { look } from '../browser.ts';
import { anOperator } from '../operator.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import {
  ownContext,
  skipsDashboard,
  startDashboard,
  turnTo,
  untilQuiet,
  useBrowser,
} from './dashboard-browser.ts';

/** The pages of one object, with the heading and the link if it does not exist. */
const objects = [
  ['members', 'Member not found', 'Show all members'],
  ['groups', 'Group not found', 'All groups'],
  ['invitations', 'This invitation no longer exists', 'Invitations'],
  ['sources', 'Source not found', 'Sources'],
  ['webhooks', 'Webhook not found', 'Webhooks'],
  ['settings/login', 'Login provider not found', 'Login'],
] as const;

/** The empty pages of a site with what its viewers cannot do there. */
const emptyPages = [
  ['members', 'No members yet', 'link', 'Add members'],
  ['groups', 'No access groups yet', 'button', 'Create group'],
  ['rules/codes', 'No page codes yet', 'button', 'Create a code'],
  ['sources', 'No sources yet', 'link', /Notion/],
] as const;

describe.skipIf(skipsDashboard())('where nothing is shown', { timeout: 120_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  let site: TestSite;
  let slug: string;

  beforeAll(async () => {
    server = await startDashboard();
    site = await server.createSite();
    slug = (await site.get('/site')).body.data.slug;
    await anOperator(server, site.siteId, 'owner');
  });

  const main = (page: Page) => page.getByRole('main');

  test.each(objects)(
    'the page of an object of %s that does not exist leads to the list',
    async (list, title, back) => {
      const { page } = await browser.open(server, site.siteId);
      for (const id of [randomUUID(), 'no-id']) {
        await page.goto(`/dashboard/${slug}/${list}/${id}`);
        await page.getByRole('heading', { level: 1, name: title }).waitFor();
        expect(await page.title()).toBe(`${title} · Gatehouse`);
      }
      await main(page).getByRole('link', { name: back }).click();
      await page.waitForURL(new RegExp(`/dashboard/${slug}/${list}$`));
    },
  );

  test('an empty list says to those who cannot fill it whom to contact, without a button', async () => {
    const { page } = await browser.open(server, site.siteId, 'viewer');
    await page.goto(`/dashboard/${slug}`);
    for (const [path, title, role, action] of emptyPages) {
      await turnTo(page, `/dashboard/${slug}/${path}`);
      await page.getByRole('heading', { name: title }).waitFor();
      await main(page).getByText('Your role does not allow changes here. Contact').waitFor();
      await main(page).locator('a[href^="mailto:"]').first().waitFor();
      expect(await main(page).getByRole(role, { name: action }).count()).toBe(0);
      await untilQuiet(page);
      await look(page, `empty-for-a-viewer-${path.replace('/', '-')}`);
    }
  });

  test('a page that the role does not allow names an owner, and offers no second try', async () => {
    const { page } = await browser.open(server, site.siteId, 'viewer');
    await page.goto(`/dashboard/${slug}/keys`);
    const alert = main(page).getByRole('alert').filter({ hasText: 'Your role does not allow this.' });
    await alert.locator('a[href^="mailto:"]').first().waitFor();
    expect(await alert.getByRole('button').count()).toBe(0);
    await untilQuiet(page);
    await look(page, 'denied-for-a-viewer');
  });

  test('what no longer exists offers to load the page again', async () => {
    const { page } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}/sources/set-up?source=${randomUUID()}`);
    const alert = main(page).getByRole('alert').filter({ hasText: 'This source no longer exists.' });
    await alert.getByRole('button', { name: 'Reload' }).waitFor();
    await main(page).getByRole('link', { name: 'Sources' }).waitFor();
  });

  test('a page that was opened offline loads by itself once the network is back', async () => {
    const { page } = await browser.open(server, site.siteId, 'owner', ownContext);
    await page.goto(`/dashboard/${slug}`);
    await untilQuiet(page);
    await page.context().setOffline(true);
    await turnTo(page, `/dashboard/${slug}/webhooks`);
    await page.getByRole('heading', { level: 1, name: 'This page could not be shown' }).waitFor();
    const alert = main(page).getByRole('alert');
    await alert.getByText('You are offline. This page could not be loaded.').waitFor();
    expect(await alert.textContent()).not.toContain('input');
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect(await alert.count()).toBe(0);
  });
});
