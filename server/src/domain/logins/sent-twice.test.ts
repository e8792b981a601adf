import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { aDomain, aLoginLink, aMember } from '../../../test/contract/given.ts';
import { movableTime } from '../../../test/movable-time.ts';
import { anOperator, OperatorBrowser } from '../../../test/operator.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite, VisitResponse } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { emailsTo, emailTo, everyLoginRequestProcessed, Visitor } from '../../../test/visitor.ts';
import { createSetupToken } from '../operators/setup-token.ts';

const formCookie = '__Host-gatehouse_form';

/** A browser that sends a form twice: both requests have the same cookies. */
async function sendTwice(visitor: Visitor, path: string, form: Record<string, string> = {}) {
  const before = new Map(visitor.cookies);
  const first = await visitor.post(path, form);
  visitor.cookies.clear();
  for (const [name, value] of before) visitor.cookies.set(name, value);
  return { first, second: await visitor.post(path, form), again: { before, path, form } };
}

const cookiesSetBy = ({ headers }: VisitResponse) => headers['set-cookie'] ?? [];
const setsSession = (answer: VisitResponse) => cookiesSetBy(answer).join().includes('_session=');

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const settings = { loginLimit: 0, loginLimitClient: 0 };
  const server = useTestServer(store, { clock, settings });

  const isLoggedIn = async (visitor: Visitor) => (await visitor.get('/_gatehouse/account')).status === 200;
  const sessionsOf = async (site: TestSite, id: string) =>
    (await site.get(`/members/${id}/sessions`)).body.data;
  const eventsOf = async (site: TestSite) => (await site.get('/events?limit=100')).body.data;

  /** A browser that shows the page of a login link which it has not requested. */
  async function atLink(site: TestSite, id: string) {
    await aDomain(site);
    const path = `/_gatehouse/link/${await aLoginLink(site, id)}`;
    const visitor = new Visitor(site);
    expect((await visitor.get(path)).status).toBe(200);
    return { visitor, path };
  }

  /** A browser that waits for the code of an email. */
  async function atCode(site: TestSite, email: string) {
    const visitor = new Visitor(site);
    await visitor.requestLink(email, '/course');
    const { code } = await emailTo(server, email);
    expect((await visitor.get('/_gatehouse/check')).status).toBe(200);
    return { visitor, code: code! };
  }

  test('the page of a link gets a new cookie of the host each time', async () => {
    const site = await server.createSite();
    const { visitor, path } = await atLink(site, (await aMember(site)).id);
    const before = visitor.cookies.get(formCookie);
    const [cookie] = cookiesSetBy(await visitor.get(path));
    expect(cookie).toMatch(
      /^__Host-gatehouse_form=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(visitor.cookies.get(formCookie)).not.toBe(before);
  });

  test('a link that is pressed twice opens one session, and either response logs in', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    const { visitor, path } = await atLink(site, id);
    const { first, second } = await sendTwice(visitor, path);
    expect([first.status, second.status]).toEqual([303, 303]);
    expect([second.headers.location, cookiesSetBy(second)]).toEqual([
      first.headers.location,
      cookiesSetBy(first),
    ]);
    expect(await isLoggedIn(visitor)).toBe(true);
    expect(await sessionsOf(site, id)).toHaveLength(1);
    const types = (await eventsOf(site)).map(({ type }: { type: string }) => type);
    expect(types.filter((type: string) => type === 'member.login')).toHaveLength(1);
    expect(types).not.toContain('session.revoked');
  });

  test('a code that is sent twice logs in once, and leads to the same page', async () => {
    const site = await server.createSite();
    const { id, email } = await aMember(site);
    const { visitor, code } = await atCode(site, email);
    const { first, second } = await sendTwice(visitor, '/_gatehouse/code', { code });
    expect([first.status, second.status]).toEqual([303, 303]);
    expect(second.headers.location).toBe(`https://${await aDomain(site)}/course`);
    expect(cookiesSetBy(second)).toEqual(cookiesSetBy(first));
    expect(await isLoggedIn(visitor)).toBe(true);
    expect(await sessionsOf(site, id)).toHaveLength(1);
    const [{ tries }] = (await server.database.all<{ tries: number }>(
      sql`SELECT tries FROM login_links WHERE site_id = ${site.siteId} AND email = ${email}`,
    )) as [{ tries: number }];
    expect(tries).toBe(1);
  });

  test('a login that offers a passkey offers it in either response', async () => {
    const site = await server.createSite();
    const { visitor, path } = await atLink(site, (await aMember(site)).id);
    const { visitor: waiting, code } = await atCode(site, (await aMember(site)).email);
    const wanted = { offersPasskey: 'yes' };
    for (const { first, second } of [
      await sendTwice(visitor, path, wanted),
      await sendTwice(waiting, '/_gatehouse/code', { code, ...wanted }),
    ]) {
      expect(first.headers.location).toContain('/_gatehouse/passkeys/offer');
      expect(second.headers.location).toBe(first.headers.location);
    }
  });

  test('a code is also accepted after the cookies of the first response', async () => {
    const site = await server.createSite();
    const { visitor, code } = await atCode(site, (await aMember(site)).email);
    await visitor.post('/_gatehouse/code', { code: `${code.slice(0, 3)} ${code.slice(3)}` });
    const again = await visitor.post('/_gatehouse/code', { code });
    expect(again.headers.location).toBe(`https://${await aDomain(site)}/course`);
    expect(await isLoggedIn(visitor)).toBe(true);
  });

  test('a code of a link that was pressed elsewhere still shows the other session the second time', async () => {
    const site = await server.createSite();
    const { email } = await aMember(site);
    const { visitor, code } = await atCode(site, email);
    await new Visitor(site).post((await emailTo(server, email)).path);
    const { first, second } = await sendTwice(visitor, '/_gatehouse/code', { code });
    expect(first.headers.location).toContain('/_gatehouse/other-sessions?');
    expect(second.headers.location).toBe(first.headers.location);
  });

  test('a new member who sends the form twice signs up once', async () => {
    const site = await server.createSite();
    await site.patch('/site', { signUp: { policy: 'open', domains: [] } });
    const email = `${randomUUID()}@example.com`;
    const { visitor, code } = await atCode(site, email);
    const { second } = await sendTwice(visitor, '/_gatehouse/code', { code });
    expect([second.status, await isLoggedIn(visitor)]).toEqual([303, true]);
    expect((await site.get(`/members?email=${email}`)).body.data).toHaveLength(1);
    const events = (await eventsOf(site)).filter(({ type }: { type: string }) => type === 'member.created');
    expect(events).toHaveLength(1);
  });

  test('the device cookie of a second response makes the browser known', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    for (let count = 0; count < 2; count += 1) {
      const { visitor, path } = await atLink(site, id);
      await sendTwice(visitor, path);
      const known = await server.database.all(
        sql`SELECT id FROM known_browsers WHERE site_id = ${site.siteId} AND member_id = ${id}`,
      );
      expect(known).toHaveLength(count + 1);
      const device = visitor.cookies.get('__Host-gatehouse_device')!;
      expect(device.length).toBeGreaterThan(43);
    }
  });

  describe('nobody else gets a session with a form that was sent', () => {
    /** What a browser gets for the form of another one. */
    const sendAgain = async (
      site: TestSite,
      { before, path, form }: Awaited<ReturnType<typeof sendTwice>>['again'],
      changed: Record<string, string | undefined> = {},
    ) => {
      const visitor = new Visitor(site);
      for (const [name, value] of before) visitor.cookies.set(name, value);
      for (const [name, value] of Object.entries(changed)) {
        if (value === undefined) visitor.cookies.delete(name);
        else visitor.cookies.set(name, value);
      }
      return visitor.post(path, form);
    };

    test('without the cookie of the page, with another one, with two, or with a part of it', async () => {
      const site = await server.createSite();
      const { email, id } = await aMember(site);
      const link = await atLink(site, id);
      const byLink = await sendTwice(link.visitor, link.path);
      const waiting = await atCode(site, email);
      const byCode = await sendTwice(waiting.visitor, '/_gatehouse/code', { code: waiting.code });
      for (const { again } of [byLink, byCode]) {
        const own = again.before.get(formCookie)!;
        const others = [
          undefined,
          'x'.repeat(43),
          own.slice(0, 42),
          `${own}x`,
          '',
          `${own}; ${formCookie}=${own}`,
        ];
        for (const other of others) {
          const answer = await sendAgain(site, again, { [formCookie]: other });
          expect([other, setsSession(answer)]).toEqual([other, false]);
        }
        expect(setsSession(await sendAgain(site, again))).toBe(true);
      }
    });

    test('with another link or code', async () => {
      const site = await server.createSite();
      const { email, id } = await aMember(site);
      const link = await atLink(site, id);
      const { again } = await sendTwice(link.visitor, link.path);
      const other = `/_gatehouse/link/${'x'.repeat(43)}`;
      expect((await sendAgain(site, { ...again, path: other })).status).toBe(410);
      const { visitor, code } = await atCode(site, email);
      const byCode = await sendTwice(visitor, '/_gatehouse/code', { code });
      const wrong = code === '000000' ? '000001' : '000000';
      const answer = await sendAgain(site, { ...byCode.again, form: { code: wrong } });
      expect([answer.status, setsSession(answer)]).toEqual([400, false]);
    });

    test('on another site, with the same cookie', async () => {
      const [site, other] = [await server.createSite(), await server.createSite()];
      await aDomain(other);
      const { visitor, path } = await atLink(site, (await aMember(site)).id);
      const { again } = await sendTwice(visitor, path);
      expect((await sendAgain(other, again)).status).toBe(410);
    });

    test('after ten seconds, whichever way the clock of another process differs', async () => {
      const site = await server.createSite();
      const { visitor, path } = await atLink(site, (await aMember(site)).id);
      const { again } = await sendTwice(visitor, path);
      for (const milliseconds of [10_500, -10_500]) {
        advance(milliseconds);
        expect((await sendAgain(site, again)).status).toBe(410);
        advance(-milliseconds);
        expect((await sendAgain(site, again)).status).toBe(303);
      }
    });

    test.each<[string, (site: TestSite, id: string, visitor: Visitor) => Promise<unknown>]>([
      ['the member has logged out', (_, __, visitor) => visitor.post('/_gatehouse/logout')],
      ['the member is blocked', (site, id) => site.patch(`/members/${id}`, { status: 'blocked' })],
      [
        'the member was blocked for a moment',
        async (site, id) => {
          await site.patch(`/members/${id}`, { status: 'blocked' });
          await site.patch(`/members/${id}`, { status: 'active' });
        },
      ],
      ['the sessions have ended', (site, id) => site.delete(`/members/${id}/sessions`)],
      ['the member is deleted', (site, id) => site.delete(`/members/${id}`)],
      [
        'the domain of the site has changed',
        (site) => site.patch('/site', { domain: `${randomUUID()}.example` }),
      ],
      [
        'the site is suspended',
        (site) =>
          server.database.transaction((tx) =>
            tx.run(sql`UPDATE sites SET status = 'suspended' WHERE id = ${site.siteId}`),
          ),
      ],
    ])('once %s', async (_, change) => {
      const site = await server.createSite();
      const { id } = await aMember(site);
      const { visitor, path } = await atLink(site, id);
      const { again } = await sendTwice(visitor, path);
      await change(site, id, visitor);
      expect(setsSession(await sendAgain(site, again))).toBe(false);
    });
  });

  test('the store does not reveal what a browser got, and purges it', async () => {
    const site = await server.createSite();
    const { visitor, path } = await atLink(site, (await aMember(site)).id);
    await sendTwice(visitor, path);
    const rows = () =>
      server.database.all(sql`SELECT form_hash, reply FROM form_responses WHERE site_id = ${site.siteId}`);
    const stored = JSON.stringify(await rows());
    expect(await rows()).toHaveLength(1);
    for (const secret of [visitor.session!, visitor.cookies.get(formCookie)!, path.slice(-43)])
      expect(stored).not.toContain(secret);
    advance(10_500);
    await purgeExpired(server.database, clock);
    expect(await rows()).toEqual([]);
    expect(await isLoggedIn(visitor)).toBe(true);
  });

  describe('the form of the login page, sent twice', () => {
    const request = async (site: TestSite, email: string, next = '/') => {
      await aDomain(site);
      const visitor = new Visitor(site);
      await visitor.get('/_gatehouse/login');
      return { visitor, ...(await sendTwice(visitor, '/_gatehouse/login', { email, next })) };
    };

    test('sends one email, whose code and link work', async () => {
      const site = await server.createSite();
      for (const way of ['code', 'link']) {
        const { email } = await aMember(site);
        const { visitor } = await request(site, email);
        await everyLoginRequestProcessed(server);
        const emails = await emailsTo(server, email);
        expect(emails).toHaveLength(1);
        const [{ code, path }] = emails as [(typeof emails)[0]];
        if (way === 'link') expect((await visitor.get(path)).text).toContain('press.js');
        const login = way === 'link' ? visitor.post(path) : visitor.post('/_gatehouse/code', { code: code! });
        expect((await login).status).toBe(303);
        expect(await isLoggedIn(visitor)).toBe(true);
      }
    });

    test('is answered alike for a member and for anyone else', async () => {
      const site = await server.createSite();
      const shapes = [];
      for (const email of [(await aMember(site)).email, `${randomUUID()}@example.com`]) {
        const { visitor, first, second } = await request(site, email);
        expect(cookiesSetBy(second)).toEqual(cookiesSetBy(first));
        const page = await visitor.get('/_gatehouse/check');
        const rows = await server.database.all(
          sql`SELECT id FROM login_links WHERE site_id = ${site.siteId} AND email = ${email}`,
        );
        shapes.push({
          first: [first.status, first.headers.location],
          second: [second.status, second.headers.location],
          page: page.text.replaceAll(email, 'address'),
          rows: rows.length,
        });
      }
      expect(shapes[0]).toEqual(shapes[1]);
      expect(shapes[0]!.rows).toBe(1);
    });

    test('is a new request from another browser, with other content, and later', async () => {
      const site = await server.createSite();
      const { email } = await aMember(site);
      const { again } = await request(site, email);
      const send = async (form: Record<string, string>, cookie = again.before.get(formCookie)!) => {
        const visitor = new Visitor(site);
        visitor.cookies.set(formCookie, cookie);
        expect((await visitor.post('/_gatehouse/login', form)).status).toBe(303);
        const rows = await server.database.all(
          sql`SELECT id FROM login_links WHERE site_id = ${site.siteId} AND email = ${email}`,
        );
        return rows.length;
      };
      expect(await send(again.form)).toBe(1);
      expect(await send(again.form, 'x'.repeat(43))).toBe(2);
      expect(await send({ ...again.form, next: '/course' })).toBe(3);
      advance(10_500);
      expect(await send(again.form)).toBe(4);
      expect(await send(again.form)).toBe(5);
    });
  });

  test('operators can send the forms of the dashboard twice, and are notified of a new browser once', async () => {
    const site = await server.createSite();
    const { email } = await anOperator(server, site.siteId);
    for (const count of [1, 2]) {
      const browser = new OperatorBrowser(server);
      const twice = async (path: string, form: Record<string, string>) => {
        const before = new Map(browser.cookies);
        const first = await browser.visit('POST', path, form);
        browser.cookies.clear();
        for (const [name, value] of before) browser.cookies.set(name, value);
        const second = await browser.visit('POST', path, form);
        expect([second.status, second.headers['set-cookie']]).toEqual([303, first.headers['set-cookie']]);
      };
      await browser.visit('GET', '/dashboard/login');
      await twice('/dashboard/login', { email });
      await everyLoginRequestProcessed(server);
      const { code } = await emailTo(server, email, count);
      await browser.visit('GET', '/dashboard/check');
      await twice('/dashboard/code', { code: code! });
      expect((await browser.request('GET', 'me')).status).toBe(200);
    }
    const emails = await server.database.all<{ type: string }>(
      sql`SELECT type FROM emails WHERE recipient = ${email} ORDER BY type`,
    );
    expect(emails.map(({ type }) => type)).toEqual(['login_link', 'login_link', 'new_browser']);
  });

  describe('the form of the setup link', () => {
    const fresh = useTestServer(store, { clock });

    test('can be sent twice by the browser of the first operator, and by no other', async () => {
      await fresh.createSite();
      const token = await fresh.database.transaction((tx) => createSetupToken(tx, clock().toISOString()));
      const link = `/dashboard/setup/${token}`;
      const form = { email: 'ada@example.com', displayName: 'Ada Lovelace' };
      const browser = new OperatorBrowser(fresh);
      await browser.visit('GET', link);
      const before = new Map(browser.cookies);
      const first = await browser.visit('POST', link, form);
      browser.cookies.clear();
      for (const [name, value] of before) browser.cookies.set(name, value);
      const second = await browser.visit('POST', link, form);
      expect([second.status, second.headers['set-cookie']]).toEqual([303, first.headers['set-cookie']]);
      expect((await browser.request('GET', 'me')).status).toBe(200);
      expect((await new OperatorBrowser(fresh).visit('POST', link, form)).status).toBe(410);
    });
  });
});
