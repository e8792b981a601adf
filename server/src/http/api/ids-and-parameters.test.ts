import { type Operation, type OperationId, operations } from '@gatehouse/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { aGroup, aMember, unknownId } from '../../../test/contract/given.ts';
import { operationsWithKey, pathOf, readyRequest, sendReady } from '../../../test/contract/requests.ts';
import { forEachStore, forOneStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

const malformed = [
  'nonsense',
  '1',
  'null',
  '00000000-0000-0000-0000-00000000000',
  '00000000-0000-0000-0000-0000000000000',
  'urn:uuid:00000000-0000-7000-8000-000000000000',
  '{00000000-0000-7000-8000-000000000000}',
  '00000000000070008000000000000000',
  'g0000000-0000-7000-8000-000000000000',
  "0'; DROP TABLE members; --",
  'x'.repeat(3_000),
];

const withIdInPath = operationsWithKey.filter((id) =>
  Object.values(operations[id].params.properties).some((parameter) => 'format' in parameter),
);
const withCursor = operationsWithKey.filter((id) => 'after' in operations[id].query.properties);

forOneStore((store) => {
  const server = useTestServer(store);

  describe.each(withIdInPath)('%s', (operationId) => {
    const operation: Operation = operations[operationId];
    const names = Object.keys(operation.params.properties);
    const isId = (name: string) => 'format' in operation.params.properties[name]!;

    test('rejects a malformed ID in its path and names it', async () => {
      const site = await server.createSite();
      const { body } = await readyRequest(operationId, site);
      for (const name of names.filter(isId)) {
        const ids = Object.fromEntries(names.map((each) => [each, unknownId()]));
        for (const wrong of malformed) {
          const path = pathOf(operationId, { ...ids, [name]: encodeURIComponent(wrong) });
          const answer = await sendReady(site, { operationId, method: operation.method, path, body });
          const error = expectResponse(operationId, answer, 400, 'invalid_request');
          expect(error.details[0].path).toBe(`/${name}`);
        }
      }
    });

    test('accepts an ID in uppercase and returns it in lowercase', async () => {
      const site = await server.createSite();
      const request = await readyRequest(operationId, site);
      const path = request.path.replaceAll(/[0-9a-f-]{36}/g, (id) => id.toUpperCase());
      expect(path).not.toBe(request.path);
      const answer = await sendReady(site, { ...request, path });
      expectResponse(operationId, answer, operation.success.status);
      const location = answer.headers.get('location');
      if (location) expect(location).toBe(location.toLowerCase());
    });
  });

  describe.each(withCursor)('%s', (operationId) => {
    let site: TestSite;
    let path: string;
    beforeAll(async () => {
      site = await server.createSite();
      ({ path } = await readyRequest(operationId, site));
    });
    const list = (query: string) => site.get(`${path}?${query}`);

    test('accepts a limit from 1 to 100', async () => {
      for (const limit of [1, 100]) expectResponse(operationId, await list(`limit=${limit}`), 200);
      for (const limit of [
        '0',
        '101',
        '-1',
        '1.5',
        'ten',
        '',
        'null',
        '9'.repeat(40),
        '1&limit=2',
        'NaN',
        'Infinity',
        '-Infinity',
        '1e2',
        '0x10',
        '%205',
        '%2B5',
        '5%00',
      ]) {
        const error = expectResponse(operationId, await list(`limit=${limit}`), 400, 'invalid_request');
        expect(error.details[0].path).toBe('/limit');
      }
    });

    test('rejects a malformed cursor', async () => {
      for (const wrong of [...malformed, '']) {
        const answer = await list(`after=${encodeURIComponent(wrong)}`);
        const error = expectResponse(operationId, answer, 400, 'invalid_request');
        expect(error.details[0].path).toBe('/after');
      }
    });

    test('rejects a parameter that is given twice', async () => {
      const answer = await list(`after=${unknownId()}&after=${unknownId()}`);
      const error = expectResponse(operationId, answer, 400, 'invalid_request');
      expect(error.details[0].path).toBe('/after');
    });

    test('names each invalid parameter', async () => {
      const answer = await list('limit=0&after=x&lmit=10&filter%2Fname=1');
      const error = expectResponse(operationId, answer, 400, 'invalid_request');
      const places = error.details.map(({ path }: { path: string }) => path).sort();
      expect(places).toEqual(['/after', '/filter~1name', '/limit', '/lmit']);
      for (const name of ['after', 'filter/name', 'limit', 'lmit']) expect(error.message).toContain(name);
    });
  });

  test.each<[OperationId, string, string[]]>([
    ['listMembers', 'status', ['gone', 'Active', '', 'active,blocked', 'null']],
    ['listMembers', 'paid', ['yes', '1', 'True', '', 'null']],
    ['listMembers', 'verified', ['no', '0', 'FALSE', '']],
    ['listMembers', 'sort', ['name', 'created_at', 'id', '', 'createdAt;--', 'search_text']],
    ['listMembers', 'order', ['up', 'ASC', '', 'asc,desc']],
    ['listMembers', 'q', ['', 'x'.repeat(201), 'a\u0000b', 'a\nb', '\u007f']],
    [
      'listMembers',
      'email',
      ['', 'nonsense', 'a@b, c@d', `${'a'.repeat(65)}@example.com`, 'a\u0000@example.com'],
    ],
    ['listAccessGroups', 'type', ['any', 'Custom', '']],
    ['listAccessGroups', 'q', ['', 'x'.repeat(201), '\u0000']],
    ['listEvents', 'type', ['member', 'member.exploded', '']],
    ['listEvents', 'memberId', malformed],
    ['listEvents', 'groupId', malformed],
    [
      'listEvents',
      'since',
      [
        'yesterday',
        '2026-01-01',
        '2026-01-01T00:00:00',
        '2026-02-30T00:00:00Z',
        '2026-01-01T24:30:00Z',
        '1',
        '',
        '2016-12-31T23:59:60Z',
        '1969-12-31T23:59:59Z',
        '9999-12-31T23:59:59-01:00',
        '0000-01-01T00:00:00Z',
      ],
    ],
    [
      'listEvents',
      'until',
      [
        'tomorrow',
        '2026-13-01T00:00:00Z',
        '9999-12-31T23:59:59-23:59',
        `2026-01-01T00:00:00.${'0'.repeat(40)}Z`,
      ],
    ],
  ])('%s rejects an invalid %s and names it', async (operationId, name, values) => {
    const site = await server.createSite();
    for (const value of values) {
      const answer = await site.get(`${pathOf(operationId)}?${name}=${encodeURIComponent(value)}`);
      const error = expectResponse(operationId, answer, 400, 'invalid_request');
      expect(error.details[0].path, value).toBe(`/${name}`);
    }
  });

  test('malformed IDs in a body are named by their path', async () => {
    const site = await server.createSite();
    const group = await aGroup(site);
    const added = await site.post(`/access-groups/${group.id}/members`, { memberId: 'nonsense' });
    expect(expectResponse('addAccessGroupMember', added, 400, 'invalid_request').details[0].path).toBe(
      '/memberId',
    );
    const created = await site.post('/members', { email: 'a@example.com', accessGroupIds: [group.id, 'x'] });
    expect(expectResponse('createMember', created, 400, 'invalid_request').details[0].path).toBe(
      '/accessGroupIds/1',
    );
  });

  test('every invalid field is named by its path', async () => {
    const site = await server.createSite();
    const answer = await site.post('/members/bulk', {
      members: [{ email: 1 }, { displayName: 'x' }, { email: 'a@example.com', paid: 'yes', extra: 1 }],
      accessGroupIds: 'x',
      more: true,
    });
    const error = expectResponse('bulkCreateMembers', answer, 400, 'invalid_request');
    expect(error.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      '/accessGroupIds',
      '/members/0/email',
      '/members/1/email',
      '/members/2/extra',
      '/members/2/paid',
      '/more',
    ]);
  });

  test('values are not coerced to the expected type', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    for (const body of [
      { paid: 'true' },
      { paid: 1 },
      { paid: null },
      { displayName: 5 },
      { status: ['active'] },
      { email: null },
      {},
    ]) {
      const answer = await site.patch(`/members/${member.id}`, body);
      expectResponse('updateMember', answer, 400, 'invalid_request');
    }
    expect((await site.get(`/members/${member.id}`)).body.data).toEqual(member);
  });
});

forEachStore((store) => {
  const server = useTestServer(store);

  describe.each(withIdInPath)('%s', (operationId) => {
    const operation: Operation = operations[operationId];
    const names = Object.keys(operation.params.properties);

    test('does not find an unknown ID', async () => {
      const site = await server.createSite();
      const { body } = await readyRequest(operationId, site);
      const ids = Object.fromEntries(names.map((name) => [name, unknownId()]));
      const path = pathOf(operationId, ids);
      const answer = await sendReady(site, { operationId, method: operation.method, path, body });
      expectResponse(operationId, answer, 404);
    });
  });

  test.each(withCursor)('%s rejects an unknown cursor with its own message', async (operationId) => {
    const site = await server.createSite();
    const { path } = await readyRequest(operationId, site);
    for (const cursor of [unknownId(), unknownId().toUpperCase()]) {
      expectResponse(operationId, await site.get(`${path}?after=${cursor}`), 400, 'invalid_cursor');
    }
  });

  test('a time may have any format of RFC 3339', async () => {
    const site = await server.createSite();
    await aMember(site);
    const past = [
      '2020-01-01T00:00:00Z',
      '2020-01-01T00:00:00.123456789Z',
      '2020-01-01T01:00:00+01:00',
      '2020-01-01t00:00:00z',
      '2020-01-01 00:00:00Z',
      '1970-01-01T00:00:00Z',
    ];
    for (const time of past) {
      const answer = await site.get(`/events?since=${encodeURIComponent(time)}`);
      expect(expectResponse('listEvents', answer, 200).data.length, time).toBeGreaterThan(0);
      const before = await site.get(`/events?until=${encodeURIComponent(time)}`);
      expect(expectResponse('listEvents', before, 200).data, time).toEqual([]);
    }
    const last = await site.get('/events?until=9999-12-31T23:59:59.999Z&since=2020-01-01T00:00:00-23:59');
    expect(expectResponse('listEvents', last, 200).data.length).toBeGreaterThan(0);
  });

  test('IDs in a body may be in uppercase', async () => {
    const site = await server.createSite();
    const group = await aGroup(site);
    const member = await aMember(site, { accessGroupIds: [group.id.toUpperCase()] });
    expect(member.accessGroups).toEqual([{ id: group.id, name: group.name }]);
    const other = await aGroup(site);
    const answer = await site.post(`/access-groups/${other.id}/members`, {
      memberId: member.id.toUpperCase(),
    });
    expectResponse('addAccessGroupMember', answer, 201);
    expect(new URL(answer.headers.get('location')!).pathname).toBe(
      `/api/v1/access-groups/${other.id}/members/${member.id}`,
    );
  });

  test('IDs are UUIDs of version 7, in lowercase and increasing', async () => {
    const site = await server.createSite();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await aMember(site)).id, (await aGroup(site)).id);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    const bulk = { members: Array.from({ length: 200 }, (_, index) => ({ email: `b${index}@example.com` })) };
    const { data } = expectResponse('bulkCreateMembers', await site.post('/members/bulk', bulk), 207);
    const inOrder = data.map((item: { member: { id: string } }) => item.member.id);
    expect(inOrder.toSorted()).toEqual(inOrder);
    expect(new Set(inOrder).size).toBe(200);
  });
});
