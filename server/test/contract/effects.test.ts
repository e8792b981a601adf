import {
  bulkActionTypes,
  type EventType,
  furtherPermissionsFor,
  grants,
  type Operation,
  type OperationId,
  operations,
  type Permission,
  permissions,
} from '@gatehouse/contract';
import { describe, expect, test } from 'vitest';
import { forEachStore, forOneStore } from '../stores.ts';
import type { TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { expectResponse } from './answers.ts';
import { dumpSite } from './dump.ts';
import { effectPermissions } from './effect-permissions.ts';
import { aDomain, aGroup, aMember, aMembership, aSession, everyItem } from './given.ts';
import { operationsWithKey, type ReadyRequest, readyRequest, sendReady } from './requests.ts';

interface Variant {
  readonly title: string;
  readonly make: (site: TestSite) => Promise<ReadyRequest>;
}

/** Further requests of operations that do more than one thing. */
const variants: Partial<Record<OperationId, readonly Variant[]>> = {
  createMember: [
    variant('createMember', 'into a group', async (site) => ({ accessGroupIds: [(await aGroup(site)).id] })),
  ],
  bulkCreateMembers: [
    variant('bulkCreateMembers', 'into a group', async (site) => ({
      accessGroupIds: [(await aGroup(site)).id],
    })),
  ],
  updateMember: [
    variant('updateMember', 'that blocks', async () => ({ status: 'blocked' })),
    {
      title: 'that changes the address of a logged-in member',
      make: async (site) => {
        const { id } = await aMember(site);
        await aSession(site, id);
        const request = await readyRequest('updateMember', site);
        return { ...request, path: `/members/${id}`, body: { email: `new-${id}@example.com` } };
      },
    },
  ],
  updateSite: [
    variant('updateSite', 'whose sign-up rules lose their groups', async () => ({
      signUp: { policy: 'allowed_domains', domains: [{ domain: 'example.com', accessGroupIds: [] }] },
    })),
  ],
  createInvitation: [
    variant('createInvitation', 'into a group', async (site) => ({
      accessGroupIds: [(await aGroup(site)).id],
    })),
  ],
  decideJoinRequests: [
    variant('decideJoinRequests', 'into a group', async (site) => ({
      accessGroupIds: [(await aGroup(site)).id],
    })),
    variant('decideJoinRequests', 'that declines', async () => ({ decision: 'decline' })),
  ],
  createMemberLoginLink: [variant('createMemberLoginLink', 'to hand out', async () => ({ send: false }))],
  bulkMemberActions: bulkActionTypes.map((type) => ({ title: type, make: (site) => bulkAction(site, type) })),
  ...Object.fromEntries(
    (['blockMember', 'deleteMember'] as const).map((operationId) => [
      operationId,
      [
        {
          title: 'a logged-in member',
          make: async (site: TestSite) => {
            const { id } = await aMember(site);
            await aSession(site, id);
            const { path } = operations[operationId];
            return { ...(await readyRequest(operationId, site)), path: path.replace('{memberId}', id) };
          },
        },
      ],
    ]),
  ),
};

const everyRequest = operationsWithKey.flatMap((operationId) => [
  { operationId, title: operationId, make: (site: TestSite) => readyRequest(operationId, site) },
  ...(variants[operationId] ?? []).map(({ title, make }) => ({
    operationId,
    title: `${operationId}: ${title}`,
    make,
  })),
]);

forEachStore((store) => {
  const server = useTestServer(store);
  const seen = new Set<EventType>();

  describe('no request has effects beyond the permissions it requires', () => {
    test.each(everyRequest)('$title', async ({ operationId, make }) => {
      const operation: Operation = operations[operationId];
      const site = await server.createSite();
      const request = await make(site);
      const needed: Permission[] = [
        operation.permission!,
        ...furtherPermissionsFor(operation, request.body),
        ...(request.furtherPermissions ?? []),
      ];
      const { secret } = await site.createKey({ permissions: needed });
      const before = (await everyItem(site, '/events')).length;
      const answer = await sendReady(site, request, { authorization: `Bearer ${secret}` });
      expectResponse(operationId, answer, operation.success.status);
      // A source makes its changes later, after the request.
      const events = (await everyItem(site, '/events')).slice(before);
      const types: EventType[] = events
        .filter(({ actor }) => actor.type !== 'source')
        .map(({ type }) => type);
      for (const type of types) {
        seen.add(type);
        const permission = effectPermissions[type];
        expect(permission, `${type} is nothing that an operation does`).not.toBeNull();
        expect(grants(needed, permission!), `${type} needs ${permission}`).toBe(true);
      }
    });

    test('and every effect occurred', () => {
      const effects = Object.entries(effectPermissions).filter(([, permission]) => permission !== null);
      expect(effects.map(([type]) => type).filter((type) => !seen.has(type as EventType))).toEqual([]);
    });
  });
});

// Permissions are compared before the store is used.
forOneStore((store) => {
  const server = useTestServer(store);

  describe('a request that lacks any of its permissions is denied, and does nothing', () => {
    const withFurther = everyRequest.filter(
      ({ operationId }) => (operations[operationId] as Operation).furtherPermissions !== undefined,
    );

    test.each(withFurther)('$title', async ({ operationId, make }) => {
      const operation: Operation = operations[operationId];
      const site = await server.createSite();
      const request = await make(site);
      for (const lacking of [operation.permission!, ...furtherPermissionsFor(operation, request.body)]) {
        const rest = permissions.filter((permission) => !grants([permission], lacking));
        const { secret } = await site.createKey({ permissions: rest });
        const before = await dumpSite(server.database, site.siteId);
        const answer = await sendReady(site, request, { authorization: `Bearer ${secret}` });
        const apiError = expectResponse(operationId, answer, 403, 'permission_denied');
        expect(apiError.message).toContain(lacking);
        expect(await dumpSite(server.database, site.siteId)).toEqual(before);
      }
    });
  });
});

function variant(
  operationId: OperationId,
  title: string,
  fields: (site: TestSite) => Promise<object>,
): Variant {
  return {
    title,
    make: async (site) => {
      const request = await readyRequest(operationId, site);
      return { ...request, body: { ...(request.body as object), ...(await fields(site)) } };
    },
  };
}

async function bulkAction(site: TestSite, type: (typeof bulkActionTypes)[number]): Promise<ReadyRequest> {
  await aDomain(site);
  const [{ id: memberId }, { id: groupId }] = [await aMember(site), await aGroup(site)];
  if (type === 'unblock') await site.patch(`/members/${memberId}`, { status: 'blocked' });
  if (type === 'remove_from_group' || type === 'set_end_in_group') await aMembership(site, groupId, memberId);
  if (type === 'block') await aSession(site, memberId);
  const action = {
    type,
    ...(type === 'set_paid' && { paid: true }),
    ...(type.endsWith('group') && { groupId }),
    ...(type === 'set_end_in_group' && { expiresAt: '2099-01-01T00:00:00.000Z' }),
  };
  const body = { memberIds: [memberId], action };
  return { operationId: 'bulkMemberActions', method: 'POST', path: '/members/bulk-actions', body };
}
