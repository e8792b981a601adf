import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { aDomain, aMember, aSession, everyItem, unknownId } from '../../../test/contract/given.ts';
import { aLoginProvider, anIdentity } from '../../../test/contract/ways-in.ts';
import { movableTime } from '../../../test/movable-time.ts';
import { AccountBrowser, anAccount } from '../../../test/provider-accounts.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { Visitor } from '../../../test/visitor.ts';

const account = '/_gatehouse/account';

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock });

  const identitiesOf = async (site: TestSite, memberId: string) =>
    (await site.get(`/members/${memberId}/identities`)).body.data;
  const removalsOf = async (site: TestSite) =>
    (await everyItem(site, '/events?type=member.identity.removed')).map(({ data }) => data);

  /** A member who logs in with a provider that vouches for the address. */
  async function aLinkedMember(site: TestSite) {
    await aDomain(site);
    const provider = await aLoginProvider(site, { enabled: true });
    const member = await aMember(site);
    const browser = new AccountBrowser(site, { database: server.database, clock });
    expect(await browser.logIn(provider, anAccount(provider, member.email))).toMatchObject({
      outcome: 'logged_in',
    });
    return { member, provider };
  }

  test('one identity of a member is removed, or all', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const [first, second, third] = [
      await anIdentity(site, member.id),
      await anIdentity(site, member.id),
      await anIdentity(site, member.id),
    ];
    expect(await identitiesOf(site, member.id)).toEqual([third, second, first]);
    const path = `/members/${member.id}/identities`;
    expect((await site.delete(`${path}/${first.id}`)).status).toBe(204);
    expect((await site.delete(`${path}/${first.id}`)).body.error.code).toBe('identity_not_found');
    expect(await identitiesOf(site, member.id)).toHaveLength(2);
    expect((await site.delete(path)).status).toBe(204);
    expect((await site.delete(path)).status).toBe(204);
    expect(await identitiesOf(site, member.id)).toEqual([]);
    expect(await removalsOf(site)).toHaveLength(3);
    const other = await aMember(site);
    const ofOther = await anIdentity(site, other.id);
    expect((await site.delete(`${path}/${ofOther.id}`)).body.error.code).toBe('identity_not_found');
    for (const send of [site.get, site.delete])
      expect((await send(`/members/${unknownId()}/identities`)).body.error.code).toBe('member_not_found');
  });

  test('the first verification of an address removes accounts that were linked otherwise before', async () => {
    const site = await server.createSite();
    const { member } = await aLinkedMember(site);
    const planted = await anIdentity(site, member.id);
    await aSession(site, member.id);
    const left = await identitiesOf(site, member.id);
    expect(left).toMatchObject([{ email: member.email }]);
    expect(await removalsOf(site)).toMatchObject([{ identityId: planted.id, reason: 'email_verified' }]);
    // From then on, accounts that the member has confirmed stay.
    const linked = await anIdentity(site, member.id);
    await aSession(site, member.id);
    expect(await identitiesOf(site, member.id)).toEqual([linked, ...left]);
  });

  test('a provider that vouches for an address which was never verified does the same', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const planted = await anIdentity(site, member.id);
    await aDomain(site);
    const provider = await aLoginProvider(site, { enabled: true });
    const browser = new AccountBrowser(site, { database: server.database, clock });
    await browser.logIn(provider, anAccount(provider, member.email));
    expect(await identitiesOf(site, member.id)).toMatchObject([{ providerId: provider.id }]);
    expect(await removalsOf(site)).toMatchObject([{ identityId: planted.id, reason: 'email_verified' }]);
    expect((await site.get(`/members/${member.id}`)).body.data).toMatchObject({
      verified: false,
      lastLoginAt: null,
    });
  });

  test('the accounts of a former address end when the team of the site changes it', async () => {
    const site = await server.createSite();
    const { member } = await aLinkedMember(site);
    await site.patch(`/members/${member.id}`, { displayName: 'Ada' });
    expect(await identitiesOf(site, member.id)).toHaveLength(1);
    await site.patch(`/members/${member.id}`, { email: `new-${member.email}` });
    expect(await identitiesOf(site, member.id)).toEqual([]);
    expect(await removalsOf(site)).toMatchObject([{ reason: 'email_changed' }]);
  });

  test.each([true, false])(
    'a member who changes the address decides about them: kept is %s',
    async (keeps) => {
      const site = await server.createSite();
      const { member } = await aLinkedMember(site);
      const browser = await loggedIn(site, member.id);
      advance(1);
      const email = `new-${member.email}`;
      await changeAddress(browser, email, keeps);
      expect(await identitiesOf(site, member.id)).toHaveLength(keeps ? 1 : 0);
      // All end with the way back.
      await anIdentity(site, member.id);
      await browser.post(await lastPathTo(member.email, /\/_gatehouse\/take-back-address\/[\w-]{43}/));
      expect((await site.get(`/members/${member.id}`)).body.data.email).toBe(member.email);
      expect(await identitiesOf(site, member.id)).toEqual([]);
    },
  );

  async function loggedIn(site: TestSite, memberId: string): Promise<Visitor> {
    const browser = new Visitor(site);
    browser.cookies.set('__Host-gatehouse_session', (await aSession(site, memberId)).token);
    return browser;
  }

  async function changeAddress(browser: Visitor, email: string, keeps: boolean): Promise<void> {
    await browser.submit(`${account}/address`, { email });
    const { text } = await browser.get(account);
    expect(text).toContain('name="keepIdentities"');
    const code = await lastPathTo(email, /^\d{6}$/m);
    const fields = { code, ...(keeps && { keepIdentities: 'yes' }) };
    expect((await browser.submit(`${account}/address/code`, fields)).status).toBe(303);
  }

  async function lastPathTo(email: string, form: RegExp): Promise<string> {
    const rows = await server.database.all<{ content: string }>(
      sql`SELECT content FROM emails WHERE recipient = ${email} ORDER BY id`,
    );
    return rows.flatMap(({ content }) => form.exec(JSON.parse(content).text) ?? []).at(-1)!;
  }

  test('an account cannot be stored twice on a site, and can on two', async () => {
    const [site, other] = [await server.createSite(), await server.createSite()];
    const { member, provider } = await aLinkedMember(site);
    const [identity] = await identitiesOf(site, member.id);
    const elsewhere = await aLoginProvider(other, { enabled: true, issuer: provider.issuer });
    await aDomain(other);
    const twin = await aMember(other, { email: member.email });
    const browser = new AccountBrowser(other, { database: server.database, clock });
    await browser.logIn(elsewhere, anAccount(provider, member.email, { subject: identity.subject }));
    expect(await identitiesOf(other, twin.id)).toMatchObject([{ subject: identity.subject }]);
    expect(await identitiesOf(site, member.id)).toEqual([identity]);
  });
});
