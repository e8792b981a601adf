import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { aDomain, aMember, everyItem } from '../../../test/contract/given.ts';
import { day, movableTime } from '../../../test/movable-time.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { emailTo, Visitor } from '../../../test/visitor.ts';

const minute = 60_000;
const account = '/_gatehouse/account';

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock });

  /** A member who has just logged in by email. */
  async function aLoggedInMember(site: TestSite) {
    await aDomain(site);
    const member = await aMember(site);
    return { member, browser: await logIn(site, member.email) };
  }

  async function logIn(site: TestSite, email: string, count = 1) {
    const browser = new Visitor(site);
    await browser.requestLink(email);
    await browser.post((await emailTo(server, email, count)).path);
    return browser;
  }

  async function textsTo(email: string): Promise<string[]> {
    const rows = await server.database.all<{ content: string }>(
      sql`SELECT content FROM emails WHERE recipient = ${email} AND type IN ('address_code', 'address_changed') ORDER BY id`,
    );
    return rows.map(({ content }) => JSON.parse(content).text);
  }

  const request = (browser: Visitor, email: string) => browser.submit(`${account}/address`, { email });
  const enter = (browser: Visitor, code: string) => browser.submit(`${account}/address/code`, { code });
  const codeTo = async (email: string) => /^\d{6}$/m.exec((await textsTo(email)).at(-1) ?? '')![0];
  const wayBackTo = async (email: string) =>
    /\/_gatehouse\/take-back-address\/[\w-]{43}/.exec((await textsTo(email)).at(-1)!)![0];
  const emailOf = async (site: TestSite, id: string) => (await site.get(`/members/${id}`)).body.data.email;

  async function change(browser: Visitor, email: string) {
    await request(browser, email);
    expect((await enter(browser, await codeTo(email))).status).toBe(303);
  }

  test('a code changes the address once, and ends the other sessions', async () => {
    const site = await server.createSite();
    const { member, browser } = await aLoggedInMember(site);
    const other = await logIn(site, member.email, 2);
    const email = `new-${member.email}`;
    await request(browser, email);
    const code = await codeTo(email);
    expect((await enter(browser, code)).status).toBe(303);
    expect(await emailOf(site, member.id)).toBe(email);
    expect((await browser.get(account)).status).toBe(200);
    expect((await other.get(account)).status).toBe(303);
    expect((await enter(browser, code)).status).toBe(400);
    const [event] = await everyItem(site, `/events?type=member.updated&memberId=${member.id}`);
    expect(event).toMatchObject({ actor: { type: 'member', id: member.id } });
  });

  test('the code works in no other session', async () => {
    const site = await server.createSite();
    const { member, browser } = await aLoggedInMember(site);
    const other = await logIn(site, member.email, 2);
    const email = `new-${member.email}`;
    await request(browser, email);
    expect((await enter(other, await codeTo(email))).status).toBe(400);
    expect(await emailOf(site, member.id)).toBe(member.email);
  });

  test('the address of another member is answered like any other, and gets no code', async () => {
    const site = await server.createSite();
    const { browser } = await aLoggedInMember(site);
    const { email } = await aMember(site);
    const { status, headers } = await request(browser, email);
    const free = await request(browser, `free-${email}`);
    expect([status, headers.location]).toEqual([free.status, free.headers.location]);
    expect((await textsTo(email)).join()).not.toMatch(/^\d{6}$/m);
  });

  test('of two members with codes for one address, one gets it', async () => {
    const site = await server.createSite();
    const [one, two] = [await aLoggedInMember(site), await aLoggedInMember(site)];
    const email = `both-${one.member.email}`;
    await request(one.browser, email);
    const first = await codeTo(email);
    await request(two.browser, email);
    const second = await codeTo(email);
    const entered = await Promise.all([enter(one.browser, first), enter(two.browser, second)]);
    expect(entered.map(({ status }) => status).sort()).toEqual([303, 400]);
  });

  test('the code ends after 15 minutes and after 5 wrong ones', async () => {
    const site = await server.createSite();
    const { member, browser } = await aLoggedInMember(site);
    const email = `new-${member.email}`;
    await request(browser, email);
    const code = await codeTo(email);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let count = 0; count < 5; count += 1) await enter(browser, wrong);
    expect((await enter(browser, code)).status).toBe(400);
    await request(browser, email);
    advance(16 * minute);
    expect((await enter(browser, await codeTo(email))).status).toBe(400);
    expect((await request(browser, email)).status).toBe(400);
    expect(await emailOf(site, member.id)).toBe(member.email);
    advance(-16 * minute);
  });

  test('a blocked member cannot enter the code', async () => {
    const site = await server.createSite();
    const { member, browser } = await aLoggedInMember(site);
    const email = `new-${member.email}`;
    await request(browser, email);
    await site.patch(`/members/${member.id}`, { status: 'blocked' });
    await browser.post(`${account}/address/code`, { code: await codeTo(email) });
    expect(await emailOf(site, member.id)).toBe(member.email);
  });

  test('the former address takes the change back, also after a second change', async () => {
    const site = await server.createSite();
    const { member, browser } = await aLoggedInMember(site);
    await change(browser, `b-${member.email}`);
    const path = await wayBackTo(member.email);
    await change(browser, `c-${member.email}`);
    const later = await wayBackTo(`b-${member.email}`);
    const anyone = new Visitor(site);
    expect((await anyone.get(path)).status).toBe(200);
    expect(await emailOf(site, member.id)).toBe(`c-${member.email}`);
    expect((await anyone.post(path)).status).toBe(200);
    expect(await emailOf(site, member.id)).toBe(member.email);
    expect((await browser.get(account)).status).toBe(303);
    expect(anyone.session).toBeUndefined();
    expect((await anyone.post(path)).status).toBe(404);
    expect((await anyone.post(later)).status).toBe(404);
  });

  test('the way back ends after seven days, and when an operator changes the address', async () => {
    const site = await server.createSite();
    const { member, browser } = await aLoggedInMember(site);
    await change(browser, `b-${member.email}`);
    const path = await wayBackTo(member.email);
    await site.patch(`/members/${member.id}`, { email: `operator-${member.email}` });
    expect((await new Visitor(site).post(path)).status).toBe(404);
    advance(7 * day);
    expect((await new Visitor(site).get(path)).status).toBe(404);
    advance(-7 * day);
  });
});
