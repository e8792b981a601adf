import { permissions as everyPermission, type Permission } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { aGroup, aScopeGroup, everyItem } from '../../../test/contract/given.ts';
import { anAddress, aSiteWithDomain, invite, readInvitation, redeem } from '../../../test/invitations.ts';
import { day, hour } from '../../../test/movable-time.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { secretKey } from '../../../test/secret-key.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { emailsTo } from '../../../test/visitor.ts';
import { newSecretKey, SecretBox } from '../../base/encryption/secret-box.ts';
import { invitationSecrets } from './invitation-secrets.ts';
import { findInvitation } from './invitations.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  const keyWith = async (site: TestSite, permissions: Permission[], expiresAt: string | null = null) => {
    const { secret, apiKey } = await site.createKey({ permissions, expiresAt });
    return { headers: { authorization: `Bearer ${secret}` }, keyId: apiKey.id };
  };
  const eventsOf = (site: TestSite, type: string) => everyItem(site, `/events?type=${type}`);
  const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();
  const codesOf = async (email: string, count: number) =>
    (await emailsTo(server, email, count)).map(({ url }) => url.slice(-43));
  const storedOf = async (site: TestSite) =>
    JSON.stringify(
      await Promise.all([
        server.database.all(sql`SELECT * FROM invitations WHERE site_id = ${site.siteId}`),
        server.database.all(sql`SELECT * FROM invitation_codes WHERE site_id = ${site.siteId}`),
        server.database.all(sql`SELECT * FROM events WHERE site_id = ${site.siteId}`),
      ]),
    );

  describe('a new invitation', () => {
    test('for everyone works for 14 days, for any number of people, with a link', async () => {
      const site = await aSiteWithDomain(server);
      const invitation = await invite(site, { note: '  Beginners ' });
      expect(invitation).toMatchObject({
        note: 'Beginners',
        email: null,
        accessGroupIds: [],
        maxUses: null,
        usedCount: 0,
        needsApproval: false,
        status: 'active',
        sentAt: null,
      });
      expect(Math.round((Date.parse(invitation.expiresAt) - Date.now()) / hour)).toBe(14 * 24);
      expect(invitation.url).toMatch(
        new RegExp(`^https?://${await site.domain()}/_gatehouse/join/[\\w-]{43}$`),
      );
      expect(await readInvitation(site, invitation)).toEqual(invitation);
      const [event] = await eventsOf(site, 'invitation.created');
      expect(event.data).toEqual({
        invitationId: invitation.id,
        accessGroupIds: [],
        isForAddress: false,
        expiresAt: invitation.expiresAt,
      });
    });

    test('for an address is emailed to it, and its link is shown to nobody', async () => {
      const site = await aSiteWithDomain(server);
      await site.patch('/site', { title: 'Chess Club', languages: ['de', 'en'] });
      const email = anAddress();
      const invitation = await invite(site, { email: email.toUpperCase(), note: 'Our trainer' });
      expect(invitation).toMatchObject({ email, maxUses: 1, url: null, sentAt: expect.any(String) });
      const [sent] = await emailsTo(server, email);
      expect(sent!.subject).toBe('Sie sind eingeladen, Chess Club beizutreten');
      expect(sent!.text).not.toContain('Our trainer');
      const english = anAddress();
      await invite(site, { email: english, language: 'en' });
      expect((await emailsTo(server, english))[0]!.subject).toBe('You are invited to join Chess Club');
      expect(await eventsOf(site, 'invitation.sent')).toHaveLength(2);
      expect(JSON.stringify(await everyItem(site, '/events'))).not.toMatch(/Our trainer|@example\.com/);
    });

    test('for an address that is not emailed has a link, once', async () => {
      const site = await aSiteWithDomain(server);
      const answer = await site.post('/invitations', { email: anAddress(), send: false });
      const { data } = expectResponse('createInvitation', answer, 201);
      expect(data).toMatchObject({ url: expect.stringContaining('/join/'), sentAt: null });
      expect(await readInvitation(site, data)).toEqual({ ...data, url: null });
      // A version of what is not shown again would match nothing.
      expect(answer.headers.get('etag')).toBeNull();
    });

    test('ends no later than the memberships that it gives', async () => {
      const site = await aSiteWithDomain(server);
      const [membershipExpiresAt, later, latest] = [inDays(2), inDays(3), inDays(4)];
      const invitation = await invite(site, { membershipExpiresAt, expiresAt: later });
      expect(invitation).toMatchObject({ membershipExpiresAt, expiresAt: membershipExpiresAt });
      const patch = async (values: object) =>
        expectResponse('updateInvitation', await site.patch(`/invitations/${invitation.id}`, values), 200)
          .data.expiresAt;
      expect(await patch({ expiresAt: later })).toBe(membershipExpiresAt);
      expect(await patch({ membershipExpiresAt: latest, expiresAt: later })).toBe(later);
      expect(await patch({ membershipExpiresAt })).toBe(membershipExpiresAt);
      expect(await patch({ membershipExpiresAt: null, expiresAt: latest })).toBe(latest);
    });

    test.each([
      [{ send: true }, '/send'],
      [{ email: 'ada' }, '/email'],
      [{ email: 'ada@example.com', maxUses: 2 }, '/maxUses'],
      [{ email: 'ada@example.com', emailDomains: ['example.com'] }, '/emailDomains'],
      [{ membershipDays: 3, membershipExpiresAt: '2099-01-01T00:00:00Z' }, '/membershipDays'],
      [{ membershipExpiresAt: '2020-01-01T00:00:00Z' }, '/membershipExpiresAt'],
      [{ expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
      [{ expiresAt: inDays(367) }, '/expiresAt'],
      [{ emailDomains: ['ada@example.com'] }, '/emailDomains/0'],
      [{ language: 'tlh' }, '/language'],
      [{ note: 'x'.repeat(501) }, '/note'],
      [{ maxUses: 0 }, '/maxUses'],
      [{ maxUses: 10_001 }, '/maxUses'],
    ])('with %j is rejected', async (values, path) => {
      const site = await aSiteWithDomain(server);
      const answer = await site.post('/invitations', values);
      const error = expectResponse('createInvitation', answer, 400, 'invalid_request');
      expect(error.details[0].path).toBe(path);
      expect(await everyItem(site, '/invitations')).toEqual([]);
    });

    test('is rejected for groups of a source and unknown ones, and without a domain', async () => {
      const site = await aSiteWithDomain(server);
      const scope = await aScopeGroup(server, site);
      const create = (values: object, on = site) => on.post('/invitations', values);
      const ofScope = await create({ accessGroupIds: [scope.id] });
      expectResponse('createInvitation', ofScope, 403, 'scope_group_read_only');
      const unknown = await create({ accessGroupIds: [scope.id.replace(/.{4}$/, '0000')] });
      expectResponse('createInvitation', unknown, 404, 'access_group_not_found');
      const without = await create({}, await server.createSite());
      expectResponse('createInvitation', without, 409, 'site_domain_missing');
    });

    test('to an address that has an active one to the same groups is rejected', async () => {
      const site = await aSiteWithDomain(server);
      const [group, email] = [await aGroup(site), anAddress()];
      const first = await invite(site, { email, send: false });
      const again = () => site.post('/invitations', { email: email.toUpperCase(), send: false });
      expectResponse('createInvitation', await again(), 409, 'already_invited');
      await invite(site, { email, accessGroupIds: [group.id], send: false });
      await site.delete(`/invitations/${first.id}`);
      expectResponse('createInvitation', await again(), 201);
    });
  });

  describe('the link for everyone', () => {
    test('is shown only to those who could make the invitation', async () => {
      const site = await aSiteWithDomain(server);
      const group = await aGroup(site);
      const open = await invite(site);
      const toGroup = await invite(site, { accessGroupIds: [group.id] });
      const inviting: Permission[] = ['invitations:read', 'invitations:write', 'members:write'];
      for (const [permissions, shown] of [
        [['invitations:read'], [null, null]],
        [
          ['invitations:read', 'invitations:write'],
          [null, null],
        ],
        [inviting, [null, open.url]],
        [
          [...inviting, 'access-groups:write'],
          [toGroup.url, open.url],
        ],
      ] as [Permission[], (string | null)[]][]) {
        const { headers } = await keyWith(site, permissions);
        const read = async ({ id }: { readonly id: string }) =>
          expectResponse('getInvitation', await site.get(`/invitations/${id}`, headers), 200).data.url;
        const list = expectResponse('listInvitations', await site.get('/invitations', headers), 200);
        expect(list.data.map(({ url }: (typeof list.data)[0]) => url)).toEqual(shown);
        expect([await read(toGroup), await read(open)]).toEqual(shown);
      }
    });

    test('is stored as a hash and encrypted, for its own invitation, and sealed with the new key', async () => {
      const site = await aSiteWithDomain(server);
      const [{ id, url }, other] = [await invite(site), await invite(site)];
      const { siteId } = site;
      expect(await storedOf(site)).not.toContain(url!.slice(-43));
      const both = new SecretBox([newSecretKey(), secretKey]);
      expect(await invitationSecrets.findOldSites(server.database, both)).toContain(siteId);
      await server.database.transaction((tx) => invitationSecrets.renew({ db: tx, siteId }, both));
      const inspect = (box: SecretBox) => invitationSecrets.inspect({ db: server.database, siteId }, box);
      expect(await inspect(both)).toEqual({ stored: 2, old: 0, unreadable: [] });
      const now = new Date().toISOString();
      const view = { db: server.database, siteId, now };
      const reader = (secrets: SecretBox) => ({ permissions: everyPermission, secrets });
      expect((await findInvitation(view, id, reader(both))).url).toBe(url);
      // With a lost key, and in the row of another invitation, it cannot be opened.
      expect((await findInvitation(view, id, reader(new SecretBox([newSecretKey()])))).url).toBeNull();
      await server.database.transaction((tx) =>
        tx.run(sql`
          UPDATE invitations SET sealed_code = (SELECT sealed_code FROM invitations WHERE id = ${id})
          WHERE id = ${other.id}`),
      );
      expect(await inspect(both)).toMatchObject({ unreadable: [`invitation ${other.id}`] });
      expect((await findInvitation(view, other.id, reader(both))).url).toBeNull();
    });
  });

  describe('many invitations at once', () => {
    test('have a result for each address, and are sent', async () => {
      const site = await aSiteWithDomain(server);
      const [group, first, second, known] = [await aGroup(site), anAddress(), anAddress(), anAddress()];
      const common = { accessGroupIds: [group.id], note: 'Autumn' };
      await invite(site, { ...common, email: known, send: false });
      const emails = [first, 'not an address', known, second, first.toUpperCase()];
      const answer = await site.post('/invitations/bulk', { ...common, emails });
      const { data, summary } = expectResponse('bulkCreateInvitations', answer, 207);
      expect(data.map(({ email, status, error }: (typeof data)[0]) => [email, status, error?.code])).toEqual([
        [first, 'created', undefined],
        ['not an address', 'error', 'invalid_email'],
        [known, 'conflict', 'already_invited'],
        [second, 'created', undefined],
        [first.toUpperCase(), 'conflict', 'already_invited'],
      ]);
      expect(summary).toEqual({ total: 5, created: 2, failed: 3 });
      expect(data[0].invitation).toMatchObject({ email: first, note: 'Autumn', maxUses: 1, url: null });
      expect(await codesOf(first, 1)).toHaveLength(1);
      expect(await redeem(server, site, data[3].invitation, second)).toMatchObject({ outcome: 'joined' });
    });

    test('that are not sent have their links in the response', async () => {
      const site = await aSiteWithDomain(server);
      const body = { emails: [anAddress(), anAddress()], send: false };
      const { data } = expectResponse(
        'bulkCreateInvitations',
        await site.post('/invitations/bulk', body),
        207,
      );
      const urls = data.map(({ invitation }: (typeof data)[0]) => invitation.url);
      expect(new Set(urls).size).toBe(2);
      expect(await storedOf(site)).not.toMatch(
        new RegExp(urls.map((url: string) => url.slice(-43)).join('|')),
      );
    });

    test('are not sent to somebody who has been sent too many', async () => {
      const site = await aSiteWithDomain(server);
      const [tired, fresh] = [anAddress(), anAddress()];
      const { id } = await invite(site, { email: tired });
      for (let status = 200; status === 200; )
        ({ status } = await site.request('POST', `/invitations/${id}/send`));
      const group = await aGroup(site);
      const body = { emails: [tired, fresh], accessGroupIds: [group.id] };
      const { data } = expectResponse(
        'bulkCreateInvitations',
        await site.post('/invitations/bulk', body),
        207,
      );
      expect(data).toMatchObject([
        { email: tired, status: 'error', error: { code: 'email_budget_exhausted' } },
        { email: fresh, status: 'created' },
      ]);
    });

    test('are rejected together for a group that cannot be used', async () => {
      const site = await aSiteWithDomain(server);
      const scope = await aScopeGroup(server, site);
      const body = { emails: [anAddress()], accessGroupIds: [scope.id] };
      const answer = await site.post('/invitations/bulk', body);
      expectResponse('bulkCreateInvitations', answer, 403, 'scope_group_read_only');
      expect(await everyItem(site, '/invitations')).toEqual([]);
    });
  });

  describe('sending an invitation', () => {
    test('sends a new link each time, and all of them work until one is used', async () => {
      const site = await aSiteWithDomain(server);
      const email = anAddress();
      const invitation = await invite(site, { email });
      const answer = await site.request('POST', `/invitations/${invitation.id}/send`);
      expect(expectResponse('sendInvitation', answer, 200).data).toMatchObject({ url: null });
      const codes = await codesOf(email, 2);
      expect(new Set(codes).size).toBe(2);
      const left = () =>
        server.database.all(
          sql`SELECT code_hash FROM invitation_codes WHERE invitation_id = ${invitation.id}`,
        );
      expect(await left()).toHaveLength(2);
      await redeem(server, site, invitation, email);
      expect(await left()).toEqual([]);
      const late = await site.request('POST', `/invitations/${invitation.id}/send`);
      expectResponse('sendInvitation', late, 409, 'invitation_not_active');
    });

    test('is rejected without an address, and beyond the limit of emails to one person', async () => {
      const site = await aSiteWithDomain(server);
      const open = await invite(site);
      const answer = await site.request('POST', `/invitations/${open.id}/send`);
      expectResponse('sendInvitation', answer, 409, 'invitation_without_email');
      const { id } = await invite(site, { email: anAddress() });
      let last = await site.request('POST', `/invitations/${id}/send`);
      for (let count = 0; last.status === 200 && count < 50; count += 1)
        last = await site.request('POST', `/invitations/${id}/send`);
      expectResponse('sendInvitation', last, 429, 'email_budget_exhausted');
    });

    test('does not happen any more once it has ended', async () => {
      const site = await aSiteWithDomain(server);
      const addresses = [anAddress(), anAddress()];
      const [revoked] = await Promise.all(addresses.map((email) => invite(site, { email })));
      for (const email of addresses) await emailsTo(server, email);
      await site.delete(`/invitations/${revoked!.id}`);
      // As if the mail server could not be reached until now.
      await server.database.transaction((tx) =>
        tx.run(sql`
          UPDATE emails SET status = 'waiting', next_attempt_at = created_at WHERE site_id = ${site.siteId}`),
      );
      await invite(site, { email: anAddress() });
      const stored = async () =>
        (await everyItem(site, '/emails')).map(({ recipient, status }) => [recipient, status]);
      await expect.poll(stored).toEqual([
        [expect.any(String), 'not_sent'],
        [addresses[1], 'not_sent'],
      ]);
    });

    test('again after the email failed needs the permissions for it, and an active invitation', async () => {
      const site = await aSiteWithDomain(server);
      const email = anAddress();
      const invitation = await invite(site, { email });
      await emailsTo(server, email);
      const [failed] = await everyItem(site, '/emails');
      await site.failEmail(failed.id);
      const resend = (headers?: Record<string, string>) =>
        site.request('POST', `/emails/${failed.id}/resend`, headers ? { headers } : {});
      const weak = await keyWith(site, ['emails:read', 'login-links:write', 'invitations:write']);
      expectResponse('resendEmail', await resend(weak.headers), 403, 'permission_denied');
      const { data } = expectResponse('resendEmail', await resend(), 201);
      expect(data).toMatchObject({ type: 'member_invitation', recipient: email });
      await site.delete(`/invitations/${invitation.id}`);
      expectResponse('resendEmail', await resend(), 409, 'email_not_resendable');
    });
  });

  describe('changing an invitation', () => {
    test('changes what is submitted, with an event, unless nothing differs', async () => {
      const site = await aSiteWithDomain(server);
      const group = await aGroup(site);
      const invitation = await invite(site, { maxUses: 1 });
      const patch = (values: object) => site.patch(`/invitations/${invitation.id}`, values);
      const changes = {
        note: 'Winter',
        maxUses: 3,
        accessGroupIds: [group.id],
        emailDomains: ['example.com'],
      };
      const { data } = expectResponse('updateInvitation', await patch(changes), 200);
      expect(data).toMatchObject({ ...changes, url: invitation.url });
      const [event] = await eventsOf(site, 'invitation.updated');
      expect(event.data.changes).toEqual([
        { field: 'note', from: null, to: null },
        { field: 'accessGroupIds', from: '', to: group.id },
        { field: 'maxUses', from: '1', to: '3' },
        { field: 'emailDomains', from: '', to: 'example.com' },
      ]);
      expect(expectResponse('updateInvitation', await patch(changes), 200).data).toEqual(data);
      expect(await eventsOf(site, 'invitation.updated')).toHaveLength(1);
    });

    test('lets it work again that was used up, but not one that was revoked', async () => {
      const site = await aSiteWithDomain(server);
      const invitation = await invite(site, { maxUses: 1 });
      await redeem(server, site, invitation, anAddress());
      const patch = (values: object) => site.patch(`/invitations/${invitation.id}`, values);
      expect(expectResponse('updateInvitation', await patch({ maxUses: 2 }), 200).data.status).toBe('active');
      await site.delete(`/invitations/${invitation.id}`);
      expectResponse('updateInvitation', await patch({ maxUses: 3 }), 409, 'invitation_not_active');
      const again = await site.delete(`/invitations/${invitation.id}`);
      expectResponse('revokeInvitation', again, 409, 'invitation_not_active');
    });

    test('needs the version that was read, if it is named', async () => {
      const site = await aSiteWithDomain(server);
      const { id } = await invite(site);
      const etag = (await site.get(`/invitations/${id}`)).headers.get('etag')!;
      const patch = (note: string) => site.patch(`/invitations/${id}`, { note }, { 'if-match': etag });
      expectResponse('updateInvitation', await patch('first'), 200);
      expectResponse('updateInvitation', await patch('second'), 412, 'precondition_failed');
      const revoked = await site.delete(`/invitations/${id}`, { 'if-match': etag });
      expectResponse('revokeInvitation', revoked, 412, 'precondition_failed');
    });
  });

  describe('the list', () => {
    test('is filtered by the status that each shows, and by address', async () => {
      const site = await aSiteWithDomain(server);
      const email = anAddress();
      const [, usedUp, expired, revoked] = [
        await invite(site, { email, send: false }),
        await invite(site, { maxUses: 1 }),
        await invite(site),
        await invite(site),
      ];
      await redeem(server, site, usedUp, anAddress());
      await server.database.transaction((tx) =>
        tx.run(sql`UPDATE invitations SET expires_at = ${inDays(-1)} WHERE id = ${expired.id}`),
      );
      await site.delete(`/invitations/${revoked.id}`);
      const all = await everyItem(site, '/invitations');
      expect(all.map(({ status }) => status)).toEqual(['revoked', 'expired', 'used_up', 'active']);
      for (const each of all)
        expect(await everyItem(site, `/invitations?status=${each.status}`)).toEqual([each]);
      const found = await everyItem(site, `/invitations?email=${email.toUpperCase()}`);
      expect(found).toMatchObject([{ email }]);
    });
  });

  test('a member who is deleted leaves neither redemptions nor invitations to an address', async () => {
    const site = await aSiteWithDomain(server);
    const [former, email] = [anAddress(), anAddress()];
    const [group, own] = [await aGroup(site), await invite(site, { email: former, send: false })];
    await redeem(server, site, own, former);
    const [{ id: memberId }] = await everyItem(site, '/members');
    await site.patch(`/members/${memberId}`, { email });
    const open = await invite(site, { accessGroupIds: [group.id] });
    await redeem(server, site, open, email);
    await invite(site, { email, send: false });
    const list = `/invitations/${open.id}/redemptions`;
    const [redemption] = await everyItem(site, list);
    expectResponse('deleteMember', await site.delete(`/members/${memberId}`), 204);
    expect(await everyItem(site, '/invitations')).toMatchObject([{ id: open.id, usedCount: 1 }]);
    expect(await everyItem(site, list)).toEqual([]);
    const after = await site.get(`${list}?after=${redemption.id}`);
    expectResponse('listInvitationRedemptions', after, 200);
    const stored = await storedOf(site);
    for (const address of [former, email]) expect(stored).not.toContain(address);
  });

  test('an invitation is purged 90 days after its end, with its codes and redemptions', async () => {
    const site = await aSiteWithDomain(server);
    const [old, recent] = [await invite(site), await invite(site)];
    for (const each of [old, recent]) await redeem(server, site, each, anAddress());
    const end = (id: string, days: number) =>
      server.database.transaction((tx) =>
        tx.run(sql`UPDATE invitations SET expires_at = ${inDays(-days)} WHERE id = ${id}`),
      );
    await end(old.id, 90);
    await end(recent.id, 89);
    const page = await site.get(`/invitations?limit=1&after=${recent.id}`);
    await purgeExpired(server.database, () => new Date());
    expect(await everyItem(site, '/invitations')).toMatchObject([{ id: recent.id, status: 'expired' }]);
    expect(page.body.data).toMatchObject([{ id: old.id }]);
    // A cursor on it works for another day.
    expectResponse('listInvitations', await site.get(`/invitations?after=${old.id}`), 200);
    const rows = await server.database.all(
      sql`SELECT invitation_id FROM invitation_redemptions WHERE site_id = ${site.siteId}
        UNION ALL SELECT invitation_id FROM invitation_codes WHERE site_id = ${site.siteId}`,
    );
    expect(rows).toHaveLength(2);
  });
});
