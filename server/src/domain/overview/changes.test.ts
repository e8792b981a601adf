import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { aGroup, aMember, aMembership, anEmail, aSource, someMembers } from '../../../test/contract/given.ts';
import { day } from '../../../test/movable-time.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { newId } from '../../base/ids.ts';

const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();

forEachStore((store) => {
  const server = useTestServer(store, {
    settings: { smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'door@example.com' },
  });
  const overviewOf = async (site: TestSite, query = '') =>
    expectResponse('getOverview', await site.get(`/overview${query}`), 200).data;
  const failedOf = async (site: TestSite): Promise<string[]> =>
    (await overviewOf(site)).failedEmails.map((each: { id: string }) => each.id);
  const setStatus = (site: TestSite, emailId: string, status: string, type = 'login_link') =>
    server.database.run(sql`
      UPDATE emails SET status = ${status}, type = ${type}, last_error = 'The mail server replied 550.',
                        next_attempt_at = NULL
      WHERE site_id = ${site.siteId} AND id = ${emailId}`);
  /** Moves everything that is counted so far to another day. */
  const moveActivity = (site: TestSite, days: number) =>
    server.database.run(sql`
      UPDATE activity_counts SET starts_at = ${`${inDays(days).slice(0, 10)}T00:00:00.000Z`}
      WHERE site_id = ${site.siteId}`);

  test('the numbers before the first day, and those of each day, follow from what changed', async () => {
    const site = await server.createSite();
    const [first] = await someMembers(site, 3);
    await aMember(site, { paid: true });
    await site.request('POST', `/members/${first!.id}/block`);
    await moveActivity(site, -10);
    await site.patch(`/members/${first!.id}`, { status: 'active', paid: true });
    await aMember(site);
    await site.delete(`/members/${(await aMember(site)).id}`);
    const now = { total: 5, active: 5, blocked: 0, paid: 2, verified: 0 };
    const week = await overviewOf(site, '?days=7');
    expect(week).toMatchObject({
      members: now,
      before: { total: 4, active: 3, blocked: 1, paid: 1, verified: 0 },
      loginsBefore: 0,
    });
    expect(week.days.map(({ members }: { members: number }) => members)).toEqual([4, 4, 4, 4, 4, 4, 5]);
    const { days, before } = await overviewOf(site);
    expect([days[18].members, days[19].members, days[29].members]).toEqual([0, 4, 5]);
    expect(before.total).toBe(0);
    const quarter = await overviewOf(site, '?days=90&timeZone=Asia/Tokyo');
    expect(quarter.days).toHaveLength(90);
    expect(quarter).toMatchObject({ loginsBefore: null, before: { total: 0 } });
  });

  test('counts of the version before are those of the members who were created', async () => {
    const site = await server.createSite();
    await someMembers(site, 2);
    await server.database.run(sql`
      UPDATE activity_counts SET members = NULL, blocked = 0, paid = 0, verified = 0 WHERE site_id = ${site.siteId}`);
    expect((await overviewOf(site)).before.total).toBe(0);
    await aMember(site);
    expect(await overviewOf(site)).toMatchObject({ members: { total: 3 }, before: { total: 0 } });
  });

  test('only some numbers of days are accepted', async () => {
    const site = await server.createSite();
    for (const days of ['8', '91', 'all', '7.5']) {
      const answer = await site.get(`/overview?days=${days}`);
      expectResponse('getOverview', answer, 400, 'invalid_request');
    }
  });

  test('memberships that end soon are counted, without those of blocked members', async () => {
    const site = await server.createSite();
    const group = await aGroup(site);
    const gone = await aGroup(site);
    const members = await someMembers(site, 5);
    const ends = [inDays(3), inDays(10), inDays(20), inDays(3), null];
    for (const [index, end] of ends.entries())
      await aMembership(site, group.id, members[index]!.id, end ?? undefined);
    await aMembership(site, gone.id, members[0]!.id, inDays(2));
    expect((await overviewOf(site)).endingMemberships.soon).toBe(4);
    await site.request('POST', `/members/${members[3]!.id}/block`);
    await site.delete(`/access-groups/${gone.id}`);
    const { soon, thisMonth } = (await overviewOf(site)).endingMemberships;
    const month = new Date().toISOString().slice(0, 7);
    const inMonth = ends.filter((end, index) => index < 3 && end!.slice(0, 7) === month);
    expect([soon, thisMonth]).toEqual([2, inMonth.length]);
  });

  test('failed emails are listed until another one was sent to the same recipient', async () => {
    const site = await server.createSite();
    const { id, email } = await aMember(site);
    const [failed, other] = [await anEmail(site, id), await anEmail(site)];
    const set = (emailId: string, status: string) => setStatus(site, emailId, status);
    await set(failed, 'failed');
    await set(other, 'failed');
    const listed = () => failedOf(site);
    expect(await listed()).toEqual([other, failed]);
    expect((await overviewOf(site)).failedEmails[1]).toMatchObject({
      recipient: email,
      memberId: id,
      lastError: 'The mail server replied 550.',
      mailServerReply: null,
    });
    await set(await anEmail(site, id), 'sent');
    expect(await listed()).toEqual([other]);
  });

  test('a failed email is settled once one was sent to the corrected email address of the member', async () => {
    const site = await server.createSite();
    const { id, email } = await aMember(site);
    const [failed, other] = [await anEmail(site, id), await anEmail(site)];
    await setStatus(site, failed, 'failed');
    await setStatus(site, other, 'failed');
    await site.patch(`/members/${id}`, { email: `new-${email}` });
    expect(await failedOf(site)).toEqual([other, failed]);
    const answer = await site.request('POST', `/emails/${failed}/resend`);
    const resent = expectResponse('resendEmail', answer, 201).data;
    expect(await failedOf(site)).toEqual([other, failed]);
    await setStatus(site, resent.id, 'failed');
    expect(await failedOf(site)).toEqual([resent.id, other, failed]);
    await site.patch(`/members/${id}`, { email: `newer-${email}` });
    const later = await anEmail(site, id);
    for (const type of ['address_code', 'address_changed']) {
      await setStatus(site, later, 'sent', type);
      expect(await failedOf(site)).toEqual([resent.id, other, failed]);
    }
    await setStatus(site, later, 'sent');
    expect(await failedOf(site)).toEqual([other]);
  });

  test('a failed test of the mail server is not listed', async () => {
    const site = await server.createSite();
    const failed = await anEmail(site);
    await setStatus(site, failed, 'failed');
    expect(await failedOf(site)).toEqual([failed]);
    await setStatus(site, failed, 'failed', 'mail_test');
    expect(await failedOf(site)).toEqual([]);
  });

  test('sources whose last synchronization failed or needs a confirmation are named with the reason', async () => {
    const site = await server.createSite();
    const source = await aSource(site);
    const ended = async (
      status: string,
      error: object | null,
      values: { failures?: number; dry?: boolean } = {},
    ) => {
      const { failures = 0, dry = false } = values;
      await server.database.run(sql`
        INSERT INTO source_runs (site_id, id, source_id, trigger, status, dry_run, removals_confirmed, failures, error,
                                 result, created_at, ended_at)
        VALUES (${site.siteId}, ${newId()}, ${source.id}, 'list', ${status}, ${dry}, ${false}, ${failures},
                ${error && JSON.stringify(error)}, '[]', ${inDays(0)}, ${inDays(0)})`);
      return (await overviewOf(site)).waitingSources.map(({ reason }: { reason: string }) => reason);
    };
    expect((await overviewOf(site)).waitingSources).toEqual([]);
    expect(await ended('confirmation_required', null)).toEqual(['confirmation_required']);
    expect(await ended('failed', { code: 'rejected', message: 'No.' })).toEqual(['rejected']);
    expect(await ended('succeeded', null, { dry: true })).toEqual(['rejected']);
    expect(await ended('failed', { code: 'unavailable', message: 'No.' })).toEqual([]);
    const later = await ended('failed', { code: 'unavailable', message: 'No.' }, { failures: 2 });
    expect(later).toEqual(['unavailable']);
    expect(await ended('succeeded', null)).toEqual([]);
  });

  test('what needs another permission is null without it', async () => {
    const site = await server.createSite();
    const { secret } = await site.createKey({ permissions: ['site:read'] });
    const answer = await site.get('/overview', { authorization: `Bearer ${secret}` });
    expect(expectResponse('getOverview', answer, 200).data).toMatchObject({
      failedEmails: null,
      failingWebhooks: null,
      pendingJoinRequests: null,
      waitingSources: null,
    });
  });
});
