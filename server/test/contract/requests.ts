import { randomUUID } from 'node:crypto';
import {
  furtherPermissionsFor,
  type Operation,
  type OperationId,
  operations,
  type Permission,
  rolePermissions,
} from '@gatehouse/contract';
import type { TestAnswer, TestSite } from '../test-server.ts';
import { aDomain, aGroup, aMember, aMembership, aRestingMail, aSession } from './given.ts';

export interface ReadyRequest {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** What it needs beside the permission of its operation. */
  readonly furtherPermissions?: readonly Permission[];
}

/** Every operation that needs a key. */
export const operationsWithKey = Object.values<Operation>(operations)
  .filter(({ permission }) => permission !== null)
  .map(({ id }) => id as OperationId);

export const everyOperation = Object.keys(operations) as OperationId[];

/** A request for the operation that succeeds on this site; what it needs is made first. */
export async function readyRequest(operationId: OperationId, site: TestSite): Promise<ReadyRequest> {
  const { method } = operations[operationId];
  const request = { operationId, method, ...(await make[operationId](site)) };
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
): Promise<TestAnswer> {
  return site.request(method, path, { headers, ...(body === undefined ? {} : { body }) });
}

/** The operation's path with the ids in it. */
export function pathOf(operationId: OperationId, ids: Readonly<Record<string, string>> = {}): string {
  return operations[operationId].path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
}

// One for each operation: the compiler asks for a new one's.
const make: Record<
  OperationId,
  (site: TestSite) => Promise<Pick<ReadyRequest, 'path' | 'body' | 'furtherPermissions'>>
> = {
  listMembers: async () => ({ path: '/members' }),
  createMember: async () => ({ path: '/members', body: { email: `m-${randomUUID()}@example.com` } }),
  bulkCreateMembers: async () => ({
    path: '/members/bulk',
    body: { members: [{ email: `m-${randomUUID()}@example.com` }] },
  }),
  getMember: async (site) => ({ path: `/members/${(await aMember(site)).id}` }),
  updateMember: async (site) => ({
    path: `/members/${(await aMember(site)).id}`,
    body: { displayName: 'Ada King' },
  }),
  deleteMember: async (site) => ({ path: `/members/${(await aMember(site)).id}` }),
  blockMember: async (site) => ({ path: `/members/${(await aMember(site)).id}/block` }),
  unblockMember: async (site) => {
    const { id } = await aMember(site);
    await site.patch(`/members/${id}`, { status: 'blocked' });
    return { path: `/members/${id}/unblock` };
  },
  bulkMemberActions: async (site) => ({
    path: '/members/bulk-actions',
    body: {
      memberIds: [(await aMember(site)).id, (await aMember(site)).id],
      action: { type: 'add_to_group', groupId: (await aGroup(site)).id },
    },
  }),
  listAccessGroups: async () => ({ path: '/access-groups' }),
  createAccessGroup: async () => ({ path: '/access-groups', body: { name: `Group ${randomUUID()}` } }),
  getAccessGroup: async (site) => ({ path: `/access-groups/${(await aGroup(site)).id}` }),
  updateAccessGroup: async (site) => ({
    path: `/access-groups/${(await aGroup(site)).id}`,
    body: { description: 'Everyone who booked the course.' },
  }),
  deleteAccessGroup: async (site) => ({ path: `/access-groups/${(await aGroup(site)).id}` }),
  listAccessGroupMembers: async (site) => ({ path: `/access-groups/${(await aGroup(site)).id}/members` }),
  addAccessGroupMember: async (site) => ({
    path: `/access-groups/${(await aGroup(site)).id}/members`,
    body: { memberId: (await aMember(site)).id },
  }),
  listMemberships: async (site) => ({ path: `/access-groups/${(await aGroup(site)).id}/memberships` }),
  getMembership: async (site) => ({ path: await membershipPath(site) }),
  updateMembership: async (site) => ({
    path: await membershipPath(site),
    body: { expiresAt: '2099-12-31T23:00:00.000Z' },
  }),
  removeAccessGroupMember: async (site) => ({ path: await membershipPath(site) }),
  listMemberSessions: async (site) => ({ path: `/members/${(await aMember(site)).id}/sessions` }),
  revokeMemberSessions: async (site) => ({ path: `/members/${(await aMember(site)).id}/sessions` }),
  revokeMemberSession: async (site) => {
    const { id, memberId } = await aSession(site, (await aMember(site)).id);
    return { path: `/members/${memberId}/sessions/${id}` };
  },
  createMemberLoginLink: async (site) => {
    await aDomain(site);
    return { path: `/members/${(await aMember(site)).id}/login-links`, body: { send: true } };
  },
  verifySession: async (site) => {
    const { token } = await aSession(site, (await aMember(site)).id);
    return { path: '/sessions/verify', body: { token, path: '/' } };
  },
  getAccessRules: async () => ({ path: '/access-rules' }),
  replaceAccessRules: async (site) => ({
    path: '/access-rules',
    body: {
      rules: [
        { path: '/', access: 'public' },
        { path: '/course', access: 'groups', groupIds: [(await aGroup(site)).id] },
      ],
    },
  }),
  checkAccess: async (site) => ({
    path: '/access-checks',
    body: { checks: [{ memberId: (await aMember(site)).id, path: '/course' }, { path: '/' }] },
  }),
  getSite: async () => ({ path: '/site' }),
  updateSite: async (site) => {
    const domains = [{ domain: 'example.com', accessGroupIds: [(await aGroup(site)).id] }];
    const signUp = { policy: 'allowed_domains', domains };
    return { path: '/site', body: { title: 'Example Academy', signUp } };
  },
  listApiKeys: async () => ({ path: '/api-keys' }),
  createApiKey: async () => ({
    path: '/api-keys',
    body: { name: 'Shop', permissions: ['api-keys:write'] },
  }),
  rotateApiKey: async (site) => ({
    path: `/api-keys/${await aKey(site)}/rotate`,
    body: { overlapHours: 1 },
  }),
  revokeApiKey: async (site) => ({ path: `/api-keys/${await aKey(site)}` }),
  listOperators: async () => ({ path: '/operators' }),
  inviteOperator: async () => ({
    path: '/operators',
    body: { email: `o-${randomUUID()}@example.com`, role: 'admin' },
    furtherPermissions: rolePermissions.admin,
  }),
  updateOperator: async (site) => ({
    path: `/operators/${await site.createOperator()}`,
    body: { role: 'support' },
    furtherPermissions: rolePermissions.support,
  }),
  removeOperator: async (site) => ({
    path: `/operators/${await site.createOperator('viewer')}`,
    furtherPermissions: rolePermissions.viewer,
  }),
  listMails: async () => ({ path: '/mails' }),
  getMail: async (site) => ({ path: `/mails/${await aRestingMail(site)}` }),
  getOverview: async () => ({ path: '/overview' }),
  listEvents: async () => ({ path: '/events' }),
  listEventGroups: async () => ({ path: '/event-groups' }),
  getOpenApi: async () => ({ path: '/openapi.json' }),
};

async function aKey(site: TestSite): Promise<string> {
  return (await site.createKey({ permissions: ['api-keys:write'] })).apiKey.id;
}

async function membershipPath(site: TestSite): Promise<string> {
  const [group, member] = [await aGroup(site), await aMember(site)];
  await aMembership(site, group.id, member.id);
  return `/access-groups/${group.id}/members/${member.id}`;
}
