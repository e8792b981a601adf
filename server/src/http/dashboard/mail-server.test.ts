import type { Email } from '@gatehouse/contract';
import { beforeAll, expect, test } from 'vitest';
import { expectDashboardAnswer } from '../../../test/contract/answers.ts';
import { dashboardPath } from '../../../test/contract/dashboard-requests.ts';
import { everyItem } from '../../../test/contract/given.ts';
import { type MailServer, startMailServer } from '../../../test/mail-server.ts';
import { anOperator, type TestOperator } from '../../../test/operator.ts';
import { forEachStore, stopInTheEnd } from '../../../test/stores.ts';
import { startTestServer, type TestServer, type TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

const mailFrom = 'door@example.com';
/** Longer than an email takes, and shorter than it would wait for the next look at all sites. */
const patience = { timeout: 15_000 };

const readWith = ({ browser }: TestOperator, { siteId }: Pick<TestSite, 'siteId'>) =>
  browser.request('GET', `${dashboardPath('getMailServer')}?siteId=${siteId}`);
const testWith = ({ browser }: TestOperator, { siteId }: Pick<TestSite, 'siteId'>) =>
  browser.request('POST', dashboardPath('testMailServer'), { siteId });

async function stateOf(site: TestSite, operator: TestOperator) {
  return expectDashboardAnswer('getMailServer', await readWith(operator, site), 200).data;
}

async function sendTest(site: TestSite, operator: TestOperator): Promise<string> {
  return expectDashboardAnswer('testMailServer', await testWith(operator, site), 201).data.emailId;
}

async function emailOf(site: TestSite, emailId: string): Promise<Email & { text: string | null }> {
  return (await site.get(`/emails/${emailId}`)).body.data;
}

/** Reads the test email again and again, until it matches. */
async function untilEmail(site: TestSite, emailId: string, expected: Partial<Email>) {
  await expect.poll(() => emailOf(site, emailId), patience).toMatchObject(expected);
  return emailOf(site, emailId);
}

async function anOwner(server: TestServer) {
  const site = await server.createSite();
  return { site, operator: await anOperator(server, site.siteId) };
}

forEachStore((store) => {
  const withoutMail = useTestServer(store);

  test('without a mail server, a test email is not sent, and its content can be read', async () => {
    const { site, operator } = await anOwner(withoutMail);
    const nothing = { configured: false, from: null, host: null, lastSentAt: null, lastFailure: null };
    expect(await stateOf(site, operator)).toEqual(nothing);
    const id = await sendTest(site, operator);
    const email = await untilEmail(site, id, { status: 'not_sent' });
    const { title } = (await site.get('/site')).body.data;
    expect(email).toMatchObject({ type: 'mail_test', recipient: operator.email, memberId: null });
    expect(email.text).toContain(`This is a test from ${title}. If you read this, email works.`);
    const viewer = await anOperator(withoutMail, site.siteId, 'viewer');
    const seen = await viewer.browser.api(site.siteId, 'GET', `/emails/${id}`);
    expect(seen.body.data).toMatchObject({ type: 'mail_test', text: null, html: null });
    expect(await stateOf(site, operator)).toEqual(nothing);
  });

  test('the email is in the language of the browser', async () => {
    const { site, operator } = await anOwner(withoutMail);
    const path = dashboardPath('testMailServer');
    const { siteId } = site;
    const answer = await operator.browser.request('POST', path, { siteId }, { 'accept-language': 'de' });
    expect(await emailOf(site, answer.body.data.emailId)).toMatchObject({
      subject: expect.stringMatching(/^Test-E-Mail von /),
    });
  });

  test('only operators who may change the settings of the site see the mail server, and test it', async () => {
    const { site } = await anOwner(withoutMail);
    const elsewhere = await anOwner(withoutMail);
    const admin = await anOperator(withoutMail, site.siteId, 'admin');
    await stateOf(site, admin);
    await sendTest(site, admin);
    const before = await everyItem(site, '/emails');
    for (const operator of [
      await anOperator(withoutMail, site.siteId, 'support'),
      await anOperator(withoutMail, site.siteId, 'viewer'),
      elsewhere.operator,
    ]) {
      expectDashboardAnswer('getMailServer', await readWith(operator, site), 403, 'permission_denied');
      expectDashboardAnswer('testMailServer', await testWith(operator, site), 403, 'permission_denied');
    }
    const unknown = { siteId: crypto.randomUUID() };
    expectDashboardAnswer('getMailServer', await readWith(admin, unknown), 403, 'permission_denied');
    expectDashboardAnswer('testMailServer', await testWith(admin, unknown), 403, 'permission_denied');
    const ids = (emails: readonly { id: string }[]) => emails.map(({ id }) => id);
    expect(ids(await everyItem(site, '/emails'))).toEqual(ids(before));
    expect(await everyItem(elsewhere.site, '/emails')).toEqual([]);
  });

  const unreachable = useTestServer(store, {
    settings: { smtpUrl: 'smtp://postmaster:hush@127.0.0.1:1?ignoreTLS=true', mailFrom },
  });

  test('while the mail server is down, the email waits and says why; its host is shown on the only site', async () => {
    const { site, operator } = await anOwner(unreachable);
    expect(await stateOf(site, operator)).toMatchObject({
      configured: true,
      from: mailFrom,
      host: '127.0.0.1:1',
    });
    const id = await sendTest(site, operator);
    const error = expect.stringContaining('could not be reached');
    const { createdAt } = await untilEmail(site, id, { status: 'waiting', lastError: error });
    const state = await readWith(operator, site);
    expect(expectDashboardAnswer('getMailServer', state, 200).data).toMatchObject({
      lastSentAt: null,
      lastFailure: { at: createdAt, error, reply: null },
    });
    const answers = [state, await testWith(operator, site), await site.get(`/emails/${id}`)];
    for (const { text } of answers) expect(text).not.toMatch(/postmaster|hush/);
    await unreachable.createSite();
    expect(await stateOf(site, operator)).toMatchObject({ configured: true, from: mailFrom, host: null });
  });

  const refused = new Set<string>();
  let mailServer: MailServer;
  let server: TestServer;
  beforeAll(async () => {
    mailServer = await startMailServer({
      recipient: (address) => (refused.has(address) ? { code: 550, text: 'No mailbox here' } : null),
    });
    stopInTheEnd(mailServer.stop);
    const emailLimits = { mailbox: 10, sender: 1, signUp: 0, signUpMailbox: 0 };
    server = await startTestServer(store, { settings: { smtpUrl: mailServer.url, mailFrom, emailLimits } });
  });

  test('an accepted test email reaches the operator without delay', async () => {
    const { site, operator } = await anOwner(server);
    const { sentAt } = await untilEmail(site, await sendTest(site, operator), { status: 'sent' });
    expect(mailServer.deliveries.at(-1)).toMatchObject({ recipients: [operator.email], sender: mailFrom });
    expect(await stateOf(site, operator)).toMatchObject({ lastSentAt: sentAt, lastFailure: null });
    const elsewhere = await anOwner(server);
    expect(await stateOf(elsewhere.site, elsewhere.operator)).toMatchObject({ lastSentAt: null });
  });

  test('a refused test email has the words of the mail server, and cannot be sent again', async () => {
    const { site, operator } = await anOwner(server);
    refused.add(operator.email);
    const id = await sendTest(site, operator);
    const { createdAt } = await untilEmail(site, id, {
      status: 'failed',
      lastError: 'The mail server replied 550.',
      mailServerReply: '550 No mailbox here',
    });
    const failure = { at: createdAt, error: 'The mail server replied 550.', reply: '550 No mailbox here' };
    expect(await stateOf(site, operator)).toMatchObject({ lastSentAt: null, lastFailure: failure });
    const again = await site.post(`/emails/${id}/resend`, undefined);
    expect([again.status, again.body.error.code]).toEqual([409, 'email_not_resendable']);
    const other = await anOperator(server, site.siteId);
    await untilEmail(site, await sendTest(site, other), { status: 'sent' });
    expect(await stateOf(site, operator)).toMatchObject({
      lastSentAt: expect.any(String),
      lastFailure: failure,
    });
  });

  test('test emails count in the limits of emails, on the site and for the operator', async () => {
    const { site, operator } = await anOwner(server);
    await sendTest(site, operator);
    const more = await testWith(operator, site);
    expectDashboardAnswer('testMailServer', more, 429, 'email_budget_exhausted');
    expect(Number(more.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await everyItem(site, '/emails')).toHaveLength(1);
    const [event] = await everyItem(site, '/events?type=email-budget.exhausted');
    expect(event).toMatchObject({
      actor: { type: 'operator', id: operator.id },
      data: { budget: 'sender', limit: 1, memberId: null },
    });
    await sendTest(site, await anOperator(server, site.siteId));
  });
});
