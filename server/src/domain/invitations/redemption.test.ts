import type { Permission } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { expectResponse } from '../../../test/contract/answers.ts';
import { aGroup, aMember, aMembership, everyItem } from '../../../test/contract/given.ts';
import { anAddress, aSiteWithDomain, invite, readInvitation, redeem } from '../../../test/invitations.ts';
import { day, movableTime } from '../../../test/movable-time.ts';
import { anOperator } from '../../../test/operator.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { findInvitationByCode, redeemForApproval } from './redemption.ts';

const { clock } = movableTime();

forEachStore((store) => {
  const server = useTestServer(store);

  const membershipsOf = (site: TestSite, groupId: string) =>
    everyItem(site, `/access-groups/${groupId}/memberships`);
  const membersOf = (site: TestSite) => everyItem(site, '/members');
  const redemptionsOf = (site: TestSite, { id }: { id: string }) =>
    everyItem(site, `/invitations/${id}/redemptions`);
  const inDays = (days: number) => new Date(clock().getTime() + days * day).toISOString();
  /** A change of a row that no operation makes. */
  const setColumn = (invitationId: string, column: 'expires_at' | 'used_count', value: string | number) =>
    server.database.transaction((tx) =>
      tx.run(
        column === 'expires_at'
          ? sql`UPDATE invitations SET expires_at = ${value} WHERE id = ${invitationId}`
          : sql`UPDATE invitations SET used_count = ${value} WHERE id = ${invitationId}`,
      ),
    );

  describe('somebody who joins', () => {
    test('becomes a member in the groups, and takes a use', async () => {
      const site = await aSiteWithDomain(server);
      const group = await aGroup(site);
      const invitation = await invite(site, { accessGroupIds: [group.id], membershipDays: 30, maxUses: 2 });
      const email = anAddress();
      expect(await redeem(server, site, invitation, email)).toMatchObject({
        outcome: 'joined',
        member: { email, status: 'active' },
      });
      expect(await readInvitation(site, invitation)).toMatchObject({ usedCount: 1, status: 'active' });
      const [redemption] = await redemptionsOf(site, invitation);
      expect(redemption).toMatchObject({ member: { email }, isNewMember: true });
      const [membership] = await membershipsOf(site, group.id);
      expect(membership).toMatchObject({ source: 'invitation', memberId: redemption.member.id });
      expect(Math.round((Date.parse(membership.expiresAt) - Date.now()) / day)).toBe(30);
      const events = await everyItem(site, '/events');
      expect(events.map(({ type }) => type).slice(-3)).toEqual([
        'member.created',
        'access-group.member.added',
        'invitation.redeemed',
      ]);
      expect(events.at(-1)).toMatchObject({
        actor: { type: 'member', id: redemption.member.id },
        data: { invitationId: invitation.id, memberId: redemption.member.id, isNewMember: true },
      });
    });

    test('joins the groups as the member that they are', async () => {
      const site = await aSiteWithDomain(server);
      const [group, member] = [await aGroup(site), await aMember(site)];
      const invitation = await invite(site, { accessGroupIds: [group.id] });
      const { outcome } = await redeem(server, site, invitation, member.email);
      expect(outcome).toBe('joined');
      expect(await redemptionsOf(site, invitation)).toMatchObject([{ isNewMember: false }]);
      expect(await membershipsOf(site, group.id)).toMatchObject([{ memberId: member.id, expiresAt: null }]);
    });

    test('takes no use and records nothing when they gain nothing', async () => {
      const site = await aSiteWithDomain(server);
      const group = await aGroup(site);
      const invitation = await invite(site, { accessGroupIds: [group.id], maxUses: 2 });
      const email = anAddress();
      await redeem(server, site, invitation, email);
      const before = await everyItem(site, '/events');
      expect(await redeem(server, site, invitation, email)).toMatchObject({ outcome: 'unchanged' });
      expect(await readInvitation(site, invitation)).toMatchObject({ usedCount: 1 });
      expect(await everyItem(site, '/events')).toEqual(before);
    });

    test('has the days of an invitation once, however often they join with it', async () => {
      const site = await aSiteWithDomain(server);
      const group = await aGroup(site);
      const invitation = await invite(site, { accessGroupIds: [group.id], membershipDays: 30, maxUses: 9 });
      const email = anAddress();
      await redeem(server, site, invitation, email);
      const first = await membershipsOf(site, group.id);
      expect(await redeem(server, site, invitation, email)).toMatchObject({ outcome: 'unchanged' });
      expect(await membershipsOf(site, group.id)).toEqual(first);
      await site.patch(`/invitations/${invitation.id}`, { membershipDays: 60 });
      expect(await redeem(server, site, invitation, email)).toMatchObject({ outcome: 'joined' });
      const [membership] = await membershipsOf(site, group.id);
      expect(Date.parse(membership.expiresAt) - Date.parse(first[0].expiresAt)).toBe(30 * day);
      expect(await redeem(server, site, invitation, email)).toMatchObject({ outcome: 'unchanged' });
      expect(await readInvitation(site, invitation)).toMatchObject({ usedCount: 2 });
    });

    test.each([
      { current: null, given: 30, after: null },
      { current: 60, given: 30, after: 60 },
      { current: 20, given: 30, after: 30 },
      { current: 20, given: null, after: null },
    ])('has the later end of $current and $given days: $after', async ({ current, given, after }) => {
      const site = await aSiteWithDomain(server);
      const [group, member] = [await aGroup(site), await aMember(site)];
      const end = (days: number | null) => (days === null ? null : inDays(days));
      await aMembership(site, group.id, member.id, end(current) ?? undefined);
      const invitation = await invite(site, { accessGroupIds: [group.id], membershipExpiresAt: end(given) });
      const { outcome } = await redeem(server, site, invitation, member.email);
      const isLonger = after !== current;
      expect(outcome).toBe(isLonger ? 'joined' : 'unchanged');
      expect(await readInvitation(site, invitation)).toMatchObject({ usedCount: Number(isLonger) });
      const [membership] = await membershipsOf(site, group.id);
      // Who has added the member stays.
      expect(membership).toMatchObject({ expiresAt: end(after), source: 'api' });
    });

    test('is not unblocked, and takes no use', async () => {
      const site = await aSiteWithDomain(server);
      const [group, member] = [await aGroup(site), await aMember(site)];
      await site.request('POST', `/members/${member.id}/block`);
      for (const needsApproval of [false, true]) {
        const invitation = await invite(site, { accessGroupIds: [group.id], needsApproval });
        expect(await redeem(server, site, invitation, member.email)).toMatchObject({
          outcome: 'unchanged',
          member: { status: 'blocked' },
        });
        expect(await readInvitation(site, invitation)).toMatchObject({ usedCount: 0 });
      }
      expect(await membershipsOf(site, group.id)).toEqual([]);
    });

    test('joins without a group that was deleted', async () => {
      const site = await aSiteWithDomain(server);
      const [kept, deleted] = [await aGroup(site), await aGroup(site)];
      const invitation = await invite(site, { accessGroupIds: [kept.id, deleted.id] });
      await site.delete(`/access-groups/${deleted.id}`);
      const email = anAddress();
      expect(await redeem(server, site, invitation, email)).toMatchObject({ outcome: 'joined' });
      expect(await membershipsOf(site, kept.id)).toHaveLength(1);
    });
  });

  describe('an invitation does not work', () => {
    test('when its uses are taken, and then makes no member', async () => {
      const site = await aSiteWithDomain(server);
      const invitation = await invite(site, { maxUses: 1 });
      await redeem(server, site, invitation, anAddress());
      expect(await readInvitation(site, invitation)).toMatchObject({ status: 'used_up' });
      expect(await redeem(server, site, invitation, anAddress())).toEqual({ outcome: 'not_active' });
      expect(await membersOf(site)).toHaveLength(1);
    });

    test('after its end, and after it was revoked', async () => {
      const site = await aSiteWithDomain(server);
      const [ended, revoked] = [await invite(site), await invite(site)];
      await setColumn(ended.id, 'expires_at', new Date(Date.now() - 1).toISOString());
      expect(await readInvitation(site, ended)).toMatchObject({ status: 'expired' });
      expectResponse('revokeInvitation', await site.delete(`/invitations/${revoked.id}`), 204);
      for (const each of [ended, revoked])
        expect(await redeem(server, site, each, anAddress())).toEqual({ outcome: 'not_active' });
      expect(await membersOf(site)).toEqual([]);
    });

    test('for another address than its own', async () => {
      const site = await aSiteWithDomain(server);
      const invitation = await invite(site, { email: 'Ada@EXAMPLE.com', send: false });
      for (const other of ['ada+1@example.com', 'ada@sub.example.com', 'eve@example.com'])
        expect(await redeem(server, site, invitation, other)).toEqual({ outcome: 'not_active' });
      expect(await redeem(server, site, invitation, 'ada@example.com')).toMatchObject({ outcome: 'joined' });
    });

    test('outside of its domains', async () => {
      const site = await aSiteWithDomain(server);
      const invitation = await invite(site, { emailDomains: ['@Bücher.example', 'example.com'] });
      expect(invitation.emailDomains).toEqual(['example.com', 'xn--bcher-kva.example']);
      for (const other of ['a@sub.example.com', 'a@example.com.evil.example', 'example.com@evil.example'])
        expect(await redeem(server, site, invitation, other)).toEqual({ outcome: 'not_active' });
      for (const fitting of ['a@example.com', 'a@xn--bcher-kva.example'])
        expect(await redeem(server, site, invitation, fitting)).toMatchObject({ outcome: 'joined' });
    });

    test('with a code of another site, a part of one, or one that was never given out', async () => {
      const [site, other] = [await aSiteWithDomain(server), await aSiteWithDomain(server)];
      const invitation = await invite(site);
      const code = invitation.url!.slice(-43);
      const find = ({ siteId }: TestSite, text: string) =>
        changing(server.database, siteId, (change) => findInvitationByCode(change, text));
      expect(await find(site, code)).toMatchObject({ id: invitation.id });
      expect(await find(other, code)).toBeUndefined();
      for (const text of ['', code.slice(1), `${code}a`, 'a'.repeat(43), `${code.slice(0, -1)} `])
        expect(await find(site, text)).toBeUndefined();
    });
  });

  describe('an invitation that needs an approval', () => {
    test('makes no member, and takes the use when it is approved', async () => {
      const site = await aSiteWithDomain(server);
      const invitation = await invite(site, { needsApproval: true, maxUses: 1 });
      expect(await redeem(server, site, invitation, anAddress())).toMatchObject({
        outcome: 'needs_approval',
        invitation: { id: invitation.id },
      });
      expect(await membersOf(site)).toEqual([]);
      expect(await readInvitation(site, invitation)).toMatchObject({ usedCount: 0 });
      const members = [await aMember(site), await aMember(site)];
      // It may end between the request and its approval.
      await setColumn(invitation.id, 'expires_at', new Date(Date.now() - 1).toISOString());
      const approve = (index: number) =>
        changing(server.database, site.siteId, (change) =>
          redeemForApproval(change, invitation.id, members[index]!, true),
        );
      expect([await approve(0), await approve(1)]).toEqual([true, false]);
      expect(await redemptionsOf(site, invitation)).toMatchObject([{ member: { id: members[0]!.id } }]);
    });

    test('needs none of a member who gains nothing', async () => {
      const site = await aSiteWithDomain(server);
      const member = await aMember(site);
      const invitation = await invite(site, { needsApproval: true });
      expect(await redeem(server, site, invitation, member.email)).toMatchObject({ outcome: 'unchanged' });
    });
  });

  describe('who made an invitation is checked again at the redemption', () => {
    const everything: Permission[] = ['invitations:write', 'members:write', 'access-groups:write'];

    /** As if the row of the maker had changed without the invitation, such as by an expiry. */
    const changeKey = (keyId: string, permissions: Permission[], expiresAt: string | null = null) =>
      server.database.transaction((tx) =>
        tx.run(
          sql`UPDATE api_keys SET permissions = ${JSON.stringify(permissions)}, expires_at = ${expiresAt} WHERE id = ${keyId}`,
        ),
      );

    test('a key needs every permission, and to be in force', async () => {
      const site = await aSiteWithDomain(server);
      const group = await aGroup(site);
      const { apiKey, secret } = await site.createKey({ permissions: everything });
      const headers = { authorization: `Bearer ${secret}` };
      const plain = await invite(site, {}, headers);
      const withGroup = await invite(site, { accessGroupIds: [group.id] }, headers);
      const outcomes = async () => [
        (await redeem(server, site, plain, anAddress())).outcome,
        (await redeem(server, site, withGroup, anAddress())).outcome,
      ];
      expect(await outcomes()).toEqual(['joined', 'joined']);
      await changeKey(apiKey.id, ['invitations:write', 'members:write']);
      expect(await outcomes()).toEqual(['joined', 'not_active']);
      await changeKey(apiKey.id, ['invitations:write', 'access-groups:write']);
      expect(await outcomes()).toEqual(['not_active', 'not_active']);
      await changeKey(apiKey.id, everything, new Date(Date.now() - 1).toISOString());
      expect(await outcomes()).toEqual(['not_active', 'not_active']);
    });

    test('an operator needs a role with the rights', async () => {
      const site = await aSiteWithDomain(server);
      const { id, browser } = await anOperator(server, site.siteId, 'admin');
      const created = await browser.api(site.siteId, 'POST', '/invitations', {});
      const { data } = expectResponse('createInvitation', created, 201);
      expect(await redeem(server, site, data, anAddress())).toMatchObject({ outcome: 'joined' });
      await server.database.transaction((tx) =>
        tx.run(sql`UPDATE operator_roles SET role = 'viewer' WHERE id = ${id}`),
      );
      expect(await redeem(server, site, data, anAddress())).toEqual({ outcome: 'not_active' });
    });
  });
});
