import { createConnection } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effort } from '../effort.ts';
import {
  type Club,
  clubHost,
  type Echo,
  followLink,
  loggedIn,
  openHost,
  type RuleOptIns,
  startClub,
  submit,
  targetOf,
} from './club.ts';
import { httpTricks } from './http-tricks.ts';
import { openWebSocket } from './open-web-socket.ts';
import { otherAddresses } from './page-names.ts';
import { pathTricks } from './path-tricks.ts';
import { pathsOfPrograms } from './paths-of-programs.ts';
import { withPreflights } from './preflight-lines.ts';
import type { ProxyProgram, RunningProxy } from './proxies.ts';
import {
  type Answer,
  type HeaderLines,
  type ProxiedSite,
  sendBytes,
  sendOverHttp2,
  Visitor,
} from './visitor.ts';

/**
 * The tests behind a proxy with the configuration of its guide, and with what rules may allow beyond the default. Only on SQLite, because the proxy does not depend on
 * the store.
 */
export function testBehind(proxy: ProxyProgram, optIns: RuleOptIns = {}): void {
  const names = Object.keys(optIns).map((name) => `, with ${name}`);
  describe.skipIf(proxy.leftOut())(`behind ${proxy.name}${names.join('')}`, () => {
    let club: Club;
    let running: RunningProxy;
    let proxied: ProxiedSite;
    let courseId: string;
    beforeAll(async () => {
      club = await startClub(optIns);
      running = await proxy.start(club.upstreams, (configuration) =>
        proxy.withSecondSite(optIns.preflights ? withPreflights(proxy, configuration) : configuration),
      );
      proxied = { port: running.httpsPort, host: clubHost, certificate: club.certificate };
      courseId = (await club.api('POST', '/access-groups', { name: 'Course, 2026' })).body.data.id;
      await useRules();
    });
    afterAll(async () => {
      await running?.stop();
      await club?.stop();
    });

    /** The rules of most tests. */
    const useRules = () =>
      club.setRules(
        { path: '/', access: 'public' },
        { path: '/members', access: 'members' },
        { path: '/members.html', access: 'members' },
        { path: '/empty', access: 'members' },
        { path: '/paying', access: 'paying_members' },
        { path: '/course', access: 'groups', groupIds: [courseId] },
        { path: '/app', access: 'members' },
        { path: '/app/public', access: 'public' },
      );
    /** What is protected, and what is public, belongs to programs. */
    const useProgramRules = () =>
      club.setRules(
        { path: '/', access: 'paying_members' },
        { path: '/members', access: 'members', programPaths: true },
        { path: '/app', access: 'members', programPaths: true },
        { path: '/public', access: 'public', programPaths: true },
      );
    const anonymous = () => new Visitor(proxied);
    /** A new member, with a browser in which the member is logged in. */
    const memberWith = async (fields: object = {}) => {
      const id = await club.createMember(newAddress(), fields);
      return { id, visitor: await loggedIn(proxied, await club.linkOf(id)) };
    };
    const shows = (answer: Answer) => answer.text.includes(club.secret);

    test('public pages are visible to everyone, over an encrypted connection', async () => {
      const page = await anonymous().get('/');
      expect(page).toMatchObject({ status: 200, text: expect.stringContaining('for everybody') });
      expect(page.headers.get('cache-control')).toBe('private, no-cache');
      const plain = await sendPlainly(
        running.httpPort,
        `GET /members/?x=1 HTTP/1.1\r\nHost: ${clubHost}\r\n`,
      );
      expect(plain).toMatch(/^HTTP\/1\.1 308 /);
      expect(plain).toMatch(/\r\nLocation: https:\/\/club\.example\.org(:\d+)?\/members\/\?x=1\r\n/i);
    });

    test('an anonymous visitor is redirected to the login page, gets one email, and returns to the requested page', async () => {
      const email = newAddress();
      await club.createMember(email);
      const visitor = anonymous();
      const requested = '/members/news.html?page=2&sort=%C3%A4';
      const redirected = await visitor.get(requested, [['Accept', 'text/html']]);
      expect(redirected.status).toBe(302);
      const loginTarget = targetOf(redirected.headers.get('location'));
      expect(loginTarget).toBe(`/_gatehouse/login?next=${encodeURIComponent(requested)}`);
      const loginPage = await visitor.get(loginTarget);
      expect(loginPage.status).toBe(200);
      const sent = await submit(visitor, loginPage, { email });
      expect(sent.status).toBe(303);
      expect((await visitor.get(targetOf(sent.headers.get('location')))).text).toContain(email);

      const received = await club.mailbox.next();
      expect(received).toMatchObject({ recipients: [email], to: email });
      const link = /^https:\/\/club\.example\.org\/_gatehouse\/link\/\S+$/m.exec(received.text)![0];
      // An email scanner opens it first, and changes nothing.
      expect((await anonymous().get(targetOf(link))).status).toBe(200);
      const pressed = await followLink(visitor, link);
      expect(pressed.cookies.join()).toMatch(/__Host-gatehouse_session=[^;]+; Path=\/;.*HttpOnly.*Secure/i);
      expect(targetOf(pressed.headers.get('location'))).toBe(requested);
      expect(await visitor.get(requested)).toMatchObject({
        status: 200,
        text: expect.stringContaining(club.secret),
      });
      expect((await anonymous().get(requested)).status).toBe(302);
      expect(club.mailbox.emails).toHaveLength(1);
    });

    test('the code of the email logs in, in the browser that requested it', async () => {
      const email = newAddress();
      await club.createMember(email);
      const visitor = anonymous();
      const before = club.mailbox.emails.length;
      const sent = await submit(visitor, await visitor.get('/_gatehouse/login?next=%2Fmembers%2F'), {
        email,
      });
      const checkPage = await visitor.get(targetOf(sent.headers.get('location')));
      const { text } = await club.mailbox.next();
      const code = /^ *(\d{3} ?\d{3}) *$/m.exec(text)![1]!;
      const done = await submit(visitor, checkPage, { code });
      expect(targetOf(done.headers.get('location'))).toBe('/members/');
      expect(shows(await visitor.get('/members/'))).toBe(true);
      expect(club.mailbox.emails).toHaveLength(before + 1);
    });

    test('a program that cannot log in gets an error, and a member without access the reason', async () => {
      const denied = await anonymous().get('/members/', [['Accept', 'application/json']]);
      expect(denied.status).toBe(401);
      const { visitor } = await memberWith();
      const [course, paying] = [await visitor.get('/course/'), await visitor.get('/paying/')];
      for (const page of [course, paying]) {
        expect(page.status).toBe(403);
        expect(page.headers.get('content-type')).toContain('text/html');
        expect(page.headers.get('content-security-policy')).toBeDefined();
        expect(page.text).toContain('</html>');
        expect(shows(page)).toBe(false);
      }
      expect(paying.text).not.toBe(course.text);
      expect((await visitor.get('/_gatehouse/style.css')).status).toBe(200);
    });

    test('scripts and programs get an error that they can read, and never the login page', async () => {
      const name = 'Mozilla/5.0 (X11; Linux x86_64)';
      const senders: HeaderLines[] = [
        [['Sec-Fetch-Mode', 'cors']],
        [['User-Agent', name]],
        [['User-Agent', 'python-requests/2.32']],
        [['Accept', 'application/json']],
      ];
      for (const headers of senders) {
        const lines = [...headers, ...(headers[0]![0] === 'Accept' ? [] : [['Accept', '*/*'] as const])];
        for (const method of ['GET', 'POST', 'PUT', 'OPTIONS']) {
          const answer = await anonymous().request(method, '/app/api', { headers: lines });
          expect([method, lines, answer.status]).toEqual([method, lines, 401]);
          expect(JSON.parse(answer.text).error.code).toBe('login_required');
        }
      }
    });

    test('a form that is sent after the session leads to its page after the login', async () => {
      const page = `https://${clubHost}/app/form?id=7`;
      const headers: HeaderLines = [
        ['Accept', 'text/html'],
        ['Content-Type', 'application/x-www-form-urlencoded'],
        ['Origin', `https://${clubHost}`],
        ['Referer', page],
      ];
      const sent = await anonymous().request('POST', '/app/save', { headers, body: 'text=long' });
      expect(sent.status).toBe(302);
      const target = targetOf(sent.headers.get('location'));
      expect(target).toBe('/_gatehouse/login?next=%2Fapp%2Fform%3Fid%3D7&unsent=yes');
      expect((await anonymous().get(target)).text).toContain('your form was not sent');
    });

    test('a program behind the proxy sees its own credentials and cookies, and none of Gatehouse', async () => {
      const { id, visitor } = await memberWith();
      const { body } = await club.api('POST', `/members/${id}/access-tokens`, { name: 'Script' });
      const session = visitor.cookieHeader;
      expect(session).toMatch(/gatehouse_session=.*gatehouse_device=|gatehouse_device=.*gatehouse_session=/);
      const echoOf = async (headers: [string, string][]) => {
        const echo = JSON.parse((await anonymous().get('/app/', headers)).text) as Echo;
        const values = (name: string) =>
          echo.headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
        return { cookie: values('cookie').join('; '), authorization: values('authorization') };
      };
      const basic = Buffer.from(`reader:${body.data.secret}`).toString('base64');
      for (const authorization of [`Bearer ${body.data.secret}`, `Basic ${basic}`]) {
        const seen = await echoOf([
          ['Authorization', authorization],
          ['Cookie', `first=1; ${session}; last=2`],
        ]);
        expect(seen).toEqual({ cookie: expect.stringMatching(/^first=1; last=2$/), authorization: [] });
      }
      for (const cookie of [
        `first=1; ${session}`,
        `${session}; last=2`,
        `x_gatehouse=1; ${session}; y=gatehouse_`,
      ]) {
        const seen = await echoOf([
          ['Authorization', 'Bearer of-the-program'],
          ['Cookie', cookie],
        ]);
        const own = cookie.split('; ').filter((each) => !session.split('; ').includes(each));
        expect(seen.cookie.replace(/; *$/, '')).toBe(own.join('; '));
        expect(seen.authorization).toEqual(['Bearer of-the-program']);
      }
    });

    test('a program has access with a token of a member, and gets a challenge without a right one', async () => {
      const { id } = await memberWith();
      const { body } = await club.api('POST', `/members/${id}/access-tokens`, { name: 'Reader' });
      const get = (token: string, encode: (token: string) => string) =>
        anonymous().get('/members/', [
          ['Accept', '*/*'],
          ['Authorization', encode(token)],
        ]);
      const bearer = (token: string) => `Bearer ${token}`;
      const basic = (token: string) => `Basic ${Buffer.from(`reader:${token}`).toString('base64')}`;
      for (const encode of [bearer, basic]) {
        expect(shows(await get(body.data.secret, encode))).toBe(true);
        const wrong = await get('gmt_wrong', encode);
        expect([wrong.status, shows(wrong), wrong.headers.get('location')]).toEqual([401, false, undefined]);
        expect(wrong.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
      }
      await club.api('DELETE', `/members/${id}/access-tokens/${body.data.id}`);
      expect((await get(body.data.secret, bearer)).status).toBe(401);
    });

    test('members have access to pages for paying members while they pay', async () => {
      const { id, visitor } = await memberWith({ paid: true });
      expect(shows(await visitor.get('/paying/'))).toBe(true);
      await club.api('PATCH', `/members/${id}`, { paid: false });
      expect((await visitor.get('/paying/')).status).toBe(403);
    });

    test('joining and leaving a group takes effect at the next request', async () => {
      const { id, visitor } = await memberWith();
      for (let round = 0; round < 3; round++) {
        expect((await visitor.get('/course/')).status).toBe(403);
        await club.api('POST', `/access-groups/${courseId}/members`, { memberId: id });
        expect(shows(await visitor.get('/course/'))).toBe(true);
        await club.api('DELETE', `/access-groups/${courseId}/members/${id}`);
      }
    });

    test('rules take effect at the next request', async () => {
      const visitor = anonymous();
      for (const access of ['public', 'members', 'public', 'members'] as const) {
        await club.setRules({ path: '/', access });
        expect(shows(await visitor.get('/members/'))).toBe(access === 'public');
      }
      await useRules();
    });

    test('blocking, deletion, a new email address and the end of a session take effect at the next request', async () => {
      const changes: [string, (id: string) => Promise<unknown>][] = [
        ['blocked', (id) => club.api('PATCH', `/members/${id}`, { status: 'blocked' })],
        ['deleted', (id) => club.api('DELETE', `/members/${id}`)],
        ['another address', (id) => club.api('PATCH', `/members/${id}`, { email: newAddress() })],
        ['sessions ended', (id) => club.api('DELETE', `/members/${id}/sessions`)],
      ];
      for (const [what, change] of changes) {
        const { id, visitor } = await memberWith();
        expect(shows(await visitor.get('/members/')), what).toBe(true);
        await change(id);
        const answer = await visitor.get('/members/');
        expect([what, shows(answer), answer.status]).toEqual([what, false, 302]);
        expect(shows(await visitor.get('/app/')), what).toBe(false);
      }
    });

    test('logging out ends the session in this browser and no other', async () => {
      const { id, visitor } = await memberWith();
      const elsewhere = await loggedIn(proxied, await club.linkOf(id));
      const copy = visitor.twin();
      expect((await visitor.post('/_gatehouse/logout', {})).status).toBe(200);
      // The browser stays known, which gives no access.
      expect(visitor.cookieHeader).toMatch(/__Host-gatehouse_device=[^;]+/);
      expect(visitor.cookieHeader).not.toMatch(/gatehouse_(?:session|login)=/);
      expect(shows(await copy.get('/members/'))).toBe(false);
      expect(shows(await elsewhere.get('/members/'))).toBe(true);
    });

    test('the app receives the member in headers that can contain any name', async () => {
      const email = newAddress();
      const displayName = 'Zoë, "Ada" Löwe; レーヴェ=%0d%0a';
      const id = await club.createMember(email, { displayName, accessGroupIds: [courseId] });
      const visitor = await loggedIn(proxied, await club.linkOf(id));
      const { headers } = await echoOf(visitor.get('/app/x?y=1'));
      const sent = Object.fromEntries(headers.filter(([name]) => /^remote/i.test(name)));
      expect(sent).toEqual({
        'Remote-User': id,
        'Remote-Email': email,
        'Remote-Name': encodeURIComponent(displayName),
        'Remote-Groups': encodeURIComponent('Course, 2026'),
      });
    });

    test('Remote-User and similar headers of a visitor never reach the app', async () => {
      const { id, visitor } = await memberWith();
      const spellings = ['User', 'Email', 'Name', 'Groups', 'Page-Code', 'Page_Code'].flatMap((field) => [
        `Remote-${field}`,
        `remote-${field.toLowerCase()}`,
        `REMOTE-${field.toUpperCase()}`,
        `Remote_${field}`,
        `remote_${field.toLowerCase()}`,
        `REMOTE_${field.toUpperCase()}`,
        `rEmOtE-${field}`,
        `Remote-${field}`,
        // CGI and similar interfaces read each of these characters as an underscore.
        ...[..."!#$%&'*+.^`|~"].map((character) => `Remote${character}${field}`),
      ]);
      const forged = 'forged-by-the-visitor';
      const attempts: HeaderLines[] = [
        ...spellings.map((name): HeaderLines => [[name, forged]]),
        ...spellings.map(
          (name): HeaderLines => [
            [name, forged],
            [name, forged],
          ],
        ),
        spellings.map((name) => [name, forged] as const),
        [['Connection', 'Remote-User, Remote-Groups'], ...spellings.map((name) => [name, forged] as const)],
      ];
      for (const [who, target] of [
        [anonymous(), '/app/public'],
        [visitor, '/app/public'],
        [visitor, '/app/'],
      ] as const) {
        for (const headers of attempts) {
          const echo = await echoOf(who.get(target, headers));
          expect(JSON.stringify(echo)).not.toContain(forged);
          const users = echo.headers.filter(([name]) => /^remote[^a-z0-9]user$/i.test(name));
          expect(users.map(([, value]) => value).filter((value) => value !== '')).toEqual(
            who === visitor ? [id] : [],
          );
        }
      }
    });

    test('no header of a visitor changes the path that a program reads', async () => {
      const names = ['SCRIPT_NAME', 'Script-Name', 'PATH_INFO', 'Daphne-Root-Path', 'X-Script-Name'];
      for (const name of names) {
        const { text } = await anonymous().get('/app/public', [[name, '/forged']]);
        expect([name, text.includes('/forged')]).toEqual([name, false]);
      }
    });

    test('a cookie whose name begins with another space is not the session', async () => {
      const { visitor } = await memberWith();
      const head = `GET /app/x HTTP/1.1\r\nHost: ${clubHost}\r\nAccept: text/html\r\nConnection: close\r\n`;
      const [session] = /__Host-gatehouse_session=[^;]+/.exec(visitor.cookieHeader)!;
      const request = Buffer.from(`${head}Cookie: \u00a0${session}\r\n\r\n`, 'latin1');
      expect(await sendBytes(proxied, request)).toMatch(/^HTTP\/1\.1 (?:302|400)/);
    });

    test('no trailer field of a visitor reaches the app as a header', async () => {
      const { id, visitor } = await memberWith();
      const cookies = `Cookie: ${visitor.cookieHeader}\r\n`;
      for (const name of ['Remote-User', 'Remote_User', 'Remote.User', 'X-Forwarded-Host']) {
        const answer = await sendBytes(
          proxied,
          `POST /app/x HTTP/1.1\r\nHost: ${clubHost}\r\n${cookies}Trailer: ${name}\r\nTE: trailers\r\n` +
            `Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n1\r\nx\r\n0\r\n${name}: forged\r\n\r\n`,
        );
        expect([name, answer.includes(id), answer.includes('forged')]).toEqual([name, true, false]);
      }
    });

    test('a form reaches the app unchanged, and only with access', async () => {
      const { visitor } = await memberWith();
      const body = 'x'.repeat(100_000);
      const echo = await echoOf(visitor.request('POST', '/app/form', { body }));
      expect([echo.method, echo.body.length]).toEqual(['POST', body.length]);
      expect(shows(await anonymous().request('POST', '/app/form', { body }))).toBe(false);
    });

    test('a WebSocket reaches the app, and only with access', async () => {
      const { id, visitor } = await memberWith();
      const socket = await openWebSocket(proxied, '/app/live', visitor.cookieHeader);
      expect(JSON.parse(await socket.next())).toEqual({ secret: club.secret, user: id });
      socket.send('x'.repeat(100_000));
      expect(await socket.next()).toHaveLength(100_000);
      socket.close();
      await expect(openWebSocket(proxied, '/app/live', '')).rejects.toThrow(/30[0-9]|401/);
      await club.api('PATCH', `/members/${id}`, { status: 'blocked' });
      await expect(openWebSocket(proxied, '/app/live', visitor.cookieHeader)).rejects.toThrow(/30[0-9]|401/);
    });

    test('a connection is upgraded to nothing but a WebSocket', async () => {
      const protocols = ['h2c', 'h2c, websocket', 'websocket, h2c', 'TLS/1.0', 'websocket2', ' h2c'];
      const connections = ['Upgrade', 'Upgrade, HTTP2-Settings', 'keep-alive, upgrade'];
      const attempts = [...protocols, 'h2c\r\nUpgrade: websocket', 'websocket\r\nUpgrade: h2c'].flatMap(
        (upgrade) => connections.map((connection) => `Connection: ${connection}\r\nUpgrade: ${upgrade}\r\n`),
      );
      const head = `GET /app/public HTTP/1.1\r\nHost: ${clubHost}\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n`;
      const answers = await Promise.all(
        attempts.map((attempt) => sendBytes(proxied, `${head}${attempt}\r\n`)),
      );
      for (const [index, answer] of answers.entries()) {
        // A WebSocket is refused without its key.
        expect([attempts[index], /^HTTP\/1\.1 (?:200|400|426)/.test(answer)]).toEqual([
          attempts[index],
          true,
        ]);
        expect(answer).not.toContain(club.secret);
      }
    });

    test('the paths for the proxy do not exist for visitors', async () => {
      const { visitor } = await memberWith();
      for (const name of [
        'auth',
        'forward-auth',
        'denied',
        '%61uth',
        'x/../auth',
        './denied',
        'forward%2Dauth',
      ]) {
        const headers: HeaderLines = [
          ['X-Original-URI', '/members/'],
          ['X-Forwarded-Uri', '/members/'],
          ['X-Forwarded-Host', clubHost],
        ];
        const answer = await visitor.get(`/_gatehouse/${name}`, headers);
        expect([name, answer.status]).toEqual([name, 404]);
        expect(answer.headers.has('remote-user')).toBe(false);
      }
      // Nor can they reach the API, which is not configured in the proxy.
      expect((await visitor.get('/api/v1/site')).status).toBe(404);
      expect((await visitor.get('/_gatehouse/../api/v1/site')).text).not.toContain('"error"');
    });

    test('forged headers about the host, the path or the sender give no access', async () => {
      const { visitor: member } = await memberWith();
      const attackerId = await club.createMember('mallory@example.com', {}, club.openApi);
      const otherSite = { ...proxied, host: openHost };
      const attacker = await loggedIn(otherSite, await club.linkOf(attackerId, club.openApi));
      expect(await attacker.get('/')).toMatchObject({
        status: 200,
        text: expect.stringContaining('for everybody'),
      });
      const senders = [
        { target: '/course/', cookie: '' },
        { target: '/course/', cookie: member.cookieHeader },
        { target: '/course/', cookie: attacker.cookieHeader },
        { target: '/app/', cookie: '' },
        { target: '/app/', cookie: attacker.cookieHeader },
      ];
      // The server name of the TLS connection is the site's, or the other site's.
      for (const [connectedTo, attempts] of [
        [proxied, [...forgeries(), ...oddForgeries()]],
        [otherSite, [...forgeries(), ...(effort.oddForgeriesToOtherSite ? oddForgeries() : [])]],
      ] as const) {
        for (const headers of attempts) {
          const host: HeaderLines = headers.some(([name]) => /^host$/i.test(name))
            ? []
            : [['Host', clubHost]];
          const answers = await Promise.all(
            senders.map(({ target, cookie }) => {
              const cookies: HeaderLines = cookie === '' ? [] : [['Cookie', cookie]];
              return new Visitor(connectedTo).get(target, [...headers, ...cookies, ...host]);
            }),
          );
          expect([headers, answers.map(shows)]).toEqual([headers, senders.map(() => false)]);
        }
      }
    });

    test('forged headers do not change the URL in an email', async () => {
      const email = newAddress();
      await club.createMember(email);
      const forged: HeaderLines = [
        ['X-Forwarded-Host', 'evil.example'],
        ['X-Forwarded-Proto', 'http'],
        ['Forwarded', 'host=evil.example'],
        ['Content-Type', 'application/x-www-form-urlencoded'],
      ];
      const body = new URLSearchParams({ email, next: '//evil.example/' }).toString();
      const answer = await anonymous().request('POST', '/_gatehouse/login', { headers: forged, body });
      expect(answer.status).toBe(303);
      const { text } = await club.mailbox.next();
      expect(text).toContain(`https://${clubHost}/_gatehouse/link/`);
      expect(text).not.toContain('evil');
    });

    const trees = {
      'a group': () =>
        club.setRules(
          { path: '/', access: 'public' },
          { path: '/members', access: 'groups', groupIds: [courseId] },
        ),
      'all but one path': () => club.setRules({ path: '/public', access: 'public' }),
      'a program for a group': () =>
        club.setRules(
          { path: '/', access: 'public' },
          { path: '/members', access: 'groups', groupIds: [courseId], programPaths: true },
        ),
      'all but one program': () =>
        club.setRules(
          { path: '/', access: 'paying_members' },
          { path: '/public', access: 'public', programPaths: true },
        ),
      'a site that is a program': () =>
        club.setRules({ path: '/', access: 'paying_members', programPaths: true }),
      'names that begin alike': () =>
        club.setRules(
          { path: '/', access: 'public' },
          { path: '/memb*', access: 'groups', groupIds: [courseId] },
        ),
      'all but the home page and names that begin alike': () =>
        club.setRules(
          { path: '/', access: 'paying_members' },
          { path: '/', appliesTo: 'page', access: 'public' },
          { path: '/publi*', access: 'public' },
        ),
    };

    describe.each(Object.entries(trees))('rules for %s', (tree, use) => {
      test('no trick with a path gives access to pages of a group, or to pages outside the rules', async () => {
        const { visitor: member } = await memberWith();
        await use();
        const visitors = tree === 'all but one path' ? [anonymous()] : [anonymous(), member];
        for (const visitor of visitors) {
          const answers = await visitor.getAll(pathTricks.map(({ target }) => target));
          expect(pathTricks.filter((_, index) => shows(answers[index]!))).toEqual([]);
        }
        await useRules();
      });
    });

    /** A page code, and a browser in which it was entered. */
    const aCode = async (label: string) => (await club.api('POST', '/page-codes', { label })).body.data;
    const withCode = async ({ code }: { code: string }) => {
      const visitor = anonymous();
      const entered = await submit(visitor, await visitor.get('/_gatehouse/page-code'), { code });
      expect(entered.status).toBe(303);
      return visitor;
    };

    test('a code opens its page until it is revoked, and the app receives its label and no member', async () => {
      const code = await aCode('Class 7b, été');
      await club.setRules(
        { path: '/', access: 'public' },
        ...['/members', '/app'].map((path) => ({ path, access: 'code' as const, pageCodeIds: [code.id] })),
      );
      const { visitor } = await memberWith();
      const requested = await visitor.get('/members/?a=1', asPage);
      const target = targetOf(requested.headers.get('location'));
      expect([requested.status, target]).toEqual([302, '/_gatehouse/page-code?next=%2Fmembers%2F%3Fa%3D1']);
      const entered = await submit(visitor, await visitor.get(target), { code: code.code });
      expect(targetOf(entered.headers.get('location'))).toBe('/members/?a=1');
      expect(entered.cookies.join()).toMatch(/__Host-gatehouse_pass=[\w-]{43}; Path=\/;.*HttpOnly.*Secure/i);
      expect(shows(await visitor.get('/members/?a=1'))).toBe(true);
      const answer = await visitor.get('/app/x');
      const { headers } = JSON.parse(answer.text) as Echo;
      const sent = headers.filter(([name, value]) => /^remote/i.test(name) && value !== '');
      expect(sent).toEqual([['Remote-Page-Code', encodeURIComponent('Class 7b, été')]]);
      expect(JSON.stringify(headers)).not.toContain('gatehouse_pass');
      expect(answer.headers.get('cache-control')).toMatch(/private, no-cache$/);
      await club.api('DELETE', `/page-codes/${code.id}`);
      expect(shows(await visitor.get('/members/'))).toBe(false);
      expect((await visitor.get('/app/x')).status).toBe(302);
      await useRules();
    });

    test('no trick with a path gives access to pages that open with another code', async () => {
      const [own, other] = [await aCode('Own'), await aCode('Other')];
      const visitor = await withCode(own);
      const opensWith = (path: string, ...codes: { id: string }[]) =>
        ({ path, access: 'code', pageCodeIds: codes.map(({ id }) => id) }) as const;
      const codeTrees = [
        [{ path: '/', access: 'public' } as const, opensWith('/members', other)],
        [opensWith('/', other), opensWith('/public', own, other)],
      ];
      for (const tree of codeTrees) {
        await club.setRules(...tree);
        const answers = await visitor.getAll(pathTricks.map(({ target }) => target));
        expect(pathTricks.filter((_, index) => shows(answers[index]!))).toEqual([]);
      }
      await useRules();
    });

    test('below a rule for a program, paths reach it byte by byte', async () => {
      const targets = pathsOfPrograms.map((path) => `/app/public${path}`);
      const urlsFor = async (programPaths: boolean) => {
        await club.setRules({ path: '/app/public', access: 'public', programPaths });
        const answers = await anonymous().getAll(targets);
        return answers.map(({ status, text }) => (status === 200 ? JSON.parse(text).url : status));
      };
      expect(await urlsFor(true)).toEqual(targets);
      expect(await urlsFor(false)).toEqual(targets.map(() => 403));
      await useRules();
    });

    test('a page of a group is not shown under another name by which the program finds it', async () => {
      const { visitor: member } = await memberWith();
      const { visitor: inGroup } = await memberWith({ accessGroupIds: [courseId] });
      const everything = { path: '/', access: 'public' } as const;
      const shownTo = async (visitor: Visitor) => {
        const answers = await visitor.getAll(otherAddresses);
        return otherAddresses.filter((_, index) => shows(answers[index]!));
      };
      await club.setRules(everything);
      expect((await shownTo(anonymous())).length).toBeGreaterThan(60);
      const ofGroup = { access: 'groups' as const, groupIds: [courseId] };
      const paths = { named: ['/app/pages/members', '/app/pages/my-course'], alike: ['/app/pages/m*'] };
      for (const [kind, own] of Object.entries(paths)) {
        await club.setRules(everything, ...own.map((path) => ({ path, ...ofGroup })));
        for (const visitor of [anonymous(), member])
          expect([kind, await shownTo(visitor)]).toEqual([kind, []]);
        expect(shows(await inGroup.get('/app/pages/members/minutes/'))).toBe(true);
      }
      await club.setRules(everything, { path: '/app/pages/members', ...ofGroup });
      for (const name of ['members-2', 'membership', 'members_archive', 'member'])
        expect([name, (await anonymous().get(`/app/pages/${name}/`)).status]).toEqual([name, 200]);
      await useRules();
    });

    test('no trick with a request gives access to pages for members', async () => {
      for (const use of [useProgramRules, useRules]) {
        await use();
        for (const target of ['/members/', '/app/']) {
          // Only a program may answer preflights, and what it answers with is its own. nginx passes it all of them.
          const isForProgram = optIns.preflights && (proxy.name === 'nginx' || target === '/app/');
          const tricks = httpTricks(target).filter(({ note }) => !isForProgram || note !== 'a preflight');
          const answers = await Promise.all(tricks.map(({ request }) => sendBytes(proxied, request)));
          const opened = tricks.filter((_, index) => answers[index]!.includes(club.secret));
          expect([target, opened.map(({ note }) => note)]).toEqual([target, []]);
        }
      }
    });

    test('paths that look like the login pages are checked like any other', async () => {
      await club.setRules({ path: '/', access: 'members' });
      const { visitor: member } = await memberWith();
      for (const target of ['/_gatehouse-news/', '/_gatehouse.html', '/members/_gatehouse/']) {
        expect([target, shows(await member.get(target))]).toEqual([target, true]);
        const answer = await anonymous().get(target, asPage);
        expect([target, answer.status, shows(answer)]).toEqual([target, 302, false]);
      }
      await useRules();
    });

    test('no request is redirected to another host', async () => {
      const { visitor: member } = await memberWith();
      const headerLines: HeaderLines[] = [
        [],
        [['X-Forwarded-Prefix', '//evil.example']],
        [['X-Forwarded-Host', 'evil.example']],
        [['X-Forwarded-Proto', 'javascript']],
        [['X-Auth-Request-Redirect', 'https://evil.example/']],
      ];
      let redirects = 0;
      for (const visitor of [anonymous(), member]) {
        for (const target of redirectTricks) {
          const answers = await Promise.all(
            headerLines.map((headers) => visitor.get(target, [...asPage, ...headers])),
          );
          const plain = await sendPlainly(
            running.httpPort,
            `GET ${target} HTTP/1.1\r\nHost: ${clubHost}\r\n`,
          );
          // An absolute URL names the host itself.
          const fromHttp = target.startsWith('/') ? [...plain.matchAll(/^Location: (.*)\r$/gim)] : [];
          const locations = [
            ...answers.map(({ headers }) => headers.get('location')),
            ...fromHttp.map(([, location]) => location),
          ].filter((location) => location !== undefined);
          redirects += locations.length;
          const hosts = locations.map((location) => new URL(location, `https://${clubHost}`).hostname);
          expect([target, hosts.filter((host) => host !== clubHost)]).toEqual([target, []]);
          const cookies = [
            ...answers.flatMap((answer) => answer.cookies),
            ...(plain.match(/^Set-Cookie/gim) ?? []),
          ];
          expect([target, cookies]).toEqual([target, []]);
        }
      }
      expect(redirects).toBeGreaterThan(10);
    });

    test('a request to upgrade the connection is checked, and denied once the session has ended', async () => {
      const { id, visitor } = await memberWith();
      const upgrade = () =>
        sendBytes(
          proxied,
          `GET /app/socket HTTP/1.1\r\nHost: ${clubHost}\r\nCookie: ${visitor.cookieHeader}\r\nConnection: Upgrade\r\n` +
            'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
        );
      expect(await upgrade()).toContain(club.secret);
      await club.api('DELETE', `/members/${id}/sessions`);
      expect(await upgrade()).not.toContain(club.secret);
    });

    test('nor does one over HTTP/2', async () => {
      const paths = pathTricks.map(({ target }) => target);
      const forged = ['members/', '/members/', 'https://club.example.org/members/', '/app/'];
      const heads = [...paths, ...forged].map((target) => ({ ':authority': clubHost, ':path': target }));
      const odd = [
        { ':authority': openHost, ':path': '/members/', host: clubHost },
        { ':authority': clubHost, ':path': '/members/', host: openHost },
        { ':authority': `${openHost}@${clubHost}`, ':path': '/members/' },
        { ':authority': `${clubHost}:1`, ':path': '/members/' },
        { ':authority': clubHost, ':path': '/members/', ':scheme': 'http' },
        {
          ':authority': clubHost,
          ':path': '/members/',
          'x-forwarded-host': openHost,
          'x-original-uri': '/public',
        },
        {
          ':authority': clubHost,
          ':path': '/app/',
          'x-forwarded-uri': '/public',
          'x-forwarded-for': '127.0.0.1',
        },
      ];
      for (const use of [useProgramRules, useRules]) {
        await use();
        for (const head of [{ ':authority': clubHost, ':path': '/public/' }, ...heads, ...odd]) {
          const text = await sendOverHttp2(proxied, head);
          expect([head, text.includes(club.secret)]).toEqual([head, false]);
          if (head[':path'] === '/public/') expect(text).toContain('for everybody');
        }
      }
    });

    test('the tricks work: without the gate many of them reach the pages', async () => {
      const open = await proxy.start(club.upstreams, proxy.withoutGate);
      try {
        const openSite = { ...proxied, port: open.httpsPort };
        const answers = await new Visitor(openSite).getAll(pathTricks.map(({ target }) => target));
        const requests = await Promise.all(
          httpTricks('/members/').map(({ request }) => sendBytes(openSite, request)),
        );
        // Most of the path tricks target other kinds of servers.
        const reached = (texts: string[]) => texts.filter((text) => text.includes(club.secret)).length;
        expect(reached(answers.map(({ text }) => text))).toBeGreaterThan(5);
        expect(reached(requests)).toBeGreaterThan(20);
      } finally {
        await open.stop();
      }
    });

    test('pages whose names begin alike are for paying members, and no path trick opens them', async () => {
      await club.setRules(
        { path: '/', access: 'members' },
        { path: '/public', access: 'public' },
        { path: '/members/n*', access: 'paying_members' },
      );
      const [paying, other] = [await memberWith({ paid: true }), await memberWith()];
      for (const target of ['/members/news.html', '/members/news.html?x=1']) {
        expect([target, shows(await paying.visitor.get(target))]).toEqual([target, true]);
        expect([target, (await other.visitor.get(target, asPage)).status]).toEqual([target, 403]);
        expect([target, (await anonymous().get(target, asPage)).status]).toEqual([target, 302]);
      }
      expect(shows(await other.visitor.get('/members/'))).toBe(true);
      const targets = pathTricks.map(({ target }) => target);
      const answers = await anonymous().getAll(targets);
      expect(targets.filter((_, index) => shows(answers[index]!))).toEqual([]);
      await useRules();
    });

    test('a public home page on a site for members shows nothing else, whatever the request', async () => {
      await club.setRules(
        { path: '/', access: 'members' },
        { path: '/', appliesTo: 'page', access: 'public', queryParameters: ['lang'] },
        { path: '/app', appliesTo: 'page', access: 'public' },
      );
      for (const target of ['/', '/?lang=en', '/index.html']) {
        expect(await anonymous().get(target)).toMatchObject({
          status: 200,
          text: expect.stringContaining('for everybody'),
        });
      }
      expect((await anonymous().request('HEAD', '/')).status).toBe(200);
      expect(shows(await anonymous().get('/app/'))).toBe(true);
      for (const target of ['/?p=7', '/?lang=en&p=7', '/public/', '/app/?p=7', '/app/below', '/members/'])
        expect([target, (await anonymous().get(target, asPage)).status]).toEqual([target, 302]);
      for (const headers of [[], ...methodForgeries]) {
        const answer = await anonymous().request('POST', '/app/', { headers, body: 'a=b' });
        expect([headers, shows(answer)]).toEqual([headers, false]);
      }
      const overrides = [
        'X-HTTP-Method-Override',
        'X-HTTP-Method',
        'X-Method-Override',
        'X-HTTP_Method-Override',
      ];
      for (const name of overrides) {
        const { text } = await anonymous().get('/app/', [[name, 'POST']]);
        // nginx drops names with an underscore.
        expect([name, text.includes(club.secret) && /http.method|method.override/i.test(text)]).toEqual([
          name,
          false,
        ]);
      }
      await expect(openWebSocket(proxied, '/app/', '')).rejects.toThrow(/30[0-9]|401/);
      const { visitor } = await memberWith();
      expect(shows(await visitor.request('POST', '/app/?p=7', { body: 'a=b' }))).toBe(true);
      await useRules();
    });

    test('a rule with alternatives allows those who meet one of them', async () => {
      await club.setRules({
        path: '/course',
        access: 'conditional',
        anyOf: [{ access: 'members', groupIds: [courseId] }, { access: 'paying_members' }],
      });
      const { id, visitor } = await memberWith();
      expect((await anonymous().get('/course/', asPage)).status).toBe(302);
      expect((await visitor.get('/course/')).status).toBe(403);
      await club.api('POST', `/access-groups/${courseId}/members`, { memberId: id });
      expect(shows(await visitor.get('/course/'))).toBe(true);
      await club.api('DELETE', `/access-groups/${courseId}/members/${id}`);
      expect((await visitor.get('/course/')).status).toBe(403);
      await club.api('PATCH', `/members/${id}`, { paid: true });
      expect(shows(await visitor.get('/course/'))).toBe(true);
      await useRules();
    });

    test('a rule with networks knows the address of the visitor, which no header changes', async () => {
      const fromNetwork = (network: string) =>
        club.setRules({
          path: '/members',
          access: 'conditional',
          anyOf: [{ access: 'public', networks: [network] }],
        });
      await fromNetwork('127.0.0.0/30');
      const from = (address: string) => new Visitor({ ...proxied, from: address }).get('/members/');
      expect(shows(await from('127.0.0.2'))).toBe(true);
      expect(shows(await from('127.0.0.4'))).toBe(false);
      // The address of a trusted proxy says nothing of the visitor.
      expect(shows(await from('127.0.0.1'))).toBe(false);
      await fromNetwork('192.0.2.0/24');
      for (const headers of [[], ...addressForgeries]) {
        const visitor = new Visitor({ ...proxied, from: '127.0.0.2' });
        const answer = await visitor.get('/members/', headers);
        expect([headers, answer.status, shows(answer)]).toEqual([headers, 403, false]);
      }
      await useRules();
    });

    test('a missing page is reported as missing to visitors with access', async () => {
      const { visitor } = await memberWith();
      for (const target of ['/members/nothing.html', '/public/nothing', '/empty/nothing/']) {
        expect([target, (await visitor.get(target)).status]).toEqual([target, 404]);
      }
      expect((await anonymous().get('/members/nothing.html')).status).toBe(302);
      // A folder without an index page must not cause a redirect loop.
      const folder = await visitor.get('/empty/');
      expect(folder.headers.get('location')).toBeUndefined();
      expect([403, 404]).toContain(folder.status);
    });

    test('while Gatehouse is down access is denied, and allowed again as soon as it is up', async () => {
      const { visitor } = await memberWith();
      await club.stopGatehouse();
      for (const target of ['/', '/members/', '/app/', '/app/public', '/course/']) {
        const answer = await visitor.get(target);
        expect([target, answer.status]).toEqual([target, 503]);
        expect(answer.headers.get('retry-after')).toBeDefined();
        expect(answer.text).not.toContain('for everybody');
        expect(shows(answer)).toBe(false);
      }
      await club.startGatehouse();
      expect(shows(await visitor.get('/members/'))).toBe(true);
      expect((await anonymous().get('/')).status).toBe(200);
      expect(shows(await anonymous().get('/members/'))).toBe(false);
    });
  });
}

let addresses = 0;

function newAddress(): string {
  addresses += 1;
  return `member-${addresses}@example.com`;
}

async function echoOf(answer: Promise<Answer>): Promise<Echo> {
  const { status, text } = await answer;
  expect(status, text).toBe(200);
  return JSON.parse(text);
}

const asPage: HeaderLines = [['Accept', 'text/html']];

/** Targets that a proxy may redirect, to another host if it copies them into the URL. */
const redirectTricks = [
  '//evil.example',
  '//evil.example/',
  '///evil.example/',
  '//evil.example/%2e%2e',
  '/..//evil.example/',
  '/\\evil.example/',
  '/%5cevil.example/',
  '/%5C%5Cevil.example/%252e%252e%252f',
  '/%09/evil.example/',
  '/%0d%0aLocation:%20https://evil.example/',
  '/%0d%0aSet-Cookie:%20x=y',
  '/members//evil.example/..',
  'http://evil.example/members',
  '/members?//evil.example',
  '/members',
  '/empty',
  '/empty//evil.example',
  '//evil.example/%2F..',
  '/public/..%2F%5cevil.example%2F%3f%2F..%2F..',
];

/** Headers about the method that a visitor may forge. */
const methodForgeries: HeaderLines[] = [
  [['X-Original-Method', 'GET']],
  [['X-Forwarded-Method', 'GET']],
  [
    ['X-Original-Method', 'GET'],
    ['X-Forwarded-Method', 'GET'],
    ['x-forwarded-method', 'GET'],
  ],
  [
    ['Connection', 'X-Original-Method, X-Forwarded-Method'],
    ['X-Forwarded-Method', 'GET'],
  ],
];

/** Headers about the address that a visitor may forge. */
const addressForgeries: HeaderLines[] = [
  ...['X-Forwarded-For', 'X-Real-IP', 'CF-Connecting-IP', 'True-Client-IP', 'X-Client-IP'].map(
    (name): HeaderLines => [[name, '192.0.2.7']],
  ),
  [['X-Forwarded-For', '192.0.2.7, 127.0.0.1']],
  [['X-Forwarded-For', 'a']],
  [['X-Forwarded-For', '192.0.2.7, a']],
  [
    ['X-Forwarded-For', '192.0.2.7'],
    ['X-Forwarded-For', '127.0.0.1'],
  ],
  [['Forwarded', 'for=192.0.2.7']],
  [['Connection', 'X-Forwarded-For']],
];

/** Headers about the host, the path or the sender that a visitor may forge. */
const forged: HeaderLines = [
  ['X-Forwarded-Host', openHost],
  ['X-Forwarded-Host', `${openHost}, ${openHost}`],
  ['X-Forwarded-Host', `${clubHost}, ${openHost}`],
  ['X-Forwarded-Server', openHost],
  ['X-Host', openHost],
  ['X-Original-Host', openHost],
  ['X-Original-URI', '/public/'],
  ['X-Original-URI', '/_gatehouse/login'],
  ['X-Original-URL', '/public/'],
  ['X-Rewrite-URL', '/public/'],
  ['X-Forwarded-Uri', '/public/'],
  ['X-Forwarded-Uri', '/_gatehouse/login'],
  ['X-Forwarded-Path', '/public/'],
  ['X-Forwarded-Prefix', '/public'],
  ['X-Forwarded-Port', '443'],
  ['X-Envoy-Original-Path', '/public/'],
  ['X-Replaced-Path', '/public/'],
  ['X.Forwarded.Host', openHost],
  ['X.Original.URI', '/public/'],
  ['X-Forwarded-Method', 'OPTIONS'],
  ['X-Forwarded-Proto', 'http'],
  ['X-Forwarded-For', '127.0.0.1'],
  ['X-Forwarded-For', '127.0.0.1, 127.0.0.1, ::1'],
  ['X-Real-IP', '127.0.0.1'],
  ['Forwarded', `for=127.0.0.1;host=${openHost};proto=https`],
  ['Host', openHost],
  ['Host', `${openHost}:443`],
  ['Host', clubHost.toUpperCase()],
  ['Host', `${clubHost}.`],
  ['Remote-User', '01980a34-19e7-7a90-8c6b-d3f1a5b2c4e6'],
];
const withoutHost: HeaderLines = forged.filter(([name]) => name !== 'Host');

/** No forged header, each alone, all together, and two hosts. */
function forgeries(): HeaderLines[] {
  return [
    [],
    ...forged.map((header): HeaderLines => [header]),
    withoutHost,
    [
      ['Host', clubHost],
      ['Host', openHost],
    ],
    [
      ['Host', openHost],
      ['Host', clubHost],
    ],
  ];
}

/** Each forged header twice, in odd spellings, and named as one that the proxy must not forward. */
function oddForgeries(): HeaderLines[] {
  const spelled = ([name, value]: HeaderLines[number]): HeaderLines[] => [
    [[name.toLowerCase(), value]],
    [[name.toUpperCase(), value]],
    [[name.replaceAll('-', '_'), value]],
  ];
  return [
    ...forged.map((header): HeaderLines => [header, header]),
    ...withoutHost.flatMap(spelled),
    ...withoutHost.map(
      ([name, value]): HeaderLines => [
        [name, value],
        ['Connection', name],
      ],
    ),
  ];
}

function sendPlainly(port: number, head: string): Promise<string> {
  const socket = createConnection(port, '127.0.0.1');
  socket.write(`${head}Connection: close\r\n\r\n`);
  return new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('latin1').on('data', (data) => {
      text += data;
    });
    socket.on('end', () => resolve(text)).on('error', reject);
  });
}
