import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import type { Settings } from '../../src/app/settings/settings.ts';
import { desktop, watchFaults } from '../browser.ts';
import { logIn } from '../dashboard/dashboard-browser.ts';
import { freePort } from '../free-port.ts';
import type { TestOperator } from '../operator.ts';
import { startLastingServer, type TestServer } from '../test-server.ts';
import { realNow, timeZone } from './time.ts';

const pages = path.resolve(import.meta.dirname, '../../../dashboard/dist');

/** Starts the service. On PostgreSQL everything happens in this process, whose time can be set. */
export async function startService(settings: Partial<Settings>): Promise<TestServer> {
  const { name } = inject('stores').find(({ dialect }) => dialect === 'postgres')!;
  const port = await freePort();
  return startLastingServer(name, {
    settings: { ...settings, port, publicUrl: `http://localhost:${port}` },
    dashboardFolder: pages,
  });
}

/** Lets an operator use the dashboard, at the time of the service. The page must have no errors. */
export async function withPage(
  { browser, server, owner }: { browser: Browser; server: TestServer; owner: TestOperator },
  options: BrowserContextOptions,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const baseURL = server.address.replace('127.0.0.1', 'localhost');
  const look = { viewport: desktop, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: timeZone } as const;
  const context = await browser.newContext({ baseURL, ...look, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  watchFaults(page, faults);
  await page.addInitScript(shiftedDate(Date.now() - realNow()));
  await logIn(page, owner);
  await use(page);
  expect(faults).toEqual([]);
  await context.close();
}

/** Sets the date of a page, whose time goes on: nothing is shown that has to wait for a time that stands still. */
function shiftedDate(milliseconds: number): string {
  return `{
    const Real = Date;
    window.Date = class extends Real {
      constructor(...given) {
        super(...(given.length > 0 ? given : [Real.now() + ${milliseconds}]));
      }
      static now() {
        return Real.now() + ${milliseconds};
      }
    };
  }`;
}
