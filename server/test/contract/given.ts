import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type {
  AccessGroup,
  CreateAccessGroup,
  CreatedWebhook,
  CreateMember,
  CreateWebhook,
  InviteOperator,
  ListedPerson,
  MemberWithGroups,
  Operator,
  Source,
  SourceRun,
  WebhookDelivery,
} from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { expect, vi } from 'vitest';
import { newId, timeOfId } from '../../src/base/ids.ts';
import { insertAccessGroup } from '../../src/domain/access-groups/access-group-store.ts';
import { insertMemberships } from '../../src/domain/memberships/membership-store.ts';
import { type ListServer, startListServer } from '../list-server.ts';
import { addHost, startPageServer } from '../page-server.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { expectResponse } from './answers.ts';

// Test data. Everything is created through the API if there is an operation for it.

export async function aMember(
  site: TestSite,
  values: Partial<CreateMember> = {},
  headers: Record<string, string> = {},
): Promise<MemberWithGroups> {
  const answer = await site.post('/members', { email: `m-${randomUUID()}@example.com`, ...values }, headers);
  return expectResponse('createMember', answer, 201).data;
}

/** Members in the given order, created sequentially. */
export async function someMembers(site: TestSite, count: number): Promise<MemberWithGroups[]> {
  const members = [];
  for (let index = 0; index < count; index += 1) members.push(await aMember(site));
  return members;
}

export async function aGroup(site: TestSite, values: Partial<CreateAccessGroup> = {}): Promise<AccessGroup> {
  const answer = await site.post('/access-groups', { name: `Group ${randomUUID()}`, ...values });
  return expectResponse('createAccessGroup', answer, 201).data;
}

export async function aMembership(
  site: TestSite,
  groupId: string,
  memberId: string,
  expiresAt?: string,
): Promise<void> {
  const answer = await site.post(`/access-groups/${groupId}/members`, {
    memberId,
    ...(expiresAt && { expiresAt }),
  });
  expectResponse('addAccessGroupMember', answer, 201);
}

/** A group that follows a collection of a workspace. No operation creates one. */
export async function aScopeGroup(
  { database }: TestServer,
  { siteId }: TestSite,
  name = `Scope ${randomUUID()}`,
): Promise<{ id: string; name: string }> {
  // Its id comes from another generator than those of the service: only ids of different milliseconds have an order.
  await setTimeout(2);
  const id = newId();
  await setTimeout(2);
  await database.transaction((tx) =>
    insertAccessGroup(
      { db: tx, siteId },
      {
        id,
        name,
        description: null,
        type: 'scope',
        sourceId: null,
        maxSessions: null,
        memberCount: 0,
        createdAt: timeOfId(id),
        updatedAt: timeOfId(id),
      },
    ),
  );
  return { id, name };
}

/** A webhook at an address where no one answers. */
export async function aWebhook(site: TestSite, values: Partial<CreateWebhook> = {}): Promise<CreatedWebhook> {
  const body = { url: 'http://127.0.0.1:65535/hook', ...values };
  return expectResponse('createWebhook', await site.post('/webhooks', body), 201).data;
}

/** A test of a webhook, which may have been sent. */
export async function aWebhookTest(site: TestSite, webhookId: string): Promise<WebhookDelivery> {
  return expectResponse('testWebhook', await site.request('POST', `/webhooks/${webhookId}/test`), 201).data;
}

export async function aSource(site: TestSite): Promise<Source> {
  const body = { type: 'program', name: `Source ${randomUUID()}` };
  return expectResponse('createSource', await site.post('/sources', body), 201).data;
}

/** A source of a list with the columns "Email" and "Teams", which every site may read. */
export async function aListSource(site: TestSite): Promise<Source> {
  list ??= startListServer('Email,Teams\nada@example.com,Rowing\n');
  const { address } = await list;
  const body = { type: 'list', name: `List ${randomUUID()}`, address };
  const { id } = expectResponse('createSource', await site.post('/sources', body), 201).data;
  const collections = [{ key: 'list', columns: { email: 'Email' } }];
  const answer = await site.patch(`/sources/${id}`, { collections });
  return expectResponse('updateSource', answer, 200).data;
}

/** A source of a workspace of Notion that no one can read. */
export async function aNotionSource(site: TestSite): Promise<Source> {
  const body = { type: 'notion', name: `Notion ${randomUUID()}`, token: 'ntn_unknown' };
  return expectResponse('createSource', await site.post('/sources', body), 201).data;
}

/** Started once in a process, and ended with it. */
let list: Promise<ListServer> | undefined;

/** A run of a source that has ended. */
export async function aSourceRun(site: TestSite, sourceId: string): Promise<SourceRun> {
  const { id } = await uploadList(site, sourceId, 'team', []);
  const find = async (): Promise<SourceRun> =>
    expectResponse('getSourceRun', await site.get(`/sources/${sourceId}/runs/${id}`), 200).data;
  await vi.waitFor(async () => expect((await find()).endedAt).not.toBeNull(), { timeout: 20_000 });
  return find();
}

async function uploadList(
  site: TestSite,
  sourceId: string,
  collection: string,
  people: readonly ListedPerson[],
): Promise<SourceRun> {
  const path = `/sources/${sourceId}/collections/${encodeURIComponent(collection)}/people`;
  const answer = await site.request('PUT', path, { body: { list: randomUUID(), people, complete: true } });
  return expectResponse('uploadCollectionPeople', answer, 200).data.run!;
}

/** The scope group of a collection that a program has uploaded to a source. */
export async function aScopeGroupOfList(
  site: TestSite,
  name: string,
  people: readonly ListedPerson[],
): Promise<AccessGroup> {
  const { id } = await aSource(site);
  await uploadList(site, id, name, people);
  const groups = async (): Promise<AccessGroup[]> =>
    (await site.get('/access-groups?type=scope&limit=100')).body.data;
  const isComplete = ({ sourceId, memberCount }: AccessGroup) =>
    sourceId === id && memberCount === people.length;
  await vi.waitFor(async () => expect((await groups()).some(isComplete)).toBe(true), { timeout: 20_000 });
  return (await groups()).find(isComplete)!;
}

/** A membership in a scope group, as its source would create it. */
export async function aScopeMembership(
  { database }: TestServer,
  { siteId }: TestSite,
  groupId: string,
  memberId: string,
): Promise<void> {
  const membership = { groupId, memberId, source: 'scope', addedAt: timeOfId(newId()) } as const;
  await database.transaction(async (tx) => {
    await insertMemberships({ db: tx, siteId }, [{ ...membership, expiresAt: null }]);
  });
}

/** A host name for the site, if it has none yet. */
export async function aDomain(site: TestSite): Promise<string> {
  const domain = await site.domain();
  if (domain !== null) return domain;
  const answer = await site.patch('/site', { domain: `${randomUUID()}.example.com` });
  return expectResponse('updateSite', answer, 200).data.domain!;
}

/** A further host of the site, or its first one, at which a website responds. */
export async function aHost(site: TestSite): Promise<string> {
  const { domain } = await startPageServer({ '/': '<!doctype html><script src="/site.js"></script>' });
  await addHost(site, domain);
  return domain;
}

/** An email with a login link to a member; a new member by default. */
export async function anEmail(site: TestSite, memberId?: string): Promise<string> {
  await aDomain(site);
  const id = memberId ?? (await aMember(site)).id;
  const link = await site.post(`/members/${id}/login-links`, {});
  expectResponse('createMemberLoginLink', link, 201);
  return (await site.get(`/emails?memberId=${id}&limit=1`)).body.data[0].id;
}

/**
 * Like `anEmail`, once its processing has finished: it was not sent, or its hour has not come where the server's
 * clock was set forward. On SQLite emails use the real time, in a separate thread.
 */
export async function anEmailAtRest(site: TestSite, memberId?: string): Promise<string> {
  const id = await anEmail(site, memberId);
  const rests = async () => {
    const { status, attempts, nextAttemptAt } = (await site.get(`/emails/${id}`)).body.data;
    const isFuture = attempts === 0 && Date.parse(nextAttemptAt) > Date.now() + 60_000;
    return status === 'not_sent' || (site.dialect === 'sqlite' && isFuture);
  };
  await vi.waitUntil(rests, { timeout: 20_000 });
  return id;
}

/** The token of a login link for a member, without an email. @param key by default one without an end */
export async function aLoginLink(
  site: TestSite,
  memberId: string,
  next?: string,
  key?: string,
): Promise<string> {
  await aDomain(site);
  const secret =
    key ?? (await site.createKey({ permissions: ['login-links:send', 'login-links:write'] })).secret;
  const link = await site.request('POST', `/members/${memberId}/login-links`, {
    body: { send: false, ...(next !== undefined && { next }) },
    headers: { authorization: `Bearer ${secret}` },
  });
  return expectResponse('createMemberLoginLink', link, 201).data.url!.split('/').at(-1);
}

/** An access token of a member, for programs. */
export async function anAccessToken(
  site: TestSite,
  memberId: string,
  body: Record<string, unknown> = {},
): Promise<{ id: string; secret: string }> {
  const { secret } = await site.createKey({ permissions: ['login-links:write'] });
  const created = await site.request('POST', `/members/${memberId}/access-tokens`, {
    body: { name: 'Podcast app', ...body },
    headers: { authorization: `Bearer ${secret}` },
  });
  return expectResponse('createAccessToken', created, 201).data;
}

/** A session of a member, opened with a login link as a visitor would. */
export async function aSession(
  site: TestSite,
  memberId: string,
  key?: string,
): Promise<{ id: string; memberId: string; token: string }> {
  const link = await aLoginLink(site, memberId, undefined, key);
  const { headers } = await site.visit('POST', `/_gatehouse/link/${link}`);
  const token = /gatehouse_session=([\w-]{43});/.exec(headers['set-cookie']?.join() ?? '')![1]!;
  const sessions = await site.get(`/members/${memberId}/sessions`);
  return { id: sessions.body.data[0].id, memberId, token };
}

/** A new operator of the site, by invitation. */
export async function anInvitedOperator(
  site: TestSite,
  values: Partial<InviteOperator> = {},
): Promise<Operator> {
  const answer = await site.post('/operators', {
    email: `o-${randomUUID()}@example.com`,
    role: 'viewer',
    ...values,
  });
  return expectResponse('inviteOperator', answer, 201).data;
}

/** Waits until the queue has no email of the site left. */
export async function everyEmailGone(
  { database }: Pick<TestServer, 'database'>,
  { siteId }: TestSite,
): Promise<void> {
  const waiting = () =>
    database.all(sql`SELECT id FROM emails WHERE site_id = ${siteId} AND status = 'waiting'`);
  await expect.poll(waiting).toEqual([]);
}

/** Waits until no synchronization of the site is due or running. */
export async function everyRunEnded(
  { database }: Pick<TestServer, 'database'>,
  { siteId }: TestSite,
): Promise<void> {
  const open = () =>
    database.all(sql`SELECT id FROM source_runs WHERE site_id = ${siteId} AND ended_at IS NULL`);
  await expect.poll(open, { timeout: 20_000 }).toEqual([]);
}

/** An ID that exists on no site. */
export const unknownId = (): string => newId();

/** Every item of a list, page by page. */
// biome-ignore lint/suspicious/noExplicitAny: items of any list
export async function everyItem(site: TestSite, path: string): Promise<any[]> {
  const items = [];
  let after = '';
  do {
    const { body } = await site.get(`${path}${path.includes('?') ? '&' : '?'}limit=100${after}`);
    items.push(...body.data);
    after = body.pagination.nextCursor && `&after=${body.pagination.nextCursor}`;
  } while (after);
  return items;
}
