import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { aDomain, aGroup, aMember } from '../../../test/contract/given.ts';
import { movableTime } from '../../../test/movable-time.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import {
  appendedToLinks,
  emailsTo,
  emailTo,
  everyLoginRequestProcessed,
  Visitor,
} from '../../../test/visitor.ts';

const minute = 60_000;

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock, settings: { loginLimit: 0, loginLimitClient: 0 } });

  const setTime = (time: number) => advance(time - clock().getTime());
  const purgeNow = () => purgeExpired(server.database, clock);
  const readMember = async (site: TestSite, id: string) => (await site.get(`/members/${id}`)).body.data;
  const eventsOf = async (site: TestSite, type: string) => (await site.get(`/events?type=${type}`)).body.data;

  test('a link in an email logs a member in, once', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const visitor = new Visitor(site);
    const requested = await visitor.requestLink(member.email, '/course/week-1?lang=en');
    expect([requested.status, requested.headers.location]).toEqual([303, '/_gatehouse/check']);
    const email = await emailTo(server, member.email);
    expect(email.url).toBe(`https://${await aDomain(site)}${email.path}`);

    expect((await visitor.get(email.path)).status).toBe(200);
    const entered = await visitor.post(email.path);
    expect([entered.status, entered.headers.location]).toEqual([
      303,
      `https://${await aDomain(site)}/course/week-1?lang=en`,
    ]);
    const [cookie] = entered.headers['set-cookie']!;
    expect(cookie).toMatch(
      /^__Host-gatehouse_session=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect((await visitor.get('/_gatehouse/account')).text).toContain(member.email);

    const after = await readMember(site, member.id);
    expect(after).toMatchObject({ verified: true, registeredAt: member.registeredAt });
    expect(after.lastLoginAt).not.toBeNull();
    expect(after.lastSeenAt).toBe(after.lastLoginAt);
    expect((await site.get(`/members/${member.id}/sessions`)).body.data).toMatchObject([{ method: 'link' }]);
    const [event, ...others] = await eventsOf(site, 'member.login');
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      actor: { type: 'member', id: member.id },
      data: { memberId: member.id, method: 'link' },
    });

    expect((await new Visitor(site).get(email.path)).status).toBe(410);
    expect((await new Visitor(site).post(email.path)).status).toBe(410);
  });

  test.each([
    [false, 0],
    [true, 1],
  ])(
    'a login by email of a member whose address is verified (%s) leaves %i passkeys',
    async (verified, left) => {
      const site = await server.createSite();
      const { id, email } = await aMember(site);
      await server.database.run(sql`UPDATE members SET verified = ${verified} WHERE id = ${id}`);
      await site.storePasskey(id);
      const visitor = new Visitor(site);
      await visitor.requestLink(email);
      expect((await visitor.post((await emailTo(server, email)).path)).status).toBe(303);
      expect(await server.database.all(sql`SELECT id FROM passkeys WHERE member_id = ${id}`)).toHaveLength(
        left,
      );
    },
  );

  test('opening a link does not use it, no matter how often', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    await new Visitor(site).requestLink(member.email);
    const { path } = await emailTo(server, member.email);
    for (const method of ['GET', 'HEAD', 'GET', 'HEAD']) {
      const answer = await site.visit(method, path, { headers: { 'user-agent': 'scanner' } });
      const setCookie = answer.headers['set-cookie'] ?? [];
      expect([answer.status, setCookie.map((each) => each.split('=')[0])]).toEqual([
        200,
        ['__Host-gatehouse_form'],
      ]);
    }
    expect((await readMember(site, member.id)).lastLoginAt).toBeNull();
    expect((await new Visitor(site).post(path)).status).toBe(303);
  });

  test('a link works with what email programs and people append to it, and not if it is changed', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const visitor = new Visitor(site);
    await visitor.requestLink(member.email);
    const { path } = await emailTo(server, member.email);
    for (const appended of appendedToLinks) {
      const { status, text, headers } = await visitor.get(path + appended);
      expect([appended, status, headers.location]).toEqual([appended, 200, undefined]);
      expect(text).toContain(`action="${path}"`);
    }
    const other = path.at(-1) === 'A' ? 'B' : 'A';
    for (const changed of [
      `${path.slice(0, -1)}.`,
      `${path.slice(0, -1)}${other}`,
      `${path}A`,
      `${path}-`,
      `${path}_.`,
      `${path}.A`,
      `${path}/A`,
      `${path}%41`,
      path.replace('/link/', '/link/.'),
      path.replace('/link/', '/link/%20'),
    ]) {
      expect([changed, (await visitor.get(changed)).status]).toEqual([changed, 410]);
      expect([changed, (await visitor.post(changed)).status]).toEqual([changed, 410]);
    }
    expect((await visitor.post(`${path}%3E).`)).status).toBe(303);
    expect((await visitor.get(`${path}.`)).status).toBe(303);
    expect((await new Visitor(site).get(`${path}.`)).status).toBe(410);
  });

  test('the confirmation page submits itself only in the browser that requested the link', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const visitor = new Visitor(site);
    await visitor.requestLink(member.email);
    const { path } = await emailTo(server, member.email);
    expect((await visitor.get(path)).text).toContain('press.js');
    expect((await new Visitor(site).get(path)).text).not.toContain('press.js');
  });

  test('a code logs in the browser that requested it', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const visitor = new Visitor(site);
    await visitor.requestLink(member.email, '/course');
    expect((await visitor.get('/_gatehouse/check')).text).toContain(member.email);
    const { code } = await emailTo(server, member.email);
    const entered = await visitor.post('/_gatehouse/code', {
      code: ` ${code!.slice(0, 3)} ${code!.slice(3)} `,
    });
    expect([entered.status, entered.headers.location]).toEqual([
      303,
      `https://${await aDomain(site)}/course`,
    ]);
    expect(visitor.session).toBeDefined();
    expect((await eventsOf(site, 'member.login'))[0].data.method).toBe('code');
    expect((await site.get(`/members/${member.id}/sessions`)).body.data).toMatchObject([{ method: 'code' }]);
  });

  test('a code works in no other browser', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    await new Visitor(site).requestLink(member.email);
    const { code } = await emailTo(server, member.email);
    const other = new Visitor(site);
    await other.requestLink((await aMember(site)).email);
    expect((await other.post('/_gatehouse/code', { code: code! })).status).toBe(400);
    expect((await new Visitor(site).post('/_gatehouse/code', { code: code! })).headers.location).toBe(
      '/_gatehouse/login',
    );
  });

  test('a code is invalid after five wrong attempts, and the link still works', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const visitor = new Visitor(site);
    await visitor.requestLink(member.email);
    const { code, path } = await emailTo(server, member.email);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await visitor.post('/_gatehouse/code', { code: wrong })).status).toBe(400);
    }
    const late = await visitor.post('/_gatehouse/code', { code: code! });
    expect([late.status, visitor.session]).toEqual([400, undefined]);
    expect((await visitor.post(path)).status).toBe(303);
  });

  test('text that cannot be a code does not count as an attempt', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const visitor = new Visitor(site);
    await visitor.requestLink(member.email);
    const { code } = await emailTo(server, member.email);
    for (const typed of ['', '12345', '1234567', 'abcdef', '12345x', '1'.repeat(5_000), '-12345'])
      expect((await visitor.post('/_gatehouse/code', { code: typed })).status).toBe(400);
    expect((await visitor.post('/_gatehouse/code', { code: code! })).status).toBe(303);
  });

  test('an anonymous visitor gets the same response as a member, but no email', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const blocked = await aMember(site);
    await site.patch(`/members/${blocked.id}`, { status: 'blocked' });
    const answers = [];
    let wrongCode = '123456';
    for (const email of [member.email, 'stranger@example.org', blocked.email]) {
      const visitor = new Visitor(site);
      const requested = await visitor.requestLink(email);
      await everyLoginRequestProcessed(server);
      if (email === member.email && (await emailTo(server, email)).code === wrongCode) wrongCode = '654321';
      const check = await visitor.get('/_gatehouse/check');
      const tries = [];
      for (let attempt = 0; attempt < 6; attempt += 1) {
        const { status, text } = await visitor.post('/_gatehouse/code', { code: wrongCode });
        tries.push(status, text.replaceAll(email, ''));
      }
      const { 'set-cookie': cookies, ...headers } = requested.headers;
      // These contain only the time and the id of the request.
      for (const name of ['date', 'x-request-id', 'x-ratelimit-reset']) delete headers[name];
      answers.push(
        JSON.stringify([
          requested.status,
          requested.text,
          headers,
          cookies!.map((each) => each.replace(/=[^;]+/, '')),
          check.status,
          check.text.replaceAll(email, ''),
          tries,
        ]),
      );
    }
    expect(answers[1]).toBe(answers[0]);
    expect(answers[2]).toBe(answers[0]);
    expect(await emailsTo(server, member.email)).toHaveLength(1);
    expect(await emailsTo(server, 'stranger@example.org', 0)).toEqual([]);
    expect(await emailsTo(server, blocked.email, 0)).toEqual([]);
  });

  test('a code expires for an anonymous visitor when it does for a member, however late the email was sent', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const [known, unknown] = [new Visitor(site), new Visitor(site)];
    await known.requestLink(member.email);
    await unknown.requestLink('stranger@example.org');
    const { code, path } = await emailTo(server, member.email);
    await everyLoginRequestProcessed(server);
    await server.database.run(sql`
      UPDATE login_links SET expires_at = ${new Date(clock().getTime() + 15 * minute).toISOString()}
      WHERE site_id = ${site.siteId} AND email = ${member.email}`);
    const wrong = code === '123456' ? '654321' : '123456';
    const answersOf = async (visitor: Visitor, email: string) => {
      const check = await visitor.get('/_gatehouse/check');
      const tried = await visitor.post('/_gatehouse/code', { code: wrong });
      return [check.status, check.text, tried.status, tried.text].join().replaceAll(email, '');
    };
    for (const minutes of [9, 2]) {
      advance(minutes * minute);
      await purgeNow();
      const answers = await answersOf(known, member.email);
      expect(answers).toBe(await answersOf(unknown, 'stranger@example.org'));
    }
    expect((await new Visitor(site).get(path)).status).toBe(200);
    expect((await known.post('/_gatehouse/code', { code: code! })).status).toBe(303);
    advance(-11 * minute);
  });

  test.each([
    ['is blocked', (site: TestSite, id: string) => site.patch(`/members/${id}`, { status: 'blocked' })],
    ['is deleted', (site: TestSite, id: string) => site.delete(`/members/${id}`)],
    [
      'changes address',
      (site: TestSite, id: string) => site.patch(`/members/${id}`, { email: `new-${id}@example.com` }),
    ],
    ['is logged out everywhere', (site: TestSite, id: string) => site.delete(`/members/${id}/sessions`)],
  ])('links, codes and sessions end once a member %s', async (_, change) => {
    const site = await server.createSite();
    const member = await aMember(site);
    const inside = new Visitor(site);
    await inside.requestLink(member.email);
    await inside.post((await emailTo(server, member.email)).path);
    expect((await inside.get('/_gatehouse/account')).status).toBe(200);
    const waiting = new Visitor(site);
    await waiting.requestLink(member.email);
    const { path, code } = await emailTo(server, member.email, 2);

    expect((await change(site, member.id)).status).toBeLessThan(300);
    expect((await inside.get('/_gatehouse/account')).status).toBe(303);
    await site.patch(`/members/${member.id}`, { status: 'active', email: member.email });
    expect((await inside.get('/_gatehouse/account')).status).toBe(303);
    expect((await new Visitor(site).post(path)).status).toBe(410);
    const typed = await waiting.post('/_gatehouse/code', { code: code! });
    expect([typed.headers.location ?? '', waiting.session]).toEqual([
      expect.not.stringContaining('https'),
      undefined,
    ]);
    expect(await emailsTo(server, member.email, 0)).toEqual([]);
  });

  test('a link works for ten minutes', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    // On SQLite a link begins at the real time, somewhere between these two.
    const before = Date.now();
    setTime(before);
    await new Visitor(site).requestLink(member.email);
    const { path } = await emailTo(server, member.email);
    const after = Date.now();
    setTime(before + 10 * minute - 1);
    expect((await new Visitor(site).get(path)).status).toBe(200);
    setTime(after + 10 * minute);
    expect((await new Visitor(site).get(path)).status).toBe(410);
    expect((await new Visitor(site).post(path)).status).toBe(410);
    setTime(after);
    expect((await new Visitor(site).post(path)).status).toBe(303);
  });

  test('registeredAt is set if it was null, and otherwise unchanged', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    await server.database.run(
      sql`UPDATE members SET registered_at = NULL WHERE site_id = ${site.siteId} AND id = ${member.id}`,
    );
    const visitor = new Visitor(site);
    await visitor.requestLink(member.email);
    await visitor.post((await emailTo(server, member.email)).path);
    const { registeredAt, lastLoginAt } = await readMember(site, member.id);
    expect(registeredAt).toBe(lastLoginAt);
  });

  test('every login opens a new session and ends the previous one in the same browser', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const visitor = new Visitor(site);
    await visitor.requestLink(member.email);
    await visitor.post((await emailTo(server, member.email)).path);
    const before = visitor.session!;
    await visitor.requestLink(member.email);
    await visitor.post((await emailTo(server, member.email, 2)).path);
    expect(visitor.session).not.toBe(before);
    expect((await site.get(`/members/${member.id}/sessions`)).body.data).toHaveLength(1);
    const answer = await site.post('/sessions/verify', { token: before });
    expect(answer.body.data.member).toBeNull();
  });

  test.each([
    '//evil.example/x',
    '/\\evil.example',
    'https://evil.example/',
    'evil.example',
    '/%0d%0aset-cookie:x=y/../..//evil.example',
    '/a\r\nset-cookie: x=y',
    '/../..//evil.example',
    '/./\t/evil.example',
    '/\t/evil.example',
    '/\n//evil.example',
    '/ /evil.example',
    '///evil.example',
    '/\\\\evil.example/..',
    'https:evil.example',
    '@evil.example',
    '.evil.example',
    'javascript:alert(1)',
    '/_gatehouse/logout',
  ])('next stays on the site: %j', async (next) => {
    const site = await server.createSite();
    const member = await aMember(site);
    const visitor = new Visitor(site);
    await visitor.requestLink(member.email, next);
    const entered = await visitor.post((await emailTo(server, member.email)).path);
    const location = new URL(entered.headers.location!);
    expect(location.origin).toBe(`https://${await aDomain(site)}`);
    expect(location.pathname).not.toMatch(/^\/\//);
    expect(entered.headers['set-cookie']!.join()).not.toContain('x=y');
  });

  test('by default sign-up is not allowed; the policy can allow everyone or some domains', async () => {
    const site = await server.createSite();
    await aDomain(site);
    const group = await aGroup(site);
    const enters = async (email: string): Promise<string[] | undefined> => {
      const visitor = new Visitor(site);
      await visitor.requestLink(email);
      await everyLoginRequestProcessed(server);
      const [received] = await emailsTo(server, email, 0);
      if (!received) return undefined;
      expect((await site.get(`/members?email=${encodeURIComponent(email)}`)).body.data).toEqual([]);
      expect((await visitor.post(received.path)).status).toBe(303);
      const [member] = (await site.get(`/members?email=${encodeURIComponent(email)}`)).body.data;
      expect(member).toMatchObject({ email, verified: true, status: 'active' });
      return (await readMember(site, member.id)).accessGroups.map(({ id }: { id: string }) => id);
    };
    expect(await enters('a@school.example')).toBeUndefined();

    const domains = [{ domain: 'School.Example', accessGroupIds: [group.id] }];
    const policy = await site.patch('/site', { signUp: { policy: 'allowed_domains', domains } });
    expect(policy.body.data.signUp.domains[0].domain).toBe('school.example');
    expect(await enters('b@school.example')).toEqual([group.id]);
    expect(await enters('c@sub.school.example')).toBeUndefined();
    expect(await enters('d@notschool.example')).toBeUndefined();

    await site.patch('/site', { signUp: { policy: 'open', domains: [] } });
    expect(await enters('e@anywhere.example')).toEqual([]);
  });

  test('after the sign-up policy is closed, earlier links no longer create members', async () => {
    const site = await server.createSite();
    await site.patch('/site', { signUp: { policy: 'open', domains: [] } });
    const email = 'late@anywhere.example';
    const visitor = new Visitor(site);
    await visitor.requestLink(email);
    const { path } = await emailTo(server, email);
    await site.patch('/site', { signUp: { policy: 'members_only', domains: [] } });
    expect((await visitor.post(path)).status).toBe(410);
    expect((await site.get('/members')).body.data).toEqual([]);
  });

  test('a form sent by another site is rejected', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const visitor = new Visitor(site);
    await visitor.requestLink(member.email);
    const { path } = await emailTo(server, member.email);
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'https://other.example.com' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://${await aDomain(site)}` },
    ] as Record<string, string>[]) {
      expect((await new Visitor(site).post(path, {}, headers)).status, JSON.stringify(headers)).toBe(403);
    }
    const own = { 'sec-fetch-site': 'same-origin', origin: `https://${await aDomain(site)}` };
    expect((await new Visitor(site).post(path, {}, own)).status).toBe(303);
  });

  test('a link of one site does not work on another', async () => {
    const [site, other] = [await server.createSite(), await server.createSite()];
    await aDomain(other);
    const member = await aMember(site);
    await aMember(other, { email: member.email });
    await new Visitor(site).requestLink(member.email);
    const { path } = await emailTo(server, member.email);
    expect((await new Visitor(other).get(path)).status).toBe(410);
    expect((await new Visitor(other).post(path)).status).toBe(410);
    expect((await new Visitor(site).post(path)).status).toBe(303);
  });

  test.each([
    '',
    'x',
    'a@b@c.example',
    'a@b.example,c@d.example',
    'a b@c.example',
    `${'a'.repeat(65)}@b.example`,
  ])('the form is shown again for an invalid email address: %j', async (email) => {
    const site = await server.createSite();
    await aDomain(site);
    expect((await new Visitor(site).post('/_gatehouse/login', { email })).status).toBe(400);
  });

  test('an email address is one member, however it is spelled', async () => {
    const site = await server.createSite();
    await aMember(site, { email: 'ada.writes@example.com' });
    await new Visitor(site).requestLink('  Ada.Writes@EXAMPLE.com ');
    expect((await emailTo(server, 'ada.writes@example.com')).code).toMatch(/^\d{6}$/);
  });
});
