import { describe, expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { dumpSite } from '../../../test/contract/dump.ts';
import {
  aGroup,
  aMember,
  aMembership,
  aScopeGroup,
  aScopeMembership,
  everyItem,
  someMembers,
  unknownId,
} from '../../../test/contract/given.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

const astral = '𝔸';

forEachStore((store) => {
  const server = useTestServer(store);
  const memberCount = async (site: TestSite, groupId: string): Promise<number> =>
    expectResponse('getAccessGroup', await site.get(`/access-groups/${groupId}`), 200).data.memberCount;

  describe('creating a group', () => {
    test('returns a custom group without members, and its URL', async () => {
      const site = await server.createSite();
      const answer = await site.post('/access-groups', {
        name: 'Course 2026',
        description: 'Everyone\nwho came.',
      });
      const { data } = expectResponse('createAccessGroup', answer, 201);
      expect(data).toEqual({
        id: expect.any(String),
        name: 'Course 2026',
        description: 'Everyone\nwho came.',
        type: 'custom',
        sourceId: null,
        maxSessions: null,
        memberCount: 0,
        createdAt: data.createdAt,
        updatedAt: data.createdAt,
      });
      expect(answer.headers.get('location')).toBe(`http://localhost:8080/api/v1/access-groups/${data.id}`);
      const found = await site.get(`/access-groups/${data.id}`);
      expect(expectResponse('getAccessGroup', found, 200).data).toEqual(data);
    });

    test('cannot create a scope group or set other fields', async () => {
      const site = await server.createSite();
      for (const field of ['type', 'id', 'memberCount', 'collection', 'createdAt']) {
        const answer = await site.post('/access-groups', { name: 'Course', [field]: 'scope' });
        expectResponse('createAccessGroup', answer, 400, 'invalid_request');
      }
    });

    test('requires a name', async () => {
      const site = await server.createSite();
      for (const body of [{}, { description: 'x' }, { name: null }, { name: 1 }]) {
        expectResponse('createAccessGroup', await site.post('/access-groups', body), 400, 'invalid_request');
      }
    });
  });

  describe('a name', () => {
    const stored: [string, string][] = [
      ['  Course 2026\t\n', 'Course 2026'],
      ['x', 'x'],
      ['Cafe\u0301', 'Café'],
      [astral.repeat(100), astral.repeat(100)],
      [`${' '.repeat(200)}${'x'.repeat(100)}${' '.repeat(200)}`, 'x'.repeat(100)],
      ['e\u0301'.repeat(100), 'é'.repeat(100)],
      ['a  b', 'a  b'],
      ['<i>"%_\\', '<i>"%_\\'],
    ];
    test.each(stored)('%j is stored as %j', async (written, name) => {
      const site = await server.createSite();
      const group = await aGroup(site, { name: written });
      expect(group.name).toBe(name);
      const other = await aGroup(site);
      await site.delete(`/access-groups/${group.id}`);
      const answer = await site.patch(`/access-groups/${other.id}`, { name: written });
      expect(expectResponse('updateAccessGroup', answer, 200).data.name).toBe(name);
    });

    test.each([
      '',
      '  ',
      '\u00a0',
      'x'.repeat(101),
      astral.repeat(101),
      'a\u0000b',
      'a\nb',
      'a\u2028b',
      'x'.repeat(1_001),
    ])('cannot be %j', async (name) => {
      const site = await server.createSite();
      const created = await site.post('/access-groups', { name });
      expect(expectResponse('createAccessGroup', created, 400, 'invalid_request').details[0].path).toBe(
        '/name',
      );
      const group = await aGroup(site);
      const changed = await site.patch(`/access-groups/${group.id}`, { name });
      expectResponse('updateAccessGroup', changed, 400, 'invalid_request');
    });

    test('is unique on its site, in its exact stored form', async () => {
      const site = await server.createSite();
      await aGroup(site, { name: 'Café' });
      await aScopeGroup(server, site, 'Workspace');
      for (const name of ['Café', ' Café ', 'Cafe\u0301', 'Workspace']) {
        const answer = await site.post('/access-groups', { name });
        expectResponse('createAccessGroup', answer, 409, 'access_group_name_taken');
      }
      for (const name of ['café', 'CAFÉ', 'Cafe', 'Café 2', 'Ca fé']) await aGroup(site, { name });
    });

    test("can be set to its current value, but not to another group's name", async () => {
      const site = await server.createSite();
      const [group, other] = [await aGroup(site), await aGroup(site)];
      const before = await dumpSite(server.database, site.siteId);
      const same = await site.patch(`/access-groups/${group.id}`, { name: ` ${group.name} ` });
      expect(expectResponse('updateAccessGroup', same, 200).data).toEqual(group);
      const taken = await site.patch(`/access-groups/${group.id}`, { name: other.name, description: 'x' });
      expectResponse('updateAccessGroup', taken, 409, 'access_group_name_taken');
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });

    test('of a deleted or renamed group can be used again', async () => {
      const site = await server.createSite();
      const [first, second] = [await aGroup(site, { name: 'A' }), await aGroup(site, { name: 'B' })];
      await site.delete(`/access-groups/${first.id}`);
      await site.patch(`/access-groups/${second.id}`, { name: 'C' });
      for (const name of ['A', 'B']) await aGroup(site, { name });
    });
  });

  describe('a description', () => {
    test('has at most 500 characters, may have several lines, and null clears it', async () => {
      const site = await server.createSite();
      for (const description of ['', ' as it is ', 'two\nlines', 'x'.repeat(500), astral.repeat(500), null]) {
        const group = await aGroup(site, { description });
        expect(group.description).toBe(description);
        const changed = await site.patch(`/access-groups/${group.id}`, { description: 'other' });
        expect(expectResponse('updateAccessGroup', changed, 200).data.description).toBe('other');
        const cleared = await site.patch(`/access-groups/${group.id}`, { description: null });
        expect(expectResponse('updateAccessGroup', cleared, 200).data.description).toBeNull();
      }
      expect((await aGroup(site)).description).toBeNull();
    });

    test.each(['x'.repeat(501), astral.repeat(501), 'a\u0000b'])('cannot be %j', async (description) => {
      const site = await server.createSite();
      const created = await site.post('/access-groups', { name: 'Course', description });
      expect(expectResponse('createAccessGroup', created, 400, 'invalid_request').details[0].path).toBe(
        '/description',
      );
      const group = await aGroup(site);
      const changed = await site.patch(`/access-groups/${group.id}`, { description });
      expectResponse('updateAccessGroup', changed, 400, 'invalid_request');
    });
  });

  describe('changing a group', () => {
    test.each([{ name: 'New' }, { description: 'New' }, { name: 'New', description: 'New' }])(
      '%j changes only that field',
      async (change) => {
        const site = await server.createSite();
        const group = await aGroup(site, { description: 'Old' });
        const answer = await site.patch(`/access-groups/${group.id}`, change);
        const { data } = expectResponse('updateAccessGroup', answer, 200);
        expect(data).toEqual({ ...group, ...change, updatedAt: data.updatedAt });
        expect(data.updatedAt >= group.updatedAt!).toBe(true);
        expect((await site.get(`/access-groups/${group.id}`)).body.data).toEqual(data);
      },
    );

    test('requires at least one field, and only known ones', async () => {
      const site = await server.createSite();
      const { id } = await aGroup(site);
      for (const body of [{}, { type: 'scope' }, { name: 'x', memberCount: 1 }, { name: null }]) {
        expectResponse(
          'updateAccessGroup',
          await site.patch(`/access-groups/${id}`, body),
          400,
          'invalid_request',
        );
      }
    });

    test('shows its new name to its members and to searches', async () => {
      const site = await server.createSite();
      const group = await aGroup(site, { name: 'Before' });
      const member = await aMember(site, { accessGroupIds: [group.id] });
      await site.patch(`/access-groups/${group.id}`, { name: 'After' });
      expect((await site.get(`/members/${member.id}`)).body.data.accessGroups).toEqual([
        { id: group.id, name: 'After' },
      ]);
      expect(await everyItem(site, '/access-groups?q=before')).toEqual([]);
      expect(await everyItem(site, '/access-groups?q=AFTER')).toHaveLength(1);
    });
  });

  test('an unknown group is not found', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const path = `/access-groups/${unknownId()}`;
    const code = 'access_group_not_found';
    expectResponse('getAccessGroup', await site.get(path), 404, code);
    expectResponse('updateAccessGroup', await site.patch(path, { name: 'x' }), 404, code);
    expectResponse('deleteAccessGroup', await site.delete(path), 404, code);
    expectResponse('listAccessGroupMembers', await site.get(`${path}/members`), 404, code);
    expectResponse(
      'addAccessGroupMember',
      await site.post(`${path}/members`, { memberId: member.id }),
      404,
      code,
    );
    expectResponse('removeAccessGroupMember', await site.delete(`${path}/members/${member.id}`), 404, code);
    expectResponse(
      'getMembership',
      await site.get(`${path}/members/${member.id}`),
      404,
      'membership_not_found',
    );
  });

  describe('deleting a group', () => {
    test('deletes its memberships and keeps its members', async () => {
      const site = await server.createSite();
      const [group, other] = [await aGroup(site), await aGroup(site)];
      const member = await aMember(site, { accessGroupIds: [group.id, other.id] });
      expectResponse('deleteAccessGroup', await site.delete(`/access-groups/${group.id}`), 204);
      expectResponse(
        'getAccessGroup',
        await site.get(`/access-groups/${group.id}`),
        404,
        'access_group_not_found',
      );
      expectResponse(
        'deleteAccessGroup',
        await site.delete(`/access-groups/${group.id}`),
        404,
        'access_group_not_found',
      );
      const { data } = expectResponse('getMember', await site.get(`/members/${member.id}`), 200);
      expect(data.accessGroups).toEqual([{ id: other.id, name: other.name }]);
      expect((await everyItem(site, '/access-groups')).map(({ id }) => id)).toEqual([other.id]);
      await purgeExpired(server.database, () => new Date());
      const { memberships } = await dumpSite(server.database, site.siteId);
      expect(memberships!.filter((row) => row.includes(group.id))).toEqual([]);
    });
  });

  test('a scope group can be read but not changed', async () => {
    const site = await server.createSite();
    const scope = await aScopeGroup(server, site);
    const [member, other] = await someMembers(site, 2);
    await aScopeMembership(server, site, scope.id, member!.id);
    const path = `/access-groups/${scope.id}`;
    expect(expectResponse('getAccessGroup', await site.get(path), 200).data.type).toBe('scope');
    const membership = await site.get(`${path}/members/${member!.id}`);
    expect(expectResponse('getMembership', membership, 200).data.source).toBe('scope');
    expect(await everyItem(site, `${path}/members`)).toHaveLength(1);

    const before = await dumpSite(server.database, site.siteId);
    const code = 'scope_group_read_only';
    expectResponse('updateAccessGroup', await site.patch(path, { name: 'x' }), 403, code);
    expectResponse('updateAccessGroup', await site.patch(path, { description: null }), 403, code);
    expectResponse('deleteAccessGroup', await site.delete(path), 403, code);
    for (const memberId of [member!.id, other!.id, unknownId()]) {
      expectResponse('addAccessGroupMember', await site.post(`${path}/members`, { memberId }), 403, code);
      const stored = await site.patch(`${path}/members/${memberId}`, { expiresAt: null });
      expectResponse('updateMembership', stored, 403, code);
      expectResponse('removeAccessGroupMember', await site.delete(`${path}/members/${memberId}`), 403, code);
    }
    expect(await dumpSite(server.database, site.siteId)).toEqual(before);
  });

  describe('the list of groups', () => {
    test('is filtered by type and by part of the name, ignoring case', async () => {
      const site = await server.createSite();
      const names = [
        'Course 2026',
        'COURSE 2025',
        'Élèves',
        '100%',
        'snake_case',
        'C:\\x',
        'O\'Neil "x"',
        'ΟΔΥΣΣΕΥΣ',
        'a',
      ];
      for (const name of names) await aGroup(site, { name });
      await aScopeGroup(server, site, 'Course of the workspace');
      const named = async (query: Record<string, string>) =>
        (await everyItem(site, `/access-groups?${new URLSearchParams(query)}`)).map(({ name }) => name);

      expect(await named({})).toEqual(['Course of the workspace', ...names.toReversed()]);
      expect(await named({ type: 'scope' })).toEqual(['Course of the workspace']);
      expect(await named({ type: 'custom' })).toEqual(names.toReversed());
      expect(await named({ q: 'course' })).toEqual(['Course of the workspace', 'COURSE 2025', 'Course 2026']);
      expect(await named({ q: 'course', type: 'custom' })).toEqual(['COURSE 2025', 'Course 2026']);
      expect(await named({ q: 'course', type: 'scope' })).toEqual(['Course of the workspace']);
      for (const [q, name] of [
        ['élè', 'Élèves'],
        ['E\u0301L', 'Élèves'],
        ['%', '100%'],
        ['_', 'snake_case'],
        ['\\', 'C:\\x'],
        ['"X"', 'O\'Neil "x"'],
        ["'n", 'O\'Neil "x"'],
        ['οδυσ', 'ΟΔΥΣΣΕΥΣ'],
      ] as const) {
        expect(await named({ q }), q).toEqual([name]);
      }
      for (const q of ['%_', '_%', '\\%', 'eleves', ' course', "';--"])
        expect(await named({ q }), q).toEqual([]);
      expect(await named({ q: 'a' })).toEqual(['Course of the workspace', 'a', 'snake_case']);
    });

    test('shows the number of members of each group', async () => {
      const site = await server.createSite();
      const [empty, full] = [await aGroup(site), await aGroup(site)];
      for (const { id } of await someMembers(site, 3)) await aMembership(site, full.id, id);
      const counts = (await everyItem(site, '/access-groups')).map(({ id, memberCount }) => [
        id,
        memberCount,
      ]);
      expect(counts).toEqual([
        [full.id, 3],
        [empty.id, 0],
      ]);
    });
  });

  test('the number of members is exact when members are added and removed concurrently', async () => {
    const site = await server.createSite();
    const group = await aGroup(site);
    const members = await someMembers(site, 12);
    const path = `/access-groups/${group.id}/members`;
    for (const { id } of members.slice(0, 6)) await aMembership(site, group.id, id);
    await Promise.all([
      ...members
        .slice(6)
        .flatMap(({ id }) => [site.post(path, { memberId: id }), site.post(path, { memberId: id })]),
      ...members
        .slice(0, 3)
        .flatMap(({ id }) => [site.delete(`${path}/${id}`), site.delete(`${path}/${id}`)]),
      ...members.slice(3, 5).map(({ id }) => site.delete(`/members/${id}`)),
      site.post('/members/bulk', {
        members: [{ email: 'ada@example.com' }, { email: 'x' }],
        accessGroupIds: [group.id],
      }),
    ]);
    expect(await memberCount(site, group.id)).toBe(8);
    expect(await everyItem(site, path)).toHaveLength(8);
  });
});
