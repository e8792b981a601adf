import { randomUUID } from 'node:crypto';
import {
  type AccessRule,
  exampleIds,
  exampleOf,
  furtherPermissionsFor,
  type Operation,
  type OperationId,
  operations,
  type Permission,
  rolePermissions,
} from '@gatehouse/contract';
import type { TestResponse, TestSite } from '../test-server.ts';
import {
  aDomain,
  aGroup,
  aHost,
  aListSource,
  aMember,
  aMembership,
  aNotionSource,
  anEmailAtRest,
  aSession,
  aSourceRun,
  aWebhook,
  aWebhookTest,
} from './given.ts';
import { aLoginProvider, anIdentity, aPersonalInvitation, loginProviderFields } from './ways-in.ts';

export interface ReadyRequest {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** The permissions it needs in addition to that of its operation. */
  readonly furtherPermissions?: readonly Permission[];
}

/** Every operation that needs a key. */
export const operationsWithKey = Object.values<Operation>(operations)
  .filter(({ permission }) => permission !== null)
  .map(({ id }) => id as OperationId);

export const everyOperation = Object.keys(operations) as OperationId[];

type Ids = Readonly<Record<string, string>>;

/** A request for the operation that succeeds on this site; its prerequisites are created first, except the known ones. */
export async function readyRequest(
  operationId: OperationId,
  site: TestSite,
  known: Ids = {},
): Promise<ReadyRequest> {
  const { method } = operations[operationId];
  const made = await requestOfContract(operationId, site, known);
  const request = { operationId, method, ...made, ...(await special[operationId]?.(site, made)) };
  const furtherPermissions = [
    ...(request.furtherPermissions ?? []),
    ...furtherPermissionsFor(operations[operationId], request.body),
  ];
  return { ...request, furtherPermissions };
}

export function sendReady(
  site: TestSite,
  { method, path, body }: ReadyRequest,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return site.request(method, path, { headers, ...(body === undefined ? {} : { body }) });
}

/** The operation's path with its IDs filled in. */
export function pathOf(operationId: OperationId, ids: Readonly<Record<string, string>> = {}): string {
  return operations[operationId].path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
}

type Made = Pick<ReadyRequest, 'path' | 'body' | 'furtherPermissions'>;

/** The request that follows from the contract alone: its path with IDs of this site, and the example of its body. */
async function requestOfContract(operationId: OperationId, site: TestSite, known: Ids): Promise<Made> {
  const { params, body }: Operation = operations[operationId];
  const ids: Record<string, string> = {};
  for (const name of Object.keys(params.properties))
    ids[name] = known[name] ?? (await (newIds[name] ?? createdId(name))(site, ids));
  if ('groupId' in ids && 'memberId' in ids) await aMembership(site, ids.groupId!, ids.memberId!);
  return { path: pathOf(operationId, ids), ...(body && { body: await withMember(exampleOf(body), site) }) };
}

/** Creates the resource that a path parameter names, given the IDs of the parameters before it. */
type NewId = (site: TestSite, ids: Ids) => Promise<string>;

/** How resources are created that need more than the operation that creates them. */
const newIds: Readonly<Record<string, NewId>> = {
  sessionId: async (site, { memberId }) => (await aSession(site, memberId!)).id,
  keyId: async (site) => (await site.createKey({ permissions: ['api-keys:write'] })).apiKey.id,
  operatorId: (site) => site.createOperator('viewer'),
  emailId: (site) => anEmailAtRest(site),
  passkeyId: (site, { memberId }) => site.storePasskey(memberId!),
  joinRequestId: (site) => site.storeJoinRequest(),
  pageCodeId: (site) => site.storePageCode(),
  providerId: async (site) => (await aLoginProvider(site)).id,
  identityId: async (site, { memberId }) => (await anIdentity(site, memberId!)).id,
  runId: async (site, { sourceId }) => (await aSourceRun(site, sourceId!)).id,
  collectionKey: async () => 'team',
  language: async () => 'de',
  // Not enabled, so that a site can have any number of them.
  webhookId: async (site) => (await aWebhook(site, { enabled: false, eventTypes: ['site.created'] })).id,
  deliveryId: (site, { webhookId }) => aDelivery(site, webhookId!),
};

/** Creates a resource with the POST to the path before its ID. */
function createdId(parameter: string): NewId {
  const paths = new Set<string>(everyOperation.map((id) => operations[id].path));
  const create = everyOperation.find((id) => {
    const { method, path } = operations[id];
    return method === 'POST' && paths.has(`${path}/{${parameter}}`);
  });
  if (create === undefined) throw new Error(`No operation creates what ${parameter} names.`);
  return async (site, ids) => (await sendReady(site, await readyRequest(create, site, ids))).body.data.id;
}

/** A delivery of a webhook, which is enabled for it. */
async function aDelivery(site: TestSite, webhookId: string): Promise<string> {
  await site.patch(`/webhooks/${webhookId}`, { enabled: true });
  const { id } = await aWebhookTest(site, webhookId);
  await site.patch(`/webhooks/${webhookId}`, { enabled: false });
  return id;
}

async function withMember(example: unknown, site: TestSite): Promise<unknown> {
  const text = JSON.stringify(example);
  if (!text.includes(exampleIds.member)) return example;
  return JSON.parse(text.replaceAll(exampleIds.member, (await aMember(site)).id));
}

/** Rules of every kind. */
async function someRules(site: TestSite): Promise<AccessRule[]> {
  return [
    { path: '/', access: 'public' },
    { path: '/course', access: 'groups', groupIds: [(await aGroup(site)).id] },
    { path: '/class', access: 'code', pageCodeIds: [await site.storePageCode()] },
    {
      path: '/course',
      appliesTo: 'page',
      queryParameters: ['lang'],
      access: 'conditional',
      anyOf: [
        { access: 'members', groupIds: [(await aGroup(site)).id] },
        { access: 'code', pageCodeIds: [await site.storePageCode()] },
        { access: 'public', until: '2026-01-31T09:30:00.000Z', networks: ['192.0.2.0/24'] },
      ],
    },
  ];
}

async function mappedGroup(site: TestSite) {
  return { groupMap: [{ value: 'rowers', accessGroupId: (await aGroup(site)).id }] };
}

/** Operations for which the contract's request is not enough: they need existing data, or new values each time. */
const special: Partial<Record<OperationId, (site: TestSite, request: Made) => Promise<Partial<Made>>>> = {
  createMember: async () => ({ body: { email: `m-${randomUUID()}@example.com` } }),
  bulkCreateMembers: async () => ({ body: { members: [{ email: `m-${randomUUID()}@example.com` }] } }),
  lookUpMembers: async (site) => ({ body: { emails: [(await aMember(site)).email] } }),
  unblockMember: async (site, { path }) => {
    await site.patch(path.replace('/unblock', ''), { status: 'blocked' });
    return {};
  },
  bulkMemberActions: async (site) => ({
    body: {
      memberIds: [(await aMember(site)).id, (await aMember(site)).id],
      action: { type: 'add_to_group', groupId: (await aGroup(site)).id },
    },
  }),
  createAccessGroup: async () => ({ body: { name: `Group ${randomUUID()}` } }),
  createMemberLoginLink: async (site) => {
    await aDomain(site);
    return { body: { send: true } };
  },
  createInvitation: async (site) => {
    await aDomain(site);
    return { body: { note: 'Beginners, autumn' } };
  },
  bulkCreateInvitations: async (site) => {
    await aDomain(site);
    return { body: { emails: [`i-${randomUUID()}@example.com`] } };
  },
  sendInvitation: async (site) => ({
    path: pathOf('sendInvitation', { invitationId: (await aPersonalInvitation(site)).id }),
  }),
  decideJoinRequests: async (site) => ({
    body: { decision: 'approve', joinRequestIds: [await site.storeJoinRequest()] },
  }),
  createLoginProvider: async (site) => ({ body: loginProviderFields(await mappedGroup(site)) }),
  updateLoginProvider: async (site) => ({ body: { name: 'Club', ...(await mappedGroup(site)) } }),
  testLoginProvider: async (site) => {
    await aDomain(site);
    return {};
  },
  resendEmail: async (site, { path }) => {
    await site.failEmail(path.split('/').at(-2)!);
    return {};
  },
  verifySession: async (site) => {
    const { token } = await aSession(site, (await aMember(site)).id);
    return { body: { token, path: '/' } };
  },
  replaceAccessRules: async (site) => ({ body: { rules: await someRules(site) } }),
  checkAccess: async (site) => ({
    body: {
      checks: [
        { memberId: (await aMember(site)).id, path: '/course' },
        { path: '/', pageCodeIds: [await site.storePageCode()] },
      ],
      rules: await someRules(site),
    },
  }),
  checkPage: async (site) => ({
    body: { path: '/', host: await aHost(site), rules: await someRules(site) },
  }),
  updateSite: async (site) => {
    const domains = [{ domain: 'example.com', accessGroupIds: [(await aGroup(site)).id] }];
    return { body: { title: 'Example Academy', signUp: { policy: 'allowed_domains', domains } } };
  },
  createSource: async () => ({ body: { type: 'program', name: `Source ${randomUUID()}` } }),
  updateSource: async (site) => ({
    path: pathOf('updateSource', { sourceId: (await aListSource(site)).id }),
    body: { name: 'Club list', collections: [{ key: 'list', columns: { email: 'Email', groups: 'Teams' } }] },
  }),
  previewSourceCollection: async (site) => ({
    path: pathOf('previewSourceCollection', {
      sourceId: (await aListSource(site)).id,
      collectionKey: 'list',
    }),
  }),
  getSourceWebhook: async (site) => ({
    path: pathOf('getSourceWebhook', { sourceId: (await aNotionSource(site)).id }),
  }),
  resetSourceWebhook: async (site) => ({
    path: pathOf('resetSourceWebhook', { sourceId: (await aNotionSource(site)).id }),
  }),
  syncSource: async (site) => ({
    path: pathOf('syncSource', { sourceId: (await aListSource(site)).id }),
    // Otherwise the run changes the site while it is looked at.
    body: { dryRun: true },
  }),
  createWebhook: async () => ({
    body: { url: 'http://127.0.0.1:65535/hook', description: 'Shop', enabled: false },
  }),
  testWebhook: async (site) => ({
    path: pathOf('testWebhook', { webhookId: (await aWebhook(site, { eventTypes: ['site.created'] })).id }),
  }),
  replayWebhook: async (site) => ({
    path: pathOf('replayWebhook', { webhookId: (await aWebhook(site, { eventTypes: ['site.created'] })).id }),
  }),
  replayWebhookDelivery: async (site, { path }) => {
    await site.patch(path.replace(/\/deliveries\/.*/, ''), { enabled: true });
    return {};
  },
  createApiKey: async () => ({ body: { name: 'Shop', permissions: ['api-keys:write'] } }),
  inviteOperator: async () => ({
    body: { email: `o-${randomUUID()}@example.com`, role: 'admin' },
    furtherPermissions: rolePermissions.admin,
  }),
  updateOperator: async (site) => ({
    path: pathOf('updateOperator', { operatorId: await site.createOperator() }),
    body: { role: 'support' },
    furtherPermissions: rolePermissions.support,
  }),
  removeOperator: async () => ({ furtherPermissions: rolePermissions.viewer }),
};
