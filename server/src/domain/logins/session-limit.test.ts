import { expect, test } from 'vitest';
import {
  aDomain,
  aGroup,
  aLoginLink,
  aMember,
  aMembership,
  aSession,
  everyItem,
} from '../../../test/contract/given.ts';
import { day, hour, movableTime } from '../../../test/movable-time.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { Visitor } from '../../../test/visitor.ts';

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock });

  const sessionsOf = async (site: TestSite, id: string) =>
    (await everyItem(site, `/members/${id}/sessions`)).map((session) => session.id).reverse();
  const emailsOf = async (site: TestSite, id: string) =>
    (await everyItem(site, `/emails?memberId=${id}`)).filter(({ type }) => type === 'session_limit');
  const logIn = async (site: TestSite, id: string) => (await aSession(site, id)).id;

  test('the next login ends the oldest sessions, and the member is notified once a day', async () => {
    const site = await server.createSite();
    const domain = await aDomain(site);
    const member = await aMember(site);
    const before = [await logIn(site, member.id), await logIn(site, member.id), await logIn(site, member.id)];
    expect((await site.patch('/site', { maxSessions: 2 })).body.data.maxSessions).toBe(2);
    expect(await sessionsOf(site, member.id)).toEqual(before);
    const last = await logIn(site, member.id);
    expect(await sessionsOf(site, member.id)).toEqual([before[2], last]);
    const [event] = await everyItem(site, `/events?type=session.evicted&memberId=${member.id}`);
    expect(event).toMatchObject({
      actor: { type: 'member', id: member.id },
      data: { memberId: member.id, sessionIds: expect.arrayContaining(before.slice(0, 2)), maxSessions: 2 },
    });
    const [email, ...more] = await emailsOf(site, member.id);
    expect([email!.recipient, more]).toEqual([member.email, []]);
    const { text } = (await site.get(`/emails/${email!.id}`)).body.data;
    expect(text).toContain(`https://${domain}/_gatehouse/account`);
    advance(23 * hour);
    await logIn(site, member.id);
    expect(await emailsOf(site, member.id)).toHaveLength(1);
    advance(2 * hour);
    await logIn(site, member.id);
    expect(await emailsOf(site, member.id)).toHaveLength(2);
  });

  test('the highest limit of a member’s groups replaces that of the site, until the membership ends', async () => {
    const site = await server.createSite();
    await site.patch('/site', { maxSessions: 1 });
    const groups = [];
    for (const maxSessions of [2, 3, null]) {
      const { id } = await aGroup(site);
      const changed = await site.patch(`/access-groups/${id}`, { maxSessions });
      expect(changed.body.data.maxSessions).toBe(maxSessions);
      groups.push(id);
    }
    const member = await aMember(site, { accessGroupIds: [groups[0]!, groups[2]!] });
    await aMembership(site, groups[1]!, member.id, new Date(clock().getTime() + day).toISOString());
    const count = async () => {
      for (let times = 0; times < 4; times += 1) await logIn(site, member.id);
      return (await sessionsOf(site, member.id)).length;
    };
    expect(await count()).toBe(3);
    advance(day);
    expect(await count()).toBe(2);
    await site.delete(`/access-groups/${groups[0]}`);
    expect(await count()).toBe(1);
  });

  test('a new login in the same browser counts as one, and ends no other session', async () => {
    const site = await server.createSite();
    await site.patch('/site', { maxSessions: 2 });
    const member = await aMember(site);
    const other = await logIn(site, member.id);
    const visitor = new Visitor(site);
    for (let times = 0; times < 3; times += 1) {
      const answer = await visitor.post(`/_gatehouse/link/${await aLoginLink(site, member.id)}`);
      expect(answer.status).toBe(303);
    }
    expect(await sessionsOf(site, member.id)).toHaveLength(2);
    expect((await sessionsOf(site, member.id))[0]).toBe(other);
    expect(await everyItem(site, `/events?type=session.evicted`)).toEqual([]);
    expect(await emailsOf(site, member.id)).toEqual([]);
  });

  test('logins at the same time leave as many sessions as the limit allows', async () => {
    const site = await server.createSite();
    await site.patch('/site', { maxSessions: 3 });
    const member = await aMember(site);
    const links = [];
    for (let count = 0; count < 3; count += 1) links.push(await aLoginLink(site, member.id));
    await Promise.all(links.map((link) => new Visitor(site).post(`/_gatehouse/link/${link}`)));
    await Promise.all([logIn(site, member.id), logIn(site, member.id), logIn(site, member.id)].map(settled));
    expect((await sessionsOf(site, member.id)).length).toBeLessThanOrEqual(3);
  });

  test.each([0, 1_001, 1.5, '3', null])('the limit of a site cannot be %s', async (maxSessions) => {
    const site = await server.createSite();
    expect((await site.patch('/site', { maxSessions })).status).toBe(400);
    if (maxSessions === null) return;
    const answer = await site.post('/access-groups', { name: 'Course', maxSessions });
    expect(answer.status).toBe(400);
  });
});

/** A login link is closed when another one is used first. */
function settled(login: Promise<unknown>): Promise<unknown> {
  return login.catch(() => {});
}
