import type { Browser, Page } from 'playwright-core';
import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { updateMember } from '../../src/domain/members/members.ts';
import { lacksBrowser, launchBrowser } from '../browser.ts';
import { changing } from '../change.ts';
import { freePort } from '../free-port.ts';
import { anOperator, OperatorBrowser, operatorTenantOf, type TestOperator } from '../operator.ts';
import { noteSkipped } from '../skipped.ts';
import { forEachStore } from '../stores.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

const skipped = lacksBrowser();
if (skipped) noteSkipped('passkeys, because Chromium is not installed.');

forEachStore((store) => {
  describe.skipIf(skipped)('passkeys, in a browser', { timeout: 180_000 }, () => {
    let server: TestServer;
    let origin: string;
    let browser: Browser;

    beforeAll(async () => {
      const port = await freePort();
      origin = `http://localhost:${port}`;
      server = await startTestServer(store, { settings: { port, publicUrl: origin } });
      browser = await launchBrowser();
    }, 60_000);
    afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
    afterAll(() => browser?.close());

    /** Opens the login page in a browser that supports passkeys, with the session of an operator if one is given. */
    async function open(operator?: TestOperator): Promise<Page> {
      const context = await browser.newContext();
      const value = operator?.browser.cookies.get('gatehouse_operator');
      if (value) await context.addCookies([{ name: 'gatehouse_operator', value, url: origin }]);
      const page = await context.newPage();
      const devtools = await context.newCDPSession(page);
      await devtools.send('WebAuthn.enable');
      await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      await page.goto(`${origin}/dashboard/login?next=/dashboard/club/members`);
      return page;
    }

    /** Adds a passkey in the same way as the dashboard. */
    const addPasskey = (page: Page, name: string) => run(page, register, name);

    const anyOperator = async () => anOperator(server, (await server.createSite()).siteId);

    test('an operator who has added one can log in without an email', async () => {
      const operator = await anyOperator();
      const page = await open(operator);
      const added = await addPasskey(page, 'My laptop');
      expect(added).toMatchObject({ status: 201, body: { data: { name: 'My laptop', lastUsedAt: null } } });
      await page.context().clearCookies();
      await page.reload();
      await page.getByRole('button', { name: 'Log in with a passkey' }).click();
      await page.waitForURL(`${origin}/dashboard/club/members`);
      const cookies = await page.context().cookies();
      const names = cookies.map(({ name }) => name).sort();
      expect(names).toEqual(['gatehouse_operator', 'gatehouse_operator_device', 'gatehouse_operator_form']);
      const { data } = (await operator.browser.request('GET', 'passkeys')).body;
      expect(data).toEqual([{ ...added.body.data, lastUsedAt: expect.any(String) }]);
      expect((await operator.browser.request('DELETE', `passkeys/${data[0].id}`)).status).toBe(204);
      expect((await operator.browser.request('DELETE', `passkeys/${data[0].id}`)).status).toBe(404);
      // Without a session the open page would go to the login page by itself.
      await page.goto(`${origin}/healthz`);
      await page.context().clearCookies();
      await page.goto(`${origin}/dashboard/login`);
      await page.getByRole('button', { name: 'Log in with a passkey' }).click();
      await page.getByText('Logging in with the passkey failed.').waitFor();
    });

    test('only sign the challenge of this browser, once, within five minutes', async () => {
      const operator = await anyOperator();
      const page = await open(operator);
      await addPasskey(page, 'Key');
      const cookieOf = async () =>
        (await page.context().cookies()).find(({ name }) => name === 'gatehouse_operator_login')?.value;
      const send = (response: unknown, token: string | undefined) => {
        const other = new OperatorBrowser(server);
        if (token !== undefined) other.cookies.set('gatehouse_operator_login', token);
        return other.request('POST', 'passkey-login', { response }, { origin });
      };
      const apiError = { status: 400, body: { error: { code: 'invalid_request' } } };

      const elsewhere = await run(page, sign);
      expect(await send(elsewhere.body, undefined)).toMatchObject(apiError);
      expect(await send(elsewhere.body, 'A'.repeat(43))).toMatchObject(apiError);
      const answers = await Promise.all(
        Array.from({ length: 8 }, async () => send(elsewhere.body, await cookieOf())),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);

      const late = await run(page, sign);
      const past = new Date(Date.now() - 1_000).toISOString();
      const { id: tenantId } = await operatorTenantOf(server);
      await server.database.transaction((tx) =>
        tx.run(sql`UPDATE passkey_challenges SET expires_at = ${past} WHERE site_id = ${tenantId}`),
      );
      expect(await send(late.body, await cookieOf())).toMatchObject(apiError);

      const old = await run(page, sign);
      await run(page, sign);
      expect(await send(old.body, await cookieOf())).toMatchObject(apiError);
    });

    test('are rejected if the signature is invalid or the operator is blocked', async () => {
      const operator = await anyOperator();
      const page = await open(operator);
      await addPasskey(page, 'Key');
      const use = (change: string) => run(page, logIn, change);
      for (const change of ['signature', 'clientDataJSON', 'authenticatorData', 'id']) {
        expect((await use(change)).status, change).toBe(400);
      }
      const tenant = await operatorTenantOf(server);
      await changing(server.database, tenant.id, (change) =>
        updateMember(change, operator.personId, { status: 'blocked' }, () => {}),
      );
      expect((await use('')).status).toBe(400);
    });

    test('cannot be added without a session or without a challenge', async () => {
      const page = await open();
      expect((await run(page, register, 'Key')).status).toBe(401);
      const { browser: loggedIn } = await anyOperator();
      const response = { id: 'x', rawId: 'x', type: 'public-key', response: {} };
      for (const body of [{ response, name: 'Key' }, { response: {}, name: 'Key' }, { name: 'Key' }]) {
        expect((await loggedIn.request('POST', 'passkeys', body)).body.error.code).toBe('invalid_request');
      }
    });

    test('are deleted with the operator', async () => {
      const site = await server.createSite();
      const operator = await anOperator(server, site.siteId, 'viewer');
      await addPasskey(await open(operator), 'Key');
      expect((await site.delete(`/operators/${operator.id}`)).status).toBe(204);
      const left = await server.database.all(
        sql`SELECT id FROM passkeys WHERE member_id = ${operator.personId}`,
      );
      expect(left).toEqual([]);
    });
  });
});

interface Sent {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the response can have any body
  body: any;
}

// These functions run in the page as text and have no access to this file.

const helpers = `
  const post = async (path, body) => {
    const answer = await fetch('/dashboard/api/' + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const asked = async () => {
    const { body } = await post('passkey-login/options', {});
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(body.data);
    return (await navigator.credentials.get({ publicKey })).toJSON();
  };
`;
const register = inPage(`
  const { status, body } = await post('passkeys/options', {});
  if (status !== 200) return { status, body };
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(body.data);
  const credential = await navigator.credentials.create({ publicKey });
  return post('passkeys', { response: credential.toJSON(), name: argument });
`);
const sign = inPage('return { status: 0, body: await asked() };');
const logIn = inPage(`
  const response = await asked();
  const place = argument === 'id' ? response : response.response;
  const swap = (text) => (text.at(-10) === 'A' ? 'B' : 'A');
  if (argument) {
    const text = place[argument];
    place[argument] = text.slice(0, -10) + swap(text) + text.slice(-9);
  }
  return post('passkey-login', { response });
`);

function run(page: Page, script: (argument: string) => Promise<Sent>, argument = ''): Promise<Sent> {
  return page.evaluate<Sent, string>(script, argument);
}

function inPage(body: string): (argument: string) => Promise<Sent> {
  return new Function('argument', `return (async () => { ${helpers} ${body} })();`) as never;
}
