import { randomUUID } from 'node:crypto';
import type { EventType } from '@gatehouse/contract';
import { eventTypes, type SessionEnd, sessionEnds } from '@gatehouse/contract';
import { describe, expect, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { expectResponse } from '../../../test/contract/answers.ts';
import { dumpSite } from '../../../test/contract/dump.ts';
import {
  aDomain,
  aGroup,
  aLoginLink,
  aMember,
  aMembership,
  anAccessToken,
  aSession,
  everyItem,
  unknownId,
} from '../../../test/contract/given.ts';
import { hour, timeWithinTheHour } from '../../../test/movable-time.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestResponse, TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { emailTo, Visitor } from '../../../test/visitor.ts';
import { systemContext } from '../../base/change-context.ts';
import { revokeApiKey, rotateApiKey } from '../api-keys/api-keys.ts';

const requestId = '0f8fad5b-d9cb-469f-a165-70867728950e';
const traced = { 'x-request-id': requestId };

interface Change {
  readonly type: EventType;
  /** Makes the change in a traced request, and returns the expected data of its event. */
  make(site: TestSite): Promise<{ answer: TestResponse; data: object }>;
}

const changes: Change[] = [
  {
    type: 'member.created',
    make: async (site) => {
      const answer = await site.post(
        '/members',
        { email: 'ADA@example.com', displayName: ' Ada ', paid: true },
        traced,
      );
      const { id } = answer.body.data;
      const member = { id, email: 'ada@example.com', displayName: 'Ada', status: 'active', paid: true };
      return { answer, data: { member } };
    },
  },
  {
    type: 'member.updated',
    make: async (site) => {
      const { id, email } = await aMember(site, { displayName: 'Ada' });
      const change = { paid: true, displayName: null, email: 'new@example.com' };
      const answer = await site.patch(`/members/${id}`, change, traced);
      const fields = [
        { field: 'email', from: email, to: 'new@example.com' },
        { field: 'displayName', from: 'Ada', to: null },
        { field: 'paid', from: false, to: true },
      ];
      return { answer, data: { memberId: id, changes: fields } };
    },
  },
  {
    type: 'member.blocked',
    make: async (site) => {
      const { id } = await aMember(site);
      const answer = await site.patch(`/members/${id}`, { status: 'blocked' }, traced);
      return {
        answer,
        data: { memberId: id, changes: [{ field: 'status', from: 'active', to: 'blocked' }] },
      };
    },
  },
  {
    type: 'member.unblocked',
    make: async (site) => {
      const { id } = await aMember(site);
      await site.patch(`/members/${id}`, { status: 'blocked' });
      const answer = await site.patch(`/members/${id}`, { status: 'active' }, traced);
      return {
        answer,
        data: { memberId: id, changes: [{ field: 'status', from: 'blocked', to: 'active' }] },
      };
    },
  },
  {
    type: 'member.deleted',
    make: async (site) => {
      const { id } = await aMember(site);
      return { answer: await site.delete(`/members/${id}`, traced), data: { memberId: id } };
    },
  },
  {
    type: 'access-group.created',
    make: async (site) => {
      const answer = await site.post('/access-groups', { name: ' Course ', description: 'All' }, traced);
      const { id } = answer.body.data;
      return { answer, data: { group: { id, name: 'Course', description: 'All', type: 'custom' } } };
    },
  },
  {
    type: 'access-group.updated',
    make: async (site) => {
      const { id, name } = await aGroup(site);
      const answer = await site.patch(`/access-groups/${id}`, { name: 'Course', description: 'All' }, traced);
      const fields = [
        { field: 'name', from: name, to: 'Course' },
        { field: 'description', from: null, to: 'All' },
      ];
      return { answer, data: { groupId: id, changes: fields } };
    },
  },
  {
    type: 'access-group.deleted',
    make: async (site) => {
      const { id, name } = await aGroup(site);
      return { answer: await site.delete(`/access-groups/${id}`, traced), data: { groupId: id, name } };
    },
  },
  {
    type: 'access-group.member.added',
    make: async (site) => {
      const [group, member] = [await aGroup(site), await aMember(site)];
      const body = { memberId: member.id, expiresAt: '2999-12-31T23:00:00Z' };
      const answer = await site.post(`/access-groups/${group.id}/members`, body, traced);
      return { answer, data: { groupId: group.id, ...body, expiresAt: '2999-12-31T23:00:00.000Z' } };
    },
  },
  {
    type: 'access-group.member.updated',
    make: async (site) => {
      const [group, member] = [await aGroup(site), await aMember(site)];
      await aMembership(site, group.id, member.id);
      const path = `/access-groups/${group.id}/members/${member.id}`;
      const to = '2099-12-31T23:00:00.000Z';
      const answer = await site.patch(path, { expiresAt: to }, traced);
      const fields = [{ field: 'expiresAt', from: null, to }];
      return { answer, data: { groupId: group.id, memberId: member.id, changes: fields } };
    },
  },
  {
    type: 'access-group.member.removed',
    make: async (site) => {
      const [group, member] = [await aGroup(site), await aMember(site)];
      await aMembership(site, group.id, member.id);
      const answer = await site.delete(`/access-groups/${group.id}/members/${member.id}`, traced);
      return { answer, data: { groupId: group.id, memberId: member.id } };
    },
  },
  {
    type: 'site.updated',
    make: async (site) => {
      const { slug } = (await site.get('/site')).body.data;
      const group = await aGroup(site);
      const domains = [{ domain: 'example.com', accessGroupIds: [group.id] }];
      const change = {
        title: 'Academy',
        domain: `${slug}.example.org`,
        scheme: 'http',
        languages: ['de', 'en'],
        signUp: { policy: 'allowed_domains', domains },
        color: '#0F766E',
        logo: `data:image/png;base64,${Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')}`,
      };
      const answer = await site.patch('/site', change, traced);
      const fields = [
        { field: 'title', from: slug, to: 'Academy' },
        { field: 'domain', from: null, to: `${slug}.example.org` },
        { field: 'scheme', from: 'https', to: 'http' },
        { field: 'languages', from: expect.stringMatching(/^\w\w(, \w\w)+$/), to: 'de, en' },
        { field: 'signUpPolicy', from: 'members_only', to: 'allowed_domains' },
        { field: 'signUpDomains', from: '[]', to: JSON.stringify(domains) },
        { field: 'color', from: null, to: '#0f766e' },
        { field: 'logo', from: null, to: expect.stringMatching(/^[0-9a-f]{8}$/) },
      ];
      return { answer, data: { siteId: site.siteId, changes: fields } };
    },
  },
  {
    type: 'login-link.created',
    make: async (site) => {
      await aDomain(site);
      const { id } = await aMember(site);
      const answer = await site.post(`/members/${id}/login-links`, {}, traced);
      return { answer, data: { memberId: id, loginLinkId: answer.body.data.id, sent: true } };
    },
  },
  {
    type: 'email-budget.exhausted',
    make: async (site) => {
      await aDomain(site);
      const { id } = await aMember(site);
      const links = { memberIds: [id], action: { type: 'send_login_link' } };
      for (let sent = 0; sent < 10; sent += 1) await site.post('/members/bulk-actions', links);
      const answer = await site.post('/members/bulk-actions', links, traced);
      expect((await site.post('/members/bulk-actions', links)).body.summary.failed).toBe(1);
      const resetsAt = expect.stringMatching(/:00:00\.000Z$/);
      return { answer, data: { budget: 'sender', limit: 10, memberId: id, resetsAt } };
    },
  },
  {
    type: 'access-token.created',
    make: async (site) => {
      const { id } = await aMember(site);
      const body = { name: ' Reader ', pathPrefix: '/feed/', expiresAt: '2090-01-01T00:00:00Z' };
      const answer = await site.post(`/members/${id}/access-tokens`, body, traced);
      const token = { name: 'Reader', pathPrefix: '/feed', expiresAt: '2090-01-01T00:00:00.000Z' };
      return { answer, data: { memberId: id, token: { id: answer.body.data.id, ...token } } };
    },
  },
  {
    type: 'access-token.deleted',
    make: async (site) => {
      const { id } = await aMember(site);
      const token = await anAccessToken(site, id);
      const answer = await site.delete(`/members/${id}/access-tokens/${token.id}`, traced);
      return { answer, data: { memberId: id, tokenIds: [token.id], reason: 'deleted' } };
    },
  },
  {
    type: 'session.revoked',
    make: async (site) => {
      const { id } = await aMember(site);
      const sessions = [await aSession(site, id), await aSession(site, id), await aSession(site, id)];
      const [gone, ...rest] = sessions.map((session) => session.id);
      await site.delete(`/members/${id}/sessions/${gone}`);
      const answer = await site.delete(`/members/${id}/sessions`, traced);
      const sessionIds = expect.toSatisfy(
        (ids: string[]) => ids.toSorted().join() === rest.toSorted().join(),
        'has the remaining sessions',
      );
      return { answer, data: { memberId: id, sessionIds, reason: 'revoked' } };
    },
  },
  {
    type: 'access-rules.updated',
    make: async (site) => {
      const group = await aGroup(site);
      const course = { path: '/course', access: 'groups', groupIds: [group.id], match: 'any' };
      const [open, old] = [
        { path: '/', access: 'public' },
        { path: '/old', access: 'members' },
      ];
      await site.request('PUT', '/access-rules', { body: { rules: [open, old, course] } });
      const [denied, fresh] = [
        { ...course, match: 'all' },
        { path: '/new', access: 'paying_members' },
      ];
      const body = { rules: [fresh, open, denied] };
      const answer = await site.request('PUT', '/access-rules', { body, headers: traced });
      const rules = [
        { path: '/course', from: course, to: denied },
        { path: '/new', from: null, to: fresh },
        { path: '/old', from: old, to: null },
      ];
      return { answer, data: { changes: rules } };
    },
  },
  {
    type: 'operator.invited',
    make: async (site) => {
      const person = { email: `o-${randomUUID()}@example.com`, displayName: 'Grace', role: 'admin' };
      const answer = await site.post('/operators', person, traced);
      return { answer, data: { operator: { id: answer.body.data.id, ...person } } };
    },
  },
  {
    type: 'operator.updated',
    make: async (site) => {
      const operatorId = await site.createOperator('viewer');
      const answer = await site.patch(`/operators/${operatorId}`, { role: 'support' }, traced);
      return { answer, data: { operatorId, changes: [{ field: 'role', from: 'viewer', to: 'support' }] } };
    },
  },
  {
    type: 'signing-key.created',
    make: async (site) => {
      const answer = await site.post('/site/signing-keys', {}, traced);
      const { id, signsFrom } = answer.body.data;
      return { answer, data: { signingKeyId: id, signsFrom, withdrawnKeyIds: [] } };
    },
  },
  {
    type: 'operator.removed',
    make: async (site) => {
      const operatorId = await site.createOperator();
      const answer = await site.delete(`/operators/${operatorId}`, traced);
      return { answer, data: { operatorId } };
    },
  },
];

/** These are caused by something other than an operation; each has a test below. */
/** See sources.test.ts. */
const sourceEvents: EventType[] = [
  ...(['source.created', 'source.updated', 'source.deleted', 'source.synced', 'source.failed'] as const),
];

/** See webhooks.test.ts and webhook-delivery.test.ts. */
const webhookEvents: EventType[] = [
  ...(['webhook.created', 'webhook.updated', 'webhook.deleted', 'webhook.disabled'] as const),
];

/** See host-claims.test.ts. */
const hostEvents: EventType[] = ['host-claim.refused'];

/** See invitations.test.ts, join-requests.test.ts and page-codes.test.ts. */
const joiningEvents: EventType[] = [
  ...(['invitation.created', 'invitation.updated', 'invitation.sent', 'invitation.redeemed'] as const),
  ...(['invitation.revoked', 'join-request.created', 'join-request.approved'] as const),
  ...(['join-request.declined', 'page-code.created', 'page-code.updated', 'page-code.used'] as const),
  ...(['page-code.revoked', 'page-code.paused'] as const),
];

/** See login-providers.test.ts, provider-logins.test.ts and passkeys.test.ts. */
const wayInEvents: EventType[] = [
  ...(['login-provider.created', 'login-provider.updated', 'login-provider.deleted'] as const),
  ...(['member.identity.linked', 'member.identity.removed'] as const),
  ...(['member.passkey.added', 'member.passkey.removed'] as const),
];

const made: EventType[] = [
  'access-group.member.expired',
  'api-key.created',
  'api-key.rotated',
  'api-key.revoked',
  'member.login',
  'session.evicted',
  'operator.login',
  'site.created',
  ...sourceEvents,
  ...webhookEvents,
  ...hostEvents,
  ...joiningEvents,
  ...wayInEvents,
];

/** Everything that ends every session of a member, with its actor. */
const ends: {
  reason: SessionEnd;
  by: 'key' | 'member';
  end(site: TestSite, memberId: string, visitor: Visitor): Promise<{ status: number }>;
}[] = [
  { reason: 'revoked', by: 'key', end: (site, id) => site.delete(`/members/${id}/sessions`, traced) },
  {
    reason: 'blocked',
    by: 'key',
    end: (site, id) => site.patch(`/members/${id}`, { status: 'blocked' }, traced),
  },
  {
    reason: 'email_changed',
    by: 'key',
    end: (site, id) => site.patch(`/members/${id}`, { email: 'other@example.com' }, traced),
  },
  {
    reason: 'logged_out',
    by: 'member',
    end: (_, __, visitor) => visitor.post('/_gatehouse/logout', {}, traced),
  },
  {
    reason: 'logged_out',
    by: 'member',
    end: (_, __, visitor) => visitor.submit('/_gatehouse/logout-everywhere', {}, traced),
  },
  {
    reason: 'replaced',
    by: 'member',
    end: async (site, id, visitor) =>
      visitor.post(`/_gatehouse/link/${await aLoginLink(site, id)}`, {}, traced),
  },
];

forEachStore((store) => {
  const { clock, advance } = timeWithinTheHour();
  const server = useTestServer(store, { clock });
  const purgeNow = () => purgeExpired(server.database, clock);
  const types = async (site: TestSite, query = '') =>
    (await everyItem(site, `/events${query}`)).map(({ type }) => type);

  test('every event type is tested here', () => {
    expect([...changes.map(({ type }) => type), ...made].sort()).toEqual(eventTypes.toSorted());
  });

  test.each(changes)('$type records what changed, its actor and its request', async ({ type, make }) => {
    const site = await server.createSite();
    const before = clock().toISOString();
    const { answer, data } = await make(site);
    expect(answer.status).toBeLessThan(300);
    const all = await everyItem(site, '/events');
    const events = all.filter((event) => event.requestId === requestId);
    expect(events).toHaveLength(1);
    expect(all.at(-1)).toEqual(events[0]);
    expect(events[0]).toEqual({
      id: expect.any(String),
      type,
      occurredAt: expect.any(String),
      version: 1,
      actor: { type: 'key', id: site.keyId, name: 'Test key' },
      requestId,
      ipAddress: '127.0.0.1',
      data,
    });
    expect(events[0].occurredAt >= before).toBe(true);
  });

  test('one request can cause several events', async () => {
    const site = await server.createSite();
    const group = await aGroup(site);
    const { id } = await aMember(site, { accessGroupIds: [group.id] });
    await site.patch(`/members/${id}`, { status: 'blocked', paid: true }, traced);
    expect(await types(site)).toEqual([
      'site.created',
      'api-key.created',
      'access-group.created',
      'member.created',
      'access-group.member.added',
      'member.updated',
      'member.blocked',
    ]);
    const events = (await everyItem(site, '/events')).filter((event) => event.requestId === requestId);
    expect(events.map(({ type }) => type)).toEqual(['member.updated', 'member.blocked']);
    expect(events[0].data.changes).toEqual([{ field: 'paid', from: false, to: true }]);
  });

  test('requests that change nothing or are rejected have no event', async () => {
    const site = await server.createSite();
    const [member, group] = [await aMember(site), await aGroup(site)];
    await aMembership(site, group.id, member.id);
    const before = await types(site);
    const requests = [
      site.patch(`/members/${member.id}`, { paid: false, status: 'active', email: member.email }),
      site.patch(`/access-groups/${group.id}`, { name: group.name, description: null }),
      site.post('/members', { email: member.email }),
      site.post('/access-groups', { name: group.name }),
      site.post(`/access-groups/${group.id}/members`, { memberId: member.id }),
      site.delete(`/members/${unknownId()}`),
      site.patch(`/members/${member.id}`, { paid: true }, { 'if-match': '"x"' }),
      site.post('/members/bulk', { members: [{ email: 'x' }] }),
      site.post(`/members/${member.id}/login-links`, {}),
      site.delete(`/members/${member.id}/sessions/${unknownId()}`),
      site.request('PUT', '/access-rules', { body: { rules: [{ path: '//', access: 'public' }] } }),
    ];
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 409, 409, 409, 404, 412, 207, 409, 404, 400]);
    expect(await types(site)).toEqual(before);
  });

  test('a change from the command line has its own actor', async () => {
    const site = await server.createSite();
    const { apiKey } = await site.createKey({ name: 'Shop', expiresAt: '2999-01-01T00:00:00.000Z' });
    const actor = { type: 'operator', id: null, name: 'ada' } as const;
    const context = { actor, requestId: null, ipAddress: null, at: clock().toISOString() };
    const validUntil = new Date(clock().getTime() + hour).toISOString();
    const rotated = await changing(
      server.database,
      site.siteId,
      (change) => rotateApiKey(change, apiKey.id, validUntil),
      context,
    );
    await changing(server.database, site.siteId, (change) => revokeApiKey(change, apiKey.id), context);
    const [created, rotation, revocation] = (await everyItem(site, '/events')).slice(2);
    expect(created).toMatchObject({
      type: 'api-key.created',
      actor: { type: 'system' },
      data: {
        keyId: apiKey.id,
        name: 'Shop',
        permissions: apiKey.permissions,
        expiresAt: '2999-01-01T00:00:00.000Z',
      },
    });
    expect(rotation).toMatchObject({
      type: 'api-key.rotated',
      actor,
      requestId: null,
      ipAddress: null,
      data: { keyId: apiKey.id, replacedBy: rotated.apiKey.id, expiresAt: validUntil },
    });
    expect(revocation).toMatchObject({ type: 'api-key.revoked', actor, data: { keyId: apiKey.id } });
  });

  test('a login records the member, the method and the session', async () => {
    const site = await server.createSite();
    const member = await aMember(site, { displayName: 'Ada' });
    const visitor = new Visitor(site);
    await visitor.post(`/_gatehouse/link/${await aLoginLink(site, member.id)}`, {}, traced);
    const [session] = (await site.get(`/members/${member.id}/sessions`)).body.data;
    expect(await types(site, `?memberId=${member.id}`)).toEqual([
      'member.created',
      'login-link.created',
      'member.login',
    ]);
    const [given, login] = (await everyItem(site, `/events?memberId=${member.id}`)).slice(1);
    expect(given.data).toMatchObject({ memberId: member.id, sent: false });
    expect(login).toMatchObject({
      type: 'member.login',
      actor: { type: 'member', id: member.id, name: 'Ada' },
      requestId,
      ipAddress: session.ipAddress,
      data: { memberId: member.id, sessionId: session.id, method: 'link', passkey: null, provider: null },
    });
  });

  test.each(ends)('the end of a session is recorded with its reason: $reason (%#)', async (how) => {
    const site = await server.createSite();
    const member = await aMember(site, { displayName: 'Ada' });
    const visitor = new Visitor(site);
    await visitor.post(`/_gatehouse/link/${await aLoginLink(site, member.id)}`);
    const [session] = (await site.get(`/members/${member.id}/sessions`)).body.data;
    expect((await how.end(site, member.id, visitor)).status).toBeLessThan(400);
    const events = await everyItem(site, `/events?type=session.revoked&memberId=${member.id}`);
    expect(events).toHaveLength(1);
    const actors = {
      key: { type: 'key', id: site.keyId, name: 'Test key' },
      member: { type: 'member', id: member.id, name: 'Ada' },
    };
    expect(events[0]).toMatchObject({
      actor: actors[how.by],
      requestId,
      data: { memberId: member.id, sessionIds: [session.id], reason: how.reason },
    });
  });

  test('every reason for the end of a session is tested here', () => {
    expect(new Set(ends.map(({ reason }) => reason))).toEqual(new Set(sessionEnds));
  });

  test('the oldest of too many sessions ends', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    const first = await aSession(site, id);
    for (let count = 0; count < 50; count += 1) await aSession(site, id);
    const events = await everyItem(site, `/events?type=session.evicted&memberId=${id}`);
    expect(events.map(({ data }) => data)).toEqual([
      { memberId: id, sessionIds: [first.id], maxSessions: 50 },
    ]);
    expect(await everyItem(site, `/members/${id}/sessions`)).toHaveLength(50);
  });

  test('a member without a session is logged out without an event', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    expectResponse('revokeMemberSessions', await site.delete(`/members/${id}/sessions`), 204);
    await site.patch(`/members/${id}`, { status: 'blocked' });
    expect(await types(site, '?type=session.revoked')).toEqual([]);
  });

  test("events of a deleted member's actions contain no personal data", async () => {
    const site = await server.createSite();
    const member = await aMember(site, { displayName: 'Ada Lovelace' });
    const visitor = new Visitor(site);
    await visitor.requestLink(member.email);
    const { path } = await emailTo(server, member.email);
    expect((await visitor.post(path)).status).toBe(303);
    expect((await visitor.submit('/_gatehouse/account', { displayName: 'Ada King' })).status).toBe(303);
    expect((await visitor.post('/_gatehouse/logout')).status).toBe(200);
    await site.post(`/members/${member.id}/login-links`, {});
    const person = new RegExp(`Ada|${member.email}`);
    expect(JSON.stringify(await everyItem(site, '/events'))).toMatch(person);
    expectResponse('deleteMember', await site.delete(`/members/${member.id}`), 204);
    const events = await everyItem(site, `/events?memberId=${member.id}`);
    expect(events.map(({ type, actor }) => [type, actor.type, actor.id])).toContainEqual([
      'member.login',
      'member',
      member.id,
    ]);
    const addresses = new Map(events.map(({ actor, ipAddress }) => [actor.type, ipAddress]));
    expect(addresses).toEqual(
      new Map([
        ['key', '127.0.0.1'],
        ['member', null],
      ]),
    );
    expect(JSON.stringify(events)).not.toMatch(person);
    const dump = await dumpSite(server.database, site.siteId);
    for (const table of ['events', 'emails', 'login_links', 'sessions', 'members'])
      expect(dump[table]!.join(), table).not.toMatch(person);
  });

  test('nor do those of a login that replaced the session of another member, or of a sign-up', async () => {
    const site = await server.createSite();
    const other = await aMember(site);
    await site.patch('/site', { signUp: { policy: 'open', domains: [] } });
    const email = 'ada@enrols.example';
    const visitor = new Visitor(site);
    await visitor.requestLink(email);
    await visitor.post((await emailTo(server, email)).path);
    const [member] = (await site.get(`/members?email=${email}`)).body.data;
    await site.patch(`/members/${member.id}`, { displayName: 'Ada Lovelace' });
    await visitor.post('/_gatehouse/logout');
    for (const address of [other.email, email]) {
      await visitor.requestLink(address);
      const { path } = await emailTo(server, address, address === email ? 2 : 1);
      expect((await visitor.post(path)).status).toBe(303);
    }
    expectResponse('deleteMember', await site.delete(`/members/${member.id}`), 204);
    const [replaced] = await everyItem(site, `/events?type=session.revoked&memberId=${other.id}`);
    expect(replaced).toMatchObject({
      actor: { id: member.id, name: null },
      ipAddress: null,
      data: { reason: 'replaced' },
    });
    const own = await everyItem(site, `/events?memberId=${member.id}&actorType=member`);
    expect(own.map(({ type }) => type)).toContain('member.created');
    expect(own.every(({ ipAddress }) => ipAddress === null)).toBe(true);
    const dump = await dumpSite(server.database, site.siteId);
    for (const table of ['events', 'emails', 'login_links', 'sessions', 'members'])
      expect(dump[table]!.join(), table).not.toMatch(/Ada|ada@enrols/);
  });

  test('an expired membership is recorded with Gatehouse as the actor', async () => {
    const site = await server.createSite();
    const [group, member] = [await aGroup(site), await aMember(site)];
    const expiresAt = new Date(clock().getTime() + hour).toISOString();
    await aMembership(site, group.id, member.id, expiresAt);
    advance(hour);
    await purgeNow();
    expect((await everyItem(site, '/events')).at(-1)).toMatchObject({
      type: 'access-group.member.expired',
      actor: systemContext('').actor,
      requestId: null,
      ipAddress: null,
      data: { groupId: group.id, memberId: member.id, expiresAt },
    });
  });

  describe('the event feed', () => {
    test('is filtered by type', async () => {
      const site = await server.createSite();
      const member = await aMember(site);
      await site.patch(`/members/${member.id}`, { paid: true });
      await aMember(site);
      for (const type of ['member.created', 'member.updated', 'api-key.created']) {
        expect(new Set(await types(site, `?type=${type}`))).toEqual(new Set([type]));
      }
      expect(await types(site, '?type=member.created')).toHaveLength(2);
      expect(await types(site, '?type=site.updated')).toEqual([]);
    });

    test('is filtered by member and by group, deleted ones too', async () => {
      const site = await server.createSite();
      const [group, member, other] = [await aGroup(site), await aMember(site), await aMember(site)];
      await aMembership(site, group.id, member.id);
      await aMembership(site, group.id, other.id);
      await site.delete(`/access-groups/${group.id}/members/${member.id}`);
      await site.delete(`/members/${member.id}`);
      await site.patch(`/access-groups/${group.id}`, { name: 'x' });
      await site.delete(`/access-groups/${group.id}`);
      expect(await types(site, `?memberId=${member.id}`)).toEqual([
        'member.created',
        'access-group.member.added',
        'access-group.member.removed',
        'member.deleted',
      ]);
      expect(await types(site, `?groupId=${group.id}`)).toEqual([
        'access-group.created',
        'access-group.member.added',
        'access-group.member.added',
        'access-group.member.removed',
        'access-group.updated',
        'access-group.deleted',
      ]);
      expect(await types(site, `?groupId=${group.id}&memberId=${other.id}`)).toEqual([
        'access-group.member.added',
      ]);
      expect(await types(site, `?memberId=${member.id}&type=member.deleted`)).toEqual(['member.deleted']);
      expect(await types(site, `?memberId=${unknownId()}`)).toEqual([]);
      expect(await types(site, `?memberId=${group.id}`)).toEqual([]);
    });

    test('is filtered by actor', async () => {
      const site = await server.createSite();
      const { apiKey, secret } = await site.createKey();
      const member = await aMember(site, {}, { authorization: `Bearer ${secret}` });
      await aMember(site);
      await new Visitor(site).post(`/_gatehouse/link/${await aLoginLink(site, member.id)}`);
      expect(await types(site, `?actorId=${apiKey.id}`)).toEqual(['member.created']);
      expect(await types(site, `?actorId=${member.id}`)).toEqual(['member.login']);
      expect(await types(site, '?actorType=member')).toEqual(['member.login']);
      expect(new Set(await types(site, '?actorType=system'))).toEqual(
        new Set(['site.created', 'api-key.created']),
      );
      expect(await types(site, `?actorType=key&actorId=${member.id}`)).toEqual([]);
      expect(await types(site, `?actorType=key&actorId=${apiKey.id}&type=member.created`)).toHaveLength(1);
      expect(await types(site, `?actorId=${unknownId()}`)).toEqual([]);
      const other = await server.createSite();
      expect(await types(other, `?actorId=${apiKey.id}`)).toEqual([]);
    });

    test('is read from its end with order=desc, with every filter', async () => {
      const site = await server.createSite();
      const [group, member] = [await aGroup(site), await aMember(site)];
      await aMembership(site, group.id, member.id);
      advance(3 * hour);
      for (const paid of [true, false, true]) await site.patch(`/members/${member.id}`, { paid });
      const since = new Date(clock().getTime() - hour).toISOString();
      for (const query of [
        '',
        '&type=member.updated',
        `&memberId=${member.id}`,
        `&groupId=${group.id}`,
        `&actorId=${site.keyId}`,
        '&actorType=key',
        `&since=${since}`,
        `&until=${since}`,
      ]) {
        const forward = (await everyItem(site, `/events?order=asc${query}`)).map(({ id }) => id);
        expect(forward.length, query).toBeGreaterThan(1);
        const backward: string[] = [];
        for (let after = ''; ; ) {
          const answer = await site.get(`/events?order=desc&limit=1${query}${after}`);
          const { data, pagination } = expectResponse('listEvents', answer, 200);
          backward.push(...data.map(({ id }: { id: string }) => id));
          if (!pagination.hasMore) break;
          after = `&after=${pagination.nextCursor}`;
        }
        expect(backward, query).toEqual(forward.toReversed());
      }
    });

    test('read from its end, is not affected by new events', async () => {
      const site = await server.createSite();
      for (let count = 0; count < 4; count += 1) await aGroup(site);
      const all = (await everyItem(site, '/events?order=desc')).map(({ id }) => id);
      const seen = (await site.get('/events?order=desc&limit=2')).body.data.map(
        ({ id }: { id: string }) => id,
      );
      await aGroup(site);
      const rest = await everyItem(site, `/events?order=desc&after=${seen[1]}`);
      expect([...seen, ...rest.map(({ id }) => id)]).toEqual(all);
    });

    test('is filtered by time, from `since` (inclusive) to `until` (exclusive)', async () => {
      const site = await server.createSite();
      const moments: string[] = [];
      for (let index = 0; index < 5; index += 1) {
        advance(hour);
        await aGroup(site);
        moments.push((await everyItem(site, '/events')).at(-1).occurredAt);
      }
      const count = async (query: string) =>
        (await types(site, `?type=access-group.created&${query}`)).length;
      expect(await count(`since=${moments[2]}`)).toBe(3);
      expect(await count(`until=${moments[2]}`)).toBe(2);
      expect(await count(`since=${moments[1]}&until=${moments[4]}`)).toBe(3);
      expect(await count(`since=${moments[3]}&until=${moments[1]}`)).toBe(0);
      expect(await count(`since=${moments[2]}&until=${moments[2]}`)).toBe(0);
      const later = (time: string) => new Date(Date.parse(time) + 1).toISOString();
      expect(await count(`since=${later(moments[2]!)}`)).toBe(2);
      expect(await count(`until=${later(moments[2]!)}`)).toBe(3);
      expect(await count('since=2999-01-01T00:00:00Z')).toBe(0);
      expect(await count('until=1970-01-01T00:00:00Z')).toBe(0);
      expect(await count(`since=${moments[0]}&until=9999-12-31T23:59:59.999Z`)).toBe(5);
      expect(await types(site, `?since=${moments[0]}&type=api-key.created`)).toEqual([]);
    });

    test('continues after the last event seen, with the same filter', async () => {
      const site = await server.createSite();
      const member = await aMember(site);
      const seen = await site.get(`/events?memberId=${member.id}`);
      const last = seen.body.data.at(-1).id;
      expect(seen.body.pagination).toEqual({ hasMore: false, nextCursor: null });
      const next = `/events?memberId=${member.id}&after=${last}`;
      expect(expectResponse('listEvents', await site.get(next), 200).data).toEqual([]);
      await aMember(site);
      await site.patch(`/members/${member.id}`, { paid: true });
      const { data } = expectResponse('listEvents', await site.get(next), 200);
      expect(data.map(({ type }: { type: string }) => type)).toEqual(['member.updated']);
    });

    test('has every event of concurrent writers once, with new ones only at its end', async () => {
      const site = await server.createSite();
      let done = false;
      const followed: string[] = [];
      const reader = (async () => {
        let after = '';
        for (let rest = 1; rest > 0 || !done; ) {
          const ended = done;
          const { data } = expectResponse('listEvents', await site.get(`/events?limit=100${after}`), 200);
          followed.push(...data.map(({ id }: { id: string }) => id));
          if (data.length > 0) after = `&after=${data.at(-1).id}`;
          rest = ended ? data.length : 1;
        }
      })();
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          for (let index = 0; index < 6; index += 1) await aMember(site);
        }),
      );
      done = true;
      await reader;
      expect(followed).toEqual((await everyItem(site, '/events')).map(({ id }) => id));
      expect(new Set(followed).size).toBe(62);
    });
  });
});
