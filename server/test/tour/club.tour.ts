import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { desktop, launchUsersBrowser, watchFaults } from '../browser.ts';
import { logIn, untilQuiet } from '../dashboard/dashboard-browser.ts';
import { freePort } from '../free-port.ts';
import { startMailServer } from '../mail-server.ts';
import { noEmailLimits, startLastingServer, type TestServer } from '../test-server.ts';
import { startWebhookReceiver } from '../webhook-receiver.ts';
import { type Club, domain, fillClub, withoutMailbox } from './club.ts';
import { type Scheme, schemes, takeWebp } from './pictures.ts';
import { realNow, shownAt, timeZone } from './time.ts';

const pages = path.resolve(import.meta.dirname, '../../../dashboard/dist');

test('the pictures of the tour', async () => {
  const server = await startService();
  const working = await startWebhookReceiver();
  const failing = await startWebhookReceiver();
  failing.respond = (response) => response.writeHead(500).end('Internal error');
  const club = await fillClub(server, { working, failing });
  const browser = await launchUsersBrowser(
    `--host-resolver-rules=MAP ${domain}:80 ${new URL(server.address).host}`,
  );
  for (const scheme of schemes) await takePictures(browser, server, club, scheme);
  await browser.close();
});

/** On PostgreSQL everything happens in this process, whose time can be set. */
async function startService(): Promise<TestServer> {
  const { name } = inject('stores').find(({ dialect }) => dialect === 'postgres')!;
  const port = await freePort();
  const mail = await startMailServer({
    recipient: (address) =>
      address === withoutMailbox.email
        ? { code: 550, text: `5.1.1 <${address}>: Recipient address rejected: User unknown` }
        : null,
  });
  const settings = {
    port,
    publicUrl: `http://localhost:${port}`,
    smtpUrl: mail.url,
    mailFrom: `office@${domain}`,
    emailLimits: noEmailLimits,
  };
  return startLastingServer(name, { settings, dashboardFolder: pages });
}

/** Takes every picture of the tour in one color scheme. */
async function takePictures(
  browser: Browser,
  server: TestServer,
  { owner, slug, memberId }: Club,
  scheme: Scheme,
): Promise<void> {
  const baseURL = server.address.replace('127.0.0.1', 'localhost');
  const look = { viewport: desktop, colorScheme: scheme, reducedMotion: 'reduce', locale: 'en-GB' } as const;
  const context = await browser.newContext({ baseURL, timezoneId: timeZone, ...look });
  const page = await context.newPage();
  const faults: string[] = [];
  watchFaults(page, faults);
  await page.addInitScript(shiftedDate(shownAt.getTime() - realNow()));
  await logIn(page, owner);
  const take = async (name: string, path: string, prepare?: (page: Page) => Promise<unknown>) => {
    await page.goto(path);
    await prepare?.(page);
    await untilQuiet(page);
    await takeWebp(page, `images/${name}-${scheme}`);
  };
  await take('overview', `/dashboard/${slug}`);
  await take('members', `/dashboard/${slug}/members?sort=lastLoginAt&order=desc`);
  await take('member', `/dashboard/${slug}/members/${memberId}`);
  await take('rules', `/dashboard/${slug}/rules`, () =>
    page.getByRole('button', { name: 'My pages are files' }).click(),
  );
  await take('settings', `/dashboard/${slug}/settings/look`);
  await take('login', `http://${domain}/_gatehouse/login`);
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
