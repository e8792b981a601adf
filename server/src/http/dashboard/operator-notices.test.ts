import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { aPasskey, dashboardPath } from '../../../test/contract/dashboard-requests.ts';
import { anOperator, logInOperator, OperatorBrowser } from '../../../test/operator.ts';
import { forEachStore } from '../../../test/stores.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { emailTo } from '../../../test/visitor.ts';

const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

forEachStore((store) => {
  const server = useTestServer(store, { settings: { loginLimit: 0, loginLimitClient: 0 } });

  /** The texts of the emails of a type to an operator. */
  async function noticesTo(email: string, type: 'new_passkey' | 'new_browser'): Promise<string[]> {
    const rows = await server.database.all<{ content: string }>(sql`
      SELECT content FROM emails WHERE recipient = ${email} AND type = ${type} ORDER BY id`);
    return rows.map(({ content }) => JSON.parse(content).text);
  }

  let links = 0;
  const logIn = async (email: string, browser: OperatorBrowser, headers = {}) => {
    await browser.visit('POST', '/dashboard/login', { email });
    links += 1;
    const { path } = await emailTo(server, email, links);
    expect((await browser.visit('POST', path, {}, headers)).status).toBe(303);
  };

  test('an operator gets an email about each new browser, except about the first login', async () => {
    links = 0;
    const site = await server.createSite();
    const { email } = await anOperator(server, site.siteId);
    const [first, second] = [new OperatorBrowser(server), new OperatorBrowser(server)];
    await logIn(email, first);
    expect(await noticesTo(email, 'new_browser')).toEqual([]);
    await logIn(email, first);
    expect(await noticesTo(email, 'new_browser')).toEqual([]);
    await second.visit('POST', '/dashboard/login', { email });
    const { code } = await emailTo(server, email, 3);
    await second.visit('POST', '/dashboard/code', { code: code! }, { ...firefox, 'accept-language': 'de' });
    const [text, ...others] = await noticesTo(email, 'new_browser');
    expect(others).toEqual([]);
    expect(text).toMatch(/Firefox.*127\.0\.0\.1/);
    expect(text).toContain('http://localhost:8080/dashboard/me');
    expect(text).toContain('Dashboard angemeldet');
    expect((await site.get('/emails')).body.data).not.toContainEqual(
      expect.objectContaining({ type: 'new_browser' }),
    );
  });

  test('a login with a passkey in a new browser is one too', async () => {
    links = 0;
    const site = await server.createSite();
    const operator = await anOperator(server, site.siteId);
    await logIn(operator.email, operator.browser);
    const { authenticator } = await aPasskey(operator);
    const browser = new OperatorBrowser(server);
    const { body } = await browser.request('POST', dashboardPath('createPasskeyLoginOptions'), {});
    const response = authenticator.sign(body.data);
    const answer = await browser.request('POST', dashboardPath('logInWithPasskey'), { response, next: '/' });
    expect(answer.status).toBe(200);
    expect(await noticesTo(operator.email, 'new_browser')).toHaveLength(1);
  });

  test('an operator gets an email about each new passkey, at most twenty a day', async () => {
    const site = await server.createSite();
    const operator = await anOperator(server, site.siteId);
    const { id } = await aPasskey(operator);
    const [text, ...others] = await noticesTo(operator.email, 'new_passkey');
    expect([text, others]).toEqual([expect.stringContaining('My laptop'), []]);
    await operator.browser.request('DELETE', dashboardPath('deletePasskey', { passkeyId: id }));
    const other = await logInOperator(server, operator);
    for (let count = 0; count < 20; count += 1) {
      const passkey = await aPasskey(other);
      await other.browser.request('DELETE', dashboardPath('deletePasskey', { passkeyId: passkey.id }));
    }
    expect(await noticesTo(operator.email, 'new_passkey')).toHaveLength(20);
  });
});
