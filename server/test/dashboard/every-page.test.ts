import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { desktop, faultsOfView, phone } from '../browser.ts';
import { effort } from '../effort.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import {
  skipsDashboard,
  startDashboard,
  turnTo,
  untilQuiet,
  untilStill,
  useBrowser,
} from './dashboard-browser.ts';
import { createSmallSite, type FilledSite, fillSite, type SmallSite } from './filled-site.ts';
import { drop, manyMembers, messyList } from './member-lists.ts';

/** A page, or a state of the previous page. */
interface View {
  readonly name: string;
  /** The path of the page; left out for a state of the previous page. */
  readonly path?: string;
  /** A text of the site that is on the page in every language. */
  readonly sign?: string | undefined;
  /** Brings the page into the state. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

const languages = [
  ['de', 'Betreiber'],
  ['fr', 'Opérateurs'],
  ['es', 'Operadores'],
  ['ja', '運営者'],
] as const;

describe.skipIf(skipsDashboard())('every page of the dashboard', { timeout: 180_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  let site: TestSite;
  let filled: FilledSite;
  let emptySite: TestSite;
  let emptySlug: string;

  beforeAll(async () => {
    server = await startDashboard();
    site = await server.createSite();
    filled = await fillSite(server, site);
    emptySite = await server.createSite();
    emptySlug = (await emptySite.patch('/site', { title: 'New Club' })).body.data.slug;
  });

  /** Opens the dashboard. The errors of the page include every error in its console. */
  async function open({ siteId }: TestSite, options?: BrowserContextOptions) {
    const opened = await browser.open(server, siteId, 'owner', options);
    opened.page.setDefaultTimeout(10_000);
    opened.page.on('console', (message) => {
      if (message.type() === 'error') opened.faults.push(message.text());
    });
    return opened;
  }

  /** Visits the pages, and returns the problems of each page that has any. */
  async function visitPages(
    page: Page,
    views: readonly View[],
    examine: (name: string) => Promise<unknown[]>,
  ) {
    await page.goto('/dashboard/me');
    await untilQuiet(page);
    const found: Record<string, unknown[]> = {};
    for (const view of views) {
      await show(page, view);
      const faults = await examine(view.name);
      if (faults.length > 0) found[view.name] = faults;
    }
    return found;
  }

  test('each page fits and is accessible on a phone and a desk, in light and dark colors', async () => {
    const { page, faults } = await open(site);
    const found = await visitPages(page, pagesOf(filled), (name) => faultsInBothThemes(page, name));
    expect({ found, faults }).toEqual({ found: {}, faults: [] });
  });

  test('so do the dialogs and steps of inviting operators and adding members', async () => {
    const small = await createSmallSite(server);
    const { page, faults } = await open(small.site);
    const found = await visitPages(page, statesOf(small), (name) => faultsInBothThemes(page, name));
    expect({ found, faults }).toEqual({ found: {}, faults: [] });
  });

  test('each page fits and is accessible on both while it is empty', async () => {
    const { page, faults } = await open(emptySite);
    const found = await visitPages(page, sitePages(emptySlug), (name) =>
      inBothSizes(page, `empty-${name}`, (view, { width }) =>
        faultsOfView(page, view, width === phone.width ? phoneRules : {}),
      ),
    );
    expect({ found, faults }).toEqual({ found: {}, faults: [] });
  });

  test.each(languages.filter(([locale]) => effort.languages.includes(locale)))(
    'each speaks the language of the browser, %s, and fits a phone in it',
    async (locale, operators) => {
      const { page, faults } = await open(site, { viewport: phone, locale });
      const examine = (name: string) => faultsOfView(page, `${name}-${locale}`, { only: wordedRules });
      const found = await visitPages(page, pagesOf(filled), examine);
      expect({ found, faults }).toEqual({ found: {}, faults: [] });
      expect(await page.getAttribute('html', 'lang')).toBe(locale);
      await turnTo(page, `/dashboard/${filled.slug}/operators`);
      await page.getByRole('heading', { level: 1, name: operators }).waitFor();
    },
  );
});

/** A phone has the colors of a desktop: there they are checked, and on a phone only what depends on the width. */
const phoneRules = { without: 'color-contrast' };

/** In the second theme only the colors differ. */
function faultsInBothThemes(page: Page, name: string): Promise<unknown[]> {
  return inBothSizes(page, name, async (view, { width }) => {
    if (width === phone.width) return faultsOfView(page, view, phoneRules);
    const first = await themeOf(page);
    const second = first === 'light' ? 'dark' : 'light';
    const inFirst = await faultsOfView(page, `${view}-${first}`);
    await switchTo(page, second);
    const inSecond = await faultsOfView(page, `${view}-${second}`, { only: ['color-contrast'] });
    return [...inFirst, ...inSecond];
  });
}

/** The problems of a view in both sizes: first in that of the previous view, because each change costs a new layout. */
async function inBothSizes(
  page: Page,
  name: string,
  examine: (view: string, size: typeof phone) => Promise<unknown[]>,
): Promise<unknown[]> {
  const isPhone = page.viewportSize()!.width === phone.width;
  const found: unknown[] = [];
  for (const size of isPhone ? [phone, desktop] : [desktop, phone]) {
    await resize(page, size);
    for (const fault of await examine(`${name}-${size.width}`, size)) found.push([size.width, fault]);
  }
  return found;
}

/**
 * The rules that can fail in a single language: controls without a name, or whose name differs from the visible one.
 */
const wordedRules = [
  'button-name',
  'link-name',
  'label',
  'label-title-only',
  'select-name',
  'input-button-name',
  'image-alt',
  'aria-input-field-name',
  'aria-toggle-field-name',
  'aria-command-name',
  'aria-dialog-name',
  'document-title',
  'empty-heading',
  'empty-table-header',
  'valid-lang',
  'html-has-lang',
];

/** The pages that every site has. */
function sitePages(slug: string, signs: Record<string, string> = {}): View[] {
  const names = [
    'members',
    'add',
    'invitations',
    'join-requests',
    'groups',
    'sources',
    'rules',
    'events',
    'keys',
    'webhooks',
    'settings',
    'emails',
    'operators',
  ];
  return [
    { name: 'overview', path: `/dashboard/${slug}`, sign: signs.overview },
    ...names.map((name) => ({ name, path: `/dashboard/${slug}/${name}`, sign: signs[name] })),
  ];
}

function pagesOf({
  slug,
  memberId,
  groupId,
  sourceId,
  emailId,
  webhookId,
  invitationId,
}: FilledSite): View[] {
  const signs = {
    // The newest events are the logins of the tests themselves.
    overview: '@example.com',
    members: 'Rower Number',
    invitations: 'Autumn course',
    'join-requests': 'Grace Hopper',
    groups: 'Crew 2026',
    sources: 'Office',
    rules: 'booking',
    events: '@example.com',
    keys: 'Shop',
    webhooks: 'shop.example.org',
    emails: 'ada@example.com',
    operators: 'support@example.com',
  };
  return [
    ...sitePages(slug, signs),
    { name: 'page-codes', path: `/dashboard/${slug}/rules/codes`, sign: 'Choir' },
    { name: 'member', path: `/dashboard/${slug}/members/${memberId}`, sign: 'Crew 2026' },
    { name: 'invitation', path: `/dashboard/${slug}/invitations/${invitationId}`, sign: 'Autumn course' },
    {
      name: 'declined-requests',
      path: `/dashboard/${slug}/join-requests?status=declined`,
      sign: 'I row on Tuesdays.',
    },
    { name: 'group', path: `/dashboard/${slug}/groups/${groupId}`, sign: '@example.com' },
    { name: 'source', path: `/dashboard/${slug}/sources/${sourceId}`, sign: 'Staff of the university' },
    { name: 'webhook', path: `/dashboard/${slug}/webhooks/${webhookId}`, sign: 'webhooks' },
    {
      name: 'webhook-delivery',
      sign: 'webhook-id',
      prepare: (page) => page.locator('main tbody button').first().click(),
    },
    {
      name: 'webhook-settings',
      path: `/dashboard/${slug}/webhooks/${webhookId}`,
      prepare: (page) => page.locator('main section').last().locator('button').first().click(),
    },
    { name: 'set-up', path: `/dashboard/${slug}/sources/set-up?type=notion`, sign: 'ntn_' },
    { name: 'email', path: `/dashboard/${slug}/emails?email=${emailId}`, sign: 'ada@example.com' },
    { name: 'me', path: '/dashboard/me' },
  ];
}

/** States that have no URL of their own, and are checked in one language. */
function statesOf({ slug, scopeGroupId }: SmallSite): View[] {
  const press = (page: Page, role: 'button' | 'tab', name: string | RegExp) =>
    page.getByRole(role, { name }).click();
  return [
    { name: 'scope-group', path: `/dashboard/${slug}/groups/${scopeGroupId}`, sign: 'mary@example.com' },
    { name: 'operators of a small site', path: `/dashboard/${slug}/operators` },
    {
      name: 'operator-invitation',
      sign: 'Invite to Rowing Club',
      prepare: (page) => press(page, 'button', 'Invite'),
    },
    { name: 'add', path: `/dashboard/${slug}/add`, sign: 'One member' },
    {
      name: 'add-paste',
      sign: '1 already a member',
      async prepare(page) {
        await press(page, 'tab', 'Paste email addresses');
        await page.getByRole('textbox', { name: 'Email addresses' }).fill(messyList);
        const cut =
          '[...document.querySelectorAll("td .mantine-Badge-label")].filter((e) => e.scrollWidth > e.clientWidth).length';
        expect(await page.evaluate(cut)).toBe(0);
      },
    },
    { name: 'add-file', sign: 'Drop a CSV file here', prepare: (page) => press(page, 'tab', 'CSV file') },
    { name: 'add-preview', sign: 'and 200 more rows', prepare: (page) => drop(page, manyMembers(300)) },
    {
      name: 'add-import',
      sign: 'could not be added',
      prepare: (page) => press(page, 'button', /^(Add \d+ members)$/),
    },
    { name: 'not-found', path: `/dashboard/${slug}-of-others/members` },
  ];
}

/** Shows a page, and waits until everything is loaded and animations have ended. */
async function show(page: Page, { path, sign, prepare }: View): Promise<void> {
  if (path !== undefined) await leaveFor(page, path);
  await prepare?.(page);
  if (sign !== undefined) await page.getByText(sign).first().waitFor({ state: 'attached' });
  await untilQuiet(page);
}

/** Opens a page, and waits until its heading is there instead of that of the previous page. */
async function leaveFor(page: Page, path: string): Promise<void> {
  const isOther = new URL(page.url()).pathname !== path.split('?')[0];
  if (isOther) await page.evaluate('document.querySelector("h1")?.setAttribute("data-previous", "")');
  await turnTo(page, path);
  await page.locator(isOther ? 'h1:not([data-previous])' : 'h1').waitFor();
}

/** Changes the size of the window, and waits until the page is laid out for it: charts and menus need some frames. */
async function resize(page: Page, size: typeof phone): Promise<void> {
  if (page.viewportSize()!.width === size.width) return;
  await page.setViewportSize(size);
  await page.evaluate(`(async () => {
    const isTooWide = () => document.documentElement.scrollWidth > window.innerWidth;
    for (let frames = 0; frames < 2 || (frames < 60 && isTooWide()); frames++)
      await new Promise(requestAnimationFrame);
  })()`);
  await untilStill(page);
}

function themeOf(page: Page): Promise<string | null> {
  return page.getAttribute('html', 'data-mantine-color-scheme');
}

async function switchTo(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  await untilStill(page);
}
