import { randomUUID } from 'node:crypto';
import type { ListedPerson, Source } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import {
  aDomain,
  aGroup,
  aMember,
  aMembership,
  aSession,
  everyItem,
  someMembers,
} from '../../../test/contract/given.ts';
import { day, immediateTimers, movableTime } from '../../../test/movable-time.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { endedRun } from '../../../test/source-steps.ts';
import { forEachStore } from '../../../test/stores.ts';
import { type TestResponse, type TestSite, visit } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { checkConsistency } from '../../commands/doctor/checks/database/consistency-checks.ts';
import { Purging } from '../../jobs/purging.ts';

const { clock, advance } = movableTime();

forEachStore((store) => {
  const server = useTestServer(store, { clock, settings: { trustedProxies: ['127.0.0.1'] } });

  const memberships = async (site: TestSite): Promise<number> => {
    const rows = await server.database.all(
      sql`SELECT member_id FROM memberships WHERE site_id = ${site.siteId}`,
    );
    return rows.length;
  };

  const deletedGroups = (site: TestSite) =>
    server.database.all(sql`SELECT id FROM deleted_groups WHERE site_id = ${site.siteId}`);

  const counters = async () =>
    (await checkConsistency(server.database)).filter(({ check }) => check === 'counters');

  /** A step of a process that ends after it. */
  const purgeOnce = () => {
    const options = { timers: immediateTimers, eventRetentionDays: 90, intervalSeconds: 3_600 };
    return new Purging({ database: server.database, clock, ...options }).start('deleted groups');
  };

  const remove = async (site: TestSite, groupId: string) =>
    expectResponse('deleteAccessGroup', await site.delete(`/access-groups/${groupId}`), 204);

  /** Groups with all members of the site, which has as many as a bulk request creates. */
  async function fullGroups(site: TestSite, count: number) {
    const groups = [];
    for (let number = 1; number <= count; number += 1)
      groups.push(await aGroup(site, { name: `Group ${number}` }));
    const answer = await site.post('/members/bulk', {
      members: Array.from({ length: 500 }, (_, index) => ({ email: `m${index}@example.com` })),
      accessGroupIds: groups.map(({ id }) => id),
    });
    expect(answer.status).toBe(207);
    return groups;
  }

  test('the memberships of a deleted group are deleted a few at a time, also after a crash', async () => {
    const site = await server.createSite();
    const [deleted, other] = await fullGroups(site, 2);
    await remove(site, deleted!.id);
    const left: number[] = [];
    for (let step = 0; step < 4; step += 1) {
      left.push(await memberships(site));
      expect(await deletedGroups(site)).toHaveLength(1);
      expect(await counters()).toMatchObject([{ status: 'ok' }]);
      await purgeOnce();
    }
    expect(left).toEqual([1_000, 800, 600, 500]);
    expect(await deletedGroups(site)).toEqual([]);
    expect(await purgeOnce()).toEqual({ more: false });
    const { data } = expectResponse('getAccessGroup', await site.get(`/access-groups/${other!.id}`), 200);
    expect(data.memberCount).toBe(500);
  });

  test('no operation finds a deleted group whose memberships are still there', async () => {
    const site = await server.createSite();
    const group = await aGroup(site, { name: 'Course' });
    const [first, second] = await someMembers(site, 2);
    const memberId = first!.id;
    await aMembership(site, group.id, memberId);
    await remove(site, group.id);
    expect(await memberships(site)).toBe(1);

    const path = `/access-groups/${group.id}`;
    const notFound = async (name: Parameters<typeof expectResponse>[0], answer: Promise<TestResponse>) =>
      expectResponse(name, await answer, 404, 'access_group_not_found');
    await notFound('getAccessGroup', site.get(path));
    await notFound('updateAccessGroup', site.patch(path, { name: 'Other' }));
    await notFound('deleteAccessGroup', site.delete(path));
    await notFound('listAccessGroupMembers', site.get(`${path}/members`));
    await notFound('listMemberships', site.get(`${path}/memberships`));
    await notFound('updateMembership', site.patch(`${path}/members/${memberId}`, { expiresAt: null }));
    await notFound('removeAccessGroupMember', site.delete(`${path}/members/${memberId}`));
    for (const member of [first!, second!])
      await notFound('addAccessGroupMember', site.post(`${path}/members`, { memberId: member.id }));
    for (const type of ['add_to_group', 'remove_from_group']) {
      const body = { memberIds: [memberId], action: { type, groupId: group.id } };
      await notFound('bulkMemberActions', site.post('/members/bulk-actions', body));
    }
    const members = [{ email: 'new@example.com' }];
    const accessGroupIds = [group.id];
    await notFound('bulkCreateMembers', site.post('/members/bulk', { members, accessGroupIds }));
    await notFound('createMember', site.post('/members', { ...members[0], accessGroupIds }));
    const rules = [{ path: '/', access: 'groups', groupIds: accessGroupIds }];
    await notFound('replaceAccessRules', site.request('PUT', '/access-rules', { body: { rules } }));
    const membership = await site.get(`${path}/members/${memberId}`);
    expectResponse('getMembership', membership, 404, 'membership_not_found');
  });

  test('the members of a deleted group lose its access, and its name is free, at once', async () => {
    const site = await server.createSite();
    const domain = await aDomain(site);
    const group = await aGroup(site, { name: 'Course' });
    const { id } = await aMember(site);
    await aMembership(site, group.id, id);
    const rules = [{ path: '/course', access: 'groups', groupIds: [group.id] }];
    await site.request('PUT', '/access-rules', { body: { rules } });
    const { token } = await aSession(site, id);
    const enter = () =>
      visit(server.address, 'GET', '/_gatehouse/auth', {
        headers: {
          'x-forwarded-host': domain,
          'x-original-uri': '/course',
          cookie: `__Host-gatehouse_session=${token}`,
        },
      });
    expect((await enter()).status).toBe(204);

    await remove(site, group.id);
    expect((await enter()).status).toBe(403);
    const check = await site.post('/access-checks', { checks: [{ memberId: id, path: '/course' }] });
    expect(check.body.data).toMatchObject([{ allowed: false }]);
    // The rules still name the group, and may still be stored with it.
    expect((await site.get('/access-rules')).body.data.rules).toMatchObject(rules);
    expect((await site.request('PUT', '/access-rules', { body: { rules } })).status).toBe(200);
    expect((await site.get(`/members/${id}`)).body.data.accessGroups).toEqual([]);
    expect((await site.get('/access-groups?q=Course')).body.data).toEqual([]);

    const again = await aGroup(site, { name: 'Course' });
    expect(again.memberCount).toBe(0);
    expect((await enter()).status).toBe(403);
    await aMembership(site, again.id, id);
    await purgeExpired(server.database, clock);
    expect((await site.get(`/members/${id}`)).body.data.accessGroups).toMatchObject([{ id: again.id }]);
    expect(await memberships(site)).toBe(1);
    const events = await everyItem(site, `/events?memberId=${id}&type=access-group.member.removed`);
    expect(events).toEqual([]);
  });

  test('a membership of a deleted group ends without an event, and goes with its member', async () => {
    const site = await server.createSite();
    const [group, remaining] = [await aGroup(site), await aGroup(site)];
    const [expiring, leaving] = await someMembers(site, 2);
    const expiresAt = new Date(clock().getTime() + day).toISOString();
    for (const groupId of [group.id, remaining.id]) {
      for (const { id: memberId } of [expiring!, leaving!])
        await site.post(`/access-groups/${groupId}/members`, { memberId, expiresAt });
    }
    await remove(site, group.id);
    expectResponse('deleteMember', await site.delete(`/members/${leaving!.id}`), 204);
    expect(await memberships(site)).toBe(2);
    advance(2 * day);
    const options = { timers: immediateTimers, eventRetentionDays: 90, intervalSeconds: 3_600 };
    const purging = new Purging({ database: server.database, clock, ...options });
    while ((await purging.start('memberships')).more);
    expect(await memberships(site)).toBe(0);
    const expired = await everyItem(site, '/events?type=access-group.member.expired');
    expect(expired.map(({ data }) => [data.groupId, data.memberId])).toEqual([[remaining.id, expiring!.id]]);
    expect(await counters()).toMatchObject([{ status: 'ok' }]);
  });

  test('the groups of a deleted source, and a scope group that ends, are gone at once', async () => {
    const site = await server.createSite();
    const body = { type: 'program', name: 'Office', maxRemovedPercent: 100, graceDays: 0 };
    const source: Source = expectResponse('createSource', await site.post('/sources', body), 201).data;
    const upload = async (collection: string, people: readonly ListedPerson[]) => {
      const list = { list: randomUUID(), people, complete: true };
      const answer = await site.request('PUT', `/sources/${source.id}/collections/${collection}/people`, {
        body: list,
      });
      await endedRun(site, expectResponse('uploadCollectionPeople', answer, 200).data.run!);
    };
    const email = 'ada@example.com';
    await upload('team', [{ email, groups: ['Choir', 'Board'] }]);
    const [{ id }] = (await site.get('/members')).body.data;
    const names = async () =>
      (await site.get(`/members/${id}`)).body.data.accessGroups.map(({ name }: { name: string }) => name);
    expect(await names()).toEqual(['Board', 'Choir']);

    await upload('team', [{ email, groups: ['Board'] }]);
    expect([await names(), await memberships(site)]).toEqual([['Board'], 1]);
    expect(await deletedGroups(site)).toHaveLength(1);
    expectResponse('deleteSource', await site.delete(`/sources/${source.id}?groups=delete`), 204);
    expect([await names(), await memberships(site)]).toEqual([[], 1]);
    expect((await site.get('/access-groups')).body.data).toEqual([]);
    await purgeExpired(server.database, clock);
    expect([await memberships(site), await deletedGroups(site)]).toEqual([0, []]);
  });
});
