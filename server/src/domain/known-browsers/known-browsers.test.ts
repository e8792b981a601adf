import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { aDomain, aLoginLink, aMember } from '../../../test/contract/given.ts';
import { day, movableTime } from '../../../test/movable-time.ts';
import { anOperator, OperatorBrowser, operatorTenantOf } from '../../../test/operator.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { forEachStore } from '../../../test/stores.ts';
import {
  noEmailLimits,
  startTestServer,
  type TestSite,
  type VisitResponse,
  visit,
} from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { emailsTo, emailTo, everyLoginRequestProcessed, Visitor } from '../../../test/visitor.ts';
import { maxBrowsersOfMember, maxMembersOfBrowser } from './known-browser.ts';

const device = '__Host-gatehouse_device';

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock, settings: { loginLimitClient: 0 } });
  const unlimited = useTestServer(store, {
    clock,
    settings: { loginLimit: 0, loginLimitClient: 0, emailLimits: noEmailLimits },
  });

  /** The number of emails queued for an address. */
  const emailCount = async (email: string, { database } = server) => {
    await everyLoginRequestProcessed({ database });
    return (await database.all(sql`SELECT id FROM emails WHERE recipient = ${email}`)).length;
  };
  /** Requests a login link and returns the resulting email. */
  const request = async (visitor: Visitor, email: string, from = server) => {
    const count = await emailCount(email, from);
    expect((await visitor.requestLink(email)).status).toBe(303);
    return emailTo(from, email, count + 1);
  };
  const logIn = async (visitor: Visitor, email: string, from = server) => {
    const { path } = await request(visitor, email, from);
    const answer = await visitor.post(path);
    expect(answer.status).toBe(303);
    return answer;
  };
  /** Logs in with a link that is not emailed. */
  const logInWithoutEmail = async (site: TestSite, visitor: Visitor, memberId: string) => {
    const { status } = await visitor.post(`/_gatehouse/link/${await aLoginLink(site, memberId)}`);
    expect(status).toBe(303);
  };
  const works = async (site: TestSite, path: string) => (await new Visitor(site).get(path)).status === 200;
  const wrongCodeFor = (code: string | undefined) => (code === '000000' ? '000001' : '000000');
  /** Uses up the links of an address: others request links until they are limited, and may enter wrong codes. */
  const useUp = async (site: TestSite, email: string, wrongCodesPerLink = 0) => {
    for (;;) {
      const attacker = new Visitor(site);
      if ((await attacker.requestLink(email)).status === 429) return;
      for (let attempt = 0; attempt < wrongCodesPerLink; attempt += 1)
        await attacker.post('/_gatehouse/code', { code: '123456' });
    }
  };

  describe('a known browser', () => {
    test('can request a link and log in, no matter what others have used up', async () => {
      const site = await server.createSite();
      const { email } = await aMember(site);
      const visitor = new Visitor(site);
      await logIn(visitor, email);
      await useUp(site, email, 5);
      expect((await new Visitor(site).requestLink(email)).status).toBe(429);

      const { code } = await request(visitor, email);
      expect((await visitor.post('/_gatehouse/code', { code: code! })).status).toBe(303);
      for (let count = 0; count < 4; count += 1) await logIn(visitor, email);
      expect((await visitor.requestLink(email)).status).toBe(429);
    });

    test('does not use up the limit of others, who share five links', async () => {
      const site = await server.createSite();
      const { email } = await aMember(site);
      const visitor = new Visitor(site);
      await logIn(visitor, email);
      const statuses = [];
      for (let count = 0; count < 6; count += 1) statuses.push((await visitor.requestLink(email)).status);
      for (let count = 0; count < 5; count += 1)
        statuses.push((await new Visitor(site).requestLink(email)).status);
      expect(statuses).toEqual([303, 303, 303, 303, 303, 429, 303, 303, 303, 303, 429]);
    });

    test('has its own limit of twenty codes per day, separate from that of others', async () => {
      const site = await server.createSite();
      const { email } = await aMember(site);
      const visitor = new Visitor(site);
      await logIn(visitor, email);
      for (let count = 0; count < 4; count += 1) {
        const { code } = await request(visitor, email);
        for (let attempt = 0; attempt < 5; attempt += 1)
          await visitor.post('/_gatehouse/code', { code: wrongCodeFor(code) });
      }
      const late = await request(visitor, email);
      expect((await visitor.post('/_gatehouse/code', { code: late.code! })).status).toBe(400);
      expect(await works(site, late.path)).toBe(true);

      const other = new Visitor(site);
      await other.requestLink(email);
      await everyLoginRequestProcessed(server);
      // Three links of the known browser are open, so this one stays closed, and its code is wrong.
      expect((await other.post('/_gatehouse/code', { code: late.code! })).status).toBe(400);
      expect((await visitor.post(late.path)).status).toBe(303);
      const { code } = await request(other, email);
      expect((await other.post('/_gatehouse/code', { code: code! })).status).toBe(303);
    });

    test('can use its code after others have entered twenty wrong ones', async () => {
      const site = await unlimited.createSite();
      const { email } = await aMember(site);
      const visitor = new Visitor(site);
      await logIn(visitor, email, unlimited);
      for (let count = 0; count < 5; count += 1) {
        const attacker = new Visitor(site);
        await attacker.requestLink(email);
        for (let attempt = 0; attempt < 5; attempt += 1)
          await attacker.post('/_gatehouse/code', { code: '123456' });
      }
      const stopped = new Visitor(site);
      const { code } = await request(stopped, email, unlimited);
      expect((await stopped.post('/_gatehouse/code', { code: code! })).status).toBe(400);
      const own = await request(visitor, email, unlimited);
      expect((await visitor.post('/_gatehouse/code', { code: own.code! })).status).toBe(303);
    });

    test('is not affected by the limit of a client address that it shares with others', async () => {
      const limited = await startTestServer(store, { settings: { loginLimitClient: 6 } });
      const site = await limited.createSite();
      const [{ email }, other] = [await aMember(site), await aMember(site)];
      const visitor = new Visitor(site);
      await logIn(visitor, email, limited);
      const attacker = new Visitor(site);
      while ((await attacker.requestLink('nobody@example.com')).status !== 429);

      const { code } = await request(visitor, email, limited);
      expect((await visitor.post('/_gatehouse/code', { code: code! })).status).toBe(303);
      // For other members, and for visitors who are not members, it is like any other browser.
      for (const address of [other.email, 'nobody@example.com']) {
        const answer = await visitor.requestLink(address);
        expect([answer.status, answer.text.includes(address)]).toEqual([429, false]);
      }
      // Once a later request has been processed.
      await request(visitor, email, limited);
      const requests = await limited.database.all(
        sql`SELECT id FROM login_links WHERE site_id = ${site.siteId} AND email = ${other.email}`,
      );
      expect(requests).toEqual([]);
      await limited.stop();
    });

    test('is known for the last ten members who logged in there', async () => {
      const site = await unlimited.createSite();
      const visitor = new Visitor(site);
      const emails = [];
      for (let count = 0; count <= maxMembersOfBrowser; count += 1) {
        const { id, email } = await aMember(site);
        await logInWithoutEmail(site, visitor, id);
        emails.push(email);
      }
      const known = await unlimited.database.all<{ email: string; token_hash: string }>(sql`
        SELECT m.email, b.token_hash FROM known_browsers b
        JOIN members m ON m.site_id = b.site_id AND m.id = b.member_id
        WHERE b.site_id = ${site.siteId} ORDER BY b.id`);
      expect(known.map(({ email }) => email)).toEqual(emails.slice(1));
      expect(new Set(known.map(({ token_hash }) => token_hash)).size).toBe(1);
    });

    test('is one of the latest twenty of a member', async () => {
      const site = await unlimited.createSite();
      const { id } = await aMember(site);
      for (let count = 0; count < maxBrowsersOfMember + 2; count += 1)
        await logInWithoutEmail(site, new Visitor(site), id);
      const rows = await unlimited.database.all(
        sql`SELECT id FROM known_browsers WHERE site_id = ${site.siteId} AND member_id = ${id}`,
      );
      expect(rows).toHaveLength(maxBrowsersOfMember);
    });

    test('is known to every process with the same store', async () => {
      const site = await server.createSite();
      const { email } = await aMember(site);
      const visitor = new Visitor(site);
      await logIn(visitor, email);
      const { databaseUrl } = server;
      const other = await startTestServer(store, { databaseUrl, settings: { loginLimit: 1 } });
      const requestLink = async (cookies: Map<string, string>) => {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const headers = { host: await aDomain(site), cookie };
        return (await visit(other.address, 'POST', '/_gatehouse/login', { form: { email }, headers })).status;
      };
      expect(await requestLink(new Map())).toBe(303);
      expect(await requestLink(new Map())).toBe(429);
      expect(await requestLink(visitor.cookies)).toBe(303);
      await everyLoginRequestProcessed(server);
      await other.stop();
    });

    test('is known for 400 days after a login', async () => {
      const site = await server.createSite();
      const { email } = await aMember(site);
      const [visitor, late] = [new Visitor(site), new Visitor(site)];
      await logIn(visitor, email);
      await logIn(late, email);
      await useUp(site, email);
      advance(399 * day);
      expect((await visitor.requestLink(email)).status).toBe(303);
      advance(2 * day);
      expect((await visitor.requestLink(email)).status).toBe(429);
      await purgeExpired(server.database, clock);
      const rows = await server.database.all(
        sql`SELECT id FROM known_browsers WHERE site_id = ${site.siteId}`,
      );
      expect(rows).toEqual([]);
      advance(-401 * day);
    });

    test.each([
      ['is blocked', (site: TestSite, id: string) => site.patch(`/members/${id}`, { status: 'blocked' })],
      [
        'changes address',
        (site: TestSite, id: string) => site.patch(`/members/${id}`, { email: `new-${id}@example.com` }),
      ],
      ['is logged out everywhere', (site: TestSite, id: string) => site.delete(`/members/${id}/sessions`)],
    ])('is no longer known once the member %s', async (_, change) => {
      const site = await server.createSite();
      const { email, id } = await aMember(site);
      const visitor = new Visitor(site);
      await logIn(visitor, email);
      await useUp(site, email);
      expect((await change(site, id)).status).toBeLessThan(300);
      await site.patch(`/members/${id}`, { status: 'active', email });
      expect((await visitor.requestLink(email)).status).toBe(429);
    });

    test('is no longer known once the member is deleted, nor for a new member with the same address', async () => {
      const site = await server.createSite();
      const { email, id } = await aMember(site);
      const visitor = new Visitor(site);
      await logIn(visitor, email);
      expect((await site.delete(`/members/${id}`)).status).toBe(204);
      await aMember(site, { email });
      await useUp(site, email);
      expect((await visitor.requestLink(email)).status).toBe(429);
    });

    test('stays known when the member logs out everywhere in it, and other browsers do not', async () => {
      const site = await server.createSite();
      const { email } = await aMember(site);
      const [here, elsewhere] = [new Visitor(site), new Visitor(site)];
      await logIn(elsewhere, email);
      await logIn(here, email);
      expect((await here.submit('/_gatehouse/logout-everywhere')).status).toBe(200);
      await useUp(site, email);
      expect((await elsewhere.requestLink(email)).status).toBe(429);
      expect((await here.requestLink(email)).status).toBe(303);
    });
  });

  describe('the device cookie', () => {
    test('is set only at login, and contains no personal data', async () => {
      const site = await server.createSite();
      const { email, id } = await aMember(site);
      const visitor = new Visitor(site);
      const received = await request(visitor, email);
      await visitor.get('/_gatehouse/check');
      await visitor.post('/_gatehouse/code', { code: wrongCodeFor(received.code) });
      await visitor.get(received.path);
      expect([...visitor.cookies.keys()].sort()).toEqual(['__Host-gatehouse_form', '__Host-gatehouse_login']);
      const answer = await visitor.post(received.path);
      const [cookie] = answer.headers['set-cookie']!.filter((each) => each.startsWith(device));
      expect(cookie).toMatch(
        /^__Host-gatehouse_device=1\.[\w-]{43}\.[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/,
      );
      const [, token, signature] = visitor.cookies.get(device)!.split('.');
      const stored = JSON.stringify(
        await server.database.all(sql`SELECT * FROM known_browsers WHERE site_id = ${site.siteId}`),
      );
      for (const part of [token!, signature!, Buffer.from(token!, 'base64url').toString('hex')])
        expect(stored).not.toContain(part);
      const readable = [token!, signature!].map((part) => Buffer.from(part, 'base64url').toString('latin1'));
      expect(readable.join()).not.toMatch(new RegExp(`${email}|${id}`));

      await visitor.post('/_gatehouse/logout');
      expect(visitor.cookies.has(device)).toBe(true);
    });

    test('changes with each login, and a copy of the previous one is useless', async () => {
      const site = await server.createSite();
      const { email } = await aMember(site);
      const [visitor, copy] = [new Visitor(site), new Visitor(site)];
      await logIn(visitor, email);
      copy.cookies.set(device, visitor.cookies.get(device)!);
      await logIn(visitor, email);
      expect(visitor.cookies.get(device)).not.toBe(copy.cookies.get(device));
      await useUp(site, email);
      expect((await copy.requestLink(email)).status).toBe(429);
      expect((await visitor.requestLink(email)).status).toBe(303);
    });

    test('planted by someone else is replaced at login', async () => {
      const site = await server.createSite();
      const [{ email }, attacker] = [await aMember(site), await aMember(site)];
      const [attackerBrowser, visitor] = [new Visitor(site), new Visitor(site)];
      await logIn(attackerBrowser, attacker.email);
      visitor.cookies.set(device, attackerBrowser.cookies.get(device)!);
      await logIn(visitor, email);
      await useUp(site, email);
      expect((await attackerBrowser.requestLink(email)).status).toBe(429);
      expect((await visitor.requestLink(email)).status).toBe(303);
    });

    test('gives access to no page and no session', async () => {
      const site = await server.createSite();
      const { email } = await aMember(site);
      const visitor = new Visitor(site);
      await logIn(visitor, email);
      const otherVisitor = new Visitor(site);
      otherVisitor.cookies.set(device, visitor.cookies.get(device)!);
      expect((await otherVisitor.get('/_gatehouse/account')).status).toBe(303);
      for (const name of ['__Host-gatehouse_session', '__Host-gatehouse_login'])
        otherVisitor.cookies.set(name, visitor.cookies.get(device)!.split('.')[1]!);
      expect((await otherVisitor.get('/_gatehouse/account')).headers.location).toContain('/login');
      expect((await otherVisitor.get('/_gatehouse/check')).headers.location).toContain('/login');
    });

    test('is useless when it is forged, truncated, too long, or made for another site', async () => {
      const [site, otherSite] = [await server.createSite(), await server.createSite()];
      const [member, otherMember] = [await aMember(site), await aMember(site)];
      await aMember(otherSite, { email: member.email });
      const [visitor, other, elsewhere] = [new Visitor(site), new Visitor(site), new Visitor(otherSite)];
      await logIn(visitor, member.email);
      await logIn(other, otherMember.email);
      await logIn(elsewhere, member.email);
      await useUp(site, member.email);
      const cookie = visitor.cookies.get(device)!;
      const [version, token, signature] = cookie.split('.') as [string, string, string];
      const changed = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
      const invalid = [
        other.cookies.get(device)!,
        elsewhere.cookies.get(device)!,
        '',
        '1',
        '1..',
        token,
        `${version}.${token}`,
        `${version}.${token}.`,
        `${version}..${signature}`,
        `${version}.${signature}.${token}`,
        `${version}.${token}.${changed(signature)}`,
        `${version}.${changed(token)}.${signature}`,
        `2.${token}.${signature}`,
        `${version}.${token}.${signature.slice(0, -1)}`,
        `${version}.${token}.${signature}A`,
        `${version}.${token}.${signature}.${signature}`,
        `${version}.${token}.${other.cookies.get(device)!.split('.')[2]}`,
        `${cookie}${'A'.repeat(8_000)}`,
        `${cookie}; ${device}=${cookie}`,
        `${cookie}; ${device}=1`,
        cookie.toUpperCase(),
        `%31.${token}.${signature}`,
        `${version}.${'é'.repeat(43)}.${signature}`,
        `${version}.${token}.${'='.repeat(43)}`,
        `${version}.${'A'.repeat(43)}.${'A'.repeat(43)}`,
      ];
      for (const value of invalid) {
        const anonymous = new Visitor(site);
        anonymous.cookies.set(device, Buffer.from(value).toString('latin1'));
        expect((await anonymous.requestLink(member.email)).status, value.slice(0, 120)).toBe(429);
      }
      expect((await visitor.requestLink(member.email)).status).toBe(303);
    });
  });

  describe('links of one address', () => {
    test('work at the same time, up to the newest three', async () => {
      const site = await server.createSite();
      const { email } = await aMember(site);
      const paths = [];
      for (let count = 0; count < 4; count += 1) {
        paths.push((await request(new Visitor(site), email)).path);
        for (const [index, path] of paths.entries())
          expect(await works(site, path), `${index} of ${count + 1}`).toBe(index > count - 3);
      }
    });

    test.each(['link', 'code'] as const)('all end once one is used by its %s', async (way) => {
      const site = await server.createSite();
      const { email } = await aMember(site);
      const visitors = [new Visitor(site), new Visitor(site), new Visitor(site)];
      const emails = [];
      for (const visitor of visitors) emails.push(await request(visitor, email));
      const entered =
        way === 'link'
          ? await visitors[1]!.post(emails[1]!.path)
          : await visitors[1]!.post('/_gatehouse/code', { code: emails[1]!.code! });
      expect(entered.status).toBe(303);
      for (const { path } of emails) expect((await new Visitor(site).post(path)).status).toBe(410);
      for (const index of [0, 2]) {
        const { status } = await visitors[index]!.post('/_gatehouse/code', { code: emails[index]!.code! });
        expect([status, visitors[index]!.session]).toEqual([400, undefined]);
      }
      expect(await emailsTo(server, email, 0)).toEqual([]);
      expect((await site.get(`/events?type=member.login`)).body.data).toHaveLength(1);
    });

    test('of a known browser are not closed by those of others', async () => {
      const site = await unlimited.createSite();
      const { email } = await aMember(site);
      const visitor = new Visitor(site);
      await logIn(visitor, email, unlimited);
      const own = await request(visitor, email, unlimited);
      const others = [];
      for (let count = 0; count < 4; count += 1)
        others.push((await request(new Visitor(site), email, unlimited)).path);
      const open = [];
      for (const path of [own.path, ...others]) open.push(await works(site, path));
      expect(open).toEqual([true, false, false, true, true]);

      const second = await request(visitor, email, unlimited);
      const third = await request(visitor, email, unlimited);
      for (const path of others) expect(await works(site, path)).toBe(false);
      const count = await emailCount(email, unlimited);
      expect((await new Visitor(site).requestLink(email)).status).toBe(303);
      expect(await emailCount(email, unlimited)).toBe(count);
      for (const { path } of [own, second, third]) expect(await works(site, path)).toBe(true);

      const fourth = await request(visitor, email, unlimited);
      const remaining = [];
      for (const { path } of [own, second, third, fourth]) remaining.push(await works(site, path));
      expect(remaining).toEqual([false, true, true, true]);
      // A member who reads the mailbox can also log in on a new device, with the button in any of these emails.
      expect((await new Visitor(site).post(second.path)).status).toBe(303);
    });

    test('of a known browser do not block others once they have expired', async () => {
      const site = await unlimited.createSite();
      const { email } = await aMember(site);
      const visitor = new Visitor(site);
      await logIn(visitor, email, unlimited);
      for (let count = 0; count < 3; count += 1) await request(visitor, email, unlimited);
      const past = new Date(clock().getTime() - 1_000).toISOString();
      await unlimited.database.run(
        sql`UPDATE login_links SET expires_at = ${past} WHERE site_id = ${site.siteId} AND email = ${email}`,
      );
      const { path } = await request(new Visitor(site), email, unlimited);
      expect((await new Visitor(site).post(path)).status).toBe(303);
    });
  });

  describe('a visitor cannot learn', () => {
    /** What a browser that requests a link sees, except for random values and times. */
    const seen = ({ status, text, headers }: VisitResponse, email: string) => {
      const { 'set-cookie': cookies = [], ...others } = headers;
      for (const name of ['date', 'x-request-id', 'x-ratelimit-reset', 'x-ratelimit-remaining'])
        delete others[name];
      const shown = text.replaceAll(email, '').replaceAll(encodeURIComponent(email), '');
      return JSON.stringify([
        status,
        shown.replaceAll(/\d+ min\w*/g, ''),
        others['retry-after'] !== undefined,
        { ...others, 'retry-after': '', 'content-length': '' },
        cookies.map((each) => each.replace(/=[^;]+/, '')),
      ]);
    };
    const checkAndTry = async (visitor: Visitor, email: string) => {
      const answers = [seen(await visitor.get('/_gatehouse/check'), email)];
      for (let attempt = 0; attempt < 6; attempt += 1)
        answers.push(seen(await visitor.post('/_gatehouse/code', { code: '123456' }), email));
      return answers;
    };

    test('with a browser known for another member whether an address is a member’s', async () => {
      const site = await server.createSite();
      const [own, member] = [await aMember(site), await aMember(site)];
      const known = new Visitor(site);
      await logIn(new Visitor(site), member.email);
      const answers = [];
      for (const email of [member.email, 'nobody@example.com']) {
        await logIn(known, own.email);
        // The member has logged in elsewhere, so one link has already been requested for this address.
        if (email !== member.email) await new Visitor(site).requestLink(email);
        const list = [];
        for (let count = 0; count < 6; count += 1) {
          // Without a new page, it would be the same form once more.
          await known.get('/_gatehouse/login');
          list.push(seen(await known.requestLink(email), email));
          await everyLoginRequestProcessed(server);
          if (count === 2) list.push(...(await checkAndTry(known, email)));
        }
        answers.push(list);
      }
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[0]!.filter((each) => each.startsWith('[429'))).toHaveLength(2);
    });

    test.each([
      [
        'a member logs in with another link',
        async (_: TestSite, visitor: Visitor, path: string) => visitor.post(path),
      ],
      [
        'a member is logged out everywhere',
        async (site: TestSite, _: Visitor, __: string, id: string) => site.delete(`/members/${id}/sessions`),
      ],
      [
        'a member is blocked',
        async (site: TestSite, _: Visitor, __: string, id: string) =>
          site.patch(`/members/${id}`, { status: 'blocked' }),
      ],
      [
        'newer links replaced it',
        async (site: TestSite, _: Visitor, __: string, ___: string, email: string) => {
          for (let count = 0; count < 3; count += 1) await new Visitor(site).requestLink(email);
          await everyLoginRequestProcessed(unlimited);
        },
      ],
      [
        'three links of a known browser are open',
        async (_: TestSite, visitor: Visitor, __: string, ___: string, email: string) => {
          for (let count = 0; count < 3; count += 1) await request(visitor, email, unlimited);
        },
      ],
    ] as const)('from a page that waits for a code whether %s', async (_, happens) => {
      const site = await unlimited.createSite();
      const { email, id } = await aMember(site);
      const visitor = new Visitor(site);
      await logIn(visitor, email, unlimited);
      const { path } = await request(visitor, email, unlimited);
      const [attacker, late, control] = [new Visitor(site), new Visitor(site), new Visitor(site)];
      const requests = [seen(await attacker.requestLink(email), email)];
      requests.push(seen(await control.requestLink('nobody@example.com'), 'nobody@example.com'));
      await everyLoginRequestProcessed(unlimited);
      await happens(site, visitor, path, id, email);
      requests.push(seen(await late.requestLink(email), email));
      await everyLoginRequestProcessed(unlimited);
      expect(new Set(requests).size).toBe(1);
      const answers = await checkAndTry(control, 'nobody@example.com');
      expect(await checkAndTry(attacker, email)).toEqual(answers);
      expect(await checkAndTry(late, email)).toEqual(answers);
    });
  });

  describe('operators', () => {
    const operatorDevice = 'gatehouse_operator_device';
    const requestLink = (browser: OperatorBrowser, email: string) =>
      browser.visit('POST', '/dashboard/login', { email });
    const newest = async (email: string) => {
      await everyLoginRequestProcessed(server);
      return emailTo(server, email);
    };

    test('log in with a known browser no matter what others have used up, and with several links at the same time', async () => {
      const site = await server.createSite();
      const { email } = await anOperator(server, site.siteId);
      const browser = new OperatorBrowser(server);
      expect((await requestLink(browser, email)).status).toBe(303);
      const first = await newest(email);
      const entered = await browser.visit('POST', first.path);
      expect(entered.headers['set-cookie']!.find((each) => each.startsWith(operatorDevice))).toMatch(
        /^gatehouse_operator_device=1\.[\w-]{43}\.[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/,
      );
      expect((await requestLink(browser, email)).status).toBe(303);
      const own = await newest(email);
      while ((await requestLink(new OperatorBrowser(server), email)).status === 303);
      await everyLoginRequestProcessed(server);
      expect((await new OperatorBrowser(server).visit('GET', own.path)).status).toBe(200);
      expect((await browser.visit('POST', '/dashboard/code', { code: own.code! })).status).toBe(303);
      expect((await requestLink(browser, email)).status).toBe(303);
      expect((await browser.visit('POST', (await newest(email)).path)).status).toBe(303);
      expect((await browser.request('GET', 'me')).body.data.operator.email).toBe(email);
    });

    test('can use their passkey in a known browser, even if others share its client address', async () => {
      const limited = await startTestServer(store, { settings: { rateLimitUnauthenticated: 10 } });
      const site = await limited.createSite();
      const { email } = await anOperator(limited, site.siteId);
      const browser = new OperatorBrowser(limited);
      await requestLink(browser, email);
      await browser.visit('POST', (await emailTo(limited, email)).path);
      expect((await browser.request('POST', 'logout', {})).status).toBe(204);
      const attacker = new OperatorBrowser(limited);
      while ((await attacker.request('POST', 'passkey-login/options', {})).status === 200);
      expect((await browser.request('POST', 'passkey-login/options', {})).status).toBe(200);
      browser.cookies.delete(operatorDevice);
      expect((await browser.request('POST', 'passkey-login/options', {})).status).toBe(429);
      await limited.stop();
    });

    test('are not known on sites, and members are not known on the dashboard', async () => {
      const site = await server.createSite();
      const { email } = await anOperator(server, site.siteId);
      await aMember(site, { email });
      const [browser, visitor] = [new OperatorBrowser(server), new Visitor(site)];
      await requestLink(browser, email);
      await browser.visit('POST', (await newest(email)).path);
      await logIn(visitor, email);
      const tenant = await operatorTenantOf(server);
      const cookies = [browser.cookies.get(operatorDevice)!, visitor.cookies.get(device)!] as const;
      await useUp(site, email);
      while ((await requestLink(new OperatorBrowser(server), email)).status === 303);
      const [asMember, asOperator] = [new Visitor(site), new OperatorBrowser(server)];
      asMember.cookies.set(device, cookies[0]);
      asOperator.cookies.set(operatorDevice, cookies[1]);
      expect((await asMember.requestLink(email)).status).toBe(429);
      expect((await requestLink(asOperator, email)).status).toBe(429);
      expect(tenant.id).not.toBe(site.siteId);
    });
  });
});
