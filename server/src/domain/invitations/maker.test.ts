import type { Permission } from '@gatehouse/contract';
import { describe, expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { aGroup, everyItem } from '../../../test/contract/given.ts';
import { anAddress, aSiteWithDomain, invite, readInvitation, redeem } from '../../../test/invitations.ts';
import { hour } from '../../../test/movable-time.ts';
import { anOperator } from '../../../test/operator.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

const inviting: Permission[] = ['invitations:read', 'invitations:write', 'members:write'];

forEachStore((store) => {
  const server = useTestServer(store);

  const aKey = async (site: TestSite, permissions: Permission[], expiresAt: string | null = null) => {
    const { secret, apiKey } = await site.createKey({ permissions, expiresAt });
    return { id: apiKey.id, headers: { authorization: `Bearer ${secret}` } };
  };
  const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString();
  const endsOf = async (site: TestSite) =>
    (await everyItem(site, '/events?type=invitation.revoked')).map(({ data }) => data);

  describe('nobody invites beyond their own rights', () => {
    test('an invitation ends no later than the key, and by default with it', async () => {
      const site = await aSiteWithDomain(server);
      const end = inHours(2);
      const { headers } = await aKey(site, inviting, end);
      expect((await invite(site, {}, headers)).expiresAt).toBe(end);
      for (const values of [{ expiresAt: inHours(3) }, { email: anAddress(), expiresAt: inHours(3) }]) {
        const answer = await site.post('/invitations', values, headers);
        expectResponse('createInvitation', answer, 403, 'permission_denied');
      }
      const bulk = { emails: [anAddress()], expiresAt: inHours(3) };
      const answer = await site.post('/invitations/bulk', bulk, headers);
      expectResponse('bulkCreateInvitations', answer, 403, 'permission_denied');
    });

    test('who changes one must be able to make it', async () => {
      const site = await aSiteWithDomain(server);
      const group = await aGroup(site);
      const withGroup = await invite(site, { accessGroupIds: [group.id] });
      const patch = (values: object, headers: Record<string, string>) =>
        site.patch(`/invitations/${withGroup.id}`, values, headers);
      const { headers: weak } = await aKey(site, inviting);
      for (const values of [{ note: 'Winter' }, { accessGroupIds: [] }])
        expectResponse('updateInvitation', await patch(values, weak), 403, 'permission_denied');
      const { headers: short } = await aKey(site, [...inviting, 'access-groups:write'], inHours(2));
      expectResponse('updateInvitation', await patch({ note: 'Winter' }, short), 403, 'permission_denied');
      const changed = await patch({ note: 'Winter', expiresAt: inHours(1) }, short);
      expectResponse('updateInvitation', changed, 200);
      const late = await patch({ expiresAt: inHours(3) }, short);
      expectResponse('updateInvitation', late, 403, 'permission_denied');
    });
  });

  describe('an invitation ends with who made it', () => {
    test('when the key is revoked, but not those of others, and those that have ended stay as they are', async () => {
      const site = await aSiteWithDomain(server);
      const { id, headers } = await aKey(site, inviting);
      const other = await invite(site);
      const usedUp = await invite(site, { maxUses: 1 }, headers);
      await redeem(server, site, usedUp, anAddress());
      const open = await invite(site, {}, headers);
      const taken = await invite(site, {}, headers);
      await site.patch(`/invitations/${taken.id}`, { note: 'Mine now' });
      expectResponse('revokeApiKey', await site.delete(`/api-keys/${id}`), 204);
      expect(await endsOf(site)).toEqual([{ invitationId: open.id, reason: 'maker_removed' }]);
      const status = async (invitation: { id: string }) => (await readInvitation(site, invitation)).status;
      expect(await Promise.all([other, usedUp, open, taken].map(status))).toEqual([
        'active',
        'used_up',
        'revoked',
        'active',
      ]);
      expect(await redeem(server, site, open, anAddress())).toEqual({ outcome: 'not_active' });
    });

    test('when a key that changed it is revoked, instead of with who made it', async () => {
      const site = await aSiteWithDomain(server);
      const invitation = await invite(site);
      const { id, headers } = await aKey(site, inviting);
      await site.patch(`/invitations/${invitation.id}`, { note: 'Winter' }, headers);
      await site.delete(`/api-keys/${id}`);
      expect(await readInvitation(site, invitation)).toMatchObject({ status: 'revoked' });
    });

    test('not when the key is rotated: then it ends with the new one', async () => {
      const site = await aSiteWithDomain(server);
      const { id, headers } = await aKey(site, inviting);
      const invitation = await invite(site, {}, headers);
      const rotated = await site.post(`/api-keys/${id}/rotate`, { overlapHours: 0 });
      const { id: newId } = expectResponse('rotateApiKey', rotated, 201).data;
      expect(await redeem(server, site, invitation, anAddress())).toMatchObject({ outcome: 'joined' });
      await site.delete(`/api-keys/${newId}`);
      expect(await readInvitation(site, invitation)).toMatchObject({ status: 'revoked' });
    });

    test.each(['removed', 'made a viewer'])('when the operator is %s', async (how) => {
      const site = await aSiteWithDomain(server);
      const [maker, other] = [
        await anOperator(server, site.siteId, 'admin'),
        await anOperator(server, site.siteId, 'owner'),
      ];
      const made = await Promise.all(
        [maker, other].map(async ({ browser }) =>
          expectResponse('createInvitation', await browser.api(site.siteId, 'POST', '/invitations', {}), 201),
        ),
      );
      const path = `/operators/${maker.id}`;
      if (how === 'removed') expectResponse('removeOperator', await site.delete(path), 204);
      else expectResponse('updateOperator', await site.patch(path, { role: 'viewer' }), 200);
      expect(await endsOf(site)).toEqual([{ invitationId: made[0]!.data.id, reason: 'maker_removed' }]);
      expect(await readInvitation(site, made[1]!.data)).toMatchObject({ status: 'active' });
    });

    test('not when the operator gets another role that may invite', async () => {
      const site = await aSiteWithDomain(server);
      const { id, browser } = await anOperator(server, site.siteId, 'admin');
      const created = await browser.api(site.siteId, 'POST', '/invitations', {});
      expectResponse('updateOperator', await site.patch(`/operators/${id}`, { role: 'owner' }), 200);
      expect(await readInvitation(site, created.body.data)).toMatchObject({ status: 'active' });
    });
  });
});
