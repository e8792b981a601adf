import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { launchUsersBrowser } from '../browser.ts';
import { untilQuiet } from '../dashboard/dashboard-browser.ts';
import { startMailServer } from '../mail-server.ts';
import { noEmailLimits, type TestServer } from '../test-server.ts';
import { startWebhookReceiver } from '../webhook-receiver.ts';
import { type Club, fillClub, withoutMailbox } from './club.ts';
import { domain } from './club-site.ts';
import { type Scheme, schemes, takeWebp } from './pictures.ts';
import { startService, withPage } from './service.ts';

test('the pictures of the tour', async () => {
  const server = await startWithMail();
  const working = await startWebhookReceiver();
  const failing = await startWebhookReceiver();
  failing.respond = (response) => response.writeHead(500).end('Internal error');
  const club = await fillClub(server, { working, failing });
  const browser = await launchUsersBrowser(
    `--host-resolver-rules=MAP ${domain}:80 ${new URL(server.address).host}`,
  );
  for (const colorScheme of schemes)
    await withPage({ browser, server, owner: club.owner }, { colorScheme }, (page) =>
      takePictures(page, club, colorScheme),
    );
  await browser.close();
});

async function startWithMail(): Promise<TestServer> {
  const mail = await startMailServer({
    recipient: (address) =>
      address === withoutMailbox.email
        ? { code: 550, text: `5.1.1 <${address}>: Recipient address rejected: User unknown` }
        : null,
  });
  return startService({ smtpUrl: mail.url, mailFrom: `office@${domain}`, emailLimits: noEmailLimits });
}

/** Takes every picture of the tour in one color scheme. */
async function takePictures(page: Page, { slug, memberId }: Club, scheme: Scheme): Promise<void> {
  const take = async (name: string, path: string, prepare?: (page: Page) => Promise<unknown>) => {
    await page.goto(path);
    await prepare?.(page);
    await untilQuiet(page);
    await takeWebp(page, `images/${name}-${scheme}`);
  };
  await take('overview', `/dashboard/${slug}`);
  await take('members', `/dashboard/${slug}/members?sort=lastLoginAt&order=desc`, () =>
    page.getByRole('cell', { name: 'Masters' }).first().waitFor(),
  );
  await take('member', `/dashboard/${slug}/members/${memberId}`);
  await take('rules', `/dashboard/${slug}/rules`, () =>
    page.getByRole('button', { name: 'My pages are files' }).click(),
  );
  await take('settings', `/dashboard/${slug}/settings/look`);
  await take('login', `http://${domain}/_gatehouse/login`);
}
