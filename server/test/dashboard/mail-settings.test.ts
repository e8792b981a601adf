import { beforeAll, describe, expect, test } from 'vitest';
import { look, phone } from '../browser.ts';
import { type Answer, type MailServer, startMailServer } from '../mail-server.ts';
import type { TestServer } from '../test-server.ts';
import { skipsDashboard, startDashboard, startDashboardWith, useBrowser } from './dashboard-browser.ts';

describe.skipIf(skipsDashboard())('the mail server in the settings', { timeout: 120_000 }, () => {
  const browser = useBrowser();
  let mailServer: MailServer;
  let answer: Answer = null;

  beforeAll(async () => {
    mailServer = await startMailServer({ recipient: () => answer });
  });

  async function open(server: TestServer) {
    const site = await server.createSite();
    const { slug } = (await site.get('/site')).body.data;
    return { ...(await browser.open(server, site.siteId)), slug };
  }

  test('a test email is followed until it was sent or refused, with the words of the mail server', async () => {
    const server = await startDashboardWith({ smtpUrl: mailServer.url, mailFrom: 'door@example.com' });
    const { page, slug, operator, faults } = await open(server);
    await page.goto(`/dashboard/${slug}/settings/mail`);
    await page.getByText('door@example.com').waitFor();
    await page.getByText(`127.0.0.1:${mailServer.port}`).waitFor();
    const send = page.getByRole('button', { name: 'Send a test email' });

    answer = { code: 550, text: 'No mailbox here' };
    await send.click();
    const result = page.getByRole('status').filter({ hasText: 'The email could not be sent.' });
    await result.getByText('550 No mailbox here').waitFor();
    await page.getByText('Reached, but it has not accepted the last email').waitFor();
    await look(page, 'settings-mail-failed');

    answer = null;
    await send.click();
    await page.getByText('The mail server accepted the email.').waitFor();
    await page.getByText('Works', { exact: true }).waitFor();
    expect(mailServer.deliveries.map(({ recipients }) => recipients)).toEqual([[operator.email]]);

    answer = { code: 451, text: 'Try again later' };
    await send.click();
    await page.getByText('The email could not be sent yet.').waitFor();
    await page.getByRole('status').getByText('451 Try again later').waitFor();
    await page.setViewportSize(phone);
    await look(page, 'settings-mail-delayed');
    expect(faults).toEqual([]);
  });

  test('without a mail server, the set-up steps lead to what has to be set', async () => {
    const { page, slug, faults } = await open(await startDashboard());
    await page.goto(`/dashboard/${slug}`);
    await page.getByRole('link', { name: 'Connect your mail server' }).click();
    await page.waitForURL('**/settings/mail');
    await page.getByText('GATEHOUSE_SMTP_URL').waitFor();
    const guide = page.getByRole('link', { name: 'What to set' });
    expect(await guide.getAttribute('href')).toBe('/help/settings.html#email');
    await look(page, 'settings-mail-missing');
    expect(faults).toEqual([]);
  });
});
