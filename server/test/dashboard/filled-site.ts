import { expect, vi } from 'vitest';
import { changing } from '../change.ts';
import { aScopeGroupOfList } from '../contract/given.ts';
import { aLoginProvider } from '../contract/ways-in.ts';
import { storeJoinRequest } from '../stored-rows.ts';
import type { TestResponse, TestServer, TestSite } from '../test-server.ts';
import { Visitor } from '../visitor.ts';

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const long = 'Wolfeschlegelsteinhausenbergerdorff '.repeat(4).trim();

/** A site as it is after some months, with the ids of the objects that have their own page. */
export interface FilledSite {
  slug: string;
  memberId: string;
  groupId: string;
  sourceId: string;
  emailId: string;
  webhookId: string;
  invitationId: string;
  providerId: string;
}

/** A site with a member and two groups, one of them managed by a workspace. */
export interface SmallSite {
  site: TestSite;
  slug: string;
  groupId: string;
  scopeGroupId: string;
}

/** Fills a site with data for every page, including long names. */
export async function fillSite(server: TestServer, site: TestSite): Promise<FilledSite> {
  const settings = { title: 'Rowing Club', domain: 'club.example.org' };
  const { slug } = await made(site.patch('/site', settings), 200);
  const groupIds = await fillGroups(site);
  const staff = [{ email: 'ada@example.com' }, { email: 'mary@example.com', displayName: 'Mary Shelley' }];
  const { sourceId } = await aScopeGroupOfList(site, 'Staff of the university', staff);
  await made(site.patch(`/sources/${sourceId}`, { name: `Office ${long}`.slice(0, 100).trim() }), 200);
  await fillMembers(site, groupIds);
  const memberId = await fillMember(site, groupIds);
  await fillRules(site, groupIds, await fillPageCodes(site));
  await fillKeysAndOperators(site);
  const webhookId = await fillWebhooks(site, groupIds);
  const invitationId = await fillInvitations(site, groupIds);
  await fillJoinRequests(server, site, invitationId);
  const { id: providerId } = await aLoginProvider(site, {
    groupsClaim: 'groups',
    name: `Club ${long}`.slice(0, 100).trim(),
  });
  const [email] = (await site.get(`/emails?memberId=${memberId}`)).body.data;
  return {
    slug,
    memberId,
    groupId: groupIds[1]!,
    sourceId: sourceId!,
    emailId: email.id,
    webhookId,
    invitationId,
    providerId,
  };
}

export async function createSmallSite(server: TestServer): Promise<SmallSite> {
  const site = await server.createSite();
  const { slug } = await made(site.patch('/site', { title: 'Rowing Club' }), 200);
  const group = { name: 'Course 2026', description: 'Who learns to row this year.' };
  const { id: groupId } = await made(site.post('/access-groups', group));
  const ada = { email: 'ada@example.com', displayName: 'Ada Lovelace', accessGroupIds: [groupId] };
  await made(site.post('/members', ada));
  const mary = { email: 'mary@example.com', displayName: 'Mary Shelley' };
  const { id: scopeGroupId } = await aScopeGroupOfList(site, 'Staff of the university', [mary]);
  return { site, slug, groupId, scopeGroupId };
}

async function fillGroups(site: TestSite): Promise<string[]> {
  const ids: string[] = [];
  for (const name of ['Board', 'Crew 2026', 'Coaches', 'W'.repeat(100)]) {
    const description =
      name === 'Coaches' ? null : `${name}: who keeps the boats afloat. ${long}`.slice(0, 300);
    ids.push((await made(site.post('/access-groups', { name, description }))).id);
  }
  return ids;
}

async function fillMembers(site: TestSite, groupIds: string[]): Promise<void> {
  const members = Array.from({ length: 120 }, (_, index) => ({
    email: `rower-${index}@example.com`,
    displayName: index % 7 === 0 ? null : `Rower Number ${index}`,
    paid: index % 3 === 0,
  }));
  expect((await site.post('/members/bulk', { members, accessGroupIds: [groupIds[1]] })).status).toBe(207);
  const email = `${'a'.repeat(64)}@${'long-domain.'.repeat(12)}example.com`;
  await made(site.post('/members', { email, displayName: long, paid: true, accessGroupIds: groupIds }));
  const [rower] = (await site.get('/members?q=rower-7@')).body.data;
  await made(site.post(`/members/${rower.id}/block`, {}), 200);
}

/** Adds a member with a name, groups with and without an end, a session and emails. Returns the id. */
async function fillMember(site: TestSite, [board, crew]: string[]): Promise<string> {
  const [{ id }] = (await site.get('/members?q=ada@example.com')).body.data;
  await made(site.patch(`/members/${id}`, { displayName: 'Ada Lovelace', paid: true }), 200);
  await made(site.post(`/access-groups/${crew}/members`, { memberId: id }));
  await made(site.post(`/access-groups/${board}/members`, { memberId: id, expiresAt: inAMonth() }));
  const link = await made(site.post(`/members/${id}/login-links`, { send: false }));
  const visitor = new Visitor(site);
  await visitor.post(new URL(link.url).pathname, {}, { 'user-agent': firefox });
  expect(visitor.session).toBeDefined();
  await made(site.post(`/members/${id}/login-links`, { send: true }));
  return id;
}

/** Adds page codes of each kind. Returns their ids. */
async function fillPageCodes(site: TestSite): Promise<string[]> {
  const codes = [
    { label: 'Class 7b', maxUses: 60, expiresAt: inAMonth() },
    { label: `Guests ${long}`.slice(0, 100).trim(), type: 'characters' },
    { label: 'Choir', code: 'Lake swans at dawn' },
  ];
  const ids: string[] = [];
  for (const code of codes) ids.push((await made(site.post('/page-codes', code))).id);
  return ids;
}

async function fillRules(site: TestSite, groupIds: string[], pageCodeIds: string[]): Promise<void> {
  const [board, crew] = groupIds;
  const longPath = `/${'long-name-of-a-folder-'.repeat(8)}x`;
  const rules = [
    { path: '/', access: 'public' },
    { path: '/members', access: 'members' },
    { path: '/members/boats/booking', access: 'paying_members' },
    { path: '/course', access: 'groups', groupIds, match: 'any' },
    { path: longPath, access: 'groups', groupIds: [board, crew], match: 'all' },
    { path: '/', appliesTo: 'page', queryParameters: ['lang'], access: 'members' },
    { path: '/class', access: 'code', pageCodeIds },
    {
      path: '/choir',
      access: 'conditional',
      anyOf: [{ access: 'members' }, { access: 'code', pageCodeIds }],
    },
    { path: '/news/members-*', access: 'conditional', anyOf: alternatives(groupIds) },
  ];
  await made(site.request('PUT', '/access-rules', { body: { rules } }), 200);
}

const alternatives = (groupIds: string[]) => [
  { access: 'members', groupIds, match: 'all', until: inAMonth() },
  { access: 'paying_members' },
  {
    access: 'public',
    networks: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8:1234:5678:9abc:def0::/96'],
  },
];

async function fillKeysAndOperators(site: TestSite): Promise<void> {
  const shop = await made(site.post('/api-keys', { name: 'Shop', expiresAt: inAMonth() }));
  await made(site.post(`/api-keys/${shop.id}/rotate`, {}));
  const limited = { name: long.slice(0, 100), rateLimit: 10, permissions: ['members:read'] };
  const old = await made(site.post('/api-keys', limited));
  expect((await site.delete(`/api-keys/${old.id}`)).status).toBe(204);
  for (const role of ['admin', 'support', 'viewer']) {
    const displayName = role === 'viewer' ? long : null;
    await made(site.post('/operators', { email: `${role}@example.com`, displayName, role }));
  }
}

/** Adds webhooks that no one receives: one is disabled, the other has sent a test and an event. Returns the id of the latter. */
async function fillWebhooks(site: TestSite, groupIds: string[]): Promise<string> {
  await made(site.post('/webhooks', { url: 'https://shop.example.org/hook', enabled: false }));
  const url = `http://127.0.0.1:65535/webhooks/${'long-name-of-a-path-'.repeat(8)}?key=1`;
  const description = `Shop ${long}`.slice(0, 200).trim();
  const eventTypes = [
    'webhook.deleted',
    'access-group.updated',
    'access-group.member.updated',
    'member.deleted',
  ];
  const settings = { url, description, eventTypes, groupIds: groupIds.slice(0, 2), content: 'ids' };
  const { id } = await made(site.post('/webhooks', settings));
  await made(site.request('POST', `/webhooks/${id}/test`));
  const isSent = async () => (await site.get(`/webhooks/${id}/deliveries?status=failed`)).body.data.length;
  await vi.waitFor(async () => expect(await isSent()).toBe(1), { timeout: 20_000 });
  // Deliveries of events fill the chart above them.
  await made(site.patch(`/access-groups/${groupIds[0]}`, { description: 'Who decides.' }), 200);
  await vi.waitFor(async () => expect(await isSent()).toBe(2), { timeout: 20_000 });
  return id;
}

/** Adds invitations of every kind. Returns the id of one for everyone who has its link. */
async function fillInvitations(site: TestSite, groupIds: string[]): Promise<string> {
  const note = `Autumn course ${long}`;
  const emailDomains = ['example.com', `${'long-domain.'.repeat(12)}example.com`];
  const limited = { note, accessGroupIds: groupIds, membershipDays: 90, maxUses: 10_000, emailDomains };
  const { id } = await made(site.post('/invitations', { ...limited, needsApproval: true }));
  const email = `${'b'.repeat(64)}@${'long-domain.'.repeat(12)}example.com`;
  const personal = { email, note, language: 'en', membershipExpiresAt: inAMonth() };
  await made(site.post('/invitations', { ...personal, accessGroupIds: groupIds.slice(0, 1) }));
  const revoked = await made(site.post('/invitations', {}));
  expect((await site.delete(`/invitations/${revoked.id}`)).status).toBe(204);
  return id;
}

/** Adds requests to join: two that wait, one of them with an invitation, and one that was declined. */
async function fillJoinRequests(server: TestServer, site: TestSite, invitationId: string): Promise<void> {
  const store = (values: Parameters<typeof storeJoinRequest>[1]) =>
    changing(server.database, site.siteId, (change) => storeJoinRequest(change, values));
  await store({ displayName: 'Grace Hopper', invitationId, path: `/${'long-name-of-a-folder-'.repeat(8)}x` });
  const [first = ''] = long.split(' ');
  await store({ displayName: long.slice(0, 200), message: `${first}\n`.repeat(13) + 'w'.repeat(30) });
  const id = await store({ displayName: null, message: 'I row on Tuesdays.' });
  const decision = { decision: 'decline', joinRequestIds: [id] };
  expect((await site.post('/join-requests/decide', decision)).status).toBe(207);
}

/** The data of a response with the expected status. */
async function made(answer: Promise<TestResponse>, expected = 201) {
  const { status, text, body } = await answer;
  expect(status, text).toBe(expected);
  return body.data;
}

function inAMonth(): string {
  return new Date(Date.now() + 30 * 86_400_000).toISOString();
}
