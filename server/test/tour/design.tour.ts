import { test } from 'vitest';
import { launchUsersBrowser } from '../browser.ts';
import { untilStill } from '../dashboard/dashboard-browser.ts';
import { createClubSite } from './club-site.ts';
import { schemes, takeWebp } from './pictures.ts';
import { startService, withPage } from './service.ts';
import { setTime } from './time.ts';

/** All of the page is in the window, so that nothing is scrolled. */
const viewport = { width: 1160, height: 2_000 };

test('the picture of the design of the dashboard', async () => {
  setTime(0);
  const server = await startService({});
  const { slug, as, logIn } = await createClubSite(server);
  // The samples end with days in UTC.
  await as('Sofia Lindqvist', 'PATCH', '/site', { timeZone: 'UTC' });
  const owner = await logIn('Sofia Lindqvist');
  const browser = await launchUsersBrowser();
  const halves: Buffer[] = [];
  for (const colorScheme of schemes)
    await withPage({ browser, server, owner }, { viewport, colorScheme }, async (page) => {
      await page.goto(`/dashboard/${slug}/design`);
      // It shows placeholders, so that it always looks like a page that is still loading.
      await page.getByText('Cards and placeholders').waitFor();
      await untilStill(page);
      halves.push(await page.locator('main > :last-child').screenshot());
    });
  const page = await browser.newPage();
  const images = halves.map((half) => `<img src="data:image/png;base64,${half.toString('base64')}">`);
  await page.setContent(
    `<body style="display: inline-flex; margin: 0; width: max-content">${images.join('')}`,
  );
  const { width, height } = (await page.locator('body').boundingBox())!;
  await page.setViewportSize({ width, height });
  await takeWebp(page, 'architecture/pictures/dashboard-design', 75);
  await browser.close();
});
