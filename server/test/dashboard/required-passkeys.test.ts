import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, look } from '../browser.ts';
import { freePort } from '../free-port.ts';
import { anOperator, moveLogin } from '../operator.ts';
import { forOneStore } from '../stores.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { skipsDashboard, untilStill } from './dashboard-browser.ts';

const pages = path.resolve(import.meta.dirname, '../../../dashboard/dist');

// The dashboard knows only the API and no store.
forOneStore((store) => {
  describe.skipIf(skipsDashboard())('required passkeys', { timeout: 180_000 }, () => {
    let server: TestServer;
    let origin: string;
    let browser: Browser;

    beforeAll(async () => {
      const port = await freePort();
      origin = `http://localhost:${port}`;
      const settings = { port, publicUrl: origin, requirePasskeys: true };
      server = await startTestServer(store, { settings, dashboardFolder: pages });
      browser = await launchBrowser();
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      await server?.stop();
    });

    test('an operator adds the first passkey, uses it, and gets to the page', async () => {
      const site = await server.createSite();
      const { slug } = (await site.get('/site')).body.data;
      const operator = await anOperator(server, site.siteId);
      const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce' });
      const value = operator.browser.cookies.get('gatehouse_operator')!;
      await context.addCookies([{ name: 'gatehouse_operator', value, url: origin }]);
      const page = await context.newPage();
      const devtools = await context.newCDPSession(page);
      await devtools.send('WebAuthn.enable');
      const options = {
        protocol: 'ctap2',
        transport: 'internal',
        automaticPresenceSimulation: true,
      } as const;
      await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: { ...options, hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      });
      await page.goto(`${origin}/dashboard/`);
      await page.getByRole('heading', { level: 1, name: 'A passkey is required' }).waitFor();
      expect(await page.getByRole('navigation').count()).toBe(0);
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
      const use = page.getByRole('button', { name: 'Use passkey' });
      await use.waitFor();
      await look(page, 'dashboard-passkey-needed');
      await use.press('Enter');
      await page.waitForURL(`${origin}/dashboard/${slug}`);
      await page.getByRole('link', { name: 'Operators' }).click();
      await page.getByRole('row', { name: operator.email }).waitFor();

      const sessions = await (await context.request.get(`${origin}/dashboard/api/sessions`)).json();
      const { id } = sessions.data.find(({ current }: { current: boolean }) => current);
      await moveLogin(server, { sessionId: id }, 16 * 60_000);
      await page.getByRole('button', { name: 'Invite' }).click();
      await page.getByLabel('Email address').fill('barbara@example.com');
      await page.getByRole('button', { name: 'Send the invitation' }).click();
      const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
      const focused = question.locator('button:focus', { hasText: 'Use passkey' });
      await focused.waitFor();
      expect(await question.getByRole('link').count()).toBe(0);
      expect(await question.getByRole('button', { name: 'I have logged in' }).count()).toBe(0);
      await untilStill(page);
      await look(page, 'dashboard-confirm-login-passkey');
      await focused.press('Enter');
      await page.getByRole('row', { name: /barbara@example.com/ }).waitFor();
    });
  });
});
