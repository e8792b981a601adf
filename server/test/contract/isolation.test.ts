import { type Operation, type OperationId, operations, permissions } from '@gatehouse/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { generateToken } from '../../src/domain/sessions/token.ts';
import { anOperator } from '../operator.ts';
import { forEachStore } from '../stores.ts';
import type { TestResponse, TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { Visitor } from '../visitor.ts';
import { expectResponse, withoutIds } from './answers.ts';
import { type Dump, dumpSite } from './dump.ts';
import {
  aDomain,
  aGroup,
  aLoginLink,
  aMember,
  aMembership,
  anAccessToken,
  anEmailAtRest,
  aScopeGroup,
  aScopeMembership,
  aSession,
  everyItem,
  unknownId,
} from './given.ts';
import { operationsWithKey, type ReadyRequest, readyRequest, sendReady } from './requests.ts';
import { aLoginProvider, anInvitation } from './ways-in.ts';

/** A location in a request that contains an ID. */
interface IdLocation {
  readonly part: 'path' | 'query' | 'body';
  /** `memberId`; nested and in lists `checks[].memberId`, `rules[].groupIds[]`. */
  readonly name: string;
}

const marker = 'secret-of-the-other-site';

forEachStore((store) => {
  const server = useTestServer(store);
  let other: TestSite;
  let othersIds: Record<string, string>;
  let othersGroupWithMember: { groupId: string; memberId: string };
  let othersSession: { id: string; token: string };
  let othersLink: string;
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
    othersSession = await aSession(other, member.id);
    const [token, goneToken] = [await anAccessToken(other, member.id), await anAccessToken(other, member.id)];
    await other.delete(`/members/${member.id}/access-tokens/${goneToken.id}`);
    const ended = await aSession(other, member.id);
    await other.delete(`/members/${member.id}/sessions/${ended.id}`);
    othersLink = await aLoginLink(other, member.id);
    const rules = [
      { path: '/open', access: 'public' },
      { path: '/', access: 'groups', groupIds: [group.id] },
    ];
    await other.request('PUT', '/access-rules', { body: { rules } });
    const [event] = await everyItem(other, '/events');
    othersGroupWithMember = { groupId: group.id, memberId: member.id };
    othersIds = {
      member: member.id,
      'deleted member': gone.id,
      group: group.id,
      'deleted group': goneGroup.id,
      'scope group': scope.id,
      session: othersSession.id,
      'ended session': ended.id,
      'access token': token.id,
      'deleted access token': goneToken.id,
      event: event.id,
      site: other.siteId,
      key: other.keyId,
      invitation: (await anInvitation(other, { note: marker })).id,
      'request to join': await other.storeJoinRequest(),
      'page code': await other.storePageCode({ label: marker }),
      'login provider': (await aLoginProvider(other, { name: marker })).id,
      operator: (await anOperator(server, other.siteId)).id,
      email: await anEmailAtRest(other, member.id),
    };
    othersDump = await dumpSite(server.database, other.siteId);
  });

  describe.each(operationsWithKey)('%s', (operationId) => {
    const locations = idLocationsOf(operations[operationId]);

    let site: TestSite;
    let request: ReadyRequest;
    beforeAll(async () => {
      site = await server.createSite();
      request = await readyRequest(operationId, site);
    });

    /** The header of a key of its own, if the operation has a limit for each key. */
    const aKeyFor = async (id: OperationId): Promise<Record<string, string>> => {
      const { maxPerMinute }: Operation = operations[id];
      if (maxPerMinute === undefined) return {};
      const { secret } = await site.createKey({ permissions });
      return { authorization: `Bearer ${secret}` };
    };

    test.each(locations)(
      'treats an ID of another site in the $part ($name) like an unknown ID',
      async (place) => {
        const keys = await Promise.all(Object.keys(othersIds).map(() => aKeyFor(operationId)));
        const before = await dumpSite(server.database, site.siteId);
        const random = unknownId();
        const toUnknown = await sendReady(site, withId(request, place, random));
        for (const [index, [kind, id]] of Object.entries(othersIds).entries()) {
          const answer = await sendReady(site, withId(request, place, id), keys[index]);
          expect(alike(answer, id), kind).toEqual(alike(toUnknown, random));
        }
        expect(await dumpSite(server.database, site.siteId)).toEqual(before);
        expect(await dumpSite(server.database, other.siteId)).toEqual(othersDump);
      },
    );

    test('reveals and changes nothing of another site', async () => {
      const answer = await sendReady(site, request);
      for (const value of [...Object.values(othersIds), othersSession.token, othersLink, marker])
        expect(answer.text).not.toContain(value);
      expect(await dumpSite(server.database, other.siteId)).toEqual(othersDump);
    });
  });

  test('every location of an ID is tested, at any depth', () => {
    const names = (operationId: OperationId) =>
      idLocationsOf(operations[operationId]).map(({ part, name }) => `${part} ${name}`);
    expect(names('addAccessGroupMember')).toEqual(['path groupId', 'body memberId']);
    expect(names('bulkCreateMembers')).toEqual(['body accessGroupIds[]']);
    expect(names('bulkUpdateMembers')).toEqual(['body members[].id']);
    expect(names('bulkMemberActions')).toEqual(['body memberIds[]', 'body action.groupId']);
    const ofRules = [
      'body rules[].groupIds[]',
      'body rules[].pageCodeIds[]',
      'body rules[].anyOf[].groupIds[]',
      'body rules[].anyOf[].pageCodeIds[]',
    ];
    expect(names('replaceAccessRules')).toEqual(ofRules);
    expect(names('checkPage')).toEqual(ofRules);
    expect(names('checkAccess')).toEqual([
      'body checks[].memberId',
      'body checks[].pageCodeIds[]',
      ...ofRules,
    ]);
    expect(names('decideJoinRequests')).toEqual(['body joinRequestIds[]', 'body accessGroupIds[]']);
    expect(names('updateLoginProvider')).toEqual(['path providerId', 'body groupMap[].accessGroupId']);
    expect(names('updateSite')).toEqual(['body signUp.domains[].accessGroupIds[]']);
    for (const id of operationsWithKey) {
      const { params, query, body }: Operation = operations[id];
      const takesIds = JSON.stringify([params, query, body]).includes('"format":"uuid"');
      expect(names(id)[0] !== 'query siteId', id).toBe(takesIds);
    }
  });

  test("the token of another site's session is treated as unknown", async () => {
    const site = await server.createSite();
    await aDomain(site);
    for (const path of [undefined, '/', '/members?a=b']) {
      const verify = (token: string) => site.post('/sessions/verify', { token, path });
      const [known, unknown] = [await verify(othersSession.token), await verify(generateToken())];
      expectResponse('verifySession', known, 200);
      expect(known.body.data).toMatchObject({ session: null, member: null });
      expect(known.text).toBe(unknown.text);
      expect(alike(known, othersSession.token)).toEqual(alike(unknown, othersSession.token));
    }
    const own = await other.post('/sessions/verify', { token: othersSession.token });
    expect(own.body.data.session.id).toBe(othersSession.id);
    expect(await dumpSite(server.database, other.siteId)).toEqual(othersDump);
  });

  test('links, codes and cookies of another site give no access here, and stay usable there', async () => {
    const site = await server.createSite();
    await aDomain(site);
    const before = await dumpSite(server.database, site.siteId);
    const answerTo = async (method: string, path: string, token: string) => {
      const headers = { cookie: `__Host-gatehouse_session=${token}; __Host-gatehouse_login=${token}` };
      const {
        status,
        headers: given,
        text,
      } = await site.visit(method, path.replace('*', token), { headers });
      const { location, 'set-cookie': cookies } = given;
      return JSON.stringify({ status, location, cookies, text }).replaceAll(token, '<token>');
    };
    const random = generateToken();
    for (const path of ['link/*', 'account', 'check', 'logout', 'logout-everywhere']) {
      for (const method of ['GET', 'POST']) {
        const unknown = await answerTo(method, `/_gatehouse/${path}`, random);
        for (const token of [othersSession.token, othersLink]) {
          expect(await answerTo(method, `/_gatehouse/${path}`, token), `${method} ${path}`).toBe(unknown);
        }
      }
    }
    expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    expect(await dumpSite(server.database, other.siteId)).toEqual(othersDump);
  });

  test('a member cannot end sessions or change names on another site', async () => {
    const site = await server.createSite();
    const visitor = new Visitor(site);
    await visitor.post(`/_gatehouse/link/${await aLoginLink(site, (await aMember(site)).id)}`);
    for (const id of [othersSession.id, unknownId()]) {
      const ended = await visitor.submit('/_gatehouse/account/sessions/end', { id });
      expect([ended.status, ended.headers.location]).toEqual([303, '/_gatehouse/account']);
    }
    expect((await visitor.submit('/_gatehouse/logout-everywhere')).status).toBe(200);
    const anonymous = new Visitor(site);
    anonymous.cookies.set('__Host-gatehouse_session', othersSession.token);
    expect(
      (await anonymous.submit('/_gatehouse/account', { displayName: 'Eve' })).headers.location,
    ).toContain('/_gatehouse/login');
    expect(await dumpSite(server.database, other.siteId)).toEqual(othersDump);
  });

  test('the rules of one site do not affect another', async () => {
    const site = await server.createSite();
    expect((await site.get('/access-rules')).body.data).toEqual({ rules: [], updatedAt: null });
    const { memberId } = othersGroupWithMember;
    const { email } = (await other.get(`/members/${memberId}`)).body.data;
    const answer = await site.post('/access-checks', {
      checks: [{ email, path: '/open' }, { path: '/open' }],
    });
    expect(expectResponse('checkAccess', answer, 200).data).toEqual([
      { allowed: false, reason: 'unknown_member', rule: null, alternatives: null },
      { allowed: false, reason: 'anonymous', rule: null, alternatives: null },
    ]);
  });

  test('the address of a member of another site is unknown here', async () => {
    const { email } = (await other.get(`/members/${othersGroupWithMember.memberId}`)).body.data;
    const site = await server.createSite();
    const answer = await site.post('/members/lookup', { emails: [email] });
    expect(expectResponse('lookUpMembers', answer, 200).data).toEqual([]);
    const own = await aMember(site, { email });
    const found = await site.post('/members/lookup', { emails: [email] });
    expect(expectResponse('lookUpMembers', found, 200).data).toMatchObject([
      { id: own.id, accessGroups: [] },
    ]);
    expect(await dumpSite(server.database, other.siteId)).toEqual(othersDump);
  });

  test('a membership of another site does not exist here, even with both of its IDs', async () => {
    const site = await server.createSite();
    const { groupId, memberId } = othersGroupWithMember;
    const path = `/access-groups/${groupId}/members`;
    expectResponse('getMembership', await site.get(`${path}/${memberId}`), 404, 'membership_not_found');
    const removed = await site.delete(`${path}/${memberId}`);
    expectResponse('removeAccessGroupMember', removed, 404, 'access_group_not_found');
    const updated = await site.patch(`${path}/${memberId}`, { expiresAt: null });
    expectResponse('updateMembership', updated, 404, 'access_group_not_found');
    expectResponse(
      'addAccessGroupMember',
      await site.post(path, { memberId }),
      404,
      'access_group_not_found',
    );
    expectResponse('listAccessGroupMembers', await site.get(path), 404, 'access_group_not_found');
    expect(await dumpSite(server.database, other.siteId)).toEqual(othersDump);
  });

  test('an ID of another site is rejected as not found, or as an invalid cursor of this list', async () => {
    const site = await server.createSite();
    const { groupId, memberId } = othersGroupWithMember;
    const [group, own] = [await aGroup(site), await aMember(site)];
    const apiErrors: [OperationId, TestResponse, number, Parameters<typeof expectResponse>[3]][] = [
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
      ['listEventGroups', await site.get(`/event-groups?after=${othersIds.event}`), 400, 'invalid_cursor'],
      ['listEmails', await site.get(`/emails?after=${othersIds.email}`), 400, 'invalid_cursor'],
      ['getEmail', await site.get(`/emails/${othersIds.email}`), 404, 'email_not_found'],
      ['listApiKeys', await site.get(`/api-keys?after=${othersIds.key}`), 400, 'invalid_cursor'],
      ['rotateApiKey', await site.post(`/api-keys/${othersIds.key}/rotate`, {}), 404, 'key_not_found'],
      ['revokeApiKey', await site.delete(`/api-keys/${othersIds.key}`), 404, 'key_not_found'],
      ['listOperators', await site.get(`/operators?after=${othersIds.operator}`), 400, 'invalid_cursor'],
      [
        'updateOperator',
        await site.patch(`/operators/${othersIds.operator}`, { role: 'owner' }),
        404,
        'operator_not_found',
      ],
      ['removeOperator', await site.delete(`/operators/${othersIds.operator}`), 404, 'operator_not_found'],
      [
        'listMemberSessions',
        await site.get(`/members/${own.id}/sessions?after=${othersSession.id}`),
        400,
        'invalid_cursor',
      ],
      [
        'revokeMemberSession',
        await site.delete(`/members/${own.id}/sessions/${othersSession.id}`),
        404,
        'session_not_found',
      ],
    ];
    for (const [operationId, answer, status, code] of apiErrors)
      expectResponse(operationId, answer, status, code);
    const filtered = await site.get(`/events?memberId=${memberId}`);
    expect(expectResponse('listEvents', filtered, 200).data).toEqual([]);
    const [{ requestId }] = await everyItem(other, `/events?type=member.created&memberId=${memberId}`);
    const path = `/members?createdByRequest=${requestId}`;
    expect((await other.get(path)).body.data).toMatchObject([{ id: memberId }]);
    expect(expectResponse('listMembers', await site.get(path), 200).data).toEqual([]);
    const ofGroup = `/members?groupId=${othersGroupWithMember.groupId}`;
    expect((await other.get(ofGroup)).body.data).toMatchObject([{ id: memberId }]);
    expect(expectResponse('listMembers', await site.get(ofGroup), 200).data).toEqual([]);
    expect(await dumpSite(server.database, other.siteId)).toEqual(othersDump);
  });

  test('addresses and names of another site can be used here', async () => {
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
  readonly format?: string;
  readonly properties?: Readonly<Record<string, IdSchema>>;
  readonly items?: IdSchema;
  readonly oneOf?: readonly IdSchema[];
}

/** Every location of an operation whose schema expects IDs; if there is none, an unknown parameter. */
function idLocationsOf({ params, query, body }: Operation): IdLocation[] {
  const locations = [
    ...idLocationsIn('path', params as IdSchema),
    ...idLocationsIn('query', query as IdSchema),
    ...idLocationsIn('body', (body ?? {}) as IdSchema),
  ];
  return locations.length > 0 ? locations : [{ part: 'query', name: 'siteId' }];
}

function idLocationsIn(part: IdLocation['part'], schema: IdSchema): IdLocation[] {
  return namesIn(schema).map((below) => ({ part, name: below.replace(/^\./, '') }));
}

/** The suffix of a value's name that leads to its IDs: empty if the value itself is an ID. */
function namesIn({ format, properties = {}, items, oneOf = [] }: IdSchema): string[] {
  if (format === 'uuid') return [''];
  const inItems = items ? namesIn(items).map((below) => `[]${below}`) : [];
  const inFields = Object.entries(properties).flatMap(([name, schema]) =>
    namesIn(schema).map((below) => `.${name}${below}`),
  );
  const inShapes = oneOf.flatMap(namesIn);
  return [...new Set([...inItems, ...inFields, ...inShapes])];
}

function withId(request: ReadyRequest, { part, name }: IdLocation, id: string): ReadyRequest {
  if (part === 'query') return { ...request, path: `${request.path}?${name}=${id}` };
  if (part === 'body') return { ...request, body: withIdAt(request.body, name.split('.'), id) };
  const template = operations[request.operationId].path.split('/');
  const actual = request.path.split('/');
  const path = actual.map((piece, index) => (template[index] === `{${name}}` ? id : piece)).join('/');
  return { ...request, path };
}

/** A body with an ID at a location. In a list of objects it is set in those that have the field. */
function withIdAt(value: unknown, [name = '', ...names]: readonly string[], id: string): unknown {
  const object = value as Record<string, unknown>;
  const field = name.replace('[]', '');
  if (names.length === 0) return { ...object, [field]: name.endsWith('[]') ? [id] : id };
  expect(object, 'the request to begin with goes down to the place').toHaveProperty(field);
  if (!name.endsWith('[]')) return { ...object, [field]: withIdAt(object[field], names, id) };
  const next = names[0]!.replace('[]', '');
  const items = object[field] as object[];
  expect(items.some((item) => next in item)).toBe(true);
  return { ...object, [field]: items.map((item) => (next in item ? withIdAt(item, names, id) : item)) };
}

/** The whole response except the IDs of the request and values that count down. */
function alike(answer: TestResponse, id: string) {
  const headers = [...answer.headers].filter(
    ([name]) => !/^(date|x-request-id|ratelimit|x-ratelimit-.*)$/.test(name),
  );
  return { ...withoutIds(answer, id), headers: JSON.stringify(headers).replaceAll(id, '<id>') };
}
