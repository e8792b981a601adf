import { type BulkAction, bulkActionTypes, grants, type Permission } from '@gatehouse/contract';
import { describe, expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { dumpSite } from '../../../test/contract/dump.ts';
import {
  aDomain,
  aGroup,
  aMember,
  aMembership,
  aScopeGroup,
  aSession,
  everyItem,
  someMembers,
  unknownId,
} from '../../../test/contract/given.ts';
import { hour, movableTime } from '../../../test/movable-time.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { emailTo, Visitor } from '../../../test/visitor.ts';

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store);
  const laterServer = useTestServer(store, { clock });

  const ids = (members: readonly { id: string }[]) => members.map(({ id }) => id);
  const send = (site: TestSite, memberIds: readonly string[], action: object) =>
    site.post('/members/bulk-actions', { memberIds, action });
  const act = async (site: TestSite, memberIds: readonly string[], action: BulkAction) =>
    expectResponse('bulkMemberActions', await send(site, memberIds, action), 207);
  const statuses = (result: { data: { status: string }[] }) => result.data.map(({ status }) => status);
  const eventsOf = async (site: TestSite, type: string) =>
    (await everyItem(site, `/events?type=${type}`)).map(({ memberId, data }) => memberId ?? data.memberId);

  const endsOf = async (site: TestSite, groupId: string, memberIds: readonly string[]) => {
    const answers = await Promise.all(
      memberIds.map((id) => site.get(`/access-groups/${groupId}/members/${id}`)),
    );
    return answers.map(({ body }) => body.data.expiresAt);
  };

  test('each member has a result, in the given order, and repeated ids count once', async () => {
    const site = await server.createSite();
    const [ada, grace] = await someMembers(site, 2);
    await site.request('POST', `/members/${grace!.id}/block`);
    const unknown = unknownId();
    const named = [unknown, grace!.id, ada!.id.toUpperCase(), ada!.id];
    const result = await act(site, named, { type: 'block' });
    expect(result.data).toEqual([
      {
        memberId: unknown,
        status: 'error',
        error: { code: 'member_not_found', message: expect.any(String) },
      },
      { memberId: grace!.id, status: 'unchanged' },
      { memberId: ada!.id, status: 'done' },
    ]);
    expect(result.summary).toEqual({ total: 3, done: 1, unchanged: 1, failed: 1 });
  });

  describe('actions', () => {
    test('block and unblock, with sessions ended and an event for each', async () => {
      const site = await server.createSite();
      const members = await someMembers(site, 3);
      const { token } = await aSession(site, members[0]!.id);
      expect(statuses(await act(site, ids(members), { type: 'block' }))).toEqual(['done', 'done', 'done']);
      const verified = await site.post('/sessions/verify', { token });
      expect(verified.body.data.session).toBeNull();
      expect(await eventsOf(site, 'member.blocked')).toEqual(ids(members));
      expect(await eventsOf(site, 'session.revoked')).toEqual([members[0]!.id]);
      await act(site, ids(members), { type: 'unblock' });
      expect(await eventsOf(site, 'member.unblocked')).toEqual(ids(members));
      expect((await everyItem(site, '/members?status=active')).length).toBe(3);
    });

    test('set paid', async () => {
      const site = await server.createSite();
      const [paying, free] = [await aMember(site, { paid: true }), await aMember(site)];
      const result = await act(site, [paying.id, free.id], { type: 'set_paid', paid: true });
      expect(statuses(result)).toEqual(['unchanged', 'done']);
      expect((await everyItem(site, '/members?paid=true')).length).toBe(2);
      expect(await eventsOf(site, 'member.updated')).toEqual([free.id]);
    });

    test('delete, with correct counts and no personal data left', async () => {
      const site = await server.createSite();
      const groups = [await aGroup(site), await aGroup(site)];
      const [ada, grace, stays] = [
        await aMember(site, { displayName: 'Ada', accessGroupIds: ids(groups) }),
        await aMember(site, { displayName: 'Grace', accessGroupIds: [groups[1]!.id] }),
        await aMember(site, { accessGroupIds: ids(groups) }),
      ];
      const result = await act(site, [grace.id, ada.id], { type: 'delete' });
      expect(statuses(result)).toEqual(['done', 'done']);
      expect(ids(await everyItem(site, '/members'))).toEqual([stays.id]);
      for (const { id } of groups)
        expect((await site.get(`/access-groups/${id}`)).body.data.memberCount).toBe(1);
      const { events, members } = await dumpSite(server.database, site.siteId);
      expect(`${events}${members}`).not.toMatch(new RegExp(`Ada|Grace|${ada.email}`));
      expect(statuses(await act(site, [ada.id], { type: 'delete' }))).toEqual(['error']);
    });

    test('add to and remove from a group, with its count', async () => {
      const site = await laterServer.createSite();
      const group = await aGroup(site);
      const [inside, outside] = await someMembers(site, 2);
      await aMembership(site, group.id, inside!.id);
      const both = [inside!.id, outside!.id];
      const groupId = group.id.toUpperCase();
      const expiresAt = new Date(clock().getTime() + hour).toISOString();
      const added = await act(site, [outside!.id], { type: 'add_to_group', groupId, expiresAt });
      expect(statuses(added)).toEqual(['done']);
      expect(statuses(await act(site, both, { type: 'add_to_group', groupId }))).toEqual([
        'unchanged',
        'unchanged',
      ]);
      expect(await endsOf(site, group.id, both)).toEqual([null, expiresAt]);
      const count = async () => (await site.get(`/access-groups/${group.id}`)).body.data.memberCount;
      expect(await count()).toBe(2);
      advance(hour);
      const removed = await act(site, both, { type: 'remove_from_group', groupId });
      expect(statuses(removed)).toEqual(['done', 'unchanged']);
      expect(await count()).toBe(0);
      // An expired membership is replaced by a new one.
      expect(statuses(await act(site, both, { type: 'add_to_group', groupId }))).toEqual(['done', 'done']);
      expect(await count()).toBe(2);
      expect(await eventsOf(site, 'access-group.member.expired')).toEqual([outside!.id]);
      expect(await eventsOf(site, 'access-group.member.removed')).toEqual([inside!.id]);
    });

    test('set the end of memberships, and add nobody to the group', async () => {
      const site = await laterServer.createSite();
      const group = await aGroup(site);
      const [inside, removed, over] = await someMembers(site, 3);
      const inHours = (hours: number) => new Date(clock().getTime() + hours * hour).toISOString();
      const [brief, near, far] = [inHours(0.5), inHours(2), inHours(9)];
      await aMembership(site, group.id, inside!.id, near);
      await aMembership(site, group.id, removed!.id, near);
      await aMembership(site, group.id, over!.id, brief);
      await site.delete(`/access-groups/${group.id}/members/${removed!.id}`);
      advance(hour);
      const all = ids([inside!, removed!, over!]);
      const result = await act(site, all, { type: 'set_end_in_group', groupId: group.id, expiresAt: far });
      expect(result.data).toMatchObject([
        { status: 'done', previousExpiresAt: near },
        { status: 'unchanged' },
        { status: 'unchanged' },
      ]);
      expect(await endsOf(site, group.id, [inside!.id])).toEqual([far]);
      for (const { id } of [removed!, over!])
        expect((await site.get(`/access-groups/${group.id}/members/${id}`)).status).toBe(404);
    });

    test('add to a group until a time, also existing group members, whose former ends can be restored', async () => {
      const site = await laterServer.createSite();
      const group = await aGroup(site);
      const [forever, soon, same, outside, over] = await someMembers(site, 5);
      const inHours = (hours: number) => new Date(clock().getTime() + hours * hour).toISOString();
      const [brief, near, far] = [inHours(0.5), inHours(2), inHours(9)];
      await aMembership(site, group.id, forever!.id);
      await aMembership(site, group.id, over!.id, brief);
      await aMembership(site, group.id, soon!.id, near);
      await aMembership(site, group.id, same!.id, far);
      advance(hour);
      const all = [forever!.id, soon!.id, same!.id, outside!.id, over!.id, unknownId()];
      const action = { type: 'add_to_group', groupId: group.id, expiresAt: far } as const;
      const result = await act(site, all, action);
      expect(result.data).toMatchObject([
        { status: 'done', previousExpiresAt: null },
        { status: 'done', previousExpiresAt: near },
        { status: 'unchanged' },
        { status: 'done' },
        { status: 'done' },
        { status: 'error' },
      ]);
      expect(result.data.map((item: object) => 'previousExpiresAt' in item)).toEqual([
        true,
        true,
        false,
        false,
        false,
        false,
      ]);
      expect(result.summary).toEqual({ total: 6, done: 4, unchanged: 1, failed: 1 });
      expect(await endsOf(site, group.id, all.slice(0, 5))).toEqual([far, far, far, far, far]);
      const changes = (await everyItem(site, '/events?type=access-group.member.updated')).map(
        ({ data }) => data,
      );
      expect(changes).toEqual([
        {
          groupId: group.id,
          memberId: forever!.id,
          changes: [{ field: 'expiresAt', from: null, to: far }],
        },
        { groupId: group.id, memberId: soon!.id, changes: [{ field: 'expiresAt', from: near, to: far }] },
      ]);
      expect(statuses(await act(site, all.slice(0, 5), action))).toEqual(Array(5).fill('unchanged'));

      const back = [
        await act(site, [forever!.id], { ...action, expiresAt: null }),
        await act(site, [soon!.id], { ...action, expiresAt: near }),
      ];
      expect(back.map(({ data }) => data[0])).toMatchObject([
        { status: 'done', previousExpiresAt: far },
        { status: 'done', previousExpiresAt: far },
      ]);
      expect(await endsOf(site, group.id, [forever!.id, soon!.id])).toEqual([null, near]);
      expect((await site.get(`/access-groups/${group.id}`)).body.data.memberCount).toBe(5);
    });

    test('send a login link to each member who is not blocked', async () => {
      const site = await server.createSite();
      await aDomain(site);
      const [ada, blocked] = await someMembers(site, 2);
      await site.request('POST', `/members/${blocked!.id}/block`);
      const result = await act(site, [ada!.id, blocked!.id], { type: 'send_login_link' });
      expect(result.data).toMatchObject([
        { status: 'done' },
        { status: 'error', error: { code: 'member_blocked' } },
      ]);
      const { path } = await emailTo(server, ada!.email);
      expect((await new Visitor(site).post(path)).status).toBe(303);
      expect(await eventsOf(site, 'login-link.created')).toEqual([ada!.id]);
    });

    test('for at most 500 members in one request', async () => {
      const site = await server.createSite();
      const people = Array.from({ length: 500 }, (_, index) => ({ email: `m${index}@example.com` }));
      const created = await site.post('/members/bulk', { members: people });
      const all = created.body.data.map(({ member }: { member: { id: string } }) => member.id);
      const group = await aGroup(site);
      const actions: BulkAction[] = [
        { type: 'add_to_group', groupId: group.id },
        { type: 'set_paid', paid: true },
        { type: 'delete' },
      ];
      for (const action of actions) expect((await act(site, all, action)).summary.done).toBe(500);
      expect(await everyItem(site, '/members')).toEqual([]);
      const tooMany = await send(site, [...all, unknownId()], { type: 'block' });
      expectResponse('bulkMemberActions', tooMany, 400, 'invalid_request');
    });
  });

  describe('the whole request is rejected, and nothing is changed', () => {
    async function refused(site: TestSite, memberIds: string[], action: object) {
      const before = await dumpSite(server.database, site.siteId);
      const answer = await send(site, memberIds, action);
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
      return answer;
    }

    test('with a group that cannot be used', async () => {
      const site = await server.createSite();
      const [member] = await someMembers(site, 1);
      const scope = await aScopeGroup(server, site);
      for (const fields of [
        { type: 'add_to_group' },
        { type: 'set_end_in_group', expiresAt: null },
        { type: 'remove_from_group' },
      ]) {
        const unknown = await refused(site, [member!.id], { ...fields, groupId: unknownId() });
        expectResponse('bulkMemberActions', unknown, 404, 'access_group_not_found');
        const readOnly = await refused(site, [member!.id], { ...fields, groupId: scope.id });
        expectResponse('bulkMemberActions', readOnly, 403, 'scope_group_read_only');
      }
    });

    test('while the site has no domain for links', async () => {
      const site = await server.createSite();
      const [member] = await someMembers(site, 1);
      const answer = await refused(site, [member!.id], { type: 'send_login_link' });
      expectResponse('bulkMemberActions', answer, 409, 'site_domain_missing');
    });

    test.each([
      [{ type: 'set_paid' }, '/action/paid'],
      [{ type: 'add_to_group' }, '/action/groupId'],
      [{ type: 'set_end_in_group', groupId: unknownId() }, '/action/expiresAt'],
      [
        { type: 'set_end_in_group', groupId: unknownId(), expiresAt: '2020-01-01T00:00:00Z' },
        '/action/expiresAt',
      ],
      [{ type: 'remove_from_group', groupId: unknownId(), expiresAt: null }, '/action/expiresAt'],
      [{ type: 'block', paid: true }, '/action/paid'],
      [{ type: 'delete', groupId: unknownId() }, '/action/groupId'],
      [
        { type: 'add_to_group', groupId: unknownId(), expiresAt: '2020-01-01T00:00:00Z' },
        '/action/expiresAt',
      ],
      [{ type: 'promote' }, '/action/type'],
      [{ type: 'block', reason: 'spam' }, '/action/reason'],
    ])('with %j', async (action, path) => {
      const site = await server.createSite();
      const [member] = await someMembers(site, 1);
      const answer = await refused(site, [member!.id], action);
      const { details } = expectResponse('bulkMemberActions', answer, 400, 'invalid_request');
      expect(details[0].path).toBe(path);
    });
  });

  describe('each action requires its own permission', () => {
    const needed: Record<BulkAction['type'], Permission> = {
      block: 'members:block',
      unblock: 'members:block',
      send_login_link: 'login-links:send',
      set_paid: 'members:write',
      delete: 'members:write',
      add_to_group: 'access-groups:write',
      set_end_in_group: 'access-groups:write',
      remove_from_group: 'access-groups:write',
    };

    test.each(bulkActionTypes)('%s', async (type) => {
      const site = await server.createSite();
      await aDomain(site);
      const { id } = await aMember(site);
      const groupId = (await aGroup(site)).id;
      const action = {
        type,
        ...(type === 'set_paid' && { paid: true }),
        ...(type.endsWith('group') && { groupId }),
        ...(type === 'set_end_in_group' && { expiresAt: null }),
      };
      const sendWith = async (...permissions: Permission[]) => {
        const { secret } = await site.createKey({ permissions });
        const body = { memberIds: [id], action };
        return site.post('/members/bulk-actions', body, { authorization: `Bearer ${secret}` });
      };
      const all: Permission[] = ['members:write', 'members:block', 'login-links:send', 'access-groups:write'];
      const others = all.filter((each) => !grants([each], needed[type]));
      const without = await sendWith('members:read', ...others);
      const apiError = expectResponse('bulkMemberActions', without, 403, 'permission_denied');
      expect(apiError.message).toContain(needed[type]);
      const unread = await sendWith(...all);
      expectResponse('bulkMemberActions', unread, 403, 'permission_denied');
      expectResponse('bulkMemberActions', await sendWith('members:read', needed[type]), 207);
    });
  });

  test('two requests with the same members in opposite order do not conflict', async () => {
    const site = await server.createSite();
    const members = ids(await someMembers(site, 20));
    const group = await aGroup(site);
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        act(site, index % 2 === 0 ? members : members.toReversed(), {
          type: 'add_to_group',
          groupId: group.id,
        }),
      ),
    );
    expect(results.reduce((done, { summary }) => done + summary.done, 0)).toBe(20);
    expect((await site.get(`/access-groups/${group.id}`)).body.data.memberCount).toBe(20);
  });
});
