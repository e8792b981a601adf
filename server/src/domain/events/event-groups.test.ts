import { randomUUID } from 'node:crypto';
import { type EventGroup, maxEventsInGroup } from '@gatehouse/contract';
import { expect, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { expectResponse } from '../../../test/contract/answers.ts';
import {
  aGroup,
  aMember,
  aMembership,
  aSession,
  everyItem,
  someMembers,
} from '../../../test/contract/given.ts';
import { hour, movableTime } from '../../../test/movable-time.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { systemContext } from '../../base/change-context.ts';
import { createMembers } from '../members/new-members.ts';

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock });

  const groups = async (site: TestSite, query = ''): Promise<EventGroup[]> =>
    expectResponse('listEventGroups', await site.get(`/event-groups${query}`), 200).data;
  const inShort = ({ count, types }: EventGroup) => [
    count,
    Object.fromEntries(types.map((each) => [each.type, each.count])),
  ];
  const people = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ email: `p${index}@example.com` }));

  test('the events of one request are one group, with the count and the first event of each type', async () => {
    const site = await server.createSite();
    const group = await aGroup(site);
    const created = await site.post('/members/bulk', { members: people(500), accessGroupIds: [group.id] });
    const ids = created.body.data.map(({ member }: { member: { id: string } }) => member.id);
    await aSession(site, ids[3]);
    const before = (await everyItem(site, '/events')).length;
    const requestId = randomUUID();
    await site.post(
      '/members/bulk-actions',
      { memberIds: ids, action: { type: 'block' } },
      { 'x-request-id': requestId },
    );
    await site.patch(`/members/${ids[0]}`, { paid: true });

    const [newest, block, ...older] = await groups(site);
    expect(inShort(newest!)).toEqual([1, { 'member.updated': 1 }]);
    expect(inShort(block!)).toEqual([501, { 'member.blocked': 500, 'session.revoked': 1 }]);
    expect(block!.types[0]!.first).toMatchObject({ requestId, data: { memberId: ids[0] } });
    expect(block!.types[1]!.first).toMatchObject({ requestId, data: { memberId: ids[3] } });
    expect(older.map(inShort)).toContainEqual([
      1_000,
      { 'member.created': 500, 'access-group.member.added': 500 },
    ]);
    expect(older.reduce((sum, { count }) => sum + count, 0)).toBe(before);

    // The events of a group are those of its request.
    const at = block!.types[0]!.first.occurredAt;
    const until = new Date(Date.parse(at) + 1).toISOString();
    const found = await everyItem(site, `/events?requestId=${requestId}&since=${at}&until=${until}`);
    expect(found).toHaveLength(501);
    expect(found[0].id).toBe(block!.id);
    expect(await everyItem(site, `/events?requestId=${randomUUID()}`)).toEqual([]);
  });

  test('paging returns each group once and complete, with every filter, also while events are added', async () => {
    const site = await server.createSite();
    const [course, other] = [await aGroup(site), await aGroup(site)];
    const members = await someMembers(site, 7);
    const memberIds = members.map(({ id }) => id);
    for (const groupId of [course.id, other.id]) {
      advance(hour);
      const action = { type: 'add_to_group', groupId };
      await site.post('/members/bulk-actions', { memberIds, action });
    }
    const since = clock().toISOString();
    for (const query of ['', '&type=access-group.member.added', `&groupId=${other.id}`, `&since=${since}`]) {
      const all = await groups(site, `?limit=100${query}`);
      const events = await everyItem(site, `/events?order=desc${query}`);
      expect(
        all.reduce((sum, { count }) => sum + count, 0),
        query,
      ).toBe(events.length);
      const paged: EventGroup[] = [];
      for (let after = ''; ; ) {
        const answer = await site.get(`/event-groups?limit=1${query}${after}`);
        const { data, pagination } = expectResponse('listEventGroups', answer, 200);
        paged.push(...data);
        if (!pagination.hasMore) break;
        after = `&after=${pagination.nextCursor}`;
        if (query === '' && paged.length < 3) await site.patch('/site', { title: `Title ${paged.length}` });
      }
      expect(paged, query).toEqual(all);
    }
    const [added] = await groups(site, `?memberId=${memberIds[0]}&type=access-group.member.added`);
    expect(inShort(added!)).toEqual([1, { 'access-group.member.added': 1 }]);
  });

  test('events without a request are grouped by their time', async () => {
    const site = await server.createSite();
    const group = await aGroup(site);
    const members = await someMembers(site, 2);
    for (const { id } of members) await aMembership(site, group.id, id);
    const create = (emails: string[]) =>
      changing(
        server.database,
        site.siteId,
        (change) =>
          createMembers(
            change,
            emails.map((email) => ({ email, displayName: null, paid: false })),
          ),
        systemContext(clock().toISOString()),
      );
    advance(1);
    await create(['one@example.com', 'two@example.com']);
    advance(1);
    await create(['three@example.com']);
    const [second, first] = await groups(site, '?actorType=system');
    expect(inShort(second!)[1]).toMatchObject({ 'member.created': 1 });
    expect(inShort(first!)[1]).toMatchObject({ 'member.created': 2 });
  });

  test('a group that is too large continues in the next one', async () => {
    const site = await server.createSite();
    const inEach = 500;
    const accessGroupIds: string[] = [];
    while (accessGroupIds.length * inEach <= maxEventsInGroup) accessGroupIds.push((await aGroup(site)).id);
    await site.post('/members/bulk', { members: people(inEach), accessGroupIds });
    const query = '?type=access-group.member.added';
    const all = await groups(site, query);
    const rest = accessGroupIds.length * inEach - maxEventsInGroup;
    expect(all.map(({ count }) => count)).toEqual([maxEventsInGroup, rest]);
    expect(await groups(site, `${query}&limit=1`)).toEqual([all[0]]);
    await aMember(site);
    expect(await groups(site, `${query}&after=${all[0]!.id}`)).toEqual([all[1]]);
  });
});
