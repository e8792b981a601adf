import { afterEach, expect, test } from 'vitest';
import { aDomain } from '../../../test/contract/given.ts';
import { day, hour, movableTime } from '../../../test/movable-time.ts';
import { anOperator, OperatorBrowser } from '../../../test/operator.ts';
import { forEachStore } from '../../../test/stores.ts';
import { send, startTestServer, type TestServer } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { emailTo } from '../../../test/visitor.ts';

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const settings = { loginLimit: 0, loginLimitClient: 0 };
  const server = useTestServer(store, { clock, settings });

  const start = clock().getTime();
  // On SQLite, links use the real time.
  afterEach(() => advance(start - clock().getTime()));

  /** An operator who has logged in with a link, and the cookie that the browser got. */
  async function loggedIn(on: TestServer = server) {
    const site = await on.createSite();
    const { email } = await anOperator(on, site.siteId);
    const browser = new OperatorBrowser(on);
    await browser.visit('POST', '/dashboard/login', { email });
    const { headers } = await browser.visit('POST', (await emailTo(on, email)).path);
    const cookie = headers['set-cookie']!.find((each) => /gatehouse_operator=/.test(each))!;
    return { site, browser, cookie };
  }

  /** Uses the session until that is recorded, which takes a moment. */
  const use = async (browser: OperatorBrowser) => {
    const lastSeenAt = async () => {
      const { body } = await browser.request('GET', 'sessions');
      return body.data.find(({ current }: { current: boolean }) => current).lastSeenAt;
    };
    await expect.poll(lastSeenAt, { interval: 5 }).toBe(clock().toISOString());
  };
  const unattended = { 'x-gatehouse-unattended': 'true' };
  const statusOf = async (browser: OperatorBrowser) => (await browser.request('GET', 'me')).status;

  test('an operator who does nothing for twelve hours is logged out', async () => {
    const { browser, site } = await loggedIn();
    const token = await browser.token(site.siteId);
    advance(11 * hour);
    await use(browser);
    advance(12 * hour - 1);
    expect((await browser.request('GET', 'me', undefined, unattended)).status).toBe(200);
    advance(1);
    expect(await statusOf(browser)).toBe(401);
    const headers = { authorization: `Bearer ${token}` };
    const { status } = await send(`${server.apiUrl}/site`, 'GET', { headers });
    expect(status).toBe(401);
  });

  test('both limits can be set, and sessions that were opened before are shortened at the start', async () => {
    const { browser, cookie } = await loggedIn();
    expect(cookie).toContain(`Max-Age=${(30 * day) / 1_000};`);
    const { databaseUrl } = server;
    const shorter = { ...settings, operatorSessionIdleHours: 6, operatorSessionDays: 1 };
    const other = await startTestServer(store, { clock, databaseUrl, settings: shorter });
    const later = await loggedIn(other);
    expect(later.cookie).toContain(`Max-Age=${day / 1_000};`);
    for (let passed = 0; passed < day; passed += 6 * hour - 1) {
      await use(later.browser);
      advance(6 * hour - 1);
      const { status } = await browser.request('GET', 'me', undefined, unattended);
      expect(status).toBe(passed === 0 ? 200 : 401);
    }
    expect(await statusOf(later.browser)).toBe(401);
    await other.stop();
  });

  test('logging out over HTTPS lets the browser delete what the dashboard has stored', async () => {
    const atHttps = await startTestServer(store, {
      settings: { ...settings, publicUrl: 'https://gate.example.org' },
    });
    const ways = [
      (browser: OperatorBrowser) => browser.request('POST', 'logout', {}),
      (browser: OperatorBrowser) => browser.request('POST', 'logout', { everywhere: true }),
    ];
    for (const logOut of ways) {
      const site = await atHttps.createSite();
      await aDomain(site);
      const { browser } = await anOperator(atHttps, site.siteId);
      const session = browser.cookies.get('gatehouse_operator')!;
      browser.cookies.set('__Host-gatehouse_operator', session);
      const { status, headers } = await logOut(browser);
      expect([status, headers.get('clear-site-data')]).toEqual([204, '"storage"']);
    }
    await atHttps.stop();
    const { browser } = await loggedIn();
    expect((await browser.request('POST', 'logout', {})).headers.get('clear-site-data')).toBeNull();
  });
});
