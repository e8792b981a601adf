import { GroupMember, Member, type Permission } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { expectResponse, unset } from '../../../test/contract/answers.ts';
import { dumpSite, dumpStore } from '../../../test/contract/dump.ts';
import {
  aGroup,
  aMember,
  aMembership,
  aScopeGroup,
  aScopeMembership,
  everyItem,
  unknownId,
} from '../../../test/contract/given.ts';
import { day, movableTime } from '../../../test/movable-time.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

const astral = '𝔸';

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock });

  describe('creating a member', () => {
    test('returns an active, unverified member that has never logged in', async () => {
      const site = await server.createSite();
      const before = new Date(Date.now() - 1).toISOString();
      const answer = await site.post('/members', { email: 'ada@example.com' });
      const { data } = expectResponse('createMember', answer, 201);
      expect(data).toEqual({
        ...unset(Member),
        id: expect.any(String),
        email: 'ada@example.com',
        status: 'active',
        verified: false,
        paid: false,
        registeredAt: data.createdAt,
        createdAt: data.createdAt,
        updatedAt: data.createdAt,
        accessGroups: [],
      });
      expect(data.createdAt > before).toBe(true);
      expect(data.createdAt <= new Date(Date.now() + 1).toISOString()).toBe(true);
    });

    test('returns its location as an absolute URL', async () => {
      const site = await server.createSite();
      const answer = await site.post('/members', {
        email: 'ada@example.com',
        displayName: 'Ada',
        paid: true,
      });
      const { data } = expectResponse('createMember', answer, 201);
      expect(answer.headers.get('location')).toBe(`http://localhost:8080/api/v1/members/${data.id}`);
      const found = await site.get(`/members/${data.id}`);
      expect(expectResponse('getMember', found, 200).data).toEqual(data);
      expect(data).toMatchObject({ displayName: 'Ada', paid: true });
    });

    test('adds the member to custom groups, each once, and counts it there', async () => {
      const site = await server.createSite();
      const [first, second] = [await aGroup(site, { name: 'B' }), await aGroup(site, { name: 'A' })];
      const member = await aMember(site, { accessGroupIds: [first.id, second.id, first.id] });
      expect(member.accessGroups).toEqual([
        { id: second.id, name: 'A' },
        { id: first.id, name: 'B' },
      ]);
      for (const { id } of [first, second]) {
        expect((await site.get(`/access-groups/${id}`)).body.data.memberCount).toBe(1);
        const membership = await site.get(`/access-groups/${id}/members/${member.id}`);
        expect(expectResponse('getMembership', membership, 200).data).toMatchObject({
          source: 'api',
          expiresAt: null,
        });
      }
    });

    test('is rejected for an email address in use, and nothing is created', async () => {
      const site = await server.createSite();
      const [member, group] = [await aMember(site), await aGroup(site)];
      const before = await dumpSite(server.database, site.siteId);
      const body = { email: member.email.toUpperCase(), accessGroupIds: [group.id] };
      expectResponse('createMember', await site.post('/members', body), 409, 'email_taken');
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });

    test('is rejected for an unknown group or a scope group, and nothing is created', async () => {
      const site = await server.createSite();
      const [group, scope] = [await aGroup(site), await aScopeGroup(server, site)];
      const before = await dumpSite(server.database, site.siteId);
      const create = (...accessGroupIds: string[]) =>
        site.post('/members', { email: 'ada@example.com', accessGroupIds });
      expectResponse('createMember', await create(group.id, unknownId()), 404, 'access_group_not_found');
      expectResponse('createMember', await create(group.id, scope.id), 403, 'scope_group_read_only');
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });

    test('accepts at most 100 groups', async () => {
      const site = await server.createSite();
      const group = await aGroup(site);
      const create = (count: number) =>
        site.post('/members', { email: 'ada@example.com', accessGroupIds: Array(count).fill(group.id) });
      expectResponse('createMember', await create(101), 400, 'invalid_request');
      expect(expectResponse('createMember', await create(100), 201).data.accessGroups).toHaveLength(1);
    });

    test('cannot set fields that only Gatehouse sets', async () => {
      const site = await server.createSite();
      for (const field of [
        'id',
        'status',
        'verified',
        'registeredAt',
        'lastLoginAt',
        'lastSeenAt',
        'createdAt',
        'siteId',
        'accessGroups',
      ]) {
        const answer = await site.post('/members', { email: 'ada@example.com', [field]: 'active' });
        expectResponse('createMember', answer, 400, 'invalid_request');
      }
    });
  });

  describe('a display name', () => {
    const cases: [string | null, string | null][] = [
      [null, null],
      ['', null],
      [' \t\u00a0\n', null],
      ['  Ada  King \n', 'Ada  King'],
      ['José 👩‍👩‍👧 مرحبا', 'José 👩‍👩‍👧 مرحبا'],
      ['<b>Ada</b> & "Co"', '<b>Ada</b> & "Co"'],
      [astral.repeat(200), astral.repeat(200)],
      [`${' '.repeat(400)}${'x'.repeat(200)}${' '.repeat(400)}`, 'x'.repeat(200)],
    ];

    test.each(cases)('%j is stored as %j', async (written, stored) => {
      const site = await server.createSite();
      const member = await aMember(site, { displayName: written });
      expect(member.displayName).toBe(stored);
      const changed = await site.patch(`/members/${member.id}`, { displayName: written });
      expect(expectResponse('updateMember', changed, 200).data.displayName).toBe(stored);
      const bulk = { members: [{ email: 'other@example.com', displayName: written }] };
      const { data } = expectResponse('bulkCreateMembers', await site.post('/members/bulk', bulk), 207);
      expect(data[0].member.displayName).toBe(stored);
    });

    test.each(['x'.repeat(201), astral.repeat(201), 'a\u0000b', 'a\nb', 'a\u2028b', 'a\u0085b'])(
      'cannot be %j',
      async (written) => {
        const site = await server.createSite();
        const answer = await site.post('/members', { email: 'ada@example.com', displayName: written });
        expect(expectResponse('createMember', answer, 400, 'invalid_request').details[0].path).toBe(
          '/displayName',
        );
        const bulk = { members: [{ email: 'ada@example.com', displayName: written }] };
        const { data } = expectResponse('bulkCreateMembers', await site.post('/members/bulk', bulk), 207);
        expect(data[0]).toMatchObject({ status: 'error', error: { code: 'invalid_display_name' } });
        const member = await aMember(site);
        const changed = await site.patch(`/members/${member.id}`, { displayName: written });
        expectResponse('updateMember', changed, 400, 'invalid_request');
      },
    );
  });

  describe('the time of registration', () => {
    test('is the current time or a given one, normalized', async () => {
      const site = await server.createSite();
      for (const [written, stored] of [
        ['2024-05-01T12:00:00+02:00', '2024-05-01T10:00:00.000Z'],
        ['1970-01-01t00:00:00z', '1970-01-01T00:00:00.000Z'],
      ]) {
        const member = await aMember(site, { registeredAt: written! });
        expect(member.registeredAt).toBe(stored);
        expect(member.createdAt).not.toBe(stored);
        const bulk = { members: [{ email: `b-${member.email}`, registeredAt: written }] };
        const { data } = expectResponse('bulkCreateMembers', await site.post('/members/bulk', bulk), 207);
        expect(data[0].member.registeredAt).toBe(stored);
        expect((await site.get(`/members/${data[0].member.id}`)).body.data.registeredAt).toBe(stored);
      }
      const implicit = await aMember(site, { registeredAt: null });
      expect(implicit.registeredAt).toBe(implicit.createdAt);
    });

    test.each([
      '2999-01-01T00:00:00Z',
      '1969-12-31T23:59:59Z',
      '2024-02-30T00:00:00Z',
      '2016-12-31T23:59:60Z',
      '2024-05-01',
      'May 2024',
      '',
    ])('cannot be %j', async (registeredAt) => {
      const site = await server.createSite();
      const answer = await site.post('/members', { email: 'ada@example.com', registeredAt });
      const { details } = expectResponse('createMember', answer, 400, 'invalid_request');
      expect(details[0].path).toBe('/registeredAt');
      const bulk = { members: [{ email: 'ada@example.com', registeredAt }] };
      const { data } = expectResponse('bulkCreateMembers', await site.post('/members/bulk', bulk), 207);
      expect(data[0]).toMatchObject({ status: 'error', error: { code: 'invalid_registered_at' } });
      expect((await site.get('/members')).body.data).toEqual([]);
    });
  });

  test('an unknown member is not found', async () => {
    const site = await server.createSite();
    const path = `/members/${unknownId()}`;
    expectResponse('getMember', await site.get(path), 404, 'member_not_found');
    expectResponse('updateMember', await site.patch(path, { paid: true }), 404, 'member_not_found');
    expectResponse('deleteMember', await site.delete(path), 404, 'member_not_found');
  });

  test('a single member has its groups, by name, and lists do not', async () => {
    const site = await server.createSite();
    const [b, a] = [await aGroup(site, { name: 'B' }), await aGroup(site, { name: 'A' })];
    const scope = await aScopeGroup(server, site, 'C');
    const member = await aMember(site, { accessGroupIds: [b.id, a.id] });
    await aScopeMembership(server, site, scope.id, member.id);
    const { data } = expectResponse('getMember', await site.get(`/members/${member.id}`), 200);
    expect(data.accessGroups.map(({ name }: { name: string }) => name)).toEqual(['A', 'B', 'C']);
    const list = expectResponse('listMembers', await site.get('/members'), 200);
    expect(list.data[0]).not.toHaveProperty('accessGroups');
    const ofGroup = expectResponse(
      'listAccessGroupMembers',
      await site.get(`/access-groups/${a.id}/members`),
      200,
    );
    expect(Object.keys(ofGroup.data[0])).toEqual(Object.keys(GroupMember.properties));
  });

  describe('changing a member', () => {
    test.each([
      { email: 'grace@example.com' },
      { displayName: 'Grace' },
      { displayName: null },
      { paid: true },
      { paid: false },
      { status: 'blocked' },
      { email: 'grace@example.com', displayName: 'Grace', paid: true, status: 'blocked' },
    ])('%j changes only that field', async (change) => {
      const site = await server.createSite();
      const group = await aGroup(site);
      const paid = !('paid' in change && change.paid);
      const member = await aMember(site, { displayName: 'Ada', paid, accessGroupIds: [group.id] });
      advance(day);
      const answer = await site.patch(`/members/${member.id}`, change);
      const { data } = expectResponse('updateMember', answer, 200);
      expect(data).toEqual({ ...member, ...change, updatedAt: data.updatedAt });
      expect(data.updatedAt > member.updatedAt!).toBe(true);
      expect(expectResponse('getMember', await site.get(`/members/${member.id}`), 200).data).toEqual(data);
    });

    test('a blocked member can be unblocked', async () => {
      const site = await server.createSite();
      const member = await aMember(site);
      for (const status of ['blocked', 'active']) {
        const answer = await site.patch(`/members/${member.id}`, { status });
        expect(expectResponse('updateMember', answer, 200).data.status).toBe(status);
      }
    });

    test('requires at least one field, and only known ones', async () => {
      const site = await server.createSite();
      const { id } = await aMember(site);
      for (const body of [
        {},
        { verified: true },
        { paid: true, accessGroupIds: [] },
        { status: 'deleted' },
      ]) {
        expectResponse('updateMember', await site.patch(`/members/${id}`, body), 400, 'invalid_request');
      }
    });

    test("to another member's email address is rejected, to its own in another spelling changes nothing", async () => {
      const site = await server.createSite();
      const [member, other] = [await aMember(site), await aMember(site)];
      const before = await dumpSite(server.database, site.siteId);
      const taken = await site.patch(`/members/${member.id}`, { email: other.email, displayName: 'Ada' });
      expectResponse('updateMember', taken, 409, 'email_taken');
      const same = await site.patch(`/members/${member.id}`, { email: ` ${member.email.toUpperCase()}` });
      expect(expectResponse('updateMember', same, 200).data).toEqual(member);
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });

    test('an email address that a member no longer has is free for another member', async () => {
      const site = await server.createSite();
      const member = await aMember(site, { email: 'ada@example.com' });
      await site.patch(`/members/${member.id}`, { email: 'king@example.com' });
      expect((await aMember(site, { email: 'ada@example.com' })).id).not.toBe(member.id);
    });

    test('the list of members finds it only by its new name and address', async () => {
      const site = await server.createSite();
      const member = await aMember(site, { email: 'ada@example.com', displayName: 'Lovelace' });
      await site.patch(`/members/${member.id}`, { email: 'king@example.com', displayName: 'Countess' });
      for (const q of ['ada', 'love', 'Lovelace'])
        expect(await everyItem(site, `/members?q=${q}`)).toEqual([]);
      for (const q of ['king', 'COUNT']) expect(await everyItem(site, `/members?q=${q}`)).toHaveLength(1);
    });
  });

  describe('blocking a member', () => {
    const blocker = async (site: TestSite, ...permissions: Permission[]) => {
      const { secret } = await site.createKey({ permissions });
      return (path: string) => site.request('POST', path, { headers: { authorization: `Bearer ${secret}` } });
    };

    test('requires its own permission, or the one for all changes', async () => {
      const site = await server.createSite();
      const { id } = await aMember(site);
      for (const permission of ['members:block', 'members:write'] as const) {
        const post = await blocker(site, permission);
        const blocked = expectResponse('blockMember', await post(`/members/${id}/block`), 200).data;
        expect(blocked).toMatchObject({ id, status: 'blocked', accessGroups: [] });
        const active = expectResponse('unblockMember', await post(`/members/${id}/unblock`), 200).data;
        expect(active).toMatchObject({ id, status: 'active' });
      }
    });

    test('allows no other change', async () => {
      const site = await server.createSite();
      const { id } = await aMember(site);
      const { secret } = await site.createKey({ permissions: ['members:block', 'members:read'] });
      const answer = await site.patch(
        `/members/${id}`,
        { status: 'blocked' },
        { authorization: `Bearer ${secret}` },
      );
      expectResponse('updateMember', answer, 403, 'permission_denied');
    });

    test('records one event, and none the second time', async () => {
      const site = await server.createSite();
      const { id, updatedAt } = await aMember(site, { accessGroupIds: [(await aGroup(site)).id] });
      const post = await blocker(site, 'members:block');
      advance(day);
      const first = await post(`/members/${id}/block`);
      const second = await post(`/members/${id}/block`);
      expect(expectResponse('blockMember', second, 200)).toEqual(expectResponse('blockMember', first, 200));
      expect(second.headers.get('etag')).toBe((await site.get(`/members/${id}`)).headers.get('etag'));
      expect(first.body.data.updatedAt > updatedAt!).toBe(true);
      for (let time = 0; time < 2; time += 1) await post(`/members/${id}/unblock`);
      const events = await everyItem(site, `/events?memberId=${id}`);
      expect(events.slice(-2)).toMatchObject([
        { type: 'member.blocked', data: { changes: [{ field: 'status', from: 'active', to: 'blocked' }] } },
        { type: 'member.unblocked', data: { changes: [{ field: 'status', from: 'blocked', to: 'active' }] } },
      ]);
    });

    test('returns an error for an unknown member', async () => {
      const site = await server.createSite();
      const post = await blocker(site, 'members:block');
      expectResponse('blockMember', await post(`/members/${unknownId()}/block`), 404, 'member_not_found');
      expectResponse('unblockMember', await post(`/members/${unknownId()}/unblock`), 404, 'member_not_found');
    });
  });

  describe('deleting a member', () => {
    test('deletes the member, its memberships, and updates every count', async () => {
      const site = await server.createSite();
      const group = await aGroup(site);
      const scope = await aScopeGroup(server, site);
      const [member, other] = [
        await aMember(site, { accessGroupIds: [group.id] }),
        await aMember(site, { accessGroupIds: [group.id] }),
      ];
      await aScopeMembership(server, site, scope.id, member.id);
      await server.database.run(
        sql`UPDATE access_groups SET membership_count = 1 WHERE site_id = ${site.siteId} AND id = ${scope.id}`,
      );
      expectResponse('deleteMember', await site.delete(`/members/${member.id}`), 204);
      expectResponse('getMember', await site.get(`/members/${member.id}`), 404, 'member_not_found');
      expectResponse('deleteMember', await site.delete(`/members/${member.id}`), 404, 'member_not_found');
      const path = `/access-groups/${group.id}`;
      expectResponse(
        'getMembership',
        await site.get(`${path}/members/${member.id}`),
        404,
        'membership_not_found',
      );
      expect((await site.get(path)).body.data.memberCount).toBe(1);
      expect((await site.get(`/access-groups/${scope.id}`)).body.data.memberCount).toBe(0);
      expect((await everyItem(site, `${path}/members`)).map(({ id }) => id)).toEqual([other.id]);
      expect((await everyItem(site, '/members')).map(({ id }) => id)).toEqual([other.id]);
      expect((await aMember(site, { email: member.email })).id).not.toBe(member.id);
    });

    test('erases it from the events of changes that are made at the same time', async () => {
      const site = await server.createSite();
      const members = await Promise.all(Array.from({ length: 12 }, () => aMember(site)));
      await Promise.all(
        members.flatMap(({ id }) => [
          site.patch(`/members/${id}`, { displayName: 'Firstname Secret' }),
          site.patch(`/members/${id}`, { displayName: 'Lastname Secret' }),
          site.delete(`/members/${id}`),
        ]),
      );
      expect(await everyItem(site, '/members')).toEqual([]);
      const events = await everyItem(site, '/events?type=member.updated');
      for (const { data } of events) expect(data).toEqual({ memberId: data.memberId, erased: true });
      expect(await everyItem(site, '/events?type=member.deleted')).toHaveLength(members.length);
    });

    test('erases the email address and the name from all stored data, within 24 hours', async () => {
      const site = await server.createSite();
      const group = await aGroup(site);
      const [firstAddress, lastAddress] = ['first-address@example.com', 'last-address@example.com'];
      const [firstName, lastName] = ['Firstname Secret', 'Lastname Secret'];
      const traces = [firstAddress, lastAddress, firstName, lastName].flatMap((text) => [
        text,
        text.toLowerCase(),
      ]);
      const found = (text: string) => traces.filter((trace) => text.includes(trace));

      const headers = { 'idempotency-key': 'create' };
      const created = await site.post('/members', { email: firstAddress, displayName: firstName }, headers);
      const { data: member } = expectResponse('createMember', created, 201);
      await site.patch(`/members/${member.id}`, { email: lastAddress, displayName: lastName, paid: true });
      await site.patch(`/members/${member.id}`, { status: 'blocked' });
      await aMembership(site, group.id, member.id);
      expect(found((await site.get('/events')).text)).not.toEqual([]);

      expectResponse('deleteMember', await site.delete(`/members/${member.id}`), 204);
      const feed = await site.get('/events');
      const events = expectResponse('listEvents', feed, 200).data;
      expect(found(feed.text)).toEqual([]);
      const about = events.filter(({ type }: { type: string }) => type.startsWith('member.'));
      expect(about.map(({ type, data }: { type: string; data: object }) => [type, data])).toEqual([
        ['member.created', { memberId: member.id, erased: true }],
        ['member.updated', { memberId: member.id, erased: true }],
        [
          'member.blocked',
          { memberId: member.id, changes: [{ field: 'status', from: 'active', to: 'blocked' }] },
        ],
        ['member.deleted', { memberId: member.id }],
      ]);

      // A cursor and a stored response may be retained for a day; no other data about the person remains.
      const after = await dumpStore(server.database);
      for (const [table, rows] of Object.entries(after)) {
        if (table === 'cursor_tombstones' || table === 'idempotency_keys') continue;
        expect(found(rows.join('\n')), table).toEqual([]);
      }
      advance(day);
      await purgeExpired(server.database, clock);
      expect(found(JSON.stringify(await dumpStore(server.database)))).toEqual([]);
    });
  });
});
