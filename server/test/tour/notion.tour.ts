import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { launchUsersBrowser } from '../browser.ts';
import { untilQuiet } from '../dashboard/dashboard-browser.ts';
import { type NotionServer, startNotionServer } from '../notion-server.ts';
import type { TestServer } from '../test-server.ts';
import { createClubSite, domain } from './club-site.ts';
import { inventPeople, sameNumbers } from './people.ts';
import { takeWebp } from './pictures.ts';
import { startService, withPage } from './service.ts';
import { useRealTime } from './time.ts';

const token = `ntn_${'5f0c27d9e41b'.repeat(4)}`;

/** Narrower than a desktop, so that the text can be read in a guide. */
const window = { width: 1024, height: 640 };

test('the pictures of the guide on Notion', async () => {
  useRealTime();
  const notion = await startNotionServer();
  fillWorkspace(notion);
  const server = await startService({ notionUrl: notion.url });
  const { slug, logIn } = await createClubSite(server);
  const owner = await logIn('Sofia Lindqvist');
  const browser = await launchUsersBrowser();
  await withPage({ browser, server, owner }, { viewport: window }, async (page) => {
    await showPublicHosts(page, server, notion);
    await connectNotion(page, `/dashboard/${slug}/sources`);
  });
  await browser.close();
  notion.close();
});

/** Two databases: one has columns with email addresses, the other has people of the workspace. */
function fillWorkspace(notion: NotionServer): void {
  notion.token = token;
  const people = inventPeople(11, sameNumbers(2027));
  const volunteers = notion.database('Volunteers', { Name: 'title', 'E-mail': 'email', Paid: 'checkbox' });
  for (const [index, { displayName, email }] of people.slice(0, 8).entries())
    volunteers.addRow({ Name: displayName, 'E-mail': email, Paid: index % 4 !== 2 });
  const coaches = notion.database('Coaches', { Boat: 'title', Coach: 'people' });
  for (const [index, boat] of ['Single', 'Pair', 'Eight'].entries()) {
    const { displayName, email } = people[8 + index]!;
    coaches.addRow({ Boat: boat, Coach: [notion.person(displayName, email)] });
  }
}

/** Shows the host of Notion, not that of its simulation, and that of a service which Notion can reach. */
async function showPublicHosts(page: Page, server: TestServer, notion: NotionServer): Promise<void> {
  const { port } = new URL(server.address);
  await page.route(/\/sources(\/|\?|$)/, async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.continue();
    const response = await route.fetch();
    const text = (await response.text())
      .replaceAll(new URL(notion.url).host, 'api.notion.com')
      .replace(`http://localhost:${port}`, `https://gatehouse.${domain}`);
    return route.fulfill({ response, body: text });
  });
}

/** Sets up a source as the guide describes it, with a picture of each step. */
async function connectNotion(page: Page, sources: string): Promise<void> {
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await page.goto(sources);
  await page.getByRole('link', { name: 'Connect Notion' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Team');
  await page.getByRole('textbox', { name: 'Token' }).fill(token);
  await take(page, 'token');
  await press('Next');
  for (const name of ['Volunteers', 'Coaches']) await page.getByRole('checkbox', { name }).check();
  await take(page, 'collections');
  await press('Next');
  await page.getByRole('columnheader', { name: 'E-mail' }).waitFor();
  await take(page, 'columns');
  await press('Next');
  await page.getByRole('cell', { name: 'Eight' }).waitFor();
  await press('Next');
  await page.getByText('Will become members').first().waitFor();
  await take(page, 'dry-run');
  await press('Turn on');
  await page.getByRole('link', { name: 'Coaches' }).waitFor();
  await take(page, 'done');
  await page.getByRole('link', { name: 'Open the source' }).click();
  await press('Connect Notion');
  await page.getByText('/hooks/notion/').waitFor();
  await untilQuiet(page);
  await page.evaluate('scrollTo(0, 0)');
  const settings = await page.getByRole('heading', { name: 'Settings' }).boundingBox();
  await take(page, 'webhook', settings!.y - 16);
}

/** Takes a picture of the page, all of it by default, without a pointer or focus on it. */
async function take(page: Page, step: string, shownHeight?: number): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate('document.activeElement.blur()');
  await untilQuiet(page);
  const height = shownHeight ?? (await page.evaluate<number>('document.documentElement.scrollHeight'));
  await page.setViewportSize({ ...window, height: Math.round(height) });
  await untilQuiet(page);
  await takeWebp(page, `guides/pictures/notion-${step}`);
  await page.setViewportSize(window);
}
