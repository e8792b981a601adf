import { type Operation, operations } from '@gatehouse/contract';
import { type DashboardOperation, dashboardOperations } from '@gatehouse/contract/dashboard';
import { describe, expect, test } from 'vitest';
import { Authenticator } from '../../../test/authenticator.ts';
import { commandsOn } from '../../../test/command-line.ts';
import {
  aPasskey,
  aSiteOwner,
  dashboardPath,
  everyDashboardOperation,
} from '../../../test/contract/dashboard-requests.ts';
import { operationsWithKey, pathOf } from '../../../test/contract/requests.ts';
import { logInOperator, OperatorBrowser, type TestOperator } from '../../../test/operator.ts';
import { forEachStore } from '../../../test/stores.ts';
import { send, startTestServer } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

const refused = { status: 403, body: { error: { code: 'passkey_required' } } };
const isOpen = (id: (typeof everyDashboardOperation)[number]) => {
  const { loggedOut, withoutPasskey }: DashboardOperation = dashboardOperations[id];
  return loggedOut || withoutPasskey;
};
const closed = everyDashboardOperation.filter((id) => !isOpen(id));
const id = '01980a2f-5c44-7d18-8a3e-000000000000';
const anyIds = { memberId: id, groupId: id, keyId: id, sessionId: id, siteId: id };

test('without a passkey, operators see who they are, add the first one, and log out', () => {
  expect(everyDashboardOperation.filter((each) => isOpen(each)).sort()).toEqual(
    [
      'getMe',
      'logOut',
      'listPasskeys',
      'createPasskeyOptions',
      'addPasskey',
      'createPasskeyLoginOptions',
      'logInWithPasskey',
    ].sort(),
  );
});

forEachStore((store) => {
  const server = useTestServer(store, { settings: { requirePasskeys: true } });
  const free = useTestServer(store);

  async function logInWithPasskey({ browser: { cookies } }: TestOperator, sign: (data: never) => unknown) {
    const browser = new OperatorBrowser(server);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    const { body } = await browser.request('POST', dashboardPath('createPasskeyLoginOptions'), {});
    const response = sign(body.data as never);
    await browser.request('POST', dashboardPath('logInWithPasskey'), { response });
    return browser;
  }

  test.each(closed)('%s is refused after a login by email', async (operation) => {
    const { operator, site } = await aSiteOwner(server);
    const { method } = dashboardOperations[operation];
    const path = dashboardPath(operation);
    const body = method === 'POST' || method === 'PATCH' ? { siteId: site.siteId } : undefined;
    expect(await operator.browser.request(method, path, body)).toMatchObject(refused);
  });

  test('the changes of a site are not streamed after a login by email', async () => {
    const { operator, site } = await aSiteOwner(server);
    const stream = await operator.browser.request('GET', `sites/${site.siteId}/changes`);
    expect(stream).toMatchObject(refused);
  });

  describe('a token from before it was required', () => {
    test('is refused by every operation, and the stream', async () => {
      const other = await startTestServer(store, {
        databaseUrl: free.databaseUrl,
        settings: { requirePasskeys: true },
      });
      const { operator, site } = await aSiteOwner(free);
      const headers = { authorization: `Bearer ${await operator.browser.token(site.siteId)}` };
      expect((await send(`${free.apiUrl}/site`, 'GET', { headers })).status).toBe(200);
      for (const each of operationsWithKey) {
        const { method, body }: Operation = operations[each];
        const path = pathOf(each, anyIds).replaceAll('undefined', id);
        const request = { headers, ...(body && { body: {} }) };
        expect(await send(other.apiUrl + path, method, request), each).toMatchObject(refused);
      }
      expect(await send(`${other.apiUrl}/events/stream`, 'GET', { headers })).toMatchObject(refused);
      const key = { headers: { authorization: `Bearer ${site.key}` } };
      expect((await send(`${other.apiUrl}/site`, 'GET', key)).status).toBe(200);
      await other.stop();
    });
  });

  test('an operator adds the first passkey, logs in with it, and adds another', async () => {
    const { operator, site } = await aSiteOwner(server);
    const { browser } = operator;
    const me = async (of = browser) => (await of.request('GET', 'me')).body.data;
    expect(await me()).toMatchObject({ needsPasskey: true, sites: [], mayCreateSites: false });
    const { authenticator } = await aPasskey(operator);
    expect(await me()).toMatchObject({ needsPasskey: true });
    expect(await browser.request('POST', 'token', { siteId: site.siteId })).toMatchObject(refused);
    const byPasskey = await logInWithPasskey(operator, (data) => authenticator.sign(data));
    expect(await me(byPasskey)).toMatchObject({ needsPasskey: false, sites: [{ id: site.siteId }] });
    expect((await byPasskey.api(site.siteId, 'GET', '/operators')).status).toBe(200);
    const more = { ...operator, browser: byPasskey };
    expect((await aPasskey(more)).id).toEqual(expect.any(String));
  });

  test('whoever logs in by email cannot add a passkey to those of the operator', async () => {
    const { operator } = await aSiteOwner(server);
    // Two logins by email began to add the first one.
    const other = await logInOperator(server, operator);
    const begin = () => other.browser.request('POST', dashboardPath('createPasskeyOptions'), {});
    const begun = await begin();
    expect(begun.status).toBe(200);
    await aPasskey(operator);
    expect(await begin()).toMatchObject(refused);
    const response = new Authenticator('http://localhost:8080').register(begun.body.data);
    const late = { name: 'Another', response };
    expect(await other.browser.request('POST', dashboardPath('addPasskey'), late)).toMatchObject(refused);
    expect((await operator.browser.request('GET', 'passkeys')).body.data).toHaveLength(1);
  });

  test('who has lost the passkey gets it removed on the server, and adds a new one', async () => {
    const { operator, site } = await aSiteOwner(server);
    await aPasskey(operator);
    const { slug } = (await site.get('/site')).body.data;
    const run = commandsOn(server.databaseUrl);
    const args = ['operator', 'remove-passkeys', operator.email, '--site', slug, '--json'];
    expect((await run(args)).json).toMatchObject({ email: operator.email, removed: 1 });
    expect((await operator.browser.request('GET', 'me')).status).toBe(401);
    const again = await logInOperator(server, operator);
    expect((await aPasskey(again)).id).toEqual(expect.any(String));
    expect((await run(['operator', 'remove-passkeys', 'nobody@example.com', '--site', slug])).exitCode).toBe(
      1,
    );
  });
});
