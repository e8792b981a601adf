import type { LoginProvider } from '@gatehouse/contract';
import { expect, test } from 'vitest';
import { aDomain, aGroup, aMember, aMembership, aSession, everyItem } from '../../../test/contract/given.ts';
import { aLoginProvider } from '../../../test/contract/ways-in.ts';
import { movableTime } from '../../../test/movable-time.ts';
import { AccountBrowser, anAccount } from '../../../test/provider-accounts.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import type { ProviderAccount } from '../login-providers/provider-account.ts';

forEachStore((store) => {
  const { clock } = movableTime();
  const server = useTestServer(store, { clock });

  /** A member, and a provider whose groups are mapped to access groups of the same names. */
  async function aMappedSite(names: readonly string[]) {
    const site = await server.createSite();
    await aDomain(site);
    const member = await aMember(site);
    const ids: Record<string, string> = {};
    for (const name of names) ids[name] = (await aGroup(site, { name })).id;
    const groupMap = names.map((value) => ({ value, accessGroupId: ids[value]! }));
    const provider = await aLoginProvider(site, { enabled: true, groupsClaim: 'groups', groupMap });
    const account = anAccount(provider, member.email);
    return { site, member, ids, provider, account };
  }

  async function logIn(
    site: TestSite,
    provider: LoginProvider,
    account: ProviderAccount,
    groups: readonly string[] | null,
  ) {
    const browser = new AccountBrowser(site, { database: server.database, clock });
    const login = await browser.logIn(provider, { ...account, groups });
    expect(login).toMatchObject({ outcome: 'logged_in' });
  }

  const groupsOf = async (site: TestSite, memberId: string): Promise<string[]> => {
    const { accessGroups } = (await site.get(`/members/${memberId}`)).body.data;
    return accessGroups.map(({ name }: { name: string }) => name);
  };
  const sourceOf = async (site: TestSite, groupId: string, memberId: string) =>
    (await site.get(`/access-groups/${groupId}/members/${memberId}`)).body.data.source;

  test('memberships follow the groups of the account at each login', async () => {
    const { site, member, ids, provider, account } = await aMappedSite(['chess', 'rowing']);
    await logIn(site, provider, account, ['rowing', 'unknown']);
    expect(await groupsOf(site, member.id)).toEqual(['rowing']);
    expect(await sourceOf(site, ids.rowing!, member.id)).toBe('provider');
    await logIn(site, provider, account, ['chess']);
    expect(await groupsOf(site, member.id)).toEqual(['chess']);
    await logIn(site, provider, account, ['chess']);
    await logIn(site, provider, account, []);
    expect(await groupsOf(site, member.id)).toEqual([]);
    const events = await everyItem(site, `/events?memberId=${member.id}&type=access-group.member.added`);
    expect(events.map(({ actor }) => actor.id)).toEqual([member.id, member.id]);
    const group = (await site.get(`/access-groups/${ids.rowing}`)).body.data;
    expect(group.memberCount).toBe(0);
  });

  test('groups that the provider does not name change nothing', async () => {
    const { site, member, provider, account } = await aMappedSite(['rowing']);
    await logIn(site, provider, account, ['rowing']);
    await logIn(site, provider, account, null);
    expect(await groupsOf(site, member.id)).toEqual(['rowing']);
  });

  test('memberships of another source stay as they are', async () => {
    const { site, member, ids, provider, account } = await aMappedSite(['rowing']);
    await aMembership(site, ids.rowing!, member.id, '2099-01-01T00:00:00.000Z');
    for (const groups of [['rowing'], []]) await logIn(site, provider, account, groups);
    const membership = (await site.get(`/access-groups/${ids.rowing}/members/${member.id}`)).body.data;
    expect(membership).toMatchObject({ source: 'api', expiresAt: '2099-01-01T00:00:00.000Z' });
  });

  test('a group that was deleted, or is no longer mapped, is left out', async () => {
    const { site, member, ids, provider, account } = await aMappedSite(['chess', 'rowing', 'tennis']);
    await logIn(site, provider, account, ['chess', 'rowing', 'tennis']);
    await site.delete(`/access-groups/${ids.chess}`);
    const groupMap = [{ value: 'tennis', accessGroupId: ids.tennis! }];
    expect((await site.patch(`/login-providers/${provider.id}`, { groupMap })).status).toBe(200);
    await logIn(site, provider, account, ['chess', 'rowing', 'tennis']);
    expect(await groupsOf(site, member.id)).toEqual(['tennis']);
  });

  test('groups that are no longer mapped end at once, where only the provider has added the member', async () => {
    const { site, member, ids, provider, account } = await aMappedSite(['chess', 'rowing', 'tennis']);
    await aMembership(site, ids.chess!, member.id);
    await logIn(site, provider, account, ['chess', 'rowing', 'tennis']);
    const { groupMap } = provider;
    const tennis = groupMap.filter(({ value }) => value === 'tennis');
    await site.patch(`/login-providers/${provider.id}`, { groupMap: tennis });
    expect(await groupsOf(site, member.id)).toEqual(['chess', 'tennis']);
    const ended = () => everyItem(site, '/events?type=access-group.member.expired');
    // A group that is mapped again returns with the next login, even before its former membership was deleted.
    await site.patch(`/login-providers/${provider.id}`, { groupMap });
    expect(await groupsOf(site, member.id)).toEqual(['chess', 'tennis']);
    await logIn(site, provider, account, ['rowing', 'tennis']);
    expect(await groupsOf(site, member.id)).toEqual(['chess', 'rowing', 'tennis']);
    expect(await ended()).toMatchObject([{ data: { groupId: ids.rowing, memberId: member.id } }]);
  });

  test('a provider whose claim is removed gives no groups', async () => {
    const { site, member, ids, provider, account } = await aMappedSite(['rowing']);
    await logIn(site, provider, account, ['rowing']);
    const answer = await site.patch(`/login-providers/${provider.id}`, { groupsClaim: null });
    expect(answer.status).toBe(200);
    expect(await groupsOf(site, member.id)).toEqual([]);
    await purgeExpired(server.database, clock);
    const ended = await everyItem(site, '/events?type=access-group.member.expired');
    expect(ended).toMatchObject([{ data: { groupId: ids.rowing, memberId: member.id } }]);
  });

  test.each(['one', 'all', 'with the address'])(
    'the groups of a provider end with the last account there, and no others: %s',
    async (which) => {
      const { site, member, ids, provider, account } = await aMappedSite(['chess', 'rowing', 'tennis']);
      const groupMap = [{ value: 'tennis', accessGroupId: ids.tennis! }];
      const other = await aLoginProvider(site, { enabled: true, groupsClaim: 'groups', groupMap });
      await logIn(site, other, anAccount(other, member.email), ['tennis']);
      await aMembership(site, ids.chess!, member.id);
      const second = anAccount(provider, member.email);
      for (const each of [account, second]) await logIn(site, provider, each, ['chess', 'rowing']);
      const path = `/members/${member.id}/identities`;
      const [newest, older] = (await site.get(path)).body.data;
      await site.delete(`${path}/${newest.id}`);
      expect(await groupsOf(site, member.id)).toEqual(['chess', 'rowing', 'tennis']);
      if (which === 'one') await site.delete(`${path}/${older.id}`);
      else if (which === 'all') await site.delete(path);
      else await site.patch(`/members/${member.id}`, { email: `new-${member.email}` });
      expect(await groupsOf(site, member.id)).toEqual(which === 'one' ? ['chess', 'tennis'] : ['chess']);
      const removed = await everyItem(site, '/events?type=access-group.member.removed');
      const groupIds = removed.map(({ data }) => data.groupId);
      expect(groupIds.sort()).toEqual(which === 'one' ? [ids.rowing] : [ids.rowing, ids.tennis].sort());
      expect((await site.get(`/access-groups/${ids.rowing}`)).body.data.memberCount).toBe(0);
    },
  );

  test('an account that ends with the first verification of the address leaves no groups', async () => {
    const { site, member, provider } = await aMappedSite(['rowing']);
    await site.storeIdentity(member.id, provider);
    const [{ issuer, subject }] = (await site.get(`/members/${member.id}/identities`)).body.data;
    await logIn(site, provider, anAccount(provider, member.email, { issuer, subject }), ['rowing']);
    expect(await groupsOf(site, member.id)).toEqual(['rowing']);
    await aSession(site, member.id);
    expect((await site.get(`/members/${member.id}/identities`)).body.data).toEqual([]);
    expect(await groupsOf(site, member.id)).toEqual([]);
  });

  test('each provider ends only memberships of its own', async () => {
    const { site, member, ids, provider, account } = await aMappedSite(['chess', 'rowing']);
    const groupMap = [{ value: 'c', accessGroupId: ids.chess! }];
    const other = await aLoginProvider(site, { enabled: true, groupsClaim: 'groups', groupMap });
    await logIn(site, provider, account, ['rowing']);
    await logIn(site, other, anAccount(other, member.email), ['c']);
    expect(await groupsOf(site, member.id)).toEqual(['chess', 'rowing']);
    await logIn(site, provider, account, []);
    expect(await groupsOf(site, member.id)).toEqual(['chess']);
  });

  test('a deleted provider takes its accounts and memberships along, and no others', async () => {
    const { site, member, ids, provider, account } = await aMappedSite(['chess', 'rowing']);
    const other = await aLoginProvider(site, { enabled: true });
    await logIn(site, other, anAccount(other, member.email), null);
    await aMembership(site, ids.chess!, member.id);
    await logIn(site, provider, account, ['chess', 'rowing']);
    expect((await site.get(`/login-providers/${provider.id}`)).body.data.memberCount).toBe(1);
    expect((await site.delete(`/login-providers/${provider.id}`)).status).toBe(204);
    expect(await groupsOf(site, member.id)).toEqual(['chess']);
    const identities = (await site.get(`/members/${member.id}/identities`)).body.data;
    expect(identities).toMatchObject([{ providerId: other.id }]);
    expect((await site.get(`/members/${member.id}/sessions`)).body.data).toHaveLength(2);
    await purgeExpired(server.database, clock);
    const ended = await everyItem(site, '/events?type=access-group.member.expired');
    expect(ended).toMatchObject([{ data: { groupId: ids.rowing, memberId: member.id } }]);
    expect((await site.get(`/access-groups/${ids.rowing}`)).body.data.memberCount).toBe(0);
  });

  test('a provider that is disabled keeps both, for when it is enabled again', async () => {
    const { site, member, provider, account } = await aMappedSite(['rowing']);
    await logIn(site, provider, account, ['rowing']);
    await site.patch(`/login-providers/${provider.id}`, { enabled: false });
    expect(await groupsOf(site, member.id)).toEqual(['rowing']);
    await site.patch(`/login-providers/${provider.id}`, { enabled: true });
    await logIn(site, provider, account, ['rowing']);
    expect((await site.get('/login-methods')).body.data).toEqual({
      passkeys: { members: 0 },
      providers: [{ id: provider.id, members: 1 }],
      sessions: { link: 0, code: 0, passkey: 0, provider: 2, unknown: 0 },
    });
  });
});
