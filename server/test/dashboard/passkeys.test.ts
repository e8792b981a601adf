import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemCause } from '../../src/base/cause.ts';
import { updateMember } from '../../src/members/members.ts';
import { anOperator, OperatorBrowser, realmOfOperators, type TestOperator } from '../operator.ts';
import { forEachStore } from '../stores.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

const executablePath = process.env.GATEHOUSE_TEST_CHROMIUM ?? '/usr/bin/chromium';
const leftOut = !process.env.CI && !existsSync(executablePath);
if (leftOut) console.log('Left out: passkeys, as Chromium is not installed.');

forEachStore((store) => {
  describe.skipIf(leftOut)('passkeys, in a browser', { timeout: 180_000 }, () => {
    let server: TestServer;
    let origin: string;
    let browser: Browser;

    beforeAll(async () => {
      const port = await freePort();
      origin = `http://localhost:${port}`;
      server = await startTestServer(store, { settings: { port, publicUrl: origin } });
      browser = await chromium.launch({
        executablePath,
        args: [
          ...'--headless --no-sandbox --disable-gpu --disable-quic --no-first-run'.split(' '),
          ...'--disable-background-networking --disable-component-update --disable-sync'.split(' '),
        ],
      });
    }, 60_000);
    afterAll(() => browser?.close());

    /** A page of the login, in a browser that can hold passkeys, with the session of an operator where one is given. */
    async function open(operator?: TestOperator): Promise<Page> {
      const context: BrowserContext = await browser.newContext();
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

    /** What the dashboard does to add a passkey. */
    const addPasskey = (page: Page, name: string) => run(page, register, name);

    const anyOperator = async () => anOperator(server, (await server.createSite()).siteId);

    test('let an operator in who has added one, without a mail', async () => {
      const operator = await anyOperator();
      const page = await open(operator);
      const added = await addPasskey(page, 'My laptop');
      expect(added).toMatchObject({ status: 200, body: { name: 'My laptop', lastUsedAt: null } });
      await page.context().clearCookies();
      await page.reload();
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await page.waitForURL(`${origin}/dashboard/club/members`);
      const cookies = await page.context().cookies();
      const names = cookies.map(({ name }) => name).sort();
      expect(names).toEqual(['gatehouse_operator', 'gatehouse_operator_device']);
      const { data } = (await operator.browser.ask('GET', 'passkeys')).body;
      expect(data).toEqual([{ ...(added.body as object), lastUsedAt: expect.any(String) }]);
      expect((await operator.browser.ask('DELETE', `passkeys/${data[0].id}`)).status).toBe(204);
      expect((await operator.browser.ask('DELETE', `passkeys/${data[0].id}`)).status).toBe(404);
      await page.context().clearCookies();
      await page.goto(`${origin}/dashboard/login`);
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByText('That did not work.').waitFor();
    });

    test('sign what this browser was asked for, once, within five minutes', async () => {
      const operator = await anyOperator();
      const page = await open(operator);
      await addPasskey(page, 'Key');
      const cookieOf = async () =>
        (await page.context().cookies()).find(({ name }) => name === 'gatehouse_operator_login')?.value;
      const send = (response: unknown, token: string | undefined) => {
        const other = new OperatorBrowser(server);
        if (token !== undefined) other.cookies.set('gatehouse_operator_login', token);
        return other.ask('POST', 'passkey-login', { response }, { origin });
      };
      const refusal = { status: 400, body: { error: { code: 'invalid_request' } } };

      const elsewhere = await run(page, sign);
      expect(await send(elsewhere.body, undefined)).toMatchObject(refusal);
      expect(await send(elsewhere.body, 'A'.repeat(43))).toMatchObject(refusal);
      const answers = await Promise.all(
        Array.from({ length: 8 }, async () => send(elsewhere.body, await cookieOf())),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);

      const late = await run(page, sign);
      const past = new Date(Date.now() - 1_000).toISOString();
      const { id: realmId } = await realmOfOperators(server);
      await server.database.transaction((tx) =>
        tx.run(sql`UPDATE passkey_challenges SET expires_at = ${past} WHERE site_id = ${realmId}`),
      );
      expect(await send(late.body, await cookieOf())).toMatchObject(refusal);

      const old = await run(page, sign);
      await run(page, sign);
      expect(await send(old.body, await cookieOf())).toMatchObject(refusal);
    });

    test('are refused where the signature is not right, or the operator is blocked', async () => {
      const operator = await anyOperator();
      const page = await open(operator);
      await addPasskey(page, 'Key');
      const use = (change: string) => run(page, signIn, change);
      for (const change of ['signature', 'clientDataJSON', 'authenticatorData', 'id']) {
        expect((await use(change)).status, change).toBe(400);
      }
      const realm = await realmOfOperators(server);
      await server.database.transaction((tx) =>
        updateMember(
          tx,
          realm.id,
          operator.id,
          { status: 'blocked' },
          systemCause(new Date().toISOString()),
          () => {},
        ),
      );
      expect((await use('')).status).toBe(400);
    });

    test('are added by nobody who is signed out, and not without what was asked for', async () => {
      const page = await open();
      expect((await run(page, register, 'Key')).status).toBe(401);
      const { browser: signedIn } = await anyOperator();
      const response = { id: 'x', rawId: 'x', type: 'public-key', response: {} };
      for (const body of [{ response, name: 'Key' }, { response: {}, name: 'Key' }, { name: 'Key' }]) {
        expect((await signedIn.ask('POST', 'passkeys', body)).body.error.code).toBe('invalid_request');
      }
    });

    test('are gone with the operator', async () => {
      const site = await server.createSite();
      const operator = await anOperator(server, site.siteId, 'viewer');
      await addPasskey(await open(operator), 'Key');
      expect((await site.delete(`/operators/${operator.id}`)).status).toBe(204);
      const left = await server.database.all(sql`SELECT id FROM passkeys WHERE member_id = ${operator.id}`);
      expect(left).toEqual([]);
    });
  });
});

interface Sent {
  status: number;
  body: unknown;
}

// These run in the page, as texts: they know nothing of this file.

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
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(body);
    return (await navigator.credentials.get({ publicKey })).toJSON();
  };
`;
const register = inPage(`
  const { status, body } = await post('passkeys/options', {});
  if (status !== 200) return { status, body };
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(body);
  const credential = await navigator.credentials.create({ publicKey });
  return post('passkeys', { response: credential.toJSON(), name: argument });
`);
const sign = inPage('return { status: 0, body: await asked() };');
const signIn = inPage(`
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

async function freePort(): Promise<number> {
  const socket = createServer().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as { port: number };
  socket.close();
  await once(socket, 'close');
  return port;
}
