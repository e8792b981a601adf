import { existsSync } from 'node:fs';
import path from 'node:path';
import type { OperatorRole } from '@gatehouse/contract';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, expect, inject } from 'vitest';
import type { Settings } from '../../src/app/settings/settings.ts';
import { desktop, lacksBrowser, launchBrowser, watchFaults } from '../browser.ts';
import { freePort } from '../free-port.ts';
import { type NotionServer, startNotionServer } from '../notion-server.ts';
import { anOperator, type TestOperator } from '../operator.ts';
import { noteSkipped } from '../skipped.ts';
import { startLastingServer, type TestServer } from '../test-server.ts';

const pages = path.resolve(import.meta.dirname, '../../../dashboard/dist');

/** Whether these tests are skipped on this machine, which is logged once per file. They always run in CI. */
export function skipsDashboard(): boolean {
  const isBuilt = process.env.CI || existsSync(path.join(pages, 'index.html'));
  if (!lacksBrowser() && isBuilt) return false;
  const reason = lacksBrowser() ? 'Chromium is not installed' : 'the dashboard is not built';
  noteSkipped(`the dashboard in a browser, because ${reason}.`);
  return true;
}

/** The host for which browsers create passkeys without https. */
const host = 'localhost';

/** With it, tests read the metrics of the service. */
export const metricsToken = 'metrics-of-the-dashboard';

let dashboard: Promise<TestServer> | undefined;

/**
 * The whole service, with the latest build of the dashboard, shared by the test files of this process. It runs on one
 * store: the dashboard does not depend on the store, and the tests of the API run on every store.
 */
export function startDashboard(): Promise<TestServer> {
  dashboard ??= startOnOneStore();
  return dashboard;
}

let notion: Promise<NotionServer> | undefined;

/** The workspace of Notion that the dashboard of this process reads. */
export function sharedNotion(): Promise<NotionServer> {
  notion ??= startNotionServer();
  return notion;
}

async function startOnOneStore(): Promise<TestServer> {
  const { url: notionUrl } = await sharedNotion();
  return startDashboardWith({ notionUrl, metricsToken });
}

/** Starts a service of its own, for a test that needs other settings. */
export async function startDashboardWith(settings: Partial<Settings>): Promise<TestServer> {
  const port = await freePort();
  return startLastingServer(inject('stores')[0]!.name, {
    settings: { ...settings, port, publicUrl: `http://${host}:${port}` },
    dashboardFolder: pages,
  });
}

let launched: Promise<Browser> | undefined;

/** The browser that the test files of this process share. It ends with the process. */
function sharedBrowser(): Promise<Browser> {
  launched ??= launchBrowser().then((browser) => {
    process.once('SIGTERM', () => void browser.close().finally(() => process.exit()));
    return browser;
  });
  return launched;
}

/** An operator of a site in a browser. */
export interface OperatorPage {
  readonly operator: TestOperator;
  readonly page: Page;
  /** Errors on the page: script errors and violations of the Content-Security-Policy. */
  readonly faults: string[];
}

/** The options of a page whose test needs an empty cache, or changes the clock, which cannot be undone. */
export const ownContext: BrowserContextOptions = {};

/** Opens pages of the dashboard. Each test has its own operator, cookies and storage. */
export function useBrowser(): {
  /**
   * Opens the dashboard for a new operator who is logged in. With the same options, apart from the size, tests use the same page
   * one after the other: a new one costs more than loading another document.
   */
  open(
    server: TestServer,
    siteId: string,
    role?: OperatorRole,
    options?: BrowserContextOptions,
  ): Promise<OperatorPage>;
} {
  const taken = new Set<Page>();
  afterEach(async () => {
    const lasting = new Set([...lastingPages.values()].map((page) => page.context()));
    const others = (await launched)?.contexts().filter((context) => !lasting.has(context)) ?? [];
    await Promise.all([...[...taken].map(leave), ...others.map((context) => context.close())]);
    taken.clear();
  });

  return {
    async open(server, siteId, role = 'owner', options) {
      const operator = await anOperator(server, siteId, role);
      const baseURL = server.address.replace('127.0.0.1', host);
      const { viewport = desktop, locale = 'en', ...others } = options ?? {};
      const last = options === ownContext ? undefined : await lastingPage({ baseURL, locale, ...others });
      const page = last && !taken.has(last) ? last : await newPage({ baseURL, viewport, locale, ...others });
      if (page === last) {
        taken.add(page);
        await clearStorage(page, baseURL);
        if (viewport !== desktop) await page.setViewportSize(viewport!);
      }
      const faults: string[] = [];
      watchFaults(page, faults);
      await logIn(page, operator);
      return { operator, page, faults };
    },
  };
}

/** The pages that the tests of this process use one after the other, by their options. */
const lastingPages = new Map<string, Page>();

async function lastingPage(options: BrowserContextOptions): Promise<Page> {
  const key = JSON.stringify(options);
  const known = lastingPages.get(key);
  if (known && !known.isClosed()) return known;
  const page = await newPage({ viewport: desktop, ...options });
  lastingPages.set(key, page);
  return page;
}

async function newPage(options: BrowserContextOptions): Promise<Page> {
  const context = await (await sharedBrowser()).newContext({ reducedMotion: 'reduce', ...options });
  return context.newPage();
}

/**
 * Takes back what a test has done to the page, and ends its document, which would keep sending requests. Another origin
 * would need another process.
 */
async function leave(page: Page): Promise<void> {
  for (const event of ['console', 'dialog', 'pageerror', 'request']) page.removeAllListeners(event);
  if (page.isClosed()) return page.context().close();
  for (const tab of page.context().pages()) if (tab !== page) await tab.close();
  await page.context().setOffline(false);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto('/healthz');
  await page.context().clearCookies();
  if (page.viewportSize()!.width !== desktop.width) await page.setViewportSize(desktop);
  await page.emulateMedia({ colorScheme: null });
  page.setDefaultTimeout(30_000);
}

async function clearStorage(page: Page, origin: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' });
  await devtools.detach();
}

/** Gives the browser of the page the session of the operator. */
export async function logIn(page: Page, { browser }: TestOperator): Promise<void> {
  const domain = host;
  const cookies = [...browser.cookies].map(([name, value]) => ({ name, value, domain, path: '/' }));
  await page.context().addCookies(cookies);
}

/** Opens another page of the dashboard without a full reload, as a link does. */
export async function turnTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
  await page.waitForURL(`**${path}`);
}

/** Presses a button of a dialog with the keyboard, once the dialog, which has just been opened, has the focus. */
export async function pressInDialog(page: Page, name: string | RegExp): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.locator(':focus').waitFor();
  await dialog.getByRole('button', { name }).press('Enter');
}

/** Waits until the page has its heading, everything is loaded, and animations have ended. */
export async function untilQuiet(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  const onTheWay = page.locator('[aria-busy=true], .mantine-Skeleton-root');
  await expect.poll(() => onTheWay.count()).toBe(0);
  await untilStill(page);
}

/** Waits until animations have ended. While a dialog opens, its colors are not final. */
export async function untilStill(page: Page): Promise<void> {
  await page.evaluate(`Promise.allSettled(
    document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity)
      .map(({ finished }) => finished),
  ).then(() => document.fonts.ready).then(() => {})`);
}
