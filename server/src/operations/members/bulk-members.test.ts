import type { BulkResultItem } from '@gatehouse/contract';
import { describe, expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { dumpSite } from '../../../test/contract/dump.ts';
import { aGroup, aMember, aScopeGroup, everyItem, unknownId } from '../../../test/contract/given.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  async function create(site: TestSite, members: object[], accessGroupIds?: string[]) {
    const answer = await site.post('/members/bulk', { members, ...(accessGroupIds && { accessGroupIds }) });
    return expectResponse('bulkCreateMembers', answer, 207) as {
      data: BulkResultItem[];
      summary: { total: number; created: number; failed: number };
    };
  }
  const rounds = 5;
  const outcome = (item: BulkResultItem) => ('error' in item ? item.error.code : item.status);

  test('gives a result for each member in the order submitted, with the email address as submitted', async () => {
    const site = await server.createSite();
    await aMember(site, { email: 'taken@example.com' });
    const members = [
      { email: ' Ada@Example.com ', displayName: ' Ada ', paid: true },
      { email: 'nonsense' },
      { email: 'TAKEN@example.com' },
      { email: 'ada@EXAMPLE.com' },
      { email: 'grace@example.com', displayName: 'x'.repeat(201) },
      { email: 'grace@example.com', displayName: null },
      { email: '' },
      { email: 'grace@example.com' },
      { email: 'zoe@bücher.example' },
    ];
    const { data, summary } = await create(site, members);
    expect(data.map(({ email }) => email)).toEqual(members.map(({ email }) => email));
    expect(data.map(outcome)).toEqual([
      'created',
      'invalid_email',
      'email_taken',
      'email_taken',
      'invalid_display_name',
      'created',
      'invalid_email',
      'email_taken',
      'created',
    ]);
    expect(summary).toEqual({ total: 9, created: 3, failed: 6 });
    for (const item of data) {
      const statusOfFailure = outcome(item) === 'email_taken' ? 'conflict' : 'error';
      expect(item.status).toBe(outcome(item) === 'created' ? 'created' : statusOfFailure);
      expect('member' in item).toBe(item.status === 'created');
      expect('error' in item).toBe(item.status !== 'created');
      if ('error' in item) expect(item.error.message).not.toBe('');
    }
    expect(data[0]).toMatchObject({ member: { email: 'ada@example.com', displayName: 'Ada', paid: true } });
    expect(data[5]).toMatchObject({ member: { email: 'grace@example.com', displayName: null, paid: false } });
    expect(data[8]).toMatchObject({ member: { email: 'zoe@xn--bcher-kva.example' } });
    const listed = await everyItem(site, '/members?order=asc');
    const created = data.flatMap((item) => (item.status === 'created' ? [item.member] : []));
    expect(listed.slice(1)).toEqual(created);
  });

  test('a conflict names the existing member to a key that may read members', async () => {
    const site = await server.createSite();
    const taken = await aMember(site, { email: 'zoe@bücher.example' });
    const members = [
      { email: 'Zoe@Bücher.example' },
      { email: 'ada@example.com' },
      { email: 'ADA@example.com' },
      { email: 'nonsense' },
    ];
    const { data } = await create(site, members);
    const ada = data[1]!.status === 'created' ? data[1]!.member.id : '';
    expect(data.map((item) => ('existingMemberId' in item ? item.existingMemberId : null))).toEqual([
      taken.id,
      null,
      ada,
      null,
    ]);
    const { secret } = await site.createKey({ permissions: ['members:write'] });
    const writing = await site.post('/members/bulk', { members }, { authorization: `Bearer ${secret}` });
    const answered = expectResponse('bulkCreateMembers', writing, 207);
    expect(answered.data.map(({ status }: BulkResultItem) => status)).toEqual([
      'conflict',
      'conflict',
      'conflict',
      'error',
    ]);
    expect(JSON.stringify(answered)).not.toContain('existingMemberId');
  });

  test('a conflict with a member who is created or deleted at the same time names that member or nobody', async () => {
    const site = await server.createSite();
    for (let round = 0; round < rounds; round++) {
      const email = `race-${round}@example.com`;
      const removed = await aMember(site, { email: `removed-${email}` });
      const members = [{ email }, { email: removed.email }];
      const [one, two] = await Promise.all([
        create(site, members),
        create(site, members),
        site.delete(`/members/${removed.id}`),
      ]);
      const items = [one.data, two.data].flat().filter((item) => item.email === email);
      const created = items.find((item) => item.status === 'created');
      const conflict = items.find((item) => item.status === 'conflict');
      expect(created).toBeDefined();
      expect(conflict).toMatchObject({ existingMemberId: (created as { member: { id: string } }).member.id });
      for (const item of [one.data[1]!, two.data[1]!]) expect(['created', 'conflict']).toContain(item.status);
    }
  });

  test('a new member is like one created with a single request', async () => {
    const site = await server.createSite();
    const { data } = await create(site, [{ email: 'ada@example.com' }]);
    const [item] = data;
    if (item?.status !== 'created') throw new Error('not created');
    expect(item.member).toMatchObject({ status: 'active', verified: false, paid: false, lastLoginAt: null });
    expect(item.member.registeredAt).toBe(item.member.createdAt);
    expect(item.member).not.toHaveProperty('accessGroups');
    const alone = await aMember(site);
    expect(Object.keys(alone)).toEqual([...Object.keys(item.member), 'accessGroups']);
  });

  test('all created members are added to the given groups, and rejected ones change nothing there', async () => {
    const site = await server.createSite();
    const outsider = await aMember(site, { email: 'taken@example.com' });
    const [first, second] = [await aGroup(site), await aGroup(site)];
    const members = [
      { email: 'ada@example.com' },
      { email: 'taken@example.com' },
      { email: 'x' },
      { email: 'grace@example.com' },
    ];
    const { data } = await create(site, members, [first.id, second.id, first.id]);
    const createdIds = data.flatMap((item) => (item.status === 'created' ? [item.member.id] : []));
    expect(createdIds).toHaveLength(2);
    for (const group of [first, second]) {
      const inGroup = await everyItem(site, `/access-groups/${group.id}/members`);
      expect(inGroup.map(({ id }) => id)).toEqual(createdIds.toReversed());
      expect((await site.get(`/access-groups/${group.id}`)).body.data.memberCount).toBe(2);
    }
    expect((await site.get(`/members/${outsider.id}`)).body.data.accessGroups).toEqual([]);
  });

  describe('the whole request is rejected and nothing is created', () => {
    const good = { email: 'ada@example.com' };
    const shapes: [string, object][] = [
      ['no members', { members: [] }],
      [
        '501 members',
        { members: Array.from({ length: 501 }, (_, index) => ({ email: `m${index}@example.com` })) },
      ],
      ['no list', {}],
      ['a list that is not an array', { members: good }],
      ['null instead of a list', { members: null }],
      ['an email address that is not a string', { members: [good, { email: 5 }] }],
      ['a missing email address', { members: [good, {}] }],
      ['a name that is not a string', { members: [good, { email: 'b@example.com', displayName: 1 }] }],
      ['paid that is not a boolean', { members: [good, { email: 'b@example.com', paid: 'true' }] }],
      ['an unknown field of a member', { members: [good, { email: 'b@example.com', verified: true }] }],
      ['an unknown field', { members: [good], atomic: true }],
      ['a member that is null', { members: [good, null] }],
      ['a member that is a string', { members: [good, 'b@example.com'] }],
      ['a group that is not an id', { members: [good], accessGroupIds: ['x'] }],
      ['groups that are not a list', { members: [good], accessGroupIds: {} }],
      ['101 groups', { members: [good], accessGroupIds: Array(101).fill(unknownId()) }],
    ];

    test.each(shapes)('for %s', async (_, body) => {
      const site = await server.createSite();
      const before = await dumpSite(server.database, site.siteId);
      expectResponse('bulkCreateMembers', await site.post('/members/bulk', body), 400, 'invalid_request');
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });

    test('for an unknown group or a scope group, whichever comes first', async () => {
      const site = await server.createSite();
      const [group, scope] = [await aGroup(site), await aScopeGroup(server, site)];
      const before = await dumpSite(server.database, site.siteId);
      const refuse = async (
        accessGroupIds: string[],
        status: number,
        code: 'access_group_not_found' | 'scope_group_read_only',
      ) => {
        const answer = await site.post('/members/bulk', { members: [good], accessGroupIds });
        expectResponse('bulkCreateMembers', answer, status, code);
      };
      await refuse([group.id, unknownId()], 404, 'access_group_not_found');
      await refuse([group.id, scope.id], 403, 'scope_group_read_only');
      await refuse([unknownId(), scope.id], 404, 'access_group_not_found');
      await refuse([scope.id, unknownId()], 403, 'scope_group_read_only');
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });
  });

  test('500 members are created in one request, with distinct ids in the order submitted', async () => {
    const site = await server.createSite();
    const group = await aGroup(site);
    const members = Array.from({ length: 500 }, (_, index) => ({
      email: `m${(index * 7) % 500}@example.com`,
    }));
    const { data, summary } = await create(site, members, [group.id]);
    expect(summary).toEqual({ total: 500, created: 500, failed: 0 });
    const listed = await everyItem(site, '/members?order=asc');
    expect(listed.map(({ email }) => email)).toEqual(members.map(({ email }) => email));
    expect(data.map((item) => ('member' in item ? item.member.id : ''))).toEqual(listed.map(({ id }) => id));
    expect((await site.get(`/access-groups/${group.id}`)).body.data.memberCount).toBe(500);
  });

  test('when no member is valid, nothing is written', async () => {
    const site = await server.createSite();
    const [member, group] = [await aMember(site), await aGroup(site)];
    const before = await dumpSite(server.database, site.siteId);
    const { summary } = await create(site, [{ email: member.email }, { email: 'x' }], [group.id]);
    expect(summary).toEqual({ total: 2, created: 0, failed: 2 });
    expect(await dumpSite(server.database, site.siteId)).toEqual(before);
  });

  test('every created member and membership has its event', async () => {
    const site = await server.createSite();
    const group = await aGroup(site);
    await create(
      site,
      [{ email: 'ada@example.com' }, { email: 'x' }, { email: 'grace@example.com' }],
      [group.id],
    );
    const types = (await everyItem(site, '/events')).map(({ type }) => type);
    expect(types).toEqual([
      'site.created',
      'api-key.created',
      'access-group.created',
      'member.created',
      'member.created',
      'access-group.member.added',
      'access-group.member.added',
    ]);
  });

  test('two simultaneous requests with the same email addresses create each member once', async () => {
    const site = await server.createSite();
    const members = Array.from({ length: 50 }, (_, index) => ({ email: `m${index}@example.com` }));
    const answers = await Promise.all([
      create(site, members),
      create(site, members.toReversed()),
      create(site, members),
    ]);
    expect(answers.reduce((sum, { summary }) => sum + summary.created, 0)).toBe(50);
    expect(await everyItem(site, '/members')).toHaveLength(50);
  });
});
