import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { skipsDashboard, startDashboard } from './dashboard-browser.ts';

describe.skipIf(skipsDashboard())('the API reference', { timeout: 180_000 }, () => {
  let server: TestServer;
  let site: TestSite;

  beforeAll(async () => {
    server = await startDashboard();
    site = await server.createSite();
  });

  test('it reads the document without a warning in the console, and sends the first request', async () => {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      const faults = watchConsole(page);
      const isRead = page.waitForEvent('console', {
        predicate: (message) => /^addDocument/.test(message.text()),
      });
      await page.goto(`${server.address}/docs`);
      await isRead;
      expect(faults).toEqual([]);

      await page.locator('[placeholder=Token]:visible').first().fill(site.key);
      await page
        .getByRole('button', { name: /^Test Request/ })
        .first()
        .click();
      const answered = page.waitForResponse((response) => response.url().endsWith('/api/v1/members'));
      await page.getByRole('button', { name: /^Send/ }).first().click();
      expect((await answered).status()).toBe(200);
      expect(faults).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});

/** Collects the warnings and errors of a page. */
function watchConsole(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'warning' || message.type() === 'error') faults.push(message.text());
  });
  return faults;
}
