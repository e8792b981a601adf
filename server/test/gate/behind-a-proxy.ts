import { createConnection } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Club,
  clubHost,
  type Echo,
  followLink,
  loggedIn,
  openHost,
  startClub,
  submit,
  targetOf,
} from './club.ts';
import { httpTricks } from './http-tricks.ts';
import { pathTricks } from './path-tricks.ts';
import type { ProxyProgram, RunningProxy } from './proxies.ts';
import { type Answer, type Door, type HeaderLines, sendBytes, sendOverHttp2, Visitor } from './visitor.ts';

/**
 * What has to hold behind a proxy with the configuration of its guide. On SQLite alone, as the proxy cannot tell which
 * store there is.
 */
export function testBehind(proxy: ProxyProgram): void {
  describe.skipIf(proxy.leftOut())(`behind ${proxy.name}`, () => {
    let club: Club;
    let running: RunningProxy;
    let door: Door;
    let courseId: string;
    beforeAll(async () => {
      club = await startClub();
      running = await proxy.start(club.place, proxy.withSecondSite);
      door = { port: running.httpsPort, host: clubHost, certificate: club.certificate };
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
    const stranger = () => new Visitor(door);
    /** A new member, with a browser in which he or she is logged in. */
    const memberWith = async (fields: object = {}) => {
      const id = await club.createMember(newAddress(), fields);
      return { id, visitor: await loggedIn(door, await club.linkOf(id)) };
    };
    const shows = (answer: Answer) => answer.text.includes(club.secret);

    test('everybody sees what is public, and the way there is encrypted', async () => {
      const page = await stranger().get('/');
      expect(page).toMatchObject({ status: 200, text: expect.stringContaining('for everybody') });
      expect(page.headers.get('cache-control')).toBe('private, no-cache');
      const plain = await sendPlainly(
        running.httpPort,
        `GET /members/?x=1 HTTP/1.1\r\nHost: ${clubHost}\r\n`,
      );
      expect(plain).toMatch(/^HTTP\/1\.1 308 /);
      expect(plain).toMatch(/\r\nLocation: https:\/\/club\.example\.org(:\d+)?\/members\/\?x=1\r\n/i);
    });

    test('a stranger is sent to log in, gets one mail, and comes back where the way led', async () => {
      const email = newAddress();
      await club.createMember(email);
      const visitor = stranger();
      const asked = '/members/news.html?page=2&sort=%C3%A4';
      const sentAway = await visitor.get(asked, [['Accept', 'text/html']]);
      expect(sentAway.status).toBe(302);
      const loginTarget = targetOf(sentAway.headers.get('location'));
      expect(loginTarget).toBe(`/_gatehouse/login?next=${encodeURIComponent(asked)}`);
      const loginPage = await visitor.get(loginTarget);
      expect(loginPage.status).toBe(200);
      const sent = await submit(visitor, loginPage, { email });
      expect(sent.status).toBe(303);
      expect((await visitor.get(targetOf(sent.headers.get('location')))).text).toContain(email);

      const mail = await club.mailbox.next();
      expect(mail).toMatchObject({ recipients: [email], to: email });
      const link = /^https:\/\/club\.example\.org\/_gatehouse\/link\/\S+$/m.exec(mail.text)![0];
      // A scanner opens it first, and changes nothing.
      expect((await stranger().get(targetOf(link))).status).toBe(200);
      const pressed = await followLink(visitor, link);
      expect(pressed.cookies.join()).toMatch(/__Host-gatehouse_session=[^;]+; Path=\/;.*HttpOnly.*Secure/i);
      expect(targetOf(pressed.headers.get('location'))).toBe(asked);
      expect(await visitor.get(asked)).toMatchObject({
        status: 200,
        text: expect.stringContaining(club.secret),
      });
      expect((await stranger().get(asked)).status).toBe(302);
      expect(club.mailbox.mails).toHaveLength(1);
    });

    test('the code of the mail logs in, in the browser that asked', async () => {
      const email = newAddress();
      await club.createMember(email);
      const visitor = stranger();
      const before = club.mailbox.mails.length;
      const sent = await submit(visitor, await visitor.get('/_gatehouse/login?next=%2Fmembers%2F'), {
        email,
      });
      const checkPage = await visitor.get(targetOf(sent.headers.get('location')));
      const { text } = await club.mailbox.next();
      const code = /^ *(\d{3} ?\d{3}) *$/m.exec(text)![1]!;
      const done = await submit(visitor, checkPage, { code });
      expect(targetOf(done.headers.get('location'))).toBe('/members/');
      expect(shows(await visitor.get('/members/'))).toBe(true);
      expect(club.mailbox.mails).toHaveLength(before + 1);
    });

    test('a program that cannot log in is told so, and a member without access why', async () => {
      const asked = await stranger().get('/members/', [['Accept', 'application/json']]);
      expect(asked.status).toBe(401);
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

    test('paying members see paying pages, as long as they pay', async () => {
      const { id, visitor } = await memberWith({ paid: true });
      expect(shows(await visitor.get('/paying/'))).toBe(true);
      await club.api('PATCH', `/members/${id}`, { paid: false });
      expect((await visitor.get('/paying/')).status).toBe(403);
    });

    test('a group opens its pages at the next request, and shuts them at the next', async () => {
      const { id, visitor } = await memberWith();
      for (let round = 0; round < 3; round++) {
        expect((await visitor.get('/course/')).status).toBe(403);
        await club.api('POST', `/access-groups/${courseId}/members`, { memberId: id });
        expect(shows(await visitor.get('/course/'))).toBe(true);
        await club.api('DELETE', `/access-groups/${courseId}/members/${id}`);
      }
    });

    test('rules hold from the next request on', async () => {
      const visitor = stranger();
      for (const access of ['public', 'members', 'public', 'members'] as const) {
        await club.setRules({ path: '/', access });
        expect(shows(await visitor.get('/members/'))).toBe(access === 'public');
      }
      await useRules();
    });

    test('blocking, deleting, another address and the end of a session shut the door at the next request', async () => {
      const shut: [string, (id: string) => Promise<unknown>][] = [
        ['blocked', (id) => club.api('PATCH', `/members/${id}`, { status: 'blocked' })],
        ['deleted', (id) => club.api('DELETE', `/members/${id}`)],
        ['another address', (id) => club.api('PATCH', `/members/${id}`, { email: newAddress() })],
        ['sessions ended', (id) => club.api('DELETE', `/members/${id}/sessions`)],
      ];
      for (const [what, change] of shut) {
        const { id, visitor } = await memberWith();
        expect(shows(await visitor.get('/members/')), what).toBe(true);
        await change(id);
        const answer = await visitor.get('/members/');
        expect([what, shows(answer), answer.status]).toEqual([what, false, 302]);
        expect(shows(await visitor.get('/app/')), what).toBe(false);
      }
    });

    test('signing out ends the session in this browser and no other', async () => {
      const { id, visitor } = await memberWith();
      const elsewhere = await loggedIn(door, await club.linkOf(id));
      const copy = visitor.twin();
      expect((await visitor.post('/_gatehouse/sign-out', {})).status).toBe(200);
      // The browser stays known, which opens nothing.
      expect(visitor.cookieHeader).toMatch(/^__Host-gatehouse_device=[^;]+$/);
      expect(shows(await copy.get('/members/'))).toBe(false);
      expect(shows(await elsewhere.get('/members/'))).toBe(true);
    });

    test('the app is told who the visitor is, in headers that hold any name', async () => {
      const email = newAddress();
      const displayName = 'Zoë, "Ada" Löwe; レーヴェ=%0d%0a';
      const id = await club.createMember(email, { displayName, accessGroupIds: [courseId] });
      const visitor = await loggedIn(door, await club.linkOf(id));
      const { headers } = await echoOf(visitor.get('/app/x?y=1'));
      const sent = Object.fromEntries(headers.filter(([name]) => /^remote/i.test(name)));
      expect(sent).toEqual({
        'Remote-User': id,
        'Remote-Email': email,
        'Remote-Name': encodeURIComponent(displayName),
        'Remote-Groups': encodeURIComponent('Course, 2026'),
      });
    });

    test('what a visitor sends as Remote-User and the like never reaches the app', async () => {
      const { id, visitor } = await memberWith();
      const spellings = ['User', 'Email', 'Name', 'Groups'].flatMap((field) => [
        ...[`Remote-${field}`, `remote-${field.toLowerCase()}`, `REMOTE-${field.toUpperCase()}`],
        ...[`Remote_${field}`, `remote_${field.toLowerCase()}`, `REMOTE_${field.toUpperCase()}`],
        ...[`rEmOtE-${field}`, `Remote-${field}`],
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
        [stranger(), '/app/public'],
        [visitor, '/app/public'],
        [visitor, '/app/'],
      ] as const) {
        for (const headers of attempts) {
          const echo = await echoOf(who.get(target, headers));
          expect(JSON.stringify(echo)).not.toContain(forged);
          const users = echo.headers.filter(([name]) => /^remote[-_]user$/i.test(name));
          expect(users.map(([, value]) => value).filter((value) => value !== '')).toEqual(
            who === visitor ? [id] : [],
          );
        }
      }
    });

    test('a form reaches the app whole, and not without access', async () => {
      const { visitor } = await memberWith();
      const body = 'x'.repeat(100_000);
      const echo = await echoOf(visitor.request('POST', '/app/form', { body }));
      expect([echo.method, echo.body.length]).toEqual(['POST', body.length]);
      expect(shows(await stranger().request('POST', '/app/form', { body }))).toBe(false);
    });

    test('what only the proxy may ask is not there for visitors', async () => {
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
      // Nor is the API, of which the proxy knows nothing.
      expect((await visitor.get('/api/v1/site')).status).toBe(404);
      expect((await visitor.get('/_gatehouse/../api/v1/site')).text).not.toContain('"error"');
    });

    test('forged headers about the host, the path or the sender open nothing', async () => {
      const { visitor: member } = await memberWith();
      const attackerId = await club.createMember('mallory@example.com', {}, club.openApi);
      const otherDoor = { ...door, host: openHost };
      const attacker = await loggedIn(otherDoor, await club.linkOf(attackerId, club.openApi));
      expect(await attacker.get('/')).toMatchObject({
        status: 200,
        text: expect.stringContaining('for everybody'),
      });
      for (const target of ['/course/', '/app/']) {
        for (const headers of forgeries()) {
          for (const cookie of ['', member.cookieHeader, attacker.cookieHeader]) {
            if (target === '/app/' && cookie === member.cookieHeader) continue;
            const withCookie: HeaderLines = cookie === '' ? headers : [...headers, ['Cookie', cookie]];
            // Once the name of the connection is the site's, once that of the other site.
            for (const visitor of [stranger(), new Visitor(otherDoor)]) {
              const hosts: HeaderLines = withCookie.some(([name]) => /^host$/i.test(name))
                ? withCookie
                : [...withCookie, ['Host', clubHost]];
              const answer = await visitor.get(target, hosts);
              expect(shows(answer), JSON.stringify([target, hosts])).toBe(false);
            }
          }
        }
      }
    });

    test('no forged header changes the address in a mail', async () => {
      const email = newAddress();
      await club.createMember(email);
      const forged: HeaderLines = [
        ['X-Forwarded-Host', 'evil.example'],
        ['X-Forwarded-Proto', 'http'],
        ['Forwarded', 'host=evil.example'],
        ['Content-Type', 'application/x-www-form-urlencoded'],
      ];
      const body = new URLSearchParams({ email, next: '//evil.example/' }).toString();
      const answer = await stranger().request('POST', '/_gatehouse/login', { headers: forged, body });
      expect(answer.status).toBe(303);
      const { text } = await club.mailbox.next();
      expect(text).toContain(`https://${clubHost}/_gatehouse/link/`);
      expect(text).not.toContain('evil');
    });

    test('no trick with a path opens what is kept for a group, or what is not named at all', async () => {
      const { visitor: member } = await memberWith();
      const trees = {
        'a group': () =>
          club.setRules(
            { path: '/', access: 'public' },
            { path: '/members', access: 'groups', groupIds: [courseId] },
          ),
        'all but one path': () => club.setRules({ path: '/public', access: 'public' }),
      };
      for (const [tree, use] of Object.entries(trees)) {
        await use();
        const visitors = tree === 'a group' ? [stranger(), member] : [stranger()];
        for (const visitor of visitors) {
          for (const { target, note } of pathTricks) {
            const answer = await visitor.get(target);
            expect([tree, target, note, shows(answer)]).toEqual([tree, target, note, false]);
          }
        }
      }
      await useRules();
    });

    test('no trick with a request opens what is kept for members', async () => {
      for (const target of ['/members/', '/app/']) {
        const tricks = httpTricks(target);
        const answers = await Promise.all(tricks.map(({ request }) => sendBytes(door, request)));
        const opened = tricks.filter((_, index) => answers[index]!.includes(club.secret));
        expect([target, opened.map(({ note }) => note)]).toEqual([target, []]);
      }
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
      for (const head of [{ ':authority': clubHost, ':path': '/public/' }, ...heads, ...odd]) {
        const text = await sendOverHttp2(door, head);
        expect([head, text.includes(club.secret)]).toEqual([head, false]);
        if (head[':path'] === '/public/') expect(text).toContain('for everybody');
      }
    });

    test('the tricks are real: without the gate many of them reach the pages', async () => {
      const open = await proxy.start(club.place, proxy.withoutGate);
      try {
        const openDoor = { ...door, port: open.httpsPort };
        const answers = [];
        for (const { target } of pathTricks) answers.push((await new Visitor(openDoor).get(target)).text);
        const requests = await Promise.all(
          httpTricks('/members/').map(({ request }) => sendBytes(openDoor, request)),
        );
        // Most of the tricks with paths are for servers of another kind.
        const reached = (texts: string[]) => texts.filter((text) => text.includes(club.secret)).length;
        expect(reached(answers)).toBeGreaterThan(5);
        expect(reached(requests)).toBeGreaterThan(20);
      } finally {
        await open.stop();
      }
    });

    test('a page that is not there is not there, for those who may look', async () => {
      const { visitor } = await memberWith();
      for (const target of ['/members/nothing.html', '/public/nothing', '/empty/nothing/']) {
        expect([target, (await visitor.get(target)).status]).toEqual([target, 404]);
      }
      expect((await stranger().get('/members/nothing.html')).status).toBe(302);
      // A folder without a page of its own: no way round in circles.
      const folder = await visitor.get('/empty/');
      expect(folder.headers.get('location')).toBeUndefined();
      expect([403, 404]).toContain(folder.status);
    });

    test('while Gatehouse is away the site is shut, and open again as soon as it is back', async () => {
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
      expect((await stranger().get('/')).status).toBe(200);
      expect(shows(await stranger().get('/members/'))).toBe(false);
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

/** What a visitor may write about where a request goes or comes from: each alone, twice, in odd spellings, and together. */
function forgeries(): HeaderLines[] {
  const forged: HeaderLines = [
    ['X-Forwarded-Host', openHost],
    ['X-Forwarded-Host', `${openHost}, ${openHost}`],
    ['X-Forwarded-Host', `${clubHost}, ${openHost}`],
    ['X-Forwarded-Server', openHost],
    ['X-Host', openHost],
    ['X-Original-Host', openHost],
    ['X-Original-URI', '/public/'],
    ['X-Original-URL', '/public/'],
    ['X-Rewrite-URL', '/public/'],
    ['X-Forwarded-Uri', '/public/'],
    ['X-Forwarded-Path', '/public/'],
    ['X-Forwarded-Prefix', '/public'],
    ['X-Forwarded-Method', 'OPTIONS'],
    ['X-Forwarded-Proto', 'http'],
    ['X-Forwarded-For', '127.0.0.1'],
    ['X-Forwarded-For', '127.0.0.1, 127.0.0.1, ::1'],
    ['X-Real-IP', '127.0.0.1'],
    ['Forwarded', `for=127.0.0.1;host=${openHost};proto=https`],
    ['Host', openHost],
    ['Host', `${openHost}:443`],
    ['Remote-User', '01980a34-19e7-7a90-8c6b-d3f1a5b2c4e6'],
  ];
  const other: HeaderLines = forged.filter(([name]) => name !== 'Host');
  const spelt = ([name, value]: HeaderLines[number]): HeaderLines[] => [
    [[name.toLowerCase(), value]],
    [[name.toUpperCase(), value]],
    [[name.replaceAll('-', '_'), value]],
  ];
  return [
    [],
    ...forged.map((header): HeaderLines => [header]),
    ...forged.map((header): HeaderLines => [header, header]),
    ...other.flatMap(spelt),
    ...other.map(
      ([name, value]): HeaderLines => [
        [name, value],
        ['Connection', name],
      ],
    ),
    [
      ['Host', clubHost],
      ['Host', openHost],
    ],
    [
      ['Host', openHost],
      ['Host', clubHost],
    ],
    other,
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
