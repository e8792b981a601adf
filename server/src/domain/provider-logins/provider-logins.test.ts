import type { CreateLoginProvider } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aDomain, aMember, aSession, everyItem } from '../../../test/contract/given.ts';
import { aLoginProvider as aDisabledProvider } from '../../../test/contract/ways-in.ts';
import { movableTime } from '../../../test/movable-time.ts';
import { AccountBrowser, anAccount } from '../../../test/provider-accounts.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { emailTo, Visitor } from '../../../test/visitor.ts';
import { emailComposer } from '../../pages/emails/email-composer.ts';
import { asMember } from '../own-account/own-session.ts';
import { generateToken } from '../sessions/token.ts';
import { declinePendingIdentity, findPendingIdentity, linkPendingIdentity } from './pending-identities.ts';
import { storeProviderCode } from './provider-logins.ts';

const minute = 60_000;
const loginCookie = '__Host-gatehouse_login';

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock });

  function wait(milliseconds: number): void {
    advance(milliseconds);
    onTestFinished(() => advance(-milliseconds));
  }

  async function aLoginProvider(site: TestSite, values: Partial<CreateLoginProvider> = {}) {
    await aDomain(site);
    return aDisabledProvider(site, { enabled: true, ...values });
  }
  const aBrowser = (site: TestSite) => new AccountBrowser(site, { database: server.database, clock });
  const identitiesOf = async (site: TestSite, memberId: string) =>
    (await site.get(`/members/${memberId}/identities`)).body.data;
  const membersOf = (site: TestSite) => everyItem(site, '/members');
  const emailsOf = async (site: TestSite, type: string) =>
    (await everyItem(site, '/emails')).filter((each) => each.type === type);
  const eventsOf = (site: TestSite, type: string) => everyItem(site, `/events?type=${type}`);

  describe('the state of a login', () => {
    test('works once, in the browser that began', async () => {
      const site = await server.createSite();
      const provider = await aLoginProvider(site);
      const [browser, other] = [aBrowser(site), aBrowser(site)];
      const { state, provider: begun } = (await browser.begin(provider))!;
      expect(begun).toMatchObject({ id: provider.id, issuer: provider.issuer });
      expect(await other.take(state)).toBeUndefined();
      expect(await browser.take(generateToken())).toBeUndefined();
      expect(await browser.take(state)).toMatchObject({
        providerId: provider.id,
        next: '/news',
        memberId: null,
      });
      expect(await browser.take(state)).toBeUndefined();
    });

    test('is taken by one of several at the same time', async () => {
      const site = await server.createSite();
      const provider = await aLoginProvider(site);
      const browser = aBrowser(site);
      const { state } = (await browser.begin(provider))!;
      const taken = await Promise.all(Array.from({ length: 8 }, () => browser.take(state)));
      expect(taken.filter((each) => each !== undefined)).toHaveLength(1);
    });

    test('ends after ten minutes, and is purged', async () => {
      const site = await server.createSite();
      const provider = await aLoginProvider(site);
      const browser = aBrowser(site);
      const { state } = (await browser.begin(provider))!;
      await browser.begin(provider);
      wait(10 * minute);
      expect(await browser.take(state)).toBeUndefined();
      await purgeExpired(server.database, clock);
      expect(
        await server.database.all(sql`SELECT state_hash FROM provider_logins WHERE site_id = ${site.siteId}`),
      ).toEqual([]);
    });

    test('is that of a few logins of a browser', async () => {
      const site = await server.createSite();
      const provider = await aLoginProvider(site);
      const browser = aBrowser(site);
      const states = [];
      for (let count = 0; count < 7; count += 1) {
        states.push((await browser.begin(provider))!.state);
        wait(1);
      }
      const rows = await server.database.all(
        sql`SELECT state_hash FROM provider_logins WHERE site_id = ${site.siteId}`,
      );
      expect(rows).toHaveLength(5);
      expect(await browser.take(states[0]!)).toBeUndefined();
      expect(await browser.take(states.at(-1)!)).toBeDefined();
    });

    test('is of a provider that is enabled, until the end', async () => {
      const site = await server.createSite();
      const provider = await aLoginProvider(site);
      const browser = aBrowser(site);
      const account = anAccount(provider, 'ada@example.com');
      const [first, second] = [(await browser.begin(provider))!, (await browser.begin(provider))!];
      const taken = (await browser.take(first.state))!;
      await site.patch(`/login-providers/${provider.id}`, { enabled: false });
      expect(await browser.take(second.state)).toBeUndefined();
      expect(await browser.begin(provider)).toBeUndefined();
      expect(await browser.arrive(taken, account)).toEqual({ outcome: 'refused' });
    });

    test('gets a code from the page of Apple, once, and of no other provider', async () => {
      const site = await server.createSite();
      const apple = await aLoginProvider(site, {
        type: 'apple',
        issuer: undefined as never,
        teamId: 'TEAM',
        privateKeyId: 'KEY',
      });
      const other = await aLoginProvider(site);
      const browser = aBrowser(site);
      const store = (state: string, code: string) =>
        browser.change((change) => storeProviderCode(change, { state, code }));
      const [{ state }, begun] = [(await browser.begin(apple))!, (await browser.begin(other))!];
      expect(await store(begun.state, 'code')).toBe(false);
      expect(await store(state, 'x'.repeat(5_000))).toBe(false);
      expect(await store(state, 'first')).toBe(true);
      expect(await store(state, 'second')).toBe(false);
      expect(await aBrowser(site).take(state)).toBeUndefined();
      expect(await browser.take(state)).toMatchObject({ code: 'first' });
    });
  });

  describe('an account', () => {
    test('with an address for which the provider vouches is linked to the member who has it, with an email', async () => {
      const site = await server.createSite();
      const member = await aMember(site);
      const provider = await aLoginProvider(site);
      const account = anAccount(provider, member.email.toUpperCase());
      const login = await aBrowser(site).logIn(provider, account);
      expect(login).toMatchObject({ outcome: 'logged_in', next: '/news' });
      const [identity] = await identitiesOf(site, member.id);
      expect(identity).toMatchObject({
        memberId: member.id,
        providerId: provider.id,
        providerName: 'Club account',
        issuer: provider.issuer,
        subject: account.subject,
        lastUsedAt: clock().toISOString(),
      });
      const [notice] = await emailsOf(site, 'account_linked');
      expect(notice).toMatchObject({ recipient: member.email, memberId: member.id });
      expect(await eventsOf(site, 'member.identity.linked')).toMatchObject([
        { actor: { type: 'member', id: member.id }, data: { reason: 'verified_email' } },
      ]);
      const { id, name } = provider;
      const used = { method: 'provider', provider: { id, name }, passkey: null };
      expect(await eventsOf(site, 'member.login')).toMatchObject([{ data: used }]);
      // Only a login by email proves the address to the site.
      const { verified, lastLoginAt, lastSeenAt } = (await site.get(`/members/${member.id}`)).body.data;
      expect({ verified, lastLoginAt }).toEqual({ verified: false, lastLoginAt: null });
      expect(lastSeenAt).not.toBeNull();
    });

    test('that is linked again and again causes at most twenty emails a day', async () => {
      const site = await server.createSite();
      const member = await aMember(site);
      const provider = await aLoginProvider(site);
      const account = anAccount(provider, member.email);
      const browser = aBrowser(site);
      for (let count = 0; count < 21; count += 1) {
        expect(await browser.logIn(provider, account)).toMatchObject({ outcome: 'logged_in' });
        expect((await site.delete(`/members/${member.id}/identities`)).status).toBe(204);
      }
      expect(await emailsOf(site, 'account_linked')).toHaveLength(20);
      const [session] = (await site.get(`/members/${member.id}/sessions`)).body.data;
      expect(session).toMatchObject({ method: 'provider' });
    });

    test('stays that of its member, whatever address it has later', async () => {
      const site = await server.createSite();
      const [member, other] = [await aMember(site), await aMember(site)];
      const provider = await aLoginProvider(site);
      const account = anAccount(provider, member.email);
      await aBrowser(site).logIn(provider, account);
      const browser = aBrowser(site);
      await browser.logIn(provider, { ...account, email: other.email, label: other.email });
      expect(await identitiesOf(site, other.id)).toEqual([]);
      expect(await identitiesOf(site, member.id)).toMatchObject([{ email: member.email }]);
      const sessions = (await site.get(`/members/${member.id}/sessions`)).body.data;
      expect(sessions).toHaveLength(2);
      expect(await emailsOf(site, 'account_linked')).toHaveLength(1);
    });

    test('is one of an issuer: the same subject at another provider is another account', async () => {
      const site = await server.createSite();
      const member = await aMember(site);
      const [one, two] = [await aLoginProvider(site), await aLoginProvider(site)];
      const account = anAccount(one, member.email);
      await aBrowser(site).logIn(one, account);
      const foreign = { ...account, issuer: two.issuer, email: null };
      expect(await aBrowser(site).logIn(two, foreign)).toEqual({ outcome: 'refused' });
      // The code of one provider at the callback of the other.
      expect(await aBrowser(site).logIn(two, account)).toEqual({ outcome: 'refused' });
    });

    test('of a blocked member logs nobody in, and none is linked', async () => {
      const site = await server.createSite();
      const member = await aMember(site);
      const provider = await aLoginProvider(site);
      const account = anAccount(provider, member.email);
      await aBrowser(site).logIn(provider, account);
      await site.post(`/members/${member.id}/block`, undefined);
      const another = anAccount(provider, member.email);
      for (const each of [account, another])
        expect(await aBrowser(site).logIn(provider, each)).toEqual({ outcome: 'refused' });
      await site.post(`/members/${member.id}/unblock`, undefined);
      expect(await identitiesOf(site, member.id)).toHaveLength(1);
      expect(await aBrowser(site).logIn(provider, account)).toMatchObject({ outcome: 'logged_in' });
    });

    test('of nobody is refused like that of a blocked member, unless the sign-up policy lets people join', async () => {
      const site = await server.createSite();
      const provider = await aLoginProvider(site);
      const account = anAccount(provider, 'new@club.example');
      expect(await aBrowser(site).logIn(provider, account)).toEqual({ outcome: 'refused' });
      await site.patch('/site', { signUp: { policy: 'approval', domains: [] } });
      expect(await aBrowser(site).logIn(provider, account)).toEqual({ outcome: 'requested' });
      expect(await membersOf(site)).toEqual([]);
      await site.patch('/site', { signUp: { policy: 'open', domains: [] } });
      expect(await aBrowser(site).logIn(provider, account)).toMatchObject({ outcome: 'logged_in' });
      const [member] = await membersOf(site);
      expect(member).toMatchObject({ email: 'new@club.example', verified: false });
      expect(await identitiesOf(site, member.id)).toHaveLength(1);
      expect(await emailsOf(site, 'account_linked')).toEqual([]);
    });

    test('is gone with its member, and a new member with the same address has none', async () => {
      const site = await server.createSite();
      const member = await aMember(site);
      const provider = await aLoginProvider(site);
      const account = anAccount(provider, member.email);
      await aBrowser(site).logIn(provider, account);
      await site.delete(`/members/${member.id}`);
      const again = await aMember(site, { email: member.email });
      expect(await identitiesOf(site, again.id)).toEqual([]);
      const changed = { ...account, email: 'other@example.com' };
      expect(await aBrowser(site).logIn(provider, changed)).toEqual({ outcome: 'refused' });
    });

    test('is linked once, however many logins with it arrive at the same time', async () => {
      const site = await server.createSite();
      await site.patch('/site', { signUp: { policy: 'open', domains: [] } });
      const provider = await aLoginProvider(site);
      const account = anAccount(provider, 'many@club.example');
      const logins = await Promise.all(
        Array.from({ length: 6 }, () => aBrowser(site).logIn(provider, account)),
      );
      expect(logins.map(({ outcome }) => outcome)).toEqual(Array(6).fill('logged_in'));
      const members = await membersOf(site);
      expect(members).toHaveLength(1);
      expect(await identitiesOf(site, members[0].id)).toHaveLength(1);
    });
  });

  describe('an address for which the provider does not vouch', () => {
    const unverified = { emailVerified: false };

    async function aPendingLogin(site: TestSite, email: string) {
      const provider = await aLoginProvider(site);
      const account = anAccount(provider, email, unverified);
      const browser = aBrowser(site);
      const outcome = await browser.logIn(provider, account);
      expect(outcome).toEqual({ outcome: 'email_sent', email });
      // Wakes the worker: these logins do not run in the service.
      await new Visitor(site).requestLink('nobody-else@example.com');
      return { provider, account, browser };
    }

    /** Uses the link of the email, in the browser that began or in another one. */
    async function pressLink(site: TestSite, email: string, browser: AccountBrowser | null) {
      const visitor = new Visitor(site);
      if (browser) visitor.cookies.set(loginCookie, browser.token);
      expect((await visitor.post((await emailTo(server, email)).path)).status).toBe(303);
      return visitor.session!;
    }

    const link = (browser: AccountBrowser, sessionToken: string) =>
      browser.change((change) =>
        asMember(change, sessionToken, (session, own) =>
          linkPendingIdentity(own, session, { browserToken: browser.token, language: 'en' }, emailComposer),
        ),
      );
    const offered = (browser: AccountBrowser, sessionToken: string) =>
      findPendingIdentity(
        { db: server.database, siteId: browser.site.siteId, now: clock().toISOString() },
        browser.token,
        sessionToken,
      );

    test('gets the ordinary email, and the account is linked in this browser after the member confirms', async () => {
      const site = await server.createSite();
      const { email, id } = await aMember(site);
      const { browser, account, provider } = await aPendingLogin(site, email);
      const session = await pressLink(site, email, browser);
      expect(await identitiesOf(site, id)).toEqual([]);
      expect(await offered(browser, session)).toEqual({
        providerName: 'Club account',
        label: email,
        email,
      });
      expect(await link(browser, session)).toBe(true);
      expect(await link(browser, session)).toBe(false);
      expect(await identitiesOf(site, id)).toMatchObject([{ subject: account.subject }]);
      expect(await emailsOf(site, 'account_linked')).toHaveLength(1);
      expect(await aBrowser(site).logIn(provider, account)).toMatchObject({ outcome: 'logged_in' });
    });

    test('is linked nowhere else: a press in another browser only logs in', async () => {
      const site = await server.createSite();
      const { email, id } = await aMember(site);
      const { browser } = await aPendingLogin(site, email);
      const session = await pressLink(site, email, null);
      const other = aBrowser(site);
      expect(await offered(other, session)).toBeUndefined();
      expect(await link(other, session)).toBe(false);
      expect(browser.sessionToken).toBeNull();
      expect(await identitiesOf(site, id)).toEqual([]);
    });

    test('is not linked in a session that began before, of another member, or not by email', async () => {
      const site = await server.createSite();
      const [member, other] = [await aMember(site), await aMember(site)];
      const before = await aSession(site, member.id);
      wait(1);
      const { browser } = await aPendingLogin(site, member.email);
      const ofOther = await aSession(site, other.id);
      const vouching = await aLoginProvider(site);
      const byProvider = aBrowser(site);
      await byProvider.logIn(vouching, anAccount(vouching, member.email));
      for (const session of [before.token, ofOther.token, byProvider.sessionToken!]) {
        expect(await offered(browser, session)).toBeUndefined();
        expect(await link(browser, session)).toBe(false);
      }
      expect(await link(browser, (await aSession(site, member.id)).token)).toBe(true);
    });

    test('can be declined, and ends after an hour', async () => {
      const site = await server.createSite();
      const { email, id } = await aMember(site);
      const declined = await aPendingLogin(site, email);
      const { token } = await aSession(site, id);
      await declined.browser.change((change) =>
        declinePendingIdentity(change, { browserToken: declined.browser.token }),
      );
      expect(await link(declined.browser, token)).toBe(false);
      const late = await aPendingLogin(site, email);
      wait(60 * minute);
      expect(await link(late.browser, (await aSession(site, id)).token)).toBe(false);
      await purgeExpired(server.database, clock);
      const rows = sql`SELECT email FROM pending_identities WHERE site_id = ${site.siteId}`;
      expect(await server.database.all(rows)).toEqual([]);
    });

    test('is answered alike for members and others, blocked or not', async () => {
      const site = await server.createSite();
      const [member, blocked] = [await aMember(site), await aMember(site)];
      await site.post(`/members/${blocked.id}/block`, undefined);
      for (const email of [member.email, blocked.email, 'nobody@example.com'])
        await aPendingLogin(site, email);
      const requested = () =>
        server.database.all(
          sql`SELECT id FROM login_links WHERE site_id = ${site.siteId} AND status = 'requested'`,
        );
      await expect.poll(requested, { timeout: 20_000 }).toEqual([]);
      const sent = await emailsOf(site, 'login_link');
      expect(sent.map(({ recipient }) => recipient)).toEqual([member.email]);
      const rows = await server.database.all(
        sql`SELECT email FROM pending_identities WHERE site_id = ${site.siteId}`,
      );
      expect(rows).toHaveLength(3);
    });

    test('that is none is refused', async () => {
      const site = await server.createSite();
      const provider = await aLoginProvider(site);
      for (const email of [null, '', 'ada', 'a@b.example,c@d.example']) {
        const account = anAccount(provider, email, { ...unverified, label: 'x' });
        expect(await aBrowser(site).logIn(provider, account)).toEqual({ outcome: 'refused' });
      }
    });
  });

  describe('on the account page', () => {
    test('an account is linked in a recent session by email, whatever address it has', async () => {
      const site = await server.createSite();
      const member = await aMember(site);
      const provider = await aLoginProvider(site);
      const account = anAccount(provider, 'relay@apple.example', { emailVerified: false });
      const browser = aBrowser(site);
      browser.sessionToken = (await aSession(site, member.id)).token;
      expect(await browser.logIn(provider, account, browser.sessionToken)).toEqual({ outcome: 'linked' });
      expect(await identitiesOf(site, member.id)).toMatchObject([
        { subject: account.subject, lastUsedAt: null },
      ]);
      expect(await emailsOf(site, 'account_linked')).toMatchObject([{ recipient: member.email }]);
      expect(await aBrowser(site).logIn(provider, account)).toMatchObject({ outcome: 'logged_in' });
    });

    test('none is linked in a session that is old, or was not opened by email', async () => {
      const site = await server.createSite();
      const member = await aMember(site);
      const provider = await aLoginProvider(site);
      const browser = aBrowser(site);
      await browser.logIn(provider, anAccount(provider, member.email));
      expect(await browser.begin(provider, browser.sessionToken)).toBeUndefined();
      const { token } = await aSession(site, member.id);
      expect(await browser.begin(provider, token)).toBeDefined();
      wait(10 * minute + 1);
      expect(await browser.begin(provider, token)).toBeUndefined();
    });

    test('none is linked once the session has ended, or another one has replaced it', async () => {
      const site = await server.createSite();
      const [member, other] = [await aMember(site), await aMember(site)];
      const provider = await aLoginProvider(site);
      const browser = aBrowser(site);
      const { token, id } = await aSession(site, member.id);
      const states = [(await browser.begin(provider, token))!, (await browser.begin(provider, token))!];
      browser.sessionToken = (await aSession(site, other.id)).token;
      const account = anAccount(provider, null);
      const arrive = async (state: string) => browser.arrive((await browser.take(state))!, account);
      expect(await arrive(states[0]!.state)).toEqual({ outcome: 'refused' });
      await site.delete(`/members/${member.id}/sessions/${id}`);
      browser.sessionToken = token;
      expect(await arrive(states[1]!.state)).toEqual({ outcome: 'refused' });
      expect(await identitiesOf(site, other.id)).toEqual([]);
    });

    test('one of another member is refused, and stays there', async () => {
      const site = await server.createSite();
      const [member, other] = [await aMember(site), await aMember(site)];
      const provider = await aLoginProvider(site);
      const account = anAccount(provider, other.email);
      await aBrowser(site).logIn(provider, account);
      const browser = aBrowser(site);
      browser.sessionToken = (await aSession(site, member.id)).token;
      expect(await browser.logIn(provider, account, browser.sessionToken)).toEqual({ outcome: 'refused' });
      expect(await identitiesOf(site, member.id)).toEqual([]);
      expect(await identitiesOf(site, other.id)).toHaveLength(1);
    });

    test('a member links at most 20 accounts', async () => {
      const site = await server.createSite();
      const member = await aMember(site);
      const provider = await aLoginProvider(site);
      const browser = aBrowser(site);
      browser.sessionToken = (await aSession(site, member.id)).token;
      for (let count = 0; count <= 20; count += 1) {
        const login = await browser.logIn(provider, anAccount(provider, null), browser.sessionToken);
        expect(login).toEqual({ outcome: count < 20 ? 'linked' : 'refused' });
      }
      // The address is proved all the same.
      const account = anAccount(provider, member.email);
      expect(await aBrowser(site).logIn(provider, account)).toMatchObject({ outcome: 'logged_in' });
      expect(await identitiesOf(site, member.id)).toHaveLength(20);
    });
  });

  test('a site of another tenant knows none of it', async () => {
    const [site, other] = [await server.createSite(), await server.createSite()];
    const provider = await aLoginProvider(site);
    await aDomain(other);
    const browser = aBrowser(site);
    const { state } = (await browser.begin(provider))!;
    const elsewhere = aBrowser(other);
    elsewhere.token = browser.token;
    expect(await elsewhere.take(state)).toBeUndefined();
    expect(await elsewhere.begin(provider)).toBeUndefined();
  });
});
