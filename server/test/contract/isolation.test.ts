import { type Operation, type OperationId, operations } from '@gatehouse/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { forEachStore } from '../stores.ts';
import type { TestAnswer, TestSite } from '../test-server.ts';
import { expectAnswer, withoutIds } from './answers.ts';
import { type Dump, dumpSite } from './dump.ts';
import {
  aGroup,
  aMember,
  aMembership,
  aScopeGroup,
  aScopeMembership,
  everyItem,
  unknownId,
} from './given.ts';
import { operationsWithKey, type ReadyRequest, readyRequest, sendReady } from './requests.ts';
import { useTestServer } from './use-server.ts';

/** Where a request can carry an id. */
interface Place {
  readonly part: 'path' | 'query' | 'body';
  readonly name: string;
  readonly isList: boolean;
}

const marker = 'secret-of-the-other-site';

forEachStore((store) => {
  const server = useTestServer(store);
  let other: TestSite;
  let othersIds: Record<string, string>;
  let othersGroupWithMember: { groupId: string; memberId: string };
  let othersDump: Dump;

  beforeAll(async () => {
    other = await server.createSite();
    const [member, gone] = [await aMember(other, { displayName: marker }), await aMember(other)];
    const [group, goneGroup] = [await aGroup(other, { name: marker }), await aGroup(other)];
    await aMembership(other, group.id, member.id);
    await aMembership(other, group.id, gone.id);
    const scope = await aScopeGroup(server, other);
    await aScopeMembership(server, other, scope.id, member.id);
    await other.delete(`/members/${gone.id}`);
    await other.delete(`/access-groups/${goneGroup.id}`);
    const [event] = await everyItem(other, '/events');
    othersGroupWithMember = { groupId: group.id, memberId: member.id };
    othersIds = {
      member: member.id,
      'deleted member': gone.id,
      group: group.id,
      'deleted group': goneGroup.id,
      'scope group': scope.id,
      event: event.id,
      site: other.siteId,
      key: other.keyId,
    };
    othersDump = await dumpSite(server.database, other.siteId);
  });

  describe.each(operationsWithKey)('%s', (operationId) => {
    const places = placesOf(operations[operationId]);

    test('gives away and touches nothing of another site', async () => {
      const site = await server.createSite();
      const answer = await sendReady(site, await readyRequest(operationId, site));
      for (const value of [...Object.values(othersIds), marker]) expect(answer.text).not.toContain(value);
      expect(await dumpSite(server.database, other.siteId)).toEqual(othersDump);
    });

    test.runIf(places.length > 0).each(places)(
      'answers an id of another site in the $part ($name) as one that was never given',
      async (place) => {
        const site = await server.createSite();
        const request = await readyRequest(operationId, site);
        const before = await dumpSite(server.database, site.siteId);
        const random = unknownId();
        const toUnknown = await sendReady(site, withId(request, place, random));
        for (const [kind, id] of Object.entries(othersIds)) {
          const answer = await sendReady(site, withId(request, place, id));
          expect(alike(answer, id), kind).toEqual(alike(toUnknown, random));
        }
        expect(await dumpSite(server.database, site.siteId)).toEqual(before);
        expect(await dumpSite(server.database, other.siteId)).toEqual(othersDump);
      },
    );
  });

  test('every operation that takes an id is among those tried', () => {
    const tried = operationsWithKey.filter((id) => placesOf(operations[id]).length > 0);
    const untried = operationsWithKey.filter((id) => !tried.includes(id));
    expect(untried.sort()).toEqual(['createAccessGroup', 'getSite', 'updateSite']);
    expect(placesOf(operations.addAccessGroupMember)).toEqual([
      { part: 'path', name: 'groupId', isList: false },
      { part: 'body', name: 'memberId', isList: false },
    ]);
    expect(placesOf(operations.bulkCreateMembers)).toEqual([
      { part: 'body', name: 'accessGroupIds', isList: true },
    ]);
  });

  test('a membership of another site is none here, with both of its ids', async () => {
    const site = await server.createSite();
    const { groupId, memberId } = othersGroupWithMember;
    const path = `/access-groups/${groupId}/members`;
    expectAnswer('getMembership', await site.get(`${path}/${memberId}`), 404, 'membership_not_found');
    const removed = await site.delete(`${path}/${memberId}`);
    expectAnswer('removeAccessGroupMember', removed, 404, 'access_group_not_found');
    expectAnswer('addAccessGroupMember', await site.post(path, { memberId }), 404, 'access_group_not_found');
    expectAnswer('listAccessGroupMembers', await site.get(path), 404, 'access_group_not_found');
    expect(await dumpSite(server.database, other.siteId)).toEqual(othersDump);
  });

  test('a refused id is refused for what it is: not found, or no cursor of this list', async () => {
    const site = await server.createSite();
    const { groupId, memberId } = othersGroupWithMember;
    const group = await aGroup(site);
    const refusals: [OperationId, TestAnswer, number, Parameters<typeof expectAnswer>[3]][] = [
      ['getMember', await site.get(`/members/${memberId}`), 404, 'member_not_found'],
      ['updateMember', await site.patch(`/members/${memberId}`, { paid: true }), 404, 'member_not_found'],
      ['deleteMember', await site.delete(`/members/${memberId}`), 404, 'member_not_found'],
      ['getAccessGroup', await site.get(`/access-groups/${groupId}`), 404, 'access_group_not_found'],
      [
        'updateAccessGroup',
        await site.patch(`/access-groups/${groupId}`, { name: 'x' }),
        404,
        'access_group_not_found',
      ],
      ['deleteAccessGroup', await site.delete(`/access-groups/${groupId}`), 404, 'access_group_not_found'],
      [
        'addAccessGroupMember',
        await site.post(`/access-groups/${group.id}/members`, { memberId }),
        404,
        'member_not_found',
      ],
      [
        'createMember',
        await site.post('/members', { email: 'a@example.com', accessGroupIds: [groupId] }),
        404,
        'access_group_not_found',
      ],
      [
        'bulkCreateMembers',
        await site.post('/members/bulk', {
          members: [{ email: 'a@example.com' }],
          accessGroupIds: [groupId],
        }),
        404,
        'access_group_not_found',
      ],
      ['listMembers', await site.get(`/members?after=${memberId}`), 400, 'invalid_cursor'],
      ['listAccessGroups', await site.get(`/access-groups?after=${groupId}`), 400, 'invalid_cursor'],
      [
        'listAccessGroupMembers',
        await site.get(`/access-groups/${group.id}/members?after=${memberId}`),
        400,
        'invalid_cursor',
      ],
      ['listEvents', await site.get(`/events?after=${othersIds.event}`), 400, 'invalid_cursor'],
    ];
    for (const [operationId, answer, status, code] of refusals)
      expectAnswer(operationId, answer, status, code);
    const filtered = await site.get(`/events?memberId=${memberId}`);
    expect(expectAnswer('listEvents', filtered, 200).data).toEqual([]);
    expect(await dumpSite(server.database, other.siteId)).toEqual(othersDump);
  });

  test('addresses and names that another site has are free here', async () => {
    const { memberId } = othersGroupWithMember;
    const { email } = (await other.get(`/members/${memberId}`)).body.data;
    const site = await server.createSite();
    const member = await aMember(site, { email });
    const group = await aGroup(site, { name: marker });
    await aMembership(site, group.id, member.id);
    expect((await everyItem(site, `/members?q=${encodeURIComponent(email)}`)).map(({ id }) => id)).toEqual([
      member.id,
    ]);
    expect(await everyItem(site, `/members?q=${marker}`)).toEqual([]);
    expect((await everyItem(site, `/access-groups?q=${marker}`)).map(({ id }) => id)).toEqual([group.id]);
    expect(
      (await everyItem(site, `/members?email=${encodeURIComponent(email)}`)).map(({ id }) => id),
    ).toEqual([member.id]);
    expect(await dumpSite(server.database, other.siteId)).toEqual(othersDump);
  });
});

interface IdSchema {
  format?: string;
  items?: { format?: string };
}

/** Every place of an operation whose schema asks for ids. */
function placesOf({ params, query, body }: Operation): Place[] {
  const inPart = (part: Place['part'], schema: object | null): Place[] =>
    Object.entries((schema as { properties?: Record<string, IdSchema> } | null)?.properties ?? {})
      .map(([name, { format, items }]) => ({
        part,
        name,
        isId: format === 'uuid',
        isList: items?.format === 'uuid',
      }))
      .filter(({ isId, isList }) => isId || isList)
      .map(({ part, name, isList }) => ({ part, name, isList }));
  return [...inPart('path', params), ...inPart('query', query), ...inPart('body', body)];
}

function withId(request: ReadyRequest, { part, name, isList }: Place, id: string): ReadyRequest {
  if (part === 'query') return { ...request, path: `${request.path}?${name}=${id}` };
  if (part === 'body') {
    return { ...request, body: { ...(request.body as object), [name]: isList ? [id] : id } };
  }
  const template = operations[request.operationId].path.split('/');
  const actual = request.path.split('/');
  const path = actual.map((piece, index) => (template[index] === `{${name}}` ? id : piece)).join('/');
  return { ...request, path };
}

/** All of an answer but the ids of the request and what counts down. */
function alike(answer: TestAnswer, id: string) {
  const headers = [...answer.headers].filter(
    ([name]) => !/^(date|x-request-id|ratelimit|x-ratelimit-.*)$/.test(name),
  );
  return { ...withoutIds(answer, id), headers: JSON.stringify(headers).replaceAll(id, '<id>') };
}
