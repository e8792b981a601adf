import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { OperatorRole } from '@gatehouse/contract';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { desktop, lacksBrowser, launchBrowser, watchFaults } from '../browser.ts';
import { freePort } from '../free-port.ts';
import { anOperator, type TestOperator } from '../operator.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

const pages = path.resolve(import.meta.dirname, '../../../dashboard/dist');

/** Whether these tests are skipped on this machine, which is logged once per file. They always run in CI. */
export function skipsDashboard(): boolean {
  const isBuilt = process.env.CI || existsSync(path.join(pages, 'index.html'));
  if (!lacksBrowser() && isBuilt) return false;
  const reason = lacksBrowser() ? 'Chromium is not installed' : 'the dashboard is not built';
  console.log(`Skipped: the dashboard in a browser, because ${reason}.`);
  return true;
}

/** The host for which browsers create passkeys without https. */
const host = 'localhost';

/**
 * The whole service, with the latest build of the dashboard. It stops after the file. It uses only SQLite: the
 * dashboard does not depend on the store, and the tests of the API run on every store.
 */
export async function startDashboard(): Promise<TestServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-dashboard-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const freshUrl = async () => `sqlite:${path.join(folder, 'gatehouse.db')}`;
  const port = await freePort();
  const settings = { port, publicUrl: `http://${host}:${port}` };
  return startTestServer(
    { name: 'SQLite', dialect: 'sqlite', freshUrl, migratedUrl: freshUrl },
    { settings, dashboardFolder: pages },
  );
}

/** An operator of a site in a browser. */
export interface OperatorPage {
  readonly operator: TestOperator;
  readonly page: Page;
  /** Errors on the page: script errors and violations of the Content-Security-Policy. */
  readonly faults: string[];
}

/** The options of a page whose test changes what a whole context has: its clock, its network. */
export const ownContext: BrowserContextOptions = {};

/** A browser for the file. Each page that it opens has its own cookies and is closed after the test. */
export function useBrowser(): {
  /**
   * Opens the dashboard for a new operator who is logged in. Without options, pages of different tests share what the
   * browser has downloaded and parsed.
   */
  open(
    server: TestServer,
    siteId: string,
    role?: OperatorRole,
    options?: BrowserContextOptions,
  ): Promise<OperatorPage>;
} {
  let browser: Browser;
  let shared: BrowserContext | undefined;
  beforeAll(async () => {
    if (!lacksBrowser()) browser = await launchBrowser();
  });
  // An open page keeps sending requests, which slows the tests that follow.
  afterEach(async () => {
    const others = browser?.contexts().filter((context) => context !== shared) ?? [];
    await Promise.all([...others, ...(shared?.pages() ?? [])].map((opened) => opened.close()));
    await shared?.clearCookies();
  });
  afterAll(() => browser?.close());

  return {
    async open(server, siteId, role = 'owner', options) {
      const operator = await anOperator(server, siteId, role);
      const baseURL = server.address.replace('127.0.0.1', host);
      const defaults = { baseURL, viewport: desktop, locale: 'en', reducedMotion: 'reduce' } as const;
      const isShared = !options && !shared?.pages().length;
      const context = (isShared && shared) || (await browser.newContext({ ...defaults, ...options }));
      if (isShared) shared = context;
      const page = await context.newPage();
      if (isShared) await clearStorage(page, baseURL);
      const faults: string[] = [];
      watchFaults(page, faults);
      await logIn(page, operator);
      return { operator, page, faults };
    },
  };
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

/** Waits until the page has its heading, everything is loaded, and animations have ended. */
export async function untilQuiet(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  const onTheWay = page.locator('[aria-busy=true], .mantine-Skeleton-root');
  await expect.poll(() => onTheWay.count(), { timeout: 10_000 }).toBe(0);
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
