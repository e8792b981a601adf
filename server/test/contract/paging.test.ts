import type { OperationId } from '@gatehouse/contract';
import { describe, expect, test } from 'vitest';
import { timeOfId } from '../../src/base/ids.ts';
import { day, hour, movableTime } from '../movable-time.ts';
import { purgeExpired } from '../purge.ts';
import { forEachStoreVersion } from '../stores.ts';
import type { TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { expectResponse } from './answers.ts';
import {
  aDomain,
  aGroup,
  aMember,
  aMembership,
  anEmail,
  anInvitedOperator,
  everyItem,
  someMembers,
} from './given.ts';
import { anInvitation } from './ways-in.ts';

const retentionDays = 90;

interface List {
  readonly operationId: OperationId;
  /** Whether the list is newest first, or oldest first. */
  readonly newestFirst: boolean;
  /** The path of a list that is empty, or contains only the items of a new site. */
  path(site: TestSite): Promise<string>;
  /** Adds an item and returns its ID. */
  add(site: TestSite, path: string): Promise<string>;
  addMany(site: TestSite, path: string, count: number): Promise<void>;
  /** Removes an item from the list. Events cannot be removed. */
  remove?(site: TestSite, path: string, id: string): Promise<void>;
}

const bulk = async (site: TestSite, count: number, accessGroupIds: string[] = []) => {
  const members = Array.from({ length: count }, (_, index) => ({ email: `b${index}@example.com` }));
  expectResponse('bulkCreateMembers', await site.post('/members/bulk', { members, accessGroupIds }), 207);
};
const groupOf = (path: string) => path.split('/')[2]!;

const lists: List[] = [
  {
    operationId: 'listMembers',
    newestFirst: true,
    path: async () => '/members',
    add: async (site) => (await aMember(site)).id,
    addMany: (site, _, count) => bulk(site, count),
    remove: async (site, _, id) => expectResponse('deleteMember', await site.delete(`/members/${id}`), 204),
  },
  {
    operationId: 'listAccessGroups',
    newestFirst: true,
    path: async () => '/access-groups',
    add: async (site) => (await aGroup(site)).id,
    addMany: async (site, _, count) => {
      for (let index = 0; index < count; index += 1) await aGroup(site);
    },
    remove: async (site, _, id) =>
      expectResponse('deleteAccessGroup', await site.delete(`/access-groups/${id}`), 204),
  },
  {
    operationId: 'listAccessGroupMembers',
    newestFirst: true,
    path: async (site) => `/access-groups/${(await aGroup(site)).id}/members`,
    add: async (site, path) => (await aMember(site, { accessGroupIds: [groupOf(path)] })).id,
    addMany: (site, path, count) => bulk(site, count, [groupOf(path)]),
    remove: async (site, path, id) =>
      expectResponse('removeAccessGroupMember', await site.delete(`${path}/${id}`), 204),
  },
  {
    operationId: 'listInvitations',
    newestFirst: true,
    path: async (site) => {
      await aDomain(site);
      return '/invitations';
    },
    add: async (site) => (await anInvitation(site)).id,
    addMany: async (site, _, count) => {
      const emails = Array.from({ length: count }, (_, index) => `b${index}@example.com`);
      expectResponse(
        'bulkCreateInvitations',
        await site.post('/invitations/bulk', { emails, send: false }),
        207,
      );
    },
  },
  {
    operationId: 'listJoinRequests',
    newestFirst: true,
    path: async () => '/join-requests',
    add: (site) => site.storeJoinRequest(),
    addMany: async (site, _, count) => {
      for (let index = 0; index < count; index += 1) await site.storeJoinRequest();
    },
    // A request is deleted with the member whom its approval has made.
    remove: async (site, _, id) => {
      const body = { decision: 'approve', joinRequestIds: [id] };
      const decided = await site.post('/join-requests/decide', body);
      const [{ memberId }] = expectResponse('decideJoinRequests', decided, 207).data;
      expectResponse('deleteMember', await site.delete(`/members/${memberId}`), 204);
    },
  },
  {
    operationId: 'listPageCodes',
    newestFirst: true,
    path: async () => '/page-codes',
    add: (site) => site.storePageCode(),
    addMany: async (site, _, count) => {
      for (let index = 0; index < count; index += 1) await site.storePageCode();
    },
    remove: async (site, _, id) =>
      expectResponse('deletePageCode', await site.delete(`/page-codes/${id}`), 204),
  },
  {
    operationId: 'listApiKeys',
    newestFirst: true,
    path: async () => '/api-keys',
    add: async (site) => (await site.createKey()).apiKey.id,
    addMany: async (site, _, count) => {
      for (let index = 0; index < count; index += 1) await site.createKey();
    },
  },
  {
    operationId: 'listOperators',
    newestFirst: true,
    path: async () => '/operators',
    add: async (site) => (await anInvitedOperator(site)).id,
    addMany: async (site, _, count) => {
      for (let index = 0; index < count; index += 1) await anInvitedOperator(site);
    },
    remove: async (site, _, id) =>
      expectResponse('removeOperator', await site.delete(`/operators/${id}`), 204),
  },
  {
    operationId: 'listEmails',
    newestFirst: true,
    path: async () => '/emails',
    add: async (site) => anEmail(site),
    addMany: async (site, _, count) => {
      await bulk(site, count);
      await aDomain(site);
      const memberIds = (await everyItem(site, '/members')).map(({ id }) => id);
      const action = { type: 'send_login_link' };
      expectResponse(
        'bulkMemberActions',
        await site.post('/members/bulk-actions', { memberIds, action }),
        207,
      );
    },
    remove: async (site, _, id) => {
      const { memberId } = (await site.get(`/emails/${id}`)).body.data;
      expectResponse('deleteMember', await site.delete(`/members/${memberId}`), 204);
    },
  },
  {
    operationId: 'listEvents',
    newestFirst: false,
    path: async () => '/events',
    add: async (site) => {
      await aGroup(site);
      return (await everyItem(site, '/events')).at(-1).id;
    },
    addMany: (site, _, count) => bulk(site, count),
  },
  {
    operationId: 'listEventGroups',
    newestFirst: true,
    path: async () => '/event-groups',
    add: async (site) => {
      await aGroup(site);
      return (await everyItem(site, '/events')).at(-1).id;
    },
    addMany: async (site, _, count) => {
      for (let index = 0; index < count; index += 1) await aMember(site);
    },
  },
];

forEachStoreVersion((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock, settings: { eventRetentionDays: retentionDays } });

  const purgeNow = () => purgeExpired(server.database, clock, retentionDays);

  describe.each(lists)('$operationId', ({ operationId, newestFirst, path: pathOn, add, addMany, remove }) => {
    async function aList(count: number) {
      const site = await server.createSite();
      const path = await pathOn(site);
      for (let index = 0; index < count; index += 1) await add(site, path);
      const all = await idsOf(site, `${path}?limit=100`);
      return { site, path, all };
    }

    async function page(site: TestSite, path: string) {
      const { data, pagination } = expectResponse(operationId, await site.get(path), 200);
      return { ids: data.map(({ id }: { id: string }) => id) as string[], ...pagination } as {
        ids: string[];
        hasMore: boolean;
        nextCursor: string | null;
      };
    }
    const idsOf = async (site: TestSite, path: string) => (await page(site, path)).ids;

    async function follow(site: TestSite, path: string, limit: number, between = async (_: string[]) => {}) {
      const seen: string[] = [];
      let after = '';
      for (;;) {
        const { ids, hasMore, nextCursor } = await page(site, `${path}?limit=${limit}${after}`);
        seen.push(...ids);
        expect(hasMore).toBe(nextCursor !== null);
        if (nextCursor === null) return seen;
        expect(ids).toHaveLength(limit);
        expect(nextCursor).toBe(ids.at(-1));
        await between(seen);
        after = `&after=${nextCursor}`;
      }
    }

    test('returns the same items page by page as on one page, in order of creation', async () => {
      const { site, path, all } = await aList(5);
      expect(all.length).toBeGreaterThanOrEqual(5);
      // Events are in the order of their commits. Within a millisecond, those of two threads may have IDs in another order.
      const keyOf = operationId.startsWith('listEvent') ? timeOfId : (id: string) => id;
      const keys = (newestFirst ? all.toReversed() : all).map(keyOf);
      expect(keys).toEqual(keys.toSorted());
      for (const limit of [1, 2, all.length - 1, all.length, all.length + 1]) {
        expect(await follow(site, path, limit), `limit ${limit}`).toEqual(all);
      }
    });

    test('marks the last page, even when it is full', async () => {
      const { site, path, all } = await aList(3);
      const full = await page(site, `${path}?limit=${all.length}`);
      expect(full).toEqual({ ids: all, hasMore: false, nextCursor: null });
      const beyond = await page(site, `${path}?after=${all.at(-1)}`);
      expect(beyond).toEqual({ ids: [], hasMore: false, nextCursor: null });
    });

    test('returns 50 items by default', async () => {
      const { site, path } = await aList(0);
      await addMany(site, path, 52);
      expect((await page(site, path)).ids).toHaveLength(50);
      expect((await page(site, path)).hasMore).toBe(true);
    });

    test('returns the URL of the next page, with the same limit', async () => {
      const { site, path, all } = await aList(5);
      const seen: string[] = [];
      let next: string | undefined = `${path}?limit=2`;
      while (next) {
        const answer = await site.get(next);
        seen.push(...expectResponse(operationId, answer, 200).data.map(({ id }: { id: string }) => id));
        const link = answer.headers.get('link');
        const url: URL | null = link ? new URL(/^<(.+)>; rel="next"$/.exec(link)![1]!) : null;
        if (url) expect(url.searchParams.get('limit')).toBe('2');
        next = url ? url.pathname.replace('/api/v1', '') + url.search : undefined;
      }
      expect(seen).toEqual(all);
    });

    test('accepts any item as a cursor, also in upper case', async () => {
      const { site, path, all } = await aList(4);
      expect(await idsOf(site, `${path}?after=${all[1]}`)).toEqual(all.slice(2));
      expect(await idsOf(site, `${path}?after=${all[1]!.toUpperCase()}`)).toEqual(all.slice(2));
    });

    test('skips and repeats nothing while items are added', async () => {
      const { site, path, all } = await aList(5);
      const seen = await follow(site, path, 2, async (sofar) => {
        if (sofar.length < 10) await add(site, path);
      });
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((id) => all.includes(id))).toEqual(all);
    });

    if (remove) {
      test('skips and repeats nothing while items are removed, including the cursor itself', async () => {
        const { site, path, all } = await aList(8);
        const [first, second, third, , , sixth] = all;
        const seen = await follow(site, path, 3, async (sofar) => {
          if (sofar.length !== 3) return;
          for (const id of [first!, third!, sixth!]) await remove(site, path, id);
        });
        expect(seen).toEqual(all.filter((id) => id !== sixth));
        expect(await idsOf(site, path)).toEqual(all.filter((id) => ![first, third, sixth].includes(id)));
        expect(second).toBeDefined();
      });

      test('accepts a removed item as a cursor for 24 hours', async () => {
        const { site, path, all } = await aList(4);
        await remove(site, path, all[1]!);
        const rest = all.slice(2);
        expect(await idsOf(site, `${path}?after=${all[1]}`)).toEqual(rest);
        advance(day - hour);
        await purgeNow();
        expect(await idsOf(site, `${path}?after=${all[1]}`)).toEqual(rest);
        advance(hour);
        expectResponse(operationId, await site.get(`${path}?after=${all[1]}`), 400, 'invalid_cursor');
        await purgeNow();
        expectResponse(operationId, await site.get(`${path}?after=${all[1]}`), 400, 'invalid_cursor');
        expect(await idsOf(site, path)).toEqual(all.filter((id) => id !== all[1]));
      });
    }
  });

  test('a cursor of one list is invalid for another', async () => {
    const site = await server.createSite();
    const [member, outsider] = await someMembers(site, 2);
    const [group, other] = [await aGroup(site), await aGroup(site)];
    await aMembership(site, group.id, member!.id);
    const [event] = await everyItem(site, '/events');
    const wrong: [OperationId, string][] = [
      ['listMembers', `/members?after=${group.id}`],
      ['listMembers', `/members?after=${event.id}`],
      ['listMembers', `/members?after=${site.siteId}`],
      ['listAccessGroups', `/access-groups?after=${member!.id}`],
      ['listAccessGroups', `/access-groups?after=${event.id}`],
      ['listAccessGroupMembers', `/access-groups/${group.id}/members?after=${outsider!.id}`],
      ['listAccessGroupMembers', `/access-groups/${other.id}/members?after=${member!.id}`],
      ['listAccessGroupMembers', `/access-groups/${group.id}/members?after=${group.id}`],
      ['listApiKeys', `/api-keys?after=${member!.id}`],
      ['listOperators', `/operators?after=${member!.id}`],
      ['listInvitations', `/invitations?after=${member!.id}`],
      ['listJoinRequests', `/join-requests?after=${member!.id}`],
      ['listPageCodes', `/page-codes?after=${member!.id}`],
      ['listEmails', `/emails?after=${member!.id}`],
      ['listEvents', `/events?after=${member!.id}`],
      ['listEvents', `/events?after=${group.id}`],
      ['listEventGroups', `/event-groups?after=${group.id}`],
    ];
    for (const [operationId, path] of wrong) {
      expectResponse(operationId, await site.get(path), 400, 'invalid_cursor');
    }
  });

  test('an item removed from one list is a cursor only of that list', async () => {
    const site = await server.createSite();
    const [group, other] = [await aGroup(site), await aGroup(site)];
    const member = await aMember(site, { accessGroupIds: [group.id, other.id] });
    await site.delete(`/access-groups/${group.id}/members/${member.id}`);
    const path = (id: string) => `/access-groups/${id}/members?after=${member.id}`;
    expectResponse('listAccessGroupMembers', await site.get(path(group.id)), 200);
    expectResponse(
      'listAccessGroups',
      await site.get(`/access-groups?after=${member.id}`),
      400,
      'invalid_cursor',
    );
    await site.delete(`/members/${member.id}`);
    expectResponse('listAccessGroupMembers', await site.get(path(other.id)), 200);
    expectResponse('listMembers', await site.get(`/members?after=${member.id}`), 200);
    expectResponse('listEvents', await site.get(`/events?after=${member.id}`), 400, 'invalid_cursor');
  });

  test('a member with an expired membership is still a cursor, before and after its removal', async () => {
    const site = await server.createSite();
    const group = await aGroup(site);
    const members = await someMembers(site, 3);
    const path = `/access-groups/${group.id}/members`;
    const [oldest, middle, newest] = members.map(({ id }) => id);
    await aMembership(site, group.id, oldest!);
    await aMembership(site, group.id, middle!, new Date(clock().getTime() + hour).toISOString());
    await aMembership(site, group.id, newest!);
    const first = await site.get(`${path}?limit=2`);
    expect(first.body.pagination.nextCursor).toBe(middle);
    advance(2 * hour);
    for (let time = 0; time < 2; time += 1) {
      const second = await site.get(`${path}?limit=2&after=${middle}`);
      const { data } = expectResponse('listAccessGroupMembers', second, 200);
      expect(data.map(({ id }: { id: string }) => id)).toEqual([oldest]);
      await purgeNow();
    }
  });

  test.each(['createdAt', 'updatedAt', 'registeredAt', 'lastLoginAt', 'email', 'displayName'])(
    'a deleted member keeps its position in the order by %s, ascending and descending',
    async (sort) => {
      const site = await server.createSite();
      for (const displayName of ['Ada', 'Grace', null, 'ada', null]) await aMember(site, { displayName });
      for (const order of ['asc', 'desc']) {
        const path = `/members?sort=${sort}&order=${order}`;
        const before = (await everyItem(site, path)).map(({ id }) => id);
        const gone = before[2]!;
        const newcomer = await site.delete(`/members/${gone}`);
        expectResponse('deleteMember', newcomer, 204);
        const rest = await site.get(`${path}&after=${gone}`);
        expect(expectResponse('listMembers', rest, 200).data.map(({ id }: { id: string }) => id)).toEqual(
          before.slice(3),
        );
      }
    },
  );

  test('the URL of the next page keeps every filter', async () => {
    const site = await server.createSite();
    for (const displayName of ['Ada é', 'Ada é & co', 'Grace'])
      await aMember(site, { displayName, paid: true });
    const query = new URLSearchParams({ q: 'ada é', paid: 'true', sort: 'email', order: 'asc', limit: '1' });
    const answer = await site.get(`/members?${query}`);
    const link = new URL(/^<(.+)>/.exec(answer.headers.get('link')!)![1]!);
    for (const [name, value] of query) expect(link.searchParams.get(name)).toBe(value);
    expect(link.searchParams.get('after')).toBe(answer.body.pagination.nextCursor);
    const second = await site.get(link.pathname.replace('/api/v1', '') + link.search);
    expect(expectResponse('listMembers', second, 200).data).toHaveLength(1);
    expect(second.body.pagination.hasMore).toBe(false);
  });

  test('an event is listed while it is retained, and is a cursor for one more day', async () => {
    const site = await server.createSite();
    await aMember(site);
    const [event] = await everyItem(site, '/events');
    advance(retentionDays * day + hour);
    await purgeNow();
    expect(await everyItem(site, '/events')).toEqual([]);
    await aMember(site);
    const later = expectResponse('listEvents', await site.get(`/events?after=${event.id}`), 200);
    expect(later.data).toHaveLength(1);
    advance(day);
    await purgeNow();
    expectResponse('listEvents', await site.get(`/events?after=${event.id}`), 400, 'invalid_cursor');
    expect(await everyItem(site, '/events')).toHaveLength(1);
  });
});
