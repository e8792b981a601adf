import { randomUUID } from 'node:crypto';
import { exampleOf, type Operation, type OperationId, operations, type Source } from '@gatehouse/contract';
import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { forEachStore } from '../stores.ts';
import type { TestResponse, TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { aGroup, aMember } from './given.ts';
import { type ReadyRequest, readyRequest, sendReady } from './requests.ts';

/** A field of the body of an operation that creates or changes something. */
interface Field {
  readonly operationId: OperationId;
  readonly name: string;
  readonly schema: TSchema;
}

/** Fields that no response contains, or that need others, each with the test that covers it. */
const unseen: Readonly<Record<string, string>> = {
  'createMemberLoginLink next': 'where the link leads after the login: member-sessions.test.ts',
  'updateSite logo': 'only its URL is returned: sites.test.ts',
  'createSource token': 'encrypted and never returned: sources.test.ts',
  'createSource address': 'encrypted and never returned: list-sources.test.ts',
  'updateSource token': 'encrypted and never returned: sources.test.ts',
  'updateSource address': 'encrypted and never returned: list-sources.test.ts',
  'createInvitation send': 'whether it was emailed: invitations.test.ts',
  'bulkCreateInvitations send': 'whether they were emailed: invitations.test.ts',
  'createLoginProvider secret': 'encrypted and never returned: login-providers.test.ts',
  'updateLoginProvider secret': 'encrypted and never returned: login-providers.test.ts',
  'createLoginProvider type': 'each has fields of its own: login-providers.test.ts',
  'createLoginProvider tenant': 'only of microsoft: login-providers.test.ts',
  'createLoginProvider teamId': 'only of apple: login-providers.test.ts',
  'createLoginProvider privateKeyId': 'only of apple: login-providers.test.ts',
  'updateLoginProvider teamId': 'only of apple: login-providers.test.ts',
  'updateLoginProvider privateKeyId': 'only of apple: login-providers.test.ts',
  'createPageCode code': 'hashed and never returned: page-codes.test.ts',
  'bulkCreateMembers members': 'a result for each row: bulk-members.test.ts',
  'bulkUpdateMembers members': 'a result for each item: bulk-updates.test.ts',
  'bulkCreateMembers accessGroupIds': 'the groups are not in the results: bulk-members.test.ts',
};

const fields = Object.entries<Operation>(operations)
  .filter(([id]) => /^(create|bulkCreate|bulkUpdate|update|add|invite)[A-Z]/.test(id))
  .flatMap(([id, { body }]) =>
    Object.entries<TSchema>((body as { properties?: Record<string, TSchema> } | null)?.properties ?? {}).map(
      ([name, schema]): Field => ({ operationId: id as OperationId, name, schema }),
    ),
  );
const nameOf = ({ operationId, name }: Field) => `${operationId} ${name}`;
const seen = fields.filter((field) => !(nameOf(field) in unseen));

/** Values that differ from the default or the earlier value, where the example does not or needs existing data. */
const values: Readonly<Record<string, (site: TestSite) => unknown>> = {
  'createMember email': async () => `m-${randomUUID()}@example.com`,
  'createMember accessGroupIds': async (site) => [(await aGroup(site)).id],
  'createWebhook groupIds': async (site) => [(await aGroup(site)).id],
  'updateWebhook groupIds': async (site) => [(await aGroup(site)).id],
  'updateWebhook content': async () => 'ids',
  'updateWebhook parallelism': async () => 2,
  'updateMember email': async () => `m-${randomUUID()}@example.com`,
  'updateMember status': async () => 'blocked',
  'createAccessGroup name': async () => `Group ${randomUUID()}`,
  'createInvitation accessGroupIds': async (site) => [(await aGroup(site)).id],
  'createInvitation note': async () => 'Winter',
  'createInvitation maxUses': async () => 7,
  'createInvitation emailDomains': async () => ['example.org'],
  'createInvitation email': async () => `i-${randomUUID()}@example.com`,
  'createInvitation expiresAt': async () => inDays(30),
  'bulkCreateInvitations emails': async () => [`i-${randomUUID()}@example.com`],
  'bulkCreateInvitations accessGroupIds': async (site) => [(await aGroup(site)).id],
  'bulkCreateInvitations expiresAt': async () => inDays(30),
  'updateInvitation accessGroupIds': async (site) => [(await aGroup(site)).id],
  'updateInvitation note': async () => 'Winter',
  'updateInvitation maxUses': async () => 7,
  'updateInvitation emailDomains': async () => ['example.org'],
  'updateInvitation expiresAt': async () => inDays(30),
  'createLoginProvider issuer': async () => `https://${randomUUID()}.example.org`,
  'createLoginProvider groupMap': async (site) => [mapping((await aGroup(site)).id)],
  'updateLoginProvider name': async () => 'Rowing account',
  'updateLoginProvider clientId': async () => 'gatehouse-2',
  'updateLoginProvider emailTrust': async () => 'never',
  'updateLoginProvider groupMap': async (site) => [mapping((await aGroup(site)).id)],
  'createPageCode type': async () => 'characters',
  'updatePageCode label': async () => 'Class 8b',
  'addAccessGroupMember memberId': async (site) => (await aMember(site)).id,
  'createMemberLoginLink send': async () => false,
  'updateSite domain': async () => `site-${randomUUID()}.example.org`,
  'updateSite scheme': async () => 'http',
  'updateSite signUp': async (site) => ({
    policy: 'allowed_domains',
    domains: [{ domain: 'example.com', accessGroupIds: [(await aGroup(site)).id] }],
  }),
  'updateSite identityHeaders': async () => ({
    encoding: 'utf8',
    user: 'x-webauth-user',
    email: null,
    name: 'x-name',
    groups: 'x-groups',
    signed: null,
  }),
  'updateSource intervalMinutes': async () => 60,
  'updateSource collections': async () => [{ key: 'list', columns: { email: 'Email', paid: 'Teams' } }],
  'updateSource maxRemovedPeople': async () => 25,
  'updateSource maxRemovedPercent': async () => 40,
  'updateSource graceDays': async () => 30,
  'updateSource onLeave': async () => 'block',
  'updateSite allowsPasskeys': async () => false,
  'updateSite links': async () => ({
    contact: 'mailto:office@example.org',
    upgrade: null,
    imprint: 'https://www.example.org/imprint',
    privacy: null,
  }),
  'updateSite showsSetUpSteps': async () => false,
  'createApiKey name': async () => 'Till',
  'inviteOperator email': async () => `o-${randomUUID()}@example.com`,
};

function mapping(accessGroupId: string) {
  return { value: 'rowers', accessGroupId };
}

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

/** Fields that the response contains under another name or in another form. */
// biome-ignore lint/suspicious/noExplicitAny: a response of any operation
const shown: Readonly<Record<string, (data: any) => unknown>> = {
  'createMember accessGroupIds': ({ accessGroups }) => accessGroups.map(({ id }: { id: string }) => id),
  'createMemberLoginLink send': ({ sent }) => sent,
  'bulkCreateInvitations emails': (results) => results.map(({ email }: { email: string }) => email),
  'updateSource collections': ({ collections }: Source) =>
    collections.map(({ key, columns }) => ({ key, columns })),
};

forEachStore((store) => {
  const server = useTestServer(store);

  test.each(seen.map((field) => [nameOf(field), field] as const))('%s is stored', async (name, field) => {
    const site = await server.createSite();
    const request = await readyRequest(field.operationId, site);
    const value = (await values[name]?.(site)) ?? otherValue(field.schema);
    const before = await readBefore(site, request);
    // A change must also be noticed if it is the only one.
    const others = request.method === 'PATCH' ? {} : (request.body as object);
    const sent = { ...request, body: { ...others, [field.name]: value } };
    const answer = await sendReady(site, sent);
    expect(answer.status, answer.text).toBe((operations[field.operationId] as Operation).success.status);
    expect(shownIn(await readAfter(site, sent, answer), field)).toContainEqual(value);
    if (before)
      expect(shownIn(before, field), 'the value must differ from the earlier one').not.toContainEqual(value);
  });

  test('each exception is a field', () => {
    const names = fields.map(nameOf);
    const exceptions = [unseen, values, shown].flatMap((each) => Object.keys(each));
    expect(exceptions.filter((name) => !names.includes(name))).toEqual([]);
  });
});

/** What a request changes, before it does, if it can be read on the same path. */
async function readBefore(site: TestSite, { method, path }: ReadyRequest) {
  if (method !== 'PATCH') return undefined;
  const { status, body } = await site.get(path);
  return status === 200 ? body.data : undefined;
}

/** Adding a member returns the group; the membership is read. */
async function readAfter(site: TestSite, { operationId, path, body }: ReadyRequest, answer: TestResponse) {
  if (operationId !== 'addAccessGroupMember') return answer.body.data;
  const { memberId } = body as { memberId: string };
  return (await site.get(`${path}/${memberId}`)).body.data;
}

/** `true` rather than `false`, which is every default; otherwise the example of the contract. */
function otherValue(schema: TSchema): unknown {
  return 'type' in schema && schema.type === 'boolean' ? true : exampleOf(schema);
}

function shownIn(data: unknown, field: Field): unknown[] {
  const show = shown[nameOf(field)];
  return show ? [show(data)] : valuesOf(data, field.name);
}

/** The values with a name, at any depth. */
function valuesOf(data: unknown, name: string): unknown[] {
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([key, value]) => [
    ...(key === name ? [value] : []),
    ...valuesOf(value, name),
  ]);
}
