import { type Operation, type OperationId, operations } from '@gatehouse/contract';
import { type DashboardOperation, dashboardOperations } from '@gatehouse/contract/dashboard';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import {
  aPasskey,
  aSiteOwner,
  dashboardPath,
  everyDashboardOperation,
  readyDashboardRequest,
  sendDashboardRequest,
} from '../../../test/contract/dashboard-requests.ts';
import { everyOperation, readyRequest, sendReady } from '../../../test/contract/requests.ts';
import { logInOperator, moveLogin, OperatorBrowser } from '../../../test/operator.ts';
import { forEachStore } from '../../../test/stores.ts';
import { send } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

const minute = 60_000;
const justPast = 15 * minute + 1;
const refused = { status: 403, body: { error: { code: 'login_not_recent' } } };

const ofApi = everyOperation.filter((id) => (operations[id] as Operation).recentLogin);
const ofDashboard = everyDashboardOperation.filter(
  (id) => (dashboardOperations[id] as DashboardOperation).recentLogin,
);

test('what makes another way in needs a recent login', () => {
  expect(ofApi).toEqual([
    'revokeSessions',
    'createLoginProvider',
    'updateLoginProvider',
    'deleteLoginProvider',
    'createApiKey',
    'rotateApiKey',
    'inviteOperator',
    'updateOperator',
  ]);
  expect(ofDashboard).toEqual(['createPasskeyOptions', 'addPasskey', 'deletePasskey']);
});

forEachStore((store) => {
  const server = useTestServer(store);

  describe.each(ofApi)('%s', (id: OperationId) => {
    test('needs a login of an operator within the last 15 minutes, and none of a key', async () => {
      const { site, operator } = await aSiteOwner(server);
      const { method, path, body } = await readyRequest(id, site);
      const idempotency = id === 'updateOperator' ? {} : { 'idempotency-key': 'once' };
      const as = async () =>
        send(server.apiUrl + path, method, {
          headers: { authorization: `Bearer ${await operator.browser.token(site.siteId)}`, ...idempotency },
          body,
        });
      const token = await operator.browser.token(site.siteId);
      await moveLogin(server, operator, justPast);
      // A token from before counts no longer either.
      const before = await send(server.apiUrl + path, method, {
        headers: { authorization: `Bearer ${token}` },
        body,
      });
      expect(before).toMatchObject(refused);
      expect(before.body.error.message).toContain('Log in again');
      expect(await as()).toMatchObject(refused);
      expect((await sendReady(site, await readyRequest(id, site))).status).toBeLessThan(300);
      await moveLogin(server, operator, 14 * minute);
      expect((await as()).status).toBeLessThan(300);
    });
  });

  describe.each(ofDashboard)('%s', (id) => {
    test('needs a login within the last 15 minutes', async () => {
      const { operator, site } = await aSiteOwner(server);
      const request = await readyDashboardRequest(id, { server, site, operator });
      const count = async () =>
        (await operator.browser.request('GET', dashboardPath('listPasskeys'))).body.data.length;
      const before = await count();
      await moveLogin(server, operator, justPast);
      expect(await sendDashboardRequest(request)).toMatchObject(refused);
      expect(await count()).toBe(before);
      await moveLogin(server, operator, 14 * minute);
      expect((await sendDashboardRequest(request)).status).toBeLessThan(300);
    });
  });

  test('a login with a passkey makes the login recent, and ends the session before', async () => {
    const { operator } = await aSiteOwner(server);
    const { authenticator } = await aPasskey(operator);
    await moveLogin(server, operator, justPast);
    const { browser } = operator;
    const old = new OperatorBrowser(server);
    old.cookies.set('gatehouse_operator', browser.cookies.get('gatehouse_operator')!);
    const add = () => browser.request('POST', dashboardPath('createPasskeyOptions'), {});
    expect(await add()).toMatchObject(refused);
    const { body } = await browser.request('POST', dashboardPath('createPasskeyLoginOptions'), {});
    const response = authenticator.sign(body.data);
    const login = await browser.request('POST', dashboardPath('logInWithPasskey'), { response });
    expect(login.status).toBe(200);
    expect((await add()).status).toBe(200);
    expect((await old.request('GET', 'me')).status).toBe(401);
  });

  test('the use of a session makes the login no more recent', async () => {
    const { operator } = await aSiteOwner(server);
    await moveLogin(server, operator, justPast);
    await operator.browser.request('GET', 'me');
    const [session] = await server.database.all<{ created_at: string }>(
      sql`SELECT created_at FROM sessions WHERE id = ${operator.sessionId}`,
    );
    expect(Date.parse(session!.created_at)).toBeLessThan(Date.now() - 15 * minute);
    const other = await logInOperator(server, operator);
    const add = { method: 'POST', path: dashboardPath('createPasskeyOptions'), body: {} };
    expect(await sendDashboardRequest({ ...add, browser: operator.browser })).toMatchObject(refused);
    expect((await sendDashboardRequest({ ...add, browser: other.browser })).status).toBe(200);
  });
});
