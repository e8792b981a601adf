import { describe, expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { dumpSite } from '../../../test/contract/dump.ts';
import { aGroup, aMember, aMembership, everyItem, unknownId } from '../../../test/contract/given.ts';
import { hour, movableTime } from '../../../test/movable-time.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock });
  const inAnHour = () => new Date(clock().getTime() + hour).toISOString();
  const purgeNow = () => purgeExpired(server.database, clock);
  const eventsOf = async (site: TestSite, type: string) => everyItem(site, `/events?type=${type}`);

  async function aPair(expiresAt?: string) {
    const site = await server.createSite();
    const [group, member] = [await aGroup(site), await aMember(site)];
    if (expiresAt) await aMembership(site, group.id, member.id, expiresAt);
    return {
      site,
      group,
      member,
      list: `/access-groups/${group.id}/members`,
      path: `/access-groups/${group.id}/members/${member.id}`,
    };
  }

  describe('adding a member to a group', () => {
    test('returns the member with its groups, and the location of the membership', async () => {
      const { site, group, member, list, path } = await aPair();
      const answer = await site.post(list, { memberId: member.id });
      const { data } = expectResponse('addAccessGroupMember', answer, 201);
      expect(data).toEqual({ ...member, accessGroups: [{ id: group.id, name: group.name }] });
      expect(answer.headers.get('location')).toBe(`http://localhost:8080/api/v1${path}`);

      const found = expectResponse('getMembership', await site.get(path), 200).data;
      expect(found).toEqual({
        groupId: group.id,
        memberId: member.id,
        addedAt: expect.any(String),
        expiresAt: null,
        source: 'api',
      });
      expect(Math.abs(Date.parse(found.addedAt) - clock().getTime())).toBeLessThan(60_000);
      const { memberCount } = (await site.get(`/access-groups/${group.id}`)).body.data;
      expect(memberCount).toBe(1);
    });

    test('a second time is rejected and changes nothing', async () => {
      const { site, member, list } = await aPair(inAnHour());
      const before = await dumpSite(server.database, site.siteId);
      for (const body of [{ memberId: member.id }, { memberId: member.id, expiresAt: inAnHour() }]) {
        expectResponse('addAccessGroupMember', await site.post(list, body), 409, 'already_in_group');
      }
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });

    test('requires an existing member', async () => {
      const { site, list } = await aPair();
      const answer = await site.post(list, { memberId: unknownId() });
      expectResponse('addAccessGroupMember', answer, 404, 'member_not_found');
      for (const body of [
        {},
        { memberId: null },
        { memberId: 'ada@example.com' },
        { memberId: [unknownId()] },
      ]) {
        expectResponse('addAccessGroupMember', await site.post(list, body), 400, 'invalid_request');
      }
      expect(await everyItem(site, list)).toEqual([]);
    });

    test('does not change the member itself', async () => {
      const { site, member, list } = await aPair();
      await site.post(list, { memberId: member.id });
      expect((await site.get(`/members/${member.id}`)).body.data.updatedAt).toBe(member.updatedAt);
    });
  });

  describe('removing a member from a group', () => {
    test('deletes the membership and keeps the member and the group', async () => {
      const { site, group, member, list, path } = await aPair();
      await aMembership(site, group.id, member.id);
      expectResponse('removeAccessGroupMember', await site.delete(path), 204);
      expectResponse('getMembership', await site.get(path), 404, 'membership_not_found');
      expectResponse('removeAccessGroupMember', await site.delete(path), 404, 'membership_not_found');
      expect(expectResponse('getMember', await site.get(`/members/${member.id}`), 200).data).toEqual(member);
      expect((await site.get(`/access-groups/${group.id}`)).body.data.memberCount).toBe(0);
      expect(await everyItem(site, list)).toEqual([]);
    });

    test('is rejected for a member that is not in it', async () => {
      const { site, list, path } = await aPair();
      expectResponse('removeAccessGroupMember', await site.delete(path), 404, 'membership_not_found');
      const answer = await site.delete(`${list}/${unknownId()}`);
      expectResponse('removeAccessGroupMember', answer, 404, 'membership_not_found');
    });

    test('allows adding the member again', async () => {
      const { site, group, member, path } = await aPair();
      await aMembership(site, group.id, member.id);
      await site.delete(path);
      await aMembership(site, group.id, member.id);
      expect((await site.get(`/access-groups/${group.id}`)).body.data.memberCount).toBe(1);
    });
  });

  describe('a membership that expires', () => {
    test('is returned with a normalized time', async () => {
      const forms: [string, string][] = [
        ['2030-12-31T23:00:00Z', '2030-12-31T23:00:00.000Z'],
        ['2031-01-01T00:00:00+01:00', '2030-12-31T23:00:00.000Z'],
        ['2030-12-31t23:00:00.1239z', '2030-12-31T23:00:00.123Z'],
        ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
      ];
      for (const [written, stored] of forms) {
        const { site, path } = await aPair(written);
        expect(expectResponse('getMembership', await site.get(path), 200).data.expiresAt).toBe(stored);
      }
    });

    test('may have no end, explicitly or by default', async () => {
      const { site, member, list, path } = await aPair();
      expectResponse(
        'addAccessGroupMember',
        await site.post(list, { memberId: member.id, expiresAt: null }),
        201,
      );
      expect((await site.get(path)).body.data.expiresAt).toBeNull();
    });

    test('must end in the future, at a valid time', async () => {
      const { site, member, list } = await aPair();
      const now = clock().getTime();
      const wrong = [
        new Date(now - 1).toISOString(),
        '1969-12-31T23:59:59Z',
        '2016-12-31T23:59:60Z',
        '2030-02-30T00:00:00Z',
        '2030-01-01',
        '2030-01-01T00:00:00',
        '9999-12-31T23:59:59-01:00',
        'tomorrow',
        '',
        1_900_000_000,
        true,
      ];
      for (const expiresAt of wrong) {
        const answer = await site.post(list, { memberId: member.id, expiresAt });
        const error = expectResponse('addAccessGroupMember', answer, 400, 'invalid_request');
        expect(error.details[0].path).toBe('/expiresAt');
      }
      expect(await everyItem(site, list)).toEqual([]);
    });

    test('can get another end, or none, with one event', async () => {
      const { site, group, member, path } = await aPair(inAnHour());
      const before = (await site.get(path)).body.data;
      const [groupId, memberId] = [group.id, member.id];
      const ends = ['2030-12-31T23:00:00.000Z', '2031-01-01T00:00:00+01:00', null];
      for (const expiresAt of ends) {
        const { data } = expectResponse('updateMembership', await site.patch(path, { expiresAt }), 200);
        expect(data).toEqual({ ...before, expiresAt: expiresAt && ends[0] });
        expect((await site.get(path)).body.data).toEqual(data);
      }
      const changes = (await eventsOf(site, 'access-group.member.updated')).map(({ data }) => data);
      expect(changes).toEqual([
        { groupId, memberId, changes: [{ field: 'expiresAt', from: before.expiresAt, to: ends[0] }] },
        { groupId, memberId, changes: [{ field: 'expiresAt', from: ends[0], to: null }] },
      ]);
      advance(2 * hour);
      await purgeNow();
      expectResponse('getMembership', await site.get(path), 200);
    });

    test('cannot be set to end in the past, and cannot be changed after it has expired', async () => {
      const { site, list, path } = await aPair(inAnHour());
      const past = new Date(clock().getTime() - 1).toISOString();
      for (const body of [{ expiresAt: past }, { expiresAt: 'tomorrow' }, { expiresAt: true }, {}]) {
        expectResponse('updateMembership', await site.patch(path, body), 400, 'invalid_request');
      }
      const nobody = await site.patch(`${list}/${unknownId()}`, { expiresAt: null });
      expectResponse('updateMembership', nobody, 404, 'membership_not_found');
      advance(hour);
      const over = await site.patch(path, { expiresAt: inAnHour() });
      expectResponse('updateMembership', over, 404, 'membership_not_found');
      expect(await eventsOf(site, 'access-group.member.updated')).toEqual([]);
    });

    test('is listed in the order of the members and with the same cursors', async () => {
      const { site, group, list } = await aPair();
      const memberships = `/access-groups/${group.id}/memberships`;
      for (const expiresAt of [undefined, inAnHour(), undefined, undefined, inAnHour()]) {
        await aMembership(site, group.id, (await aMember(site)).id, expiresAt);
      }
      const members = await everyItem(site, list);
      expect(members).toHaveLength(5);
      const expected = await Promise.all(
        members.map(async ({ id }) => (await site.get(`${list}/${id}`)).body.data),
      );
      let place = '';
      for (const start of [0, 2, 4]) {
        const page = await site.get(`${memberships}?limit=2${place}`);
        const { data, pagination } = expectResponse('listMemberships', page, 200);
        expect(data).toEqual(expected.slice(start, start + 2));
        expect(pagination.hasMore).toBe(start < 4);
        expect((await site.get(`${list}?limit=2${place}`)).body.pagination).toEqual(pagination);
        place = `&after=${pagination.nextCursor}`;
      }
      const anonymous = await site.get(`${memberships}?after=${(await aMember(site)).id}`);
      expectResponse('listMemberships', anonymous, 400, 'invalid_cursor');
      advance(hour);
      expect((await site.get(memberships)).body.data).toHaveLength(3);
      const other = await server.createSite();
      expectResponse('listMemberships', await other.get(memberships), 404, 'access_group_not_found');
    });

    test('is valid until it expires', async () => {
      const { site, group, member, list, path } = await aPair(inAnHour());
      advance(hour - 60_000);
      expectResponse('getMembership', await site.get(path), 200);
      expect(await everyItem(site, list)).toHaveLength(1);
      expect((await site.get(`/members/${member.id}`)).body.data.accessGroups).toHaveLength(1);
      expect((await site.get(`/access-groups/${group.id}`)).body.data.memberCount).toBe(1);
    });

    test('after it expires grants no access and is not counted or listed, removed or not', async () => {
      const { site, group, member, list, path } = await aPair(inAnHour());
      advance(hour);
      for (const removed of [false, true]) {
        if (removed) await purgeNow();
        expectResponse('getMembership', await site.get(path), 404, 'membership_not_found');
        expectResponse('removeAccessGroupMember', await site.delete(path), 404, 'membership_not_found');
        expect(await everyItem(site, list)).toEqual([]);
        expect((await site.get(`/members/${member.id}`)).body.data.accessGroups).toEqual([]);
        expect((await site.get(`/access-groups/${group.id}`)).body.data.memberCount).toBe(0);
        expect((await everyItem(site, '/access-groups'))[0].memberCount).toBe(0);
        const renamed = await site.patch(`/access-groups/${group.id}`, { description: String(removed) });
        expect(expectResponse('updateAccessGroup', renamed, 200).data.memberCount).toBe(0);
      }
    });

    test('after it expires is removed once by purging, with an event', async () => {
      const expiresAt = inAnHour();
      const { site, group, member } = await aPair(expiresAt);
      const other = await aMember(site);
      await aMembership(site, group.id, other.id);
      await purgeNow();
      expect(await eventsOf(site, 'access-group.member.expired')).toEqual([]);
      advance(hour);
      await purgeNow();
      await purgeNow();
      const events = await eventsOf(site, 'access-group.member.expired');
      expect(events).toHaveLength(1);
      expect(events[0]).toMatchObject({
        actor: { type: 'system', id: null, name: null },
        requestId: null,
        data: { groupId: group.id, memberId: member.id, expiresAt },
      });
      const dump = await dumpSite(server.database, site.siteId);
      expect(dump.memberships).toHaveLength(1);
      expect((await site.get(`/access-groups/${group.id}`)).body.data.memberCount).toBe(1);
    });

    test('after it expires can be created again, before and after it is removed', async () => {
      for (const removed of [false, true]) {
        const { site, group, member, list, path } = await aPair(inAnHour());
        advance(2 * hour);
        if (removed) await purgeNow();
        const expiresAt = inAnHour();
        expectResponse(
          'addAccessGroupMember',
          await site.post(list, { memberId: member.id, expiresAt }),
          201,
        );
        expect(expectResponse('getMembership', await site.get(path), 200).data.expiresAt).toBe(expiresAt);
        expect((await site.get(`/access-groups/${group.id}`)).body.data.memberCount).toBe(1);
        await purgeNow();
        expect(await everyItem(site, list)).toHaveLength(1);
        expect(await eventsOf(site, 'access-group.member.expired')).toHaveLength(1);
        expect(await eventsOf(site, 'access-group.member.added')).toHaveLength(2);
      }
    });

    test('after it expires is deleted with its member or group, and counts stay correct', async () => {
      const first = await aPair(inAnHour());
      const second = await aPair(inAnHour());
      advance(hour);
      expectResponse('deleteMember', await first.site.delete(`/members/${first.member.id}`), 204);
      expect((await first.site.get(`/access-groups/${first.group.id}`)).body.data.memberCount).toBe(0);
      expectResponse('deleteAccessGroup', await second.site.delete(`/access-groups/${second.group.id}`), 204);
      await purgeNow();
      for (const { site } of [first, second]) {
        expect((await dumpSite(server.database, site.siteId)).memberships).toEqual([]);
        expect(await eventsOf(site, 'access-group.member.expired')).toEqual([]);
      }
    });

    test('is removed in steps when many have expired', { timeout: 120_000 }, async () => {
      const site = await server.createSite();
      const [group, other] = [await aGroup(site), await aGroup(site)];
      const members = Array.from({ length: 230 }, (_, index) => ({ email: `m${index}@example.com` }));
      const bulk = expectResponse('bulkCreateMembers', await site.post('/members/bulk', { members }), 207);
      const expiresAt = inAnHour();
      for (const [index, { member }] of bulk.data.entries()) {
        await aMembership(site, index % 10 ? group.id : other.id, member.id, expiresAt);
      }
      advance(hour);
      await purgeNow();
      expect((await dumpSite(server.database, site.siteId)).memberships).toEqual([]);
      expect(await eventsOf(site, 'access-group.member.expired')).toHaveLength(230);
    });
  });
});
