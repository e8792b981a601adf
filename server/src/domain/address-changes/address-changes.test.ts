import sql, { raw } from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { aDomain, aMember, everyItem } from '../../../test/contract/given.ts';
import { day, movableTime } from '../../../test/movable-time.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { emailTo, Visitor } from '../../../test/visitor.ts';
import { newId } from '../../base/ids.ts';
import { insertPasskey } from '../passkeys/passkey-store.ts';
import { listPasskeys } from '../passkeys/passkeys.ts';
import { markHavingPasskeys } from '../sites/sites.ts';

const minute = 60_000;
const account = '/_gatehouse/account';

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock });

  /** Lets time pass for the rest of a test. */
  function wait(milliseconds: number): void {
    advance(milliseconds);
    onTestFinished(() => advance(-milliseconds));
  }

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
    wait(16 * minute);
    expect((await enter(browser, await codeTo(email))).status).toBe(400);
    expect((await request(browser, email)).status).toBe(400);
    expect(await emailOf(site, member.id)).toBe(member.email);
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
    wait(7 * day);
    expect((await new Visitor(site).get(path)).status).toBe(404);
  });

  test('twenty codes a day can be tried for one address, in all sessions together', async () => {
    const site = await server.createSite();
    const [one, two] = [await aLoggedInMember(site), await aLoggedInMember(site)];
    const email = `wanted-${one.member.email}`;
    const wrong = async (browser: Visitor) => {
      const code = (await codeTo(email)) === '000000' ? '000001' : '000000';
      for (let count = 0; count < 5; count += 1) await enter(browser, code);
    };
    for (const { browser } of [one, two, one, two]) {
      await request(browser, email);
      await wrong(browser);
    }
    await request(one.browser, email);
    expect((await enter(one.browser, await codeTo(email))).status).toBe(400);
    expect(await emailOf(site, one.member.id)).toBe(one.member.email);
    await change(one.browser, `other-${email}`);
    expect(await emailOf(site, one.member.id)).toBe(`other-${email}`);
  });

  test('passkeys are removed unless the member keeps them, and all are removed by the way back', async () => {
    const site = await server.createSite();
    const { member, browser } = await aLoggedInMember(site);
    const siteId = site.siteId;
    const addPasskey = (memberId: string, name: string) => {
      const id = newId();
      const createdAt = clock().toISOString();
      const parts = { id, memberId, name, createdAt, lastUsedAt: null };
      const credential = {
        credentialId: id,
        publicKey: 'a',
        counter: 0,
        transports: [],
        rpId: null,
        backedUp: false,
        userVerified: true,
      };
      return server.database.transaction(async (db) => {
        await insertPasskey({ db, siteId }, { ...parts, ...credential });
        await markHavingPasskeys({ db, siteId });
        await db.signal();
      });
    };
    const names = async (memberId: string) =>
      (await listPasskeys({ db: server.database, siteId }, memberId)).map(({ name }) => name);

    await addPasskey(member.id, 'old');
    wait(1_000);
    await request(browser, `b-${member.email}`);
    expect((await browser.get(account)).text).toContain('name="keepPasskeys"');
    const code = await codeTo(`b-${member.email}`);
    await browser.submit(`${account}/address/code`, { code, keepPasskeys: 'yes' });
    expect(await names(member.id)).toEqual(['old']);
    wait(minute);
    await addPasskey(member.id, 'of somebody else');
    await new Visitor(site).post(await wayBackTo(member.email));
    expect(await names(member.id)).toEqual([]);

    const other = await aLoggedInMember(site);
    await addPasskey(other.member.id, 'old');
    await change(other.browser, `b-${other.member.email}`);
    expect(await names(other.member.id)).toEqual([]);
  });

  test('the former address cannot be taken back from another member who has it by now', async () => {
    const site = await server.createSite();
    const { member, browser } = await aLoggedInMember(site);
    await change(browser, `b-${member.email}`);
    const path = await wayBackTo(member.email);
    const other = await aMember(site, { email: member.email });
    expect((await new Visitor(site).post(path)).status).toBe(404);
    expect(await emailOf(site, other.id)).toBe(member.email);
    expect(await emailOf(site, member.id)).toBe(`b-${member.email}`);
    expect((await browser.get(account)).status).toBe(200);
  });

  test('the browser of the change stays known, and others do not', async () => {
    const site = await server.createSite();
    const { member, browser } = await aLoggedInMember(site);
    await logIn(site, member.email, 2);
    const known = () =>
      server.database.all(
        sql`SELECT id FROM known_browsers WHERE site_id = ${site.siteId} AND member_id = ${member.id} ORDER BY id`,
      );
    const [own] = await known();
    expect(await known()).toHaveLength(2);
    await change(browser, `b-${member.email}`);
    expect(await known()).toEqual([own]);
  });

  test('what has expired is purged', async () => {
    const site = await server.createSite();
    const { member, browser } = await aLoggedInMember(site);
    await change(browser, `b-${member.email}`);
    await request(browser, `c-${member.email}`);
    const rows = async () =>
      Promise.all(
        ['address_changes', 'address_reversals'].map((table) =>
          server.database.all(sql`SELECT expires_at FROM ${raw(table)} WHERE member_id = ${member.id}`),
        ),
      );
    expect(await rows()).toMatchObject([{ length: 1 }, { length: 1 }]);
    wait(16 * minute);
    await purgeExpired(server.database, clock);
    expect(await rows()).toMatchObject([{ length: 0 }, { length: 1 }]);
    wait(7 * day);
    await purgeExpired(server.database, clock);
    expect(await rows()).toMatchObject([{ length: 0 }, { length: 0 }]);
  });
});
