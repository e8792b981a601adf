import { randomUUID } from 'node:crypto';
import type { DecideJoinRequests, JoinRequestDecision } from '@gatehouse/contract';
import { joinRequestDays, maxPendingJoinRequests } from '@gatehouse/contract/limits';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { expectError, expectResponse } from '../../../test/contract/answers.ts';
import {
  aDomain,
  aGroup,
  aMember,
  aMembership,
  aScopeGroup,
  everyItem,
} from '../../../test/contract/given.ts';
import {
  aJoinRequest,
  anAddress,
  anInvitation,
  anOpenSite,
  joinRequestsOf,
  pathOf,
  pressLink,
  sendJoinForm,
  unlimitedJoining,
} from '../../../test/joining.ts';
import { day, hour, movableTime } from '../../../test/movable-time.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { Visitor } from '../../../test/visitor.ts';
import { systemContext } from '../../base/change-context.ts';
import { newId } from '../../base/ids.ts';
import { announceJoinRequests } from '../../domain/join-decisions/pending-notice.ts';
import { requestToJoin } from '../../domain/join-requests/join-requests.ts';
import { emailComposer } from '../../pages/emails/email-composer.ts';

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock, settings: unlimitedJoining });

  const decide = async (site: TestSite, body: DecideJoinRequests): Promise<JoinRequestDecision[]> =>
    expectResponse('decideJoinRequests', await site.post('/join-requests/decide', body), 207).data;
  const approve = (site: TestSite, ids: string[], values = {}) =>
    decide(site, { decision: 'approve', joinRequestIds: ids, ...values });
  const decline = (site: TestSite, ids: string[]) =>
    decide(site, { decision: 'decline', joinRequestIds: ids });
  const change = <T>(site: TestSite, work: Parameters<typeof changing<T>>[2]) =>
    changing(server.database, site.siteId, work, systemContext(clock().toISOString()));
  /** A request, as the login stores it once the address is verified. */
  const asking = (site: TestSite, email = anAddress(), memberId: string | null = null) =>
    change(site, (change) =>
      requestToJoin(change, {
        email,
        memberId,
        invitationId: null,
        displayName: null,
        message: null,
        path: null,
        language: 'de',
      }),
    );
  const requestOf = async (site: TestSite, email: string) =>
    (await joinRequestsOf(site)).find((request) => request.email === email)!;
  const aRequest = async (site: TestSite, email = anAddress(), memberId: string | null = null) => {
    expect(await asking(site, email, memberId)).toBe('requested');
    return requestOf(site, email);
  };
  const emailsOf = (site: TestSite, type: string) =>
    server.database.all<{ recipient: string; subject: string; content: string }>(
      sql`SELECT recipient, subject, content FROM emails
        WHERE site_id = ${site.siteId} AND type = ${type} ORDER BY id`,
    );

  describe('an approval', () => {
    test('makes a member with the name, in the chosen groups, and sends a way to log in', async () => {
      const site = await anOpenSite(server);
      const group = await aGroup(site);
      const { id, email } = await aJoinRequest(server, site, { displayName: 'Ada' });
      const end = new Date(clock().getTime() + 30 * day).toISOString();
      const [result] = await approve(site, [id], { accessGroupIds: [group.id], membershipExpiresAt: end });
      const [member] = await everyItem(site, '/members');
      expect(member).toMatchObject({ email, displayName: 'Ada', status: 'active' });
      expect(result).toEqual({ joinRequestId: id, status: 'approved', memberId: member.id });
      const [membership] = await everyItem(site, `/access-groups/${group.id}/memberships`);
      expect(membership).toMatchObject({ memberId: member.id, expiresAt: end });
      const decided = expectResponse('getJoinRequest', await site.get(`/join-requests/${id}`), 200).data;
      expect(decided).toMatchObject({
        status: 'approved',
        memberId: member.id,
        expiresAt: null,
        decidedBy: { type: 'key', id: site.keyId },
      });
      const [event] = await everyItem(site, '/events?type=join-request.approved');
      expect(event.data).toEqual({ joinRequestId: id, memberId: member.id });
      const [sent] = await emailsOf(site, 'join_request_approved');
      expect([sent!.recipient, sent!.subject]).toEqual([email, expect.stringContaining('was approved')]);
      expect(JSON.parse(sent!.content).text).toContain(`https://${await aDomain(site)}/_gatehouse/login`);
    });

    test('adds groups to a member, and leaves a later end and one without an end as they are', async () => {
      const site = await anOpenSite(server);
      const { id: memberId, email } = await aMember(site);
      const groups = [await aGroup(site), await aGroup(site), await aGroup(site)];
      const [none, later, sooner] = groups.map(({ id }) => id) as [string, string, string];
      const inDays = (days: number) => new Date(clock().getTime() + days * day).toISOString();
      await aMembership(site, none, memberId);
      await aMembership(site, later, memberId, inDays(60));
      await aMembership(site, sooner, memberId, inDays(10));
      const { id } = await aRequest(site, email, memberId);
      await approve(site, [id], { accessGroupIds: [none, later, sooner], membershipExpiresAt: inDays(30) });
      const ends = [];
      for (const group of groups) {
        const [membership] = await everyItem(site, `/access-groups/${group.id}/memberships`);
        ends.push(membership.expiresAt);
      }
      expect(ends).toEqual([null, inDays(60), inDays(30)]);
      expect(await everyItem(site, '/members')).toHaveLength(1);
    });

    test('of a member whose address has changed since adds to that member', async () => {
      const site = await anOpenSite(server);
      const { id: memberId, email } = await aMember(site);
      const { id } = await aRequest(site, email, memberId);
      await site.patch(`/members/${memberId}`, { email: anAddress() });
      expect(await approve(site, [id])).toMatchObject([{ status: 'approved', memberId }]);
      expect(await everyItem(site, '/members')).toHaveLength(1);
    });

    test('of a member who has asked with a former address too adds once, and is sent to the present address', async () => {
      const site = await anOpenSite(server);
      const [{ id: memberId, email }, group, present] = [
        await aMember(site),
        await aGroup(site),
        anAddress(),
      ];
      const first = await aRequest(site, email, memberId);
      await site.patch(`/members/${memberId}`, { email: present });
      const second = await aRequest(site, present, memberId);
      await approve(site, [first.id, second.id], { accessGroupIds: [group.id] });
      expect(await everyItem(site, '/events?type=access-group.member.added')).toHaveLength(1);
      const third = await aRequest(site, email, memberId);
      await decline(site, [third.id]);
      const sent = [
        ...(await emailsOf(site, 'join_request_approved')),
        ...(await emailsOf(site, 'join_request_declined')),
      ];
      expect(sent.map(({ recipient }) => recipient)).toEqual([present, present, present]);
    });

    test('never unblocks', async () => {
      const site = await anOpenSite(server);
      const { id: memberId, email } = await aMember(site);
      const { id } = await aRequest(site, email, memberId);
      await site.patch(`/members/${memberId}`, { status: 'blocked' });
      expect(await approve(site, [id])).toMatchObject([
        { status: 'error', error: { code: 'member_blocked' } },
      ]);
      expect((await site.get(`/members/${memberId}`)).body.data.status).toBe('blocked');
      expect(await requestOf(site, email)).toMatchObject({ status: 'pending' });
    });

    test('takes a use of the invitation, and fails when it is used up, without a member', async () => {
      const site = await server.createSite();
      const invitation = await anInvitation(site, { needsApproval: true, maxUses: 1 });
      const requests = [];
      for (let index = 0; index < 2; index += 1)
        requests.push(await aJoinRequest(server, site, { path: pathOf(invitation) }));
      const results = await approve(
        site,
        requests.map(({ id }) => id),
      );
      expect(results).toMatchObject([
        { status: 'approved' },
        { status: 'error', error: { code: 'invitation_used_up' } },
      ]);
      expect(await everyItem(site, '/members')).toMatchObject([{ email: requests[0]!.email }]);
      expect(await requestOf(site, requests[1]!.email)).toMatchObject({ status: 'pending' });
      expect(await emailsOf(site, 'join_request_approved')).toHaveLength(1);
    });

    test('into a group that does not exist or follows a source changes nothing', async () => {
      const site = await anOpenSite(server);
      const { id, email } = await aRequest(site);
      const body = (groupId: string) => ({
        decision: 'approve',
        joinRequestIds: [id],
        accessGroupIds: [groupId],
      });
      const scope = await aScopeGroup(server, site);
      const missing = await site.post('/join-requests/decide', body(randomUUID()));
      expectError(missing, 404, 'access_group_not_found');
      expectError(await site.post('/join-requests/decide', body(scope.id)), 403, 'scope_group_read_only');
      expect(await requestOf(site, email)).toMatchObject({ status: 'pending' });
    });
  });

  test('the results are in the order submitted, and what is decided already or has expired is a conflict', async () => {
    const site = await anOpenSite(server);
    const [declined, expired, open] = [await aRequest(site), await aRequest(site), await aRequest(site)];
    await decline(site, [declined.id]);
    await server.database.run(
      sql`UPDATE join_requests SET ends_at = created_at WHERE site_id = ${site.siteId} AND id = ${expired.id}`,
    );
    const missing = randomUUID();
    const results = await approve(site, [missing, declined.id, open.id, expired.id, open.id]);
    expect(results).toMatchObject([
      { joinRequestId: missing, status: 'error', error: { code: 'join_request_not_found' } },
      { joinRequestId: declined.id, status: 'conflict', error: { code: 'join_request_decided' } },
      { joinRequestId: open.id, status: 'approved' },
      { joinRequestId: expired.id, status: 'conflict', error: { code: 'join_request_decided' } },
    ]);
  });

  test('of two operators who decide at once, one gets conflicts for all', async () => {
    const site = await anOpenSite(server);
    const ids = [];
    for (let index = 0; index < 5; index += 1) ids.push((await aRequest(site)).id);
    const answers = await Promise.all([approve(site, ids), decline(site, [...ids].reverse())]);
    for (const id of ids) {
      const statuses = answers.flat().filter(({ joinRequestId }) => joinRequestId === id);
      expect(statuses.filter(({ status }) => status === 'conflict')).toHaveLength(1);
    }
  });

  test(`a site has at most ${maxPendingJoinRequests} pending requests, and says so to the next person`, async () => {
    const site = await anOpenSite(server);
    await change(site, async ({ db, siteId, now }) => {
      const end = new Date(clock().getTime() + day).toISOString();
      const rows = Array.from({ length: maxPendingJoinRequests }, (_, index) => [
        siteId,
        newId(),
        `${index}@example.com`,
        'en',
        'pending',
        now,
        end,
      ]);
      const columns = ['site_id', 'id', 'email', 'language', 'status', 'created_at', 'ends_at'];
      await db.insert('join_requests', columns, rows);
    });
    expect(await asking(site)).toBe('queue_full');
    expect(await asking(site, '7@example.com')).toBe('requested');
    const email = anAddress();
    const visitor = new Visitor(site);
    await sendJoinForm(visitor, '/_gatehouse/join', { email });
    const answer = await pressLink(server, visitor, email);
    expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('Your request was not sent')]);
    const overview = expectResponse('getOverview', await site.get('/overview'), 200).data;
    expect(overview.pendingJoinRequests).toBe(maxPendingJoinRequests);
  });

  test('the number of pending requests needs the permission to read them', async () => {
    const site = await server.createSite(['site:read', 'members:read']);
    expect((await site.get('/overview')).body.data.pendingJoinRequests).toBeNull();
  });

  test('deleting a member deletes the requests, those made before the person was a member too', async () => {
    const site = await anOpenSite(server);
    const { id, email } = await aJoinRequest(server, site, { displayName: 'Ada' });
    const [result] = await approve(site, [id]);
    const { memberId } = result as { memberId: string };
    await aRequest(site, email, memberId);
    await site.delete(`/members/${memberId}`);
    expect(await joinRequestsOf(site)).toEqual([]);
    expect(JSON.stringify(await everyItem(site, '/events'))).not.toContain(email);
  });

  // From here on the clock is set forward. On SQLite links follow the real time, so that no test after this uses one.

  describe('a person who was declined', () => {
    test('gets an email in the language of the request, and may ask again after 30 days', async () => {
      const site = await anOpenSite(server);
      const email = anAddress();
      const { id } = await aRequest(site, email);
      expect(await decline(site, [id])).toEqual([{ joinRequestId: id, status: 'declined' }]);
      const [event] = await everyItem(site, '/events?type=join-request.declined');
      expect(event.data).toEqual({ joinRequestId: id, memberId: null });
      const [sent] = await emailsOf(site, 'join_request_declined');
      expect([sent!.recipient, sent!.subject]).toEqual([email, expect.stringContaining('abgelehnt')]);
      expect(await asking(site, email)).toBe('requested');
      expect(await joinRequestsOf(site)).toHaveLength(1);
      advance(joinRequestDays * day);
      expect(await asking(site, email)).toBe('requested');
      expect((await joinRequestsOf(site)).map(({ status }) => status)).toEqual(['pending', 'declined']);
    });
  });

  test('a request that nobody decides expires after 30 days without a job, and is purged after 30 more', async () => {
    const site = await anOpenSite(server);
    const email = anAddress();
    const { id } = await aRequest(site, email);
    advance(joinRequestDays * day);
    const listed = async (status: string) => everyItem(site, `/join-requests?status=${status}`);
    expect(await listed('pending')).toEqual([]);
    expect(await listed('expired')).toMatchObject([{ id, status: 'expired', expiresAt: null }]);
    expect((await site.get('/overview')).body.data.pendingJoinRequests).toBe(0);
    await purgeExpired(server.database, clock);
    expect(await listed('expired')).toMatchObject([{ id }]);
    expect(await asking(site, email)).toBe('requested');
    expect(await listed('pending')).toHaveLength(1);
    advance(joinRequestDays * day);
    await purgeExpired(server.database, clock);
    expectError(await site.get(`/join-requests/${id}`), 404, 'join_request_not_found');
    expect((await site.get(`/join-requests?after=${id}`)).status).toBe(200);
  });

  describe('the email to operators', () => {
    const announce = (site: TestSite) =>
      change(site, (change) => announceJoinRequests(change, emailComposer));

    test('goes to those who can decide, at most once an hour, with the number since the last one', async () => {
      const site = await anOpenSite(server);
      for (const role of ['owner', 'admin', 'viewer'] as const) await site.createOperator(role);
      await aRequest(site);
      await announce(site);
      expect(await emailsOf(site, 'join_requests')).toHaveLength(2);
      await aRequest(site);
      await aRequest(site);
      await announce(site);
      expect(await emailsOf(site, 'join_requests')).toHaveLength(2);
      advance(hour);
      await announce(site);
      await announce(site);
      const subjects = (await emailsOf(site, 'join_requests')).map(({ subject }) => subject.at(-1));
      expect(subjects).toEqual(['1', '1', '2', '2']);
    });
  });
});
