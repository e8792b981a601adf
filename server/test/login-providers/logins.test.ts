import { setTimeout } from 'node:timers/promises';
import type { Member, Session } from '@gatehouse/contract';
import { providerCallbackPath } from '@gatehouse/contract/provider-issuers';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { availableLanguages, textsOf } from '../../src/i18n/languages.ts';
import { aGroup, aMember, everyItem } from '../contract/given.ts';
import { type Recording, recordStatements } from '../contract/recorded-statements.ts';
import { joinRequestsOf, unlimitedJoining } from '../joining.ts';
import { AccountBrowser, anAccount } from '../provider-accounts.ts';
import { forEachStore, isFirstStore } from '../stores.ts';
import { startTestServer, type TestSite, type VisitResponse } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { emailTo, everyLoginRequestProcessed } from '../visitor.ts';
import { MockProvider } from './mock-provider.ts';
import { logInAtServer, startOidcServer } from './oidc-server.ts';
import {
  anEnabledProvider,
  aProviderSite,
  outcomeOf,
  ProviderBrowser,
  pathOf,
  type TestProvider,
  unverified,
  verified,
} from './provider-site.ts';

let mock: MockProvider;

beforeAll(async () => {
  mock = await MockProvider.start();
});
afterAll(() => mock.stop());

const newAddress = () => `p-${crypto.randomUUID()}@example.com`;
const loginPath = '/_gatehouse/login';
/** Of every button of a page: only the first choice is not quiet. */
const stylesOfButtons = (text: string) =>
  [...text.matchAll(/<button(?: class="([^"]*)")?/g)].map(([, style = '']) => style);
const wayCookie = '__Host-gatehouse_way';

forEachStore((store) => {
  const server = useTestServer(store, { settings: unlimitedJoining });

  async function aSite() {
    const { site, providers } = await aProviderSite(server, [mock]);
    return { site, provider: providers[0]!, browser: new ProviderBrowser(site) };
  }

  const memberOf = async (site: TestSite, id: string): Promise<Member> =>
    (await site.get(`/members/${id}`)).body.data;

  describe('an account with a verified address', () => {
    test('logs a member in, and is linked', async () => {
      const { site, provider, browser } = await aSite();
      const { id, email } = await aMember(site);
      const login = await browser.logInWith(provider, verified('ada', email), '/courses?a=1');
      expect(outcomeOf(login)).toBe('to /courses?a=1');
      expect(await browser.email()).toBe(email);
      const sessions: Session[] = await everyItem(site, `/members/${id}/sessions`);
      expect(sessions.map(({ method }) => method)).toEqual(['provider']);
      // Only a login by email proves the address.
      const { lastLoginAt, lastSeenAt, verified: isVerified } = await memberOf(site, id);
      expect({ lastLoginAt, isVerified, isSeen: lastSeenAt !== null }).toEqual({
        lastLoginAt: null,
        isVerified: false,
        isSeen: true,
      });
      const [notice] = await server.database.all(
        sql`SELECT type FROM emails WHERE site_id = ${site.siteId} AND recipient = ${email}`,
      );
      expect(notice).toEqual({ type: 'account_linked' });
    });

    test('logs in the same member after its address was changed', async () => {
      const { site, provider, browser } = await aSite();
      const { email } = await aMember(site);
      await browser.logInWith(provider, verified('ada', email));
      const elsewhere = new ProviderBrowser(site);
      expect(outcomeOf(await elsewhere.logInWith(provider, verified('ada', newAddress())))).toBe('to /');
      expect(await elsewhere.email()).toBe(email);
    });

    test('makes a member where people may sign up', async () => {
      const { site, provider, browser } = await aSite();
      await site.patch('/site', { signUp: { policy: 'open', domains: [] } });
      const email = newAddress();
      expect(outcomeOf(await browser.logInWith(provider, verified('ada', email)))).toBe('to /');
      expect(await browser.email()).toBe(email);
    });

    test('asks to join where the team decides', async () => {
      const { site, provider, browser } = await aSite();
      await site.patch('/site', { signUp: { policy: 'approval', domains: [] } });
      const email = newAddress();
      expect((await browser.logInWith(provider, verified('ada', email))).status).toBe(200);
      expect((await joinRequestsOf(site)).map((request) => request.email)).toEqual([email]);
      expect(browser.session).toBeUndefined();
    });

    test('gives a blocked member and anyone else the same page', async () => {
      const { site, provider } = await aSite();
      const blocked = await aMember(site);
      await site.patch(`/members/${blocked.id}`, { status: 'blocked' });
      const pages = [];
      for (const email of [blocked.email, newAddress()]) {
        const elsewhere = new ProviderBrowser(site);
        const login = await elsewhere.logInWith(provider, verified(email, email));
        expect(outcomeOf(login)).toBe('refused');
        pages.push({ cookies: login.headers['set-cookie'], text: (await elsewhere.get(loginPath)).text });
      }
      expect(pages[0]!.text).toContain('gives no access');
      expect(pages[1]).toEqual(pages[0]);
    });

    test('lets memberships of mapped groups follow at each login', async () => {
      const { site, provider, browser } = await aSite();
      const [staff, board] = [await aGroup(site), await aGroup(site)];
      const groupMap = [
        { value: 'staff', accessGroupId: staff.id },
        { value: 'board', accessGroupId: board.id },
      ];
      await site.patch(`/login-providers/${provider.id}`, { groupsClaim: 'groups', groupMap });
      const { id, email } = await aMember(site);
      const groupsAfter = async (groups: unknown) => {
        await browser.logInWith(provider, verified('ada', email, { groups }));
        const member = (await site.get(`/members/${id}`)).body.data;
        return member.accessGroups.map((group: { id: string }) => group.id);
      };
      expect(await groupsAfter(['staff', 'other'])).toEqual([staff.id]);
      expect(await groupsAfter(['board'])).toEqual([board.id]);
      expect(await groupsAfter(undefined)).toEqual([board.id]);
      expect(await groupsAfter([])).toEqual([]);
    });
  });

  describe('an account with an address that is not verified', () => {
    test('sends the login email, and is linked after its link was used in the same browser', async () => {
      const { site, provider, browser } = await aSite();
      const { email } = await aMember(site);
      const account = { claims: { sub: 'ada', email, preferred_username: 'ada' } };
      expect(outcomeOf(await browser.logInWith(provider, account, '/courses'))).toBe('check');
      expect(browser.session).toBeUndefined();
      const login = await browser.useLinkTo(server, email);
      expect(login.headers.location).toMatch(/\/_gatehouse\/link-account\?next=%2Fcourses$/);
      const { text } = await browser.get('/_gatehouse/link-account?next=%2Fcourses');
      expect(text).toContain(`<strong><bdi>${email}</bdi></strong>`);
      expect(text).toContain('<bdi>Provider 1</bdi>');
      expect(outcomeOf(await browser.answerLinking('link'))).toBe('to /');
      const elsewhere = new ProviderBrowser(site);
      expect(outcomeOf(await elsewhere.logInWith(provider, account))).toBe('to /');
      expect(await elsewhere.email()).toBe(email);
    });

    test('is linked after the code was entered, too', async () => {
      const { site, provider, browser } = await aSite();
      const { email } = await aMember(site);
      await browser.logInWith(provider, unverified('ada', email));
      const { code } = await emailTo(server, email);
      expect(outcomeOf(await browser.post('/_gatehouse/code', { code: code! }))).toBe('link-account');
    });

    test('is asked about before the other pages that follow a login', async () => {
      const { site, provider, browser } = await aSite();
      const { email } = await aMember(site);
      await browser.logInWith(provider, unverified('ada', email), '/courses');
      const { headers } = await browser.useLinkTo(server, email, { offersPasskey: 'yes' });
      const { pathname, search } = new URL(headers.location!);
      expect(pathname).toBe('/_gatehouse/link-account');
      const answered = await browser.answerLinking('not_now', pathname + search);
      expect(answered.headers.location).toMatch(/\/_gatehouse\/passkeys\/offer\?next=%2Fcourses$/);
    });

    test('is not asked about again after "Not now"', async () => {
      const { site, provider, browser } = await aSite();
      const { email } = await aMember(site);
      await browser.logInWith(provider, unverified('ada', email));
      await browser.useLinkTo(server, email);
      expect(outcomeOf(await browser.answerLinking('not_now'))).toBe('to /');
      expect(outcomeOf(await browser.get('/_gatehouse/link-account'))).toBe('to /');
    });

    test('gives members and others the same response', async () => {
      const { site, provider } = await aSite();
      const blocked = await aMember(site);
      await site.patch(`/members/${blocked.id}`, { status: 'blocked' });
      const seen = [];
      for (const email of [(await aMember(site)).email, blocked.email, newAddress()]) {
        const browser = new ProviderBrowser(site);
        const login = await browser.logInWith(provider, unverified(email, email));
        await everyLoginRequestProcessed(server);
        const { text } = await browser.get('/_gatehouse/check');
        const cookies = login.headers['set-cookie']?.map((cookie) => cookie.replace(/=[\w-]{43}/, '='));
        seen.push({ outcome: outcomeOf(login), cookies, text: text.replaceAll(email, '') });
      }
      expect(seen[1]).toEqual(seen[0]);
      expect(seen[2]).toEqual(seen[0]);
    });
  });

  test('an address that is not verified runs the same statements for members, blocked members and others', async () => {
    const { site, provider } = await aSite();
    const blocked = await aMember(site);
    await site.patch(`/members/${blocked.id}`, { status: 'blocked' });
    const addresses = [(await aMember(site)).email, blocked.email, newAddress()];
    const statements = [];
    for (const email of addresses) {
      const recording: Recording = [];
      const database = recordStatements(server.database, recording);
      const browser = new AccountBrowser(site, { database, clock: systemClock });
      const account = anAccount(provider.mock, email, { emailVerified: false });
      expect(await browser.logIn(provider, account)).toEqual({ outcome: 'email_sent', email });
      statements.push(recording.flat().map(({ text }) => text));
    }
    expect(statements[0]!.length).toBeGreaterThan(5);
    expect(statements[1]).toEqual(statements[0]);
    expect(statements[2]).toEqual(statements[0]);
  });

  test('an account without an address is refused until it is linked', async () => {
    const { provider, browser } = await aSite();
    expect(outcomeOf(await browser.logInWith(provider, { claims: { sub: 'ada' } }))).toBe('refused');
  });

  describe('the account page', () => {
    test('links an account with another address, lists it, and removes it', async () => {
      const { site, provider, browser } = await aSite();
      const { email } = await aMember(site);
      const account = unverified('ada', 'relay@example.net');
      await browser.logInByEmail(server, email);
      expect(outcomeOf(await browser.get(await browser.linkThere(provider, account)))).toBe('account linked');
      const { text } = await browser.get('/_gatehouse/account?linking=linked');
      expect(text).toContain('<bdi>relay@example.net</bdi>');
      expect(text).toContain('Account linked.');
      const elsewhere = new ProviderBrowser(site);
      await elsewhere.logInWith(provider, account);
      expect(await elsewhere.email()).toBe(email);

      const [, id = ''] = /identities\/delete"[\s\S]*?name="id" value="([^"]*)"/.exec(text) ?? [];
      const removed = await browser.submit('/_gatehouse/account/identities/delete', { id });
      expect(removed.headers.location).toBe('/_gatehouse/account?saved=identity-removed');
      const { text: left } = await browser.get('/_gatehouse/account?saved=identity-removed');
      expect(left).toContain(textsOf('en')['identities.wasRemoved']);
      expect(left).not.toContain('relay@example.net');
      expect(outcomeOf(await new ProviderBrowser(site).logInWith(provider, account))).toBe('check');
    });

    test('offers another account where one is linked, and says what tells two of them apart', async () => {
      const { site, provider, browser } = await aSite();
      const { email } = await aMember(site);
      await browser.logInByEmail(server, email);
      const link = async (subject: string) =>
        outcomeOf(await browser.get(await browser.linkThere(provider, unverified(subject, email))));
      const page = async () => (await browser.get('/_gatehouse/account')).text;
      expect(await page()).toContain('<span>Link <bdi>Provider 1</bdi></span>');
      expect(await link('ada-1')).toBe('account linked');
      expect(await page()).toContain('<span>Link another account at <bdi>Provider 1</bdi></span>');
      expect(await page()).not.toContain('ada-1');
      expect(await link('ada-1')).toBe('account unchanged');
      expect((await browser.get('/_gatehouse/account?linking=unchanged')).text).toContain(
        textsOf('en')['identities.unchanged'],
      );
      expect(await link('ada-2')).toBe('account linked');
      for (const subject of ['ada-1', 'ada-2']) {
        expect(await page()).toContain(`Account ID: <bdi>${subject}</bdi>`);
      }
      await site.patch(`/login-providers/${provider.id}`, { enabled: false });
      const off = '<bdi>Provider 1</bdi> is turned off.';
      expect((await page()).split(off)).toHaveLength(3);
      expect(await page()).not.toContain('identities/link');
    });

    test('offers to link only after a recent login by email', async () => {
      const { site, provider, browser } = await aSite();
      const { email } = await aMember(site);
      await browser.logInWith(provider, verified('ada', email));
      const { text } = await browser.get('/_gatehouse/account');
      expect(text).toContain(textsOf('en')['identities.logInFirst']);
      expect(text).not.toContain('identities/link');
    });

    test('says in words why nothing was linked', async () => {
      const { site, browser } = await aSite();
      const { email } = await aMember(site);
      await browser.logInByEmail(server, email);
      for (const result of ['login_not_recent', 'taken', 'denied', 'failed'] as const) {
        const { text } = await browser.get(`/_gatehouse/account?linking=${result}`);
        expect(text.replaceAll('&#39;', "'")).toContain(textsOf('en')[`identities.problem.${result}`]);
      }
    });
  });

  describe('the login page', () => {
    test('has the email field first, and the way used last above it', async () => {
      const { site, provider, browser } = await aSite();
      const { email } = await aMember(site);
      const button = `action="/_gatehouse/login/with/${provider.id}"`;
      const before = (await browser.get(loginPath)).text;
      expect(before.indexOf('id="email"')).toBeLessThan(before.indexOf(button));
      expect(stylesOfButtons(before)).toEqual(['', 'quiet marked']);
      await browser.logInWith(provider, verified('ada', email));
      expect(browser.cookies.get(wayCookie)).toBe(provider.id);
      await browser.post('/_gatehouse/logout');
      const after = (await browser.get(loginPath)).text;
      expect(after.indexOf(button)).toBeLessThan(after.indexOf('id="email"'));
      expect(after.split(button)).toHaveLength(2);
      expect(stylesOfButtons(after)).toEqual(['marked', 'quiet']);
      await browser.logInByEmail(server, email);
      expect(browser.cookies.has(wayCookie)).toBe(false);
    });

    test('offers no provider that is disabled, and none on a site without providers', async () => {
      const { site, provider, browser } = await aSite();
      await site.patch(`/login-providers/${provider.id}`, { enabled: false });
      expect((await browser.get(loginPath)).text).not.toContain('/login/with/');
      expect((await browser.post(`${loginPath}/with/${provider.id}`)).status).toBe(404);
      const { email } = await aMember(site);
      await browser.logInByEmail(server, email);
      expect((await browser.get('/_gatehouse/account')).text).not.toContain('linked-accounts');
      await site.delete(`/login-providers/${provider.id}`);
      const callback = providerCallbackPath(mock.issuer);
      expect((await browser.get(`${callback}?code=c&state=s`)).status).toBe(404);
      expect((await browser.post(callback, { code: 'c', state: 's' })).status).toBe(404);
    });

    test.each(isFirstStore(store) ? availableLanguages : ['en'])(
      'names the provider in the text of its button: %s',
      async (language) => {
        const { browser } = await aSite();
        const { text } = await browser.get(loginPath, { 'accept-language': language });
        const wanted = textsOf(language)['provider.continue'].replace('{provider}', '<bdi>Provider 1</bdi>');
        expect(text).toContain(`<span>${wanted}</span>`);
      },
    );
  });

  describe('a login that fails', () => {
    async function cancel(browser: ProviderBrowser, provider: TestProvider): Promise<VisitResponse> {
      const { searchParams } = new URL(await browser.begin(provider, '/courses'));
      const query = `error=access_denied&state=${searchParams.get('state')}`;
      return browser.get(`${providerCallbackPath(mock.issuer)}?${query}`);
    }

    test('because it was canceled at the provider returns to the login page, which says so once', async () => {
      const { provider, browser } = await aSite();
      const { status, headers } = await cancel(browser, provider);
      expect(status).toBe(303);
      expect(headers.location).toMatch(/\/_gatehouse\/login\?next=%2Fcourses$/);
      const { text } = await browser.get(`${loginPath}?next=%2Fcourses`);
      expect(text).toContain('The login with <bdi>Provider 1</bdi> was canceled.');
      expect(text).toContain('name="next" value="/courses"');
      expect(text).toContain('id="email"');
      expect((await browser.get(loginPath)).text).not.toContain('role="alert"');
    });

    test('is shown only in the browser in which it failed, and not by a URL', async () => {
      const { site, provider, browser } = await aSite();
      await cancel(browser, provider);
      const other = new ProviderBrowser(site);
      const query = `failure=denied.${provider.id}&problem=denied&reason=denied&linking=denied`;
      expect((await other.get(`${loginPath}?${query}`)).text).not.toContain('role="alert"');
      for (const planted of ['Call%20us', `sold.${provider.id}`, 'denied', `denied.${crypto.randomUUID()}`]) {
        other.cookies.set('__Host-gatehouse_failure', planted);
        expect((await other.get(loginPath)).text).not.toMatch(/Call|sold|canceled/);
        expect(other.cookies.has('__Host-gatehouse_failure')).toBe(false);
      }
    });

    test('because the provider is down says so, and the page still offers all ways', async () => {
      const down = await MockProvider.start();
      const { site, providers } = await aProviderSite(server, [down, mock]);
      down.stop();
      const browser = new ProviderBrowser(site);
      expect(outcomeOf(await browser.post(`${loginPath}/with/${providers[0]!.id}`))).toBe('unavailable');
      const { text } = await browser.get(loginPath);
      expect(text).toContain('<bdi>Provider 1</bdi> does not answer at the moment.');
      expect(text).toContain('id="email"');
      expect(text).toContain(`/login/with/${providers[1]!.id}`);
      expect(outcomeOf(await browser.logInWith(providers[1]!, verified('ada', newAddress())))).toBe(
        'refused',
      );
    });

    test('because of a wrong secret tells the log what is wrong, and not the visitor', async () => {
      const lines: string[] = [];
      const logged = await startTestServer(store, {
        log: (line) => lines.push(line),
        settings: { logLevel: 'info' },
      });
      const { site, providers } = await aProviderSite(logged, [mock]);
      await site.patch(`/login-providers/${providers[0]!.id}`, { secret: 'a-wrong-secret' });
      const browser = new ProviderBrowser(site);
      await browser.logInWith(providers[0]!, verified('ada', newAddress()));
      const { text } = await browser.get(loginPath);
      await logged.stop();
      expect(text).toContain('The login with <bdi>Provider 1</bdi> failed.');
      expect(text).not.toContain('invalid_client');
      const [warning, refused] = lines.filter((line) => /provider/.test(line));
      expect(JSON.parse(warning!)).toMatchObject({ level: 40, siteId: site.siteId, provider: 'Provider 1' });
      expect(JSON.parse(warning!).problem).toContain('invalid_client');
      expect(JSON.parse(refused!)).toMatchObject({ event: 'provider.refused', status: 400 });
      expect(lines.join()).not.toContain('a-wrong-secret');
    });
  });

  test('a slow provider delays nobody else', async () => {
    const slow = await MockProvider.start();
    onTestFinished(() => slow.stop());
    const { site, providers } = await aProviderSite(server, [slow, mock]);
    const [email, other] = [(await aMember(site)).email, (await aMember(site)).email];
    const waiting = new ProviderBrowser(site);
    const callback = await waiting.logInThere(providers[0]!, verified('slow', email));
    let isAnswered = false;
    slow.delay = () => setTimeout(300);
    const login = waiting.get(callback).finally(() => {
      isAnswered = true;
    });
    const browser = new ProviderBrowser(site);
    expect((await browser.get(loginPath)).status).toBe(200);
    expect(outcomeOf(await browser.logInWith(providers[1]!, verified('quick', other)))).toBe('to /');
    expect(isAnswered).toBe(false);
    expect(outcomeOf(await login)).toBe('to /');
  });

  test('keys that the provider has rotated during a login count at once', async () => {
    const rotating = await MockProvider.start();
    onTestFinished(() => rotating.stop());
    const { site, providers } = await aProviderSite(server, [rotating]);
    const { email } = await aMember(site);
    const browser = new ProviderBrowser(site);
    const callback = await browser.logInThere(providers[0]!, verified('ada', email));
    await rotating.rotateKeys();
    expect(outcomeOf(await browser.get(callback))).toBe('to /');
  });

  test('the page for the login page requests nothing from providers', async () => {
    const down = await MockProvider.start();
    const { site } = await aProviderSite(server, [down]);
    down.stop();
    expect((await new ProviderBrowser(site).get(loginPath)).status).toBe(200);
  });

  test('a callback that is loaded again leads on', async () => {
    const { site, provider, browser } = await aSite();
    const { email } = await aMember(site);
    const callback = await browser.logInThere(provider, verified('ada', email));
    await browser.get(callback);
    expect(outcomeOf(await browser.get(callback))).toBe('to /');
  });

  test('logins at oidc-provider: its page, its consent, and claims of its second document', async () => {
    const { issuer, stop, addClient } = await startOidcServer();
    onTestFinished(stop);
    const { site, browser } = await aSite();
    const { email } = await aMember(site);
    const { id, redirectUri } = await anEnabledProvider(site, { name: 'Club', issuer });
    addClient(redirectUri!);
    const page = await browser.begin({ id });
    const callback = await logInAtServer(page, email);
    expect(callback.searchParams.get('iss')).toBe(issuer);
    expect(outcomeOf(await browser.get(pathOf(callback)))).toBe('to /');
    expect(await browser.email()).toBe(email);
  });

  describe('limits', () => {
    const limited = useTestServer(store, { settings: { loginLimit: 2, loginLimitClient: 6 } });

    test('emails for accounts count like those of unknown browsers, logins with linked accounts do not', async () => {
      const { site, providers } = await aProviderSite(limited, [mock]);
      const { email } = await aMember(site);
      const outcomes = [];
      for (let count = 0; count < 3; count += 1) {
        const browser = new ProviderBrowser(site);
        outcomes.push(outcomeOf(await browser.logInWith(providers[0]!, unverified('ada', email))));
        if (count === 2) expect((await browser.get(loginPath)).text).toContain('Try again in 15 minutes.');
      }
      expect(outcomes).toEqual(['check', 'check', 'too_many']);
    });

    const few = useTestServer(store, { settings: { loginLimitClient: 4 } });

    test('emails to other addresses count by the client address too in a known browser', async () => {
      const { site, providers } = await aProviderSite(few, [mock]);
      const browser = new ProviderBrowser(site);
      const { email } = await aMember(site);
      expect(outcomeOf(await browser.logInWith(providers[0]!, verified('ada', email)))).toBe('to /');
      const outcomes = [];
      for (const subject of ['a', 'b', 'c', 'd']) {
        const login = await browser.logInWith(providers[0]!, unverified(subject, newAddress()));
        outcomes.push(outcomeOf(login));
      }
      expect(outcomes).toEqual(['check', 'check', 'check', 'too many']);
    });

    test('the button counts like the form for an email', async () => {
      const { site, providers } = await aProviderSite(limited, [mock]);
      const statuses = [];
      for (let count = 0; count < 7; count += 1) {
        const browser = new ProviderBrowser(site);
        const headers = { 'x-forwarded-for': '203.0.113.9' };
        statuses.push((await browser.post(`${loginPath}/with/${providers[0]!.id}`, {}, headers)).status);
      }
      expect(statuses).toContain(429);
    });
  });
});
