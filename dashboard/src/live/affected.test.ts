import { eventTypes } from '@gatehouse/contract';
import { describe, expect, test } from 'vitest';
import { accountKeys, siteKeys } from '../queries/keys.ts';
import { affectedBy, isGrowingList } from './affected.ts';

const keys = siteKeys('site-1');
const [ada, grace] = ['member-1', 'member-2'];
const about = (types: string[], memberIds: string[] | null = []) =>
  affectedBy('site-1', { types, memberIds } as Parameters<typeof affectedBy>[1]);

describe('the data that events change', () => {
  test('of a member is the data of that member, and every list and number', () => {
    const isAffected = about(['member.updated'], [ada]);
    for (const key of [
      keys.members.one(ada),
      keys.members.name(ada),
      keys.members.page({}, undefined),
      keys.memberships.one(ada, 'group-1'),
      keys.groups.list(''),
      keys.events.newest,
      keys.events.list({}),
      keys.events.ofMember(ada),
      keys.overview,
    ])
      expect([key, isAffected(key)]).toEqual([key, true]);
    for (const key of [
      keys.members.one(grace),
      keys.members.sessions(grace),
      keys.memberships.of(grace),
      keys.events.ofMember(grace),
      keys.settings,
      keys.apiKeys,
      siteKeys('site-2').overview,
      accountKeys.all,
    ])
      expect([key, isAffected(key)]).toEqual([key, false]);
  });

  test('of many members, and of a group by its name, is that of every member', () => {
    expect(about(['member.created'], null)(keys.members.one(grace))).toBe(true);
    expect(about(['access-group.updated'])(keys.members.one(grace))).toBe(true);
    expect(about(['access-group.member.added'], [ada])(keys.members.one(grace))).toBe(false);
  });

  test('of a login is what shows and counts the ways to log in', () => {
    for (const type of ['member.login', 'session.revoked', 'session.evicted', 'login-provider.deleted'])
      expect([type, about([type], [ada])(keys.loginMethods)]).toEqual([type, true]);
    expect(about(['member.updated'], [ada])(keys.loginMethods)).toBe(false);
  });

  test('of a login provider is that of every member, whose accounts show its name', () => {
    expect(about(['login-provider.updated'])(keys.members.identities(grace))).toBe(true);
    expect(about(['member.identity.linked'], [ada])(keys.members.identities(grace))).toBe(false);
  });

  test('is not what the operator chooses from or has selected, nor what never changes', () => {
    const everything = affectedBy('site-1', { types: undefined, memberIds: null });
    for (const key of [
      keys.members.matching({}),
      keys.members.search('ada'),
      keys.members.byEmail(['ada@example.com']),
      keys.groups.search('crew'),
      keys.events.folded({}),
      keys.sources.collections('source-1'),
    ])
      expect([key, everything(key)]).toEqual([key, false]);
    for (const key of [keys.settings, keys.members.one(grace), keys.sources.runs('source-1')])
      expect([key, everything(key)]).toEqual([key, true]);
  });

  test('is known for every type of event', () => {
    const shown = [
      keys.settings,
      keys.signingKeys,
      keys.apiKeys,
      keys.operators,
      keys.rules.saved,
      keys.members.one(ada),
      keys.groups.one('group-1'),
      keys.emails.list(undefined, undefined),
      keys.sources.list,
      ['site-1', 'webhooks'],
      keys.invitations.list(undefined),
      keys.joinRequests.list('pending'),
      keys.pageCodes,
      keys.loginProviders.all,
    ];
    const without = eventTypes.filter((type) => !shown.some(about([type], null)));
    expect(without).toEqual([]);
  });
});

test('a list that grows at its top is one that is loaded page by page', () => {
  expect(isGrowingList(keys.members.page({}, undefined), { data: [] })).toBe(true);
  expect(isGrowingList(keys.events.list({}), { pages: [], pageParams: [] })).toBe(true);
  expect(isGrowingList(keys.members.one(ada), { data: {} })).toBe(false);
  expect(isGrowingList(keys.overview, undefined)).toBe(false);
});
