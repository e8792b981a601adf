import { randomUUID } from 'node:crypto';
import type { Invitation, Permission } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { systemContext } from '../../src/base/change-context.ts';
import { type Redemption, redeemInvitation } from '../../src/domain/invitations/redemption.ts';
import { lockMemberByEmail, lookUpMembersByEmail } from '../../src/domain/members/member-lookup.ts';
import { changing } from '../change.ts';
import { aDomain, aGroup, aMember } from '../contract/given.ts';
import { anAddress, invite, readInvitation } from '../invitations.ts';
import { pathOf, sendJoinForm, unlimitedJoining } from '../joining.ts';
import { anOperator } from '../operator.ts';
import { forEachStoreVersion } from '../stores.ts';
import { send, startTestServer, type TestServer, type TestSite } from '../test-server.ts';
import { emailTo, Visitor } from '../visitor.ts';
import {
  atOnce,
  deadlocksOf,
  expectExactCounts,
  race,
  readAllPages,
  serverCounts,
  tally,
} from './contenders.ts';

forEachStoreVersion((store) => {
  describe.each(serverCounts(store))('invitations, %i server(s)', (count) => {
    const servers: TestServer[] = [];
    let site: TestSite;
    beforeAll(async () => {
      servers.push(await startTestServer(store, { settings: unlimitedJoining }));
      const { databaseUrl } = servers[0]!;
      while (servers.length < count)
        servers.push(await startTestServer(store, { settings: unlimitedJoining, databaseUrl }));
      site = await servers[0]!.createSite();
      await aDomain(site);
    });

    const serverOf = (index: number) => servers[index % count]!;
    const request = (index: number, method: string, path: string, body?: unknown, key = site.key) =>
      send(serverOf(index).apiUrl + path, method, { body, headers: { authorization: `Bearer ${key}` } });
    /** Joins as the login does once the address is verified. */
    const redeem = (index: number, { id }: Invitation, email = anAddress(), at = new Date().toISOString()) =>
      changing(
        serverOf(index).database,
        site.siteId,
        async (change) => redeemInvitation(change, id, email, await lockMemberByEmail(change, email)),
        systemContext(at),
      );
    const outcomesOf = (redemptions: readonly (Redemption | undefined)[]) =>
      Object.fromEntries(
        Object.entries(Object.groupBy(redemptions, (each) => each?.outcome ?? 'none')).map(([name, of]) => [
          name,
          of!.length,
        ]),
      );
    /** Each use has a redemption, and each redemption a use. */
    const expectUses = async (invitation: Invitation, uses: number) => {
      expect((await readInvitation(site, invitation)).usedCount).toBe(uses);
      const redemptions = await readAllPages(site, `/invitations/${invitation.id}/redemptions`);
      expect(redemptions).toHaveLength(uses);
    };
    const aKey = (permissions: Permission[] = ['invitations:write', 'members:write']) =>
      site.createKey({ permissions });

    race('of 64 people who use an invitation for 10, exactly 10 become members', async () => {
      const group = await aGroup(site);
      const invitation = await invite(site, { maxUses: 10, accessGroupIds: [group.id] });
      const emails = Array.from({ length: 64 }, anAddress);
      const redemptions = await atOnce(64, (index) => redeem(index, invitation, emails[index]));
      expect(outcomesOf(redemptions)).toEqual({ joined: 10, not_active: 54 });
      await expectUses(invitation, 10);
      const members = (await readAllPages(site, `/access-groups/${group.id}/members`)) as {
        email?: string;
      }[];
      const joined = emails.filter((_, index) => redemptions[index]!.outcome === 'joined');
      expect(members.map(({ email }) => email).sort()).toEqual(joined.sort());
      const view = { db: servers[0]!.database, siteId: site.siteId };
      const made = await lookUpMembersByEmail(view, emails);
      expect(made.map(({ email }) => email).sort()).toEqual(joined.sort());
    });

    test('of 64 people who press their login links for an invitation for 10, exactly 10 are logged in', async () => {
      const invitation = await invite(site, { maxUses: 10 });
      const people = await atOnce(64, async (index) => {
        const [email, visitor] = [anAddress(), new Visitor(serverOf(index).copyOf(site))];
        await sendJoinForm(visitor, pathOf(invitation), { email });
        const { path } = await emailTo(servers[0]!, email);
        expect((await visitor.get(path)).status).toBe(200);
        return { visitor, path };
      });
      const answers = await atOnce(64, (index) => people[index]!.visitor.post(people[index]!.path));
      expect(Object.groupBy(answers, ({ status }) => status)).toMatchObject({
        303: { length: 10 },
        410: { length: 54 },
      });
      expect(people.filter(({ visitor }) => visitor.session !== undefined)).toHaveLength(10);
      await expectUses(invitation, 10);
    });

    race('somebody who uses an invitation many times becomes one member, with one use', async () => {
      const invitation = await invite(site, { maxUses: 10 });
      const email = anAddress();
      const redemptions = await atOnce(16, (index) => redeem(index, invitation, email));
      expect(outcomesOf(redemptions)).toEqual({ joined: 1, unchanged: 15 });
      await expectUses(invitation, 1);
    });

    race('nobody joins after an invitation is revoked', async () => {
      const invitation = await invite(site);
      const redemptions = await atOnce(16, async (index) => {
        if (index !== 5) return redeem(index, invitation);
        expect((await request(index, 'DELETE', `/invitations/${invitation.id}`)).status).toBe(204);
        expect(await redeem(index, invitation)).toEqual({ outcome: 'not_active' });
        return undefined;
      });
      const { joined = 0, not_active: late = 0 } = outcomesOf(redemptions);
      expect(joined + late).toBe(15);
      await expectUses(invitation, joined);
    });

    race('nobody joins at the end of an invitation or after it', async () => {
      const invitation = await invite(site);
      const before = new Date(Date.parse(invitation.expiresAt) - 1).toISOString();
      const redemptions = await atOnce(16, (index) =>
        redeem(index, invitation, anAddress(), index % 4 === 0 ? before : invitation.expiresAt),
      );
      expect(outcomesOf(redemptions)).toEqual({ joined: 4, not_active: 12 });
      await expectUses(invitation, 4);
    });

    race('a group that is deleted while people join it has none of them', async () => {
      const [deleted, kept] = [await aGroup(site), await aGroup(site)];
      const invitation = await invite(site, { accessGroupIds: [deleted.id, kept.id] });
      const redemptions = await atOnce(16, async (index) => {
        if (index !== 7) return redeem(index, invitation);
        expect((await request(index, 'DELETE', `/access-groups/${deleted.id}`)).status).toBe(204);
        return undefined;
      });
      expect(outcomesOf(redemptions)).toEqual({ joined: 15, none: 1 });
      await expectUses(invitation, 15);
      expect((await site.get(`/access-groups/${kept.id}`)).body.data.memberCount).toBe(15);
      expect((await site.get(`/access-groups/${deleted.id}`)).status).toBe(404);
    });

    race('a member who is blocked before joining gains nothing, and takes no use', async () => {
      const [group, member] = [await aGroup(site), await aMember(site)];
      const invitation = await invite(site, { accessGroupIds: [group.id] });
      const redemptions = await atOnce(8, async (index) => {
        if (index !== 3) return redeem(index, invitation, member.email);
        expect((await request(index, 'POST', `/members/${member.id}/block`)).status).toBe(200);
        return undefined;
      });
      const { joined = 0 } = outcomesOf(redemptions);
      expect(joined).toBeLessThanOrEqual(1);
      await expectUses(invitation, joined);
      expect((await site.get(`/access-groups/${group.id}`)).body.data.memberCount).toBe(joined);
    });

    race('a member who is deleted while joining leaves no redemption', async () => {
      const [group, member] = [await aGroup(site), await aMember(site)];
      const invitation = await invite(site, { accessGroupIds: [group.id] });
      await atOnce(4, async (index) => {
        if (index !== 1) return void (await redeem(index, invitation, member.email));
        expect((await request(index, 'DELETE', `/members/${member.id}`)).status).toBe(204);
      });
      const redemptions = await servers[0]!.database.all(
        sql`SELECT id FROM invitation_redemptions WHERE site_id = ${site.siteId} AND member_id = ${member.id}`,
      );
      expect(redemptions).toEqual([]);
    });

    race('nobody joins after the key that made an invitation is revoked', async () => {
      const { apiKey, secret } = await aKey();
      const invitation = await invite(site, {}, { authorization: `Bearer ${secret}` });
      const redemptions = await atOnce(16, async (index) => {
        if (index !== 5) return redeem(index, invitation);
        expect((await request(index, 'DELETE', `/api-keys/${apiKey.id}`)).status).toBe(204);
        expect(await redeem(index, invitation)).toEqual({ outcome: 'not_active' });
        return undefined;
      });
      await expectUses(invitation, outcomesOf(redemptions).joined ?? 0);
      expect(await readInvitation(site, invitation)).toMatchObject({ status: 'revoked' });
    });

    race('an address is invited once to the same groups', async () => {
      const email = anAddress();
      const answers = await atOnce(16, (index) =>
        index % 2
          ? request(index, 'POST', '/invitations', { email, send: false })
          : request(index, 'POST', '/invitations/bulk', { emails: [email, anAddress()], send: false }),
      );
      expect(answers.every(({ status }) => [201, 207, 409].includes(status))).toBe(true);
      expect(await readAllPages(site, `/invitations?email=${email}`)).toHaveLength(1);
    });

    race('who loses the rights while inviting leaves no active invitation', async () => {
      const { apiKey, secret } = await aKey();
      const operator = await anOperator(servers[0]!, site.siteId, 'admin');
      const token = await operator.browser.token(site.siteId);
      const notes: string[] = [randomUUID(), randomUUID()];
      const answers = await atOnce(24, (index) => {
        if (index === 10) return request(index, 'DELETE', `/api-keys/${apiKey.id}`);
        if (index === 11) return request(index, 'DELETE', `/operators/${operator.id}`);
        const byKey = index % 2 === 0;
        const note = notes[index % 2];
        return request(index, 'POST', '/invitations', { note }, byKey ? secret : token);
      });
      const { 204: ended, 201: _, ...others } = tally(answers);
      expect(ended).toBe(2);
      expect(Object.keys(others).filter((name) => !/^40[13] /.test(name))).toEqual([]);
      const made = (await readAllPages(site, '/invitations')) as Invitation[];
      const theirs = made.filter(({ note }) => notes.includes(note));
      expect(theirs.filter(({ status }) => status === 'active')).toEqual([]);
    });

    test('afterwards every count is exact, and no transaction was aborted by a deadlock', async () => {
      await expectExactCounts(site);
      expect(await deadlocksOf(servers[0]!.database)).toBe(0);
    });
  });
});
