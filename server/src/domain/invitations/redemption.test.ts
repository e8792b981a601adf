import { randomUUID } from 'node:crypto';
import type { CreateInvitation, Invitation } from '@gatehouse/contract';
import { describe, expect, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { expectResponse } from '../../../test/contract/answers.ts';
import { aDomain, aGroup, everyItem } from '../../../test/contract/given.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { lockMemberByEmail } from '../members/member-lookup.ts';
import { redeemInvitation } from './redemption.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  const aSite = async (): Promise<TestSite> => {
    const site = await server.createSite();
    await aDomain(site);
    return site;
  };
  const anInvitation = async (site: TestSite, values: CreateInvitation = {}): Promise<Invitation> =>
    expectResponse('createInvitation', await site.post('/invitations', values), 201).data;
  const anAddress = () => `${randomUUID()}@example.com`;
  /** As the login does, once the address is verified. */
  const redeem = (site: TestSite, { id }: Invitation, email: string) =>
    changing(server.database, site.siteId, async (change) =>
      redeemInvitation(change, id, email, await lockMemberByEmail(change, email)),
    );
  const usedCountOf = async (site: TestSite, { id }: Invitation) =>
    expectResponse('getInvitation', await site.get(`/invitations/${id}`), 200).data.usedCount;

  describe('somebody who joins', () => {
    test('becomes a member in the groups, and takes a use', async () => {
      const site = await aSite();
      const group = await aGroup(site);
      const invitation = await anInvitation(site, { accessGroupIds: [group.id], membershipDays: 30 });
      const email = anAddress();
      expect(await redeem(site, invitation, email)).toMatchObject({ outcome: 'joined', member: { email } });
      expect(await usedCountOf(site, invitation)).toBe(1);
      const [redemption] = await everyItem(site, `/invitations/${invitation.id}/redemptions`);
      expect(redemption).toMatchObject({ member: { email }, isNewMember: true });
      const [membership] = await everyItem(site, `/access-groups/${group.id}/memberships`);
      expect(membership).toMatchObject({ source: 'invitation', memberId: redemption.member.id });
    });
  });
});
