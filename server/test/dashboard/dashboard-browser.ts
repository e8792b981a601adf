import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { OperatorRole } from '@gatehouse/contract';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { anOperator, type TestOperator } from '../operator.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

export const executablePath = process.env.GATEHOUSE_TEST_CHROMIUM ?? '/usr/bin/chromium';
export const browserFlags = [
  ...'--headless --no-sandbox --disable-gpu --disable-quic --no-first-run'.split(' '),
  ...'--disable-background-networking --disable-component-update --disable-sync'.split(' '),
];
const pages = path.resolve(import.meta.dirname, '../../../dashboard/dist');

/** Whether these tests cannot be run here; said once for each file. In CI they can. */
export function leftOutDashboard(): boolean {
  if (process.env.CI) return false;
  const lacking = !existsSync(executablePath) ? 'Chromium is not installed' : 'the dashboard is not built';
  const leftOut = !existsSync(executablePath) || !existsSync(path.join(pages, 'index.html'));
  if (leftOut) console.log(`Left out: the dashboard in a browser, as ${lacking}.`);
  return leftOut;
}

/** Where to put pictures of the pages; none are made without it. */
const pictures = process.env.GATEHOUSE_TEST_PICTURES;

export const desktop = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };

/** Where browsers make passkeys without https. */
const host = 'localhost';

/** The whole service on SQLite, with the dashboard as it was built last. It stops after the file. */
export async function startDashboard(): Promise<TestServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-dashboard-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const freshUrl = async () => `sqlite:${path.join(folder, 'gatehouse.db')}`;
  const port = await freePort();
  const settings = { port, publicUrl: `http://${host}:${port}` };
  return startTestServer(
    { name: 'SQLite', dialect: 'sqlite', freshUrl },
    { settings, dashboardFolder: pages },
  );
}

/** An operator of a site in a browser. */
export interface OperatorPage {
  readonly operator: TestOperator;
  readonly page: Page;
  /** What went wrong on the page: faults of scripts, and what the policy refused. */
  readonly faults: string[];
}

/** A browser for the file; each page that it opens has its own cookies, and is closed after the test. */
export function useBrowser(): {
  /** A page of the dashboard, for an operator who has just signed in. */
  open(
    server: TestServer,
    siteId: string,
    role?: OperatorRole,
    options?: BrowserContextOptions,
  ): Promise<OperatorPage>;
} {
  let browser: Browser;
  beforeAll(async () => {
    if (!existsSync(executablePath) && !process.env.CI) return;
    browser = await chromium.launch({ executablePath, args: browserFlags });
  });
  // A page that stays open goes on asking the server, and slows the tests that follow.
  afterEach(async () => {
    await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
  });
  afterAll(() => browser?.close());

  return {
    async open(server, siteId, role = 'owner', options = {}) {
      const operator = await anOperator(server, siteId, role);
      const context = await browser.newContext({
        baseURL: server.address.replace('127.0.0.1', host),
        viewport: desktop,
        locale: 'en',
        ...options,
      });
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(String(error)));
      page.on('console', (message) => {
        if (/Content Security Policy|Refused/.test(message.text())) faults.push(message.text());
      });
      await signIn(page, operator);
      return { operator, page, faults };
    },
  };
}

/** Gives the browser of the page the session of the operator. */
export async function signIn(page: Page, { browser }: TestOperator): Promise<void> {
  const domain = host;
  const cookies = [...browser.cookies].map(([name, value]) => ({ name, value, domain, path: '/' }));
  await page.context().addCookies(cookies);
}

/** Looks whether a page fits and can be used by everybody, and makes a picture of it where those are wanted. */
export async function look(page: Page, name: string): Promise<void> {
  const fits = await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth');
  expect([name, fits]).toEqual([name, true]);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  expect([name, violations.map(({ id, nodes }) => [id, nodes[0]?.html])]).toEqual([name, []]);
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}
