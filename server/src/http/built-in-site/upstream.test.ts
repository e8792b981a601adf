import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createConnection, type Socket } from 'node:net';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltInSite, siteHost, startBuiltInSite } from '../../../test/built-in-site.ts';
import { freePort } from '../../../test/free-port.ts';
import { type Echo, startApp, submit } from '../../../test/gate/club.ts';
import { cookieTricks, faultsOfCookies } from '../../../test/gate/cookie-tricks.ts';
import { httpTricks } from '../../../test/gate/http-tricks.ts';
import { openWebSocket } from '../../../test/gate/open-web-socket.ts';
import { otherAddresses } from '../../../test/gate/page-names.ts';
import { pathTricks } from '../../../test/gate/path-tricks.ts';
import { pathsOfPrograms } from '../../../test/gate/paths-of-programs.ts';
import { type Answer, type HeaderLines, sendBytes } from '../../../test/gate/visitor.ts';
import { forOneStore } from '../../../test/stores.ts';

const secret = 'only for members of the club';
const asPage: HeaderLines = [['Accept', 'text/html']];
const soon = { timeout: 20_000, interval: 20 };

forOneStore((store) => {
  let app: Server;
  let built: BuiltInSite;
  let courseId: string;
  beforeAll(async () => {
    app = await startApp(secret);
    built = await startBuiltInSite(store, { siteUpstream: urlOf(app) });
    courseId = (await built.api('POST', '/access-groups', { name: 'Course, 2026' })).body.data.id;
  });
  afterAll(() => {
    app.closeAllConnections();
    app.close();
  });
  const useRules = () =>
    built.setRules({ path: '/', access: 'members' }, { path: '/app/public', access: 'public' });

  test('requests reach the program with the member, and only with access', async () => {
    await useRules();
    const displayName = 'Zoë, "Ada" Löwe; レーヴェ=%0d%0a';
    const { id, visitor } = await built.memberWith({ displayName, accessGroupIds: [courseId] });
    const body = 'x'.repeat(100_000);
    const echo = await echoOf(visitor.request('POST', '/app/form?a=%20&b', { body }));
    expect([echo.method, echo.url, echo.body.length]).toEqual(['POST', '/app/form?a=%20&b', body.length]);
    expect(Object.fromEntries(echo.headers)).toMatchObject({
      host: siteHost,
      'remote-user': id,
      'remote-name': encodeURIComponent(displayName),
      'remote-groups': encodeURIComponent('Course, 2026'),
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': siteHost,
      'x-forwarded-proto': 'http',
    });
    const denied = await built.anonymous().request('POST', '/app/form', { body, headers: asPage });
    expect([denied.status, denied.text.includes(secret)]).toEqual([302, false]);
  });

  test('a code opens a page for the browser in which it was entered, and the program gets its label', async () => {
    const code = (await built.api('POST', '/page-codes', { label: 'Class 7b, été' })).body.data;
    await built.setRules(
      { path: '/', access: 'members' },
      { path: '/app', access: 'code', pageCodeIds: [code.id] },
    );
    const visitor = built.anonymous();
    const requested = await visitor.request('GET', '/app/x', { headers: asPage });
    const pathOf = ({ headers }: Answer) => headers.get('location')?.replace(/^http:\/\/[^/]+/, '') ?? '';
    const target = pathOf(requested);
    expect([requested.status, target]).toEqual([302, '/_gatehouse/page-code?next=%2Fapp%2Fx']);
    const entered = await submit(visitor, await visitor.get(target), { code: code.code });
    expect([entered.status, pathOf(entered)]).toEqual([303, '/app/x']);
    const answer = await visitor.get('/app/x');
    const { headers } = JSON.parse(answer.text) as Echo;
    const sent = headers.filter(([name]) => /^remote|^cookie/i.test(name));
    expect(sent).toEqual([['remote-page-code', encodeURIComponent('Class 7b, été')]]);
    expect(answer.headers.get('cache-control')).toMatch(/^private/);
    await built.api('DELETE', `/page-codes/${code.id}`);
    expect((await visitor.request('GET', '/app/x', { headers: asPage })).status).toBe(302);
    await useRules();
  });

  test('a preflight reaches the program where a rule lets it, without a visitor and a body', async () => {
    await built.setRules(
      { path: '/', access: 'members' },
      { path: '/app', access: 'members', acceptsTokenInUrl: true, preflights: true },
    );
    const { id } = await built.memberWith();
    const token = await built.api('POST', `/members/${id}/access-tokens`, { name: 'Reader' });
    const preflight = [
      ['Origin', 'https://forum.example.net'],
      ['Access-Control-Request-Method', 'PUT'],
      ['Accept', '*/*'],
    ] as const;
    const send = (target: string, headers: HeaderLines = preflight, body?: string) =>
      built.anonymous().request('OPTIONS', target, { headers, ...(body !== undefined && { body }) });
    const echo = await echoOf(send(`/app/api?access_token=${token.body.data.secret}`));
    expect([echo.method, echo.url, echo.body]).toEqual(['OPTIONS', '/app/api', '']);
    const names = echo.headers.map(([name]) => name.toLowerCase());
    expect(names.filter((name) => /^(?:remote-|cookie$|authorization$)/.test(name))).toEqual([]);
    const denied = [
      await send('/other'),
      await send('/app/api', preflight.slice(1)),
      await send('/app/api', preflight, 'a body'),
      await send('/app/api', [...preflight, ['Cookie', 'theme=dark']]),
      await send('/app/api', [...preflight, ['X-HTTP-Method-Override', 'GET']]),
      await send('/app//api'),
    ];
    expect(denied.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 403]);
    await useRules();
  });

  test('no header of a visitor says who the visitor is, or how the request came', async () => {
    await useRules();
    const { id, visitor } = await built.memberWith();
    const forged = 'forged-by-the-visitor';
    const names = [
      'Remote-User',
      'Remote-Email',
      'Remote-Name',
      'Remote-Groups',
      'Remote-Page-Code',
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'X-Forwarded-Proto',
      'X-Forwarded-Uri',
      'X-Forwarded-Method',
      'X-Original-URL',
      'X-Rewrite-URL',
      'Forwarded',
      'X-Real-IP',
      'Proxy',
      'X-Original-URI',
      'Proxy-Authorization',
      'TE',
    ];
    const spellings = names.flatMap((name) => [
      name,
      name.toLowerCase(),
      name.toUpperCase(),
      ...[...'_.!~+*$'].map((character) => name.replaceAll('-', character)),
    ]);
    const attempts: HeaderLines[] = [
      ...spellings.map((name): HeaderLines => [[name, forged]]),
      [['Connection', 'Remote-User, X-Forwarded-For, Cookie, Host, Content-Length']],
      [['Connection', names.join(', ')], ...names.map((name) => [name, forged] as const)],
    ];
    for (const who of [built.anonymous(), visitor]) {
      for (const headers of attempts) {
        const answer = await who.request('POST', '/app/public', { headers, body: 'text' });
        const echo: Echo = JSON.parse(answer.text);
        expect([headers, answer.text.includes(forged), echo.body]).toEqual([headers, false, 'text']);
        const users = echo.headers.filter(([name]) => /^remote.user$/i.test(name)).map(([, value]) => value);
        expect([headers, users]).toEqual([headers, who === visitor ? [id] : []]);
      }
    }
  });

  test('a trailer field does not become a header', async () => {
    await useRules();
    for (const name of ['Remote-User', 'Remote_User', 'X-Forwarded-Host']) {
      const answer = await sendBytes(
        built.site,
        `POST /app/public HTTP/1.1\r\nHost: ${siteHost}\r\nTrailer: ${name}\r\nTE: trailers\r\nTransfer-Encoding: chunked\r\n` +
          `Connection: close\r\n\r\n1\r\nx\r\n0\r\n${name}: forged\r\n\r\n`,
      );
      expect([name, answer.includes('"body":"x"'), answer.includes('forged')]).toEqual([name, true, false]);
    }
  });

  test('the program receives its own cookies, and none of Gatehouse', async () => {
    await useRules();
    const { visitor } = await built.memberWith();
    const own = [
      'gatehouse_operator=x',
      '__Host-gatehouse_session=y',
      'gatehouse_device=z',
      'theme=dark',
      'a=b=c',
    ];
    const cookies = [visitor.cookieHeader, ...own].join('; ');
    const answer = await built.anonymous().get('/app/x', [['Cookie', cookies]]);
    const echo: Echo = JSON.parse(answer.text);
    expect(echo.headers.filter(([name]) => name === 'cookie')).toEqual([['cookie', 'theme=dark; a=b=c']]);
  });

  test('below a rule for a program, paths reach it byte by byte', async () => {
    await built.setRules({ path: '/', access: 'members', programPaths: true });
    const { visitor } = await built.memberWith();
    for (const target of pathsOfPrograms) {
      expect((await echoOf(visitor.get(target))).url).toBe(target);
      expect([target, (await built.anonymous().get(target, asPage)).status]).toEqual([target, 302]);
    }
    await built.setRules({ path: '/', access: 'members' });
    for (const target of pathsOfPrograms)
      expect([target, (await visitor.get(target)).status]).toEqual([target, 403]);
  });

  test('no trick with a path or a request reaches what is protected', async () => {
    const targets = pathTricks.map(({ target }) => target.replace('/public', '/app/public'));
    for (const programPaths of [false, true]) {
      await built.setRules(
        { path: '/', access: 'members' },
        { path: '/app/public', access: 'public', programPaths },
        { path: '/', appliesTo: 'page', access: 'members' },
      );
      const answers = await built.anonymous().getAll(targets);
      expect(targets.filter((_, index) => answers[index]!.text.includes(secret))).toEqual([]);
    }
    await built.setRules({ path: '/', access: 'members', programPaths: true });
    const answers = await built.anonymous().getAll(targets);
    expect(targets.filter((_, index) => answers[index]!.text.includes(secret))).toEqual([]);
    const tricks = httpTricks('/app/');
    const texts = await Promise.all(tricks.map(({ request }) => sendBytes(built.site, request, 3_000)));
    expect(tricks.filter((_, index) => texts[index]!.includes(secret)).map(({ note }) => note)).toEqual([]);
  });

  test('a page of a rule is not shown under another name by which the program finds it', async () => {
    const everything = { path: '/', access: 'public' } as const;
    const pages = ['/app/pages/members', '/app/pages/my-course'];
    const shown = async () => {
      const answers = await built.anonymous().getAll(otherAddresses);
      return otherAddresses.filter((_, index) => answers[index]!.text.includes(secret));
    };
    await built.setRules(everything);
    expect((await shown()).length).toBeGreaterThan(60);
    await built.setRules(everything, ...pages.map((path) => ({ path, access: 'members' as const })));
    expect(await shown()).toEqual([]);
    const { visitor } = await built.memberWith();
    expect((await visitor.get('/app/pages/my-course/minutes')).text).toContain(secret);
    for (const name of ['members-2', 'membership', 'members_archive', 'my-courses'])
      expect([name, (await built.anonymous().get(`/app/pages/${name}/`)).status]).toEqual([name, 200]);
  });

  test('a rule for one page admits only requests that cannot be another', async () => {
    await built.setRules(
      { path: '/', access: 'members' },
      { path: '/app', appliesTo: 'page', access: 'public' },
    );
    expect((await built.anonymous().get('/app/')).text).toContain(secret);
    for (const name of [
      'X-HTTP-Method-Override',
      'X_HTTP_Method',
      'X-Method-Override',
      'Sec-WebSocket-Key',
    ]) {
      const answer = await built.anonymous().get('/app/', [[name, 'POST'], ...asPage]);
      expect([name, answer.status]).toEqual([name, 302]);
    }
    expect((await built.anonymous().get('/app/?p=7', asPage)).status).toBe(302);
    expect((await built.anonymous().request('POST', '/app/', { headers: asPage, body: 'a=b' })).status).toBe(
      302,
    );
    await expect(openWebSocket(built.site, '/app/', '')).rejects.toThrow(/30[0-9]|401/);
  });

  test('a WebSocket reaches the program, and ends when its visitor loses access', async () => {
    await useRules();
    const { id, visitor } = await built.memberWith();
    const socket = await openWebSocket(built.site, '/app/live', visitor.cookieHeader);
    expect(JSON.parse(await socket.next())).toEqual({ secret, user: id });
    socket.send('x'.repeat(100_000));
    expect(await socket.next()).toHaveLength(100_000);
    await expect(openWebSocket(built.site, '/app/live', '')).rejects.toThrow(/30[0-9]|401/);
    const reader = await openFeed();
    const other = await startBuiltInSite(store, { siteUpstream: urlOf(app) });
    await other.setRules({ path: '/', access: 'public' });
    const open = await openWebSocket(other.site, '/app/live', '');
    await suspend(other);
    await built.api('DELETE', `/members/${id}/sessions`);
    expect(await Promise.all([socket.closed, open.closed])).toEqual([1006, 1006]);
    await expect(openWebSocket(built.site, '/app/live', visitor.cookieHeader)).rejects.toThrow(/30[0-9]|401/);
    reader.send('x');
    expect(await reader.next()).toBe('x');
  });

  /** Opens a WebSocket with an access token in the query. */
  async function openFeed() {
    await built.setRules(
      { path: '/', access: 'members' },
      { path: '/app/live', access: 'members', acceptsTokenInUrl: true },
    );
    const { id } = await built.memberWith();
    const token = await built.api('POST', `/members/${id}/access-tokens`, { name: 'Reader' });
    const socket = await openWebSocket(built.site, `/app/live?access_token=${token.body.data.secret}`, '');
    expect(JSON.parse(await socket.next()).user).toBe(id);
    return socket;
  }

  async function suspend({ server: { database } }: BuiltInSite): Promise<void> {
    await database.transaction(async (tx) => {
      await tx.run(sql`UPDATE sites SET status = 'suspended'`);
      await tx.signal();
    });
  }

  test('a connection is upgraded to nothing but a WebSocket', async () => {
    await useRules();
    const protocols = ['h2c', 'h2c, websocket', 'TLS/1.0', 'websocket2', 'h2c\r\nUpgrade: websocket'];
    const head = `GET /app/public HTTP/1.1\r\nHost: ${siteHost}\r\nConnection: Upgrade\r\n`;
    const answers = await Promise.all(
      protocols.map((upgrade) => sendBytes(built.site, `${head}Upgrade: ${upgrade}\r\n\r\n`)),
    );
    for (const [index, answer] of answers.entries()) {
      expect([protocols[index], /^HTTP\/1\.1 200/.test(answer)]).toEqual([protocols[index], true]);
      expect(answer).not.toContain(secret);
    }
  });
});

forOneStore((store) => {
  let handler: RequestListener;
  let app: Server;
  let built: BuiltInSite;
  const lines: string[] = [];
  beforeAll(async () => {
    app = createServer((request, response) => handler(request, response));
    app.listen(0, '127.0.0.1');
    await once(app, 'listening');
    const settings = { siteUpstream: urlOf(app), siteUpstreamTimeoutSeconds: 1 };
    built = await startBuiltInSite(store, settings, (line) => lines.push(line));
    await built.setRules({ path: '/', access: 'public' }, { path: '/members', access: 'members' });
  });
  afterAll(() => {
    app.closeAllConnections();
    app.close();
  });

  test('what is not public is stored by no shared cache, whatever the program says', async () => {
    handler = (_, response) => {
      const cached = { 'cache-control': 'public, max-age=3600', 'cdn-cache-control': 'max-age=3600' };
      response
        .writeHead(200, { ...cached, expires: 'Fri, 01 Jan 2100 00:00:00 GMT', vary: 'Accept' })
        .end('page');
    };
    const { visitor } = await built.memberWith();
    const cachingOf = ({ headers }: Answer) =>
      ['cache-control', 'cdn-cache-control', 'expires', 'vary'].map((name) => headers.get(name) ?? null);
    const isPrivate = ['private, no-cache', null, null, 'Accept, Cookie'];
    expect(cachingOf(await visitor.get('/members/'))).toEqual(isPrivate);
    // The page may contain the name of the member.
    expect(cachingOf(await visitor.get('/'))).toEqual(isPrivate);
    const [control, , , vary] = cachingOf(await built.anonymous().get('/'));
    expect([control, vary]).toEqual(['public, max-age=3600', 'Accept, Cookie']);
    handler = (_, response) => void response.writeHead(200, { 'cache-control': 'no-store' }).end();
    expect((await visitor.get('/members/')).headers.get('cache-control')).toBe('private, no-store');
  });

  test('headers for one connection only are not passed on, and cookies of the program are', async () => {
    handler = (_, response) => {
      response.setHeader('connection', 'close, x-internal');
      response.setHeader('x-internal', 'secret');
      response.setHeader('Service-Worker-Allowed', '/');
      response.setHeader('set-cookie', ['a=b; Path=/', 'gatehouse_session=forged', 'c=d']);
      response.setHeader('x-own', ['1', '2']);
      response.writeHead(418, 'Tea time').end('short and stout');
    };
    const bytes = await sendBytes(built.site, `GET / HTTP/1.1\r\nHost: ${siteHost}\r\n\r\n`);
    expect(bytes).toMatch(/^HTTP\/1\.1 418 Tea time\r\n/);
    expect(bytes).not.toContain('x-internal');
    expect(bytes.toLowerCase()).not.toContain('service-worker-allowed');
    expect(bytes.match(/^set-cookie: .*$/gim)).toEqual(
      ['set-cookie: a=b; Path=/\r', 'set-cookie: c=d\r'].map((each) => each.trim()),
    );
    expect(bytes).toContain('short and stout');
  });

  test('the program receives its own cookies and none of Gatehouse', async () => {
    handler = ({ headersDistinct }, response) => response.end(JSON.stringify(headersDistinct.cookie ?? []));
    for (const trick of cookieTricks()) {
      const { text } = await built.anonymous().get(
        '/',
        trick.lines.map((line) => ['Cookie', line] as const),
      );
      expect([trick.note, faultsOfCookies(trick, JSON.parse(text))]).toEqual([trick.note, []]);
    }
  });

  test('long bodies are passed on while they arrive', async () => {
    handler = (request, response) => {
      response.writeHead(200);
      let length = 0;
      request
        .on('data', (data) => {
          length += data.length;
          response.write(`got ${length}\n`);
        })
        .on('end', () => response.end('done'));
    };
    const socket = createConnection(built.site.port, '127.0.0.1');
    const received = collect(socket);
    socket.write(
      `POST /echo HTTP/1.1\r\nHost: ${siteHost}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`,
    );
    // The second part is sent only after the response to the first has arrived.
    for (const [part, total] of [
      ['x'.repeat(2_000_000), 2_000_000],
      ['two', 2_000_003],
    ] as const) {
      socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
      await expect.poll(received, soon).toContain(`got ${total}`);
    }
    socket.write('0\r\n\r\n');
    await expect.poll(received, soon).toContain('done');
    socket.destroy();
  });

  test('an event stream is passed on without delay', async () => {
    const parts: string[] = [];
    let next = () => {};
    handler = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      next = () => void response.write(`data: ${parts.push('x')}\n\n`);
      next();
    };
    const socket = createConnection(built.site.port, '127.0.0.1');
    const received = collect(socket);
    socket.write(`GET /events HTTP/1.1\r\nHost: ${siteHost}\r\n\r\n`);
    for (const event of [1, 2, 3]) {
      await expect.poll(received, soon).toContain(`data: ${event}\n`);
      next();
    }
    socket.destroy();
  });

  test('a visitor who leaves ends the request to the program, and nothing else', async () => {
    let left = 0;
    handler = (request, response) => {
      if (request.url === '/fast') return void response.end('fast');
      response.writeHead(200).write('first');
      response.on('close', () => {
        left += 1;
      });
    };
    for (const target of ['/slow', '/members/slow']) {
      const { visitor } = await built.memberWith();
      const socket = createConnection(built.site.port, '127.0.0.1');
      const received = collect(socket);
      socket.write(`GET ${target} HTTP/1.1\r\nHost: ${siteHost}\r\nCookie: ${visitor.cookieHeader}\r\n\r\n`);
      await expect.poll(received, soon).toContain('first');
      socket.destroy();
    }
    await expect.poll(() => left, soon).toBe(2);
    expect((await built.anonymous().get('/fast')).text).toBe('fast');
  });

  test('a visitor who leaves before the program answers ends the request too', async () => {
    let began = 0;
    let left = 0;
    handler = (_, response) => {
      began += 1;
      response.on('close', () => {
        left += 1;
      });
    };
    for (const body of ['', 'some']) {
      const socket = createConnection(built.site.port, '127.0.0.1');
      const method = body === '' ? 'GET' : 'POST';
      socket.write(
        `${method} / HTTP/1.1\r\nHost: ${siteHost}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      const before = began;
      await expect.poll(() => began, soon).toBe(before + 1);
      const received = collect(socket);
      const closed = once(socket, 'close');
      socket.end();
      await closed;
      // The program was not waited for until its time was over.
      expect(received()).toBe('');
      await expect.poll(() => left, soon).toBe(began);
    }
  });

  test('a response that breaks off arrives as incomplete', async () => {
    handler = (_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('part', () => response.destroy());
    };
    const bytes = await sendBytes(built.site, `GET / HTTP/1.1\r\nHost: ${siteHost}\r\n\r\n`);
    expect(bytes).toContain('part');
    handler = (_, response) => void response.writeHead(200).write('part', () => response.destroy());
    const chunked = await sendBytes(built.site, `GET / HTTP/1.1\r\nHost: ${siteHost}\r\n\r\n`);
    expect(chunked).toContain('part');
    expect(chunked).not.toMatch(/\r\n0\r\n\r\n$/);
  });

  test('an early answer to an upload that goes on reaches the visitor', async () => {
    handler = (_, response) => void response.writeHead(413).end('too large');
    const answer = await built.anonymous().request('POST', '/upload', { body: 'x'.repeat(5_000_000) });
    expect([answer.status, answer.text]).toEqual([413, 'too large']);
  });

  test('a program that does not answer in time gets a page in the language of the visitor', async () => {
    handler = () => {};
    const slow = await built.anonymous().get('/', [['Accept-Language', 'de']]);
    expect([slow.status, slow.text.includes('nicht verfügbar')]).toEqual([504, true]);
    expect(slow.headers.get('cache-control')).toBe('no-store');
  });

  test('a program that is down gets a page, one line in the log, and visitors as soon as it is back', async () => {
    const { port } = app.address() as AddressInfo;
    app.closeAllConnections();
    app.close();
    await once(app, 'close');
    lines.length = 0;
    for (let round = 0; round < 3; round++) {
      const down = await built.anonymous().get('/', [['Accept-Language', 'ja']]);
      expect([down.status, down.text.includes('応答していません')]).toEqual([502, true]);
    }
    await expect(openWebSocket(built.site, '/live', '')).rejects.toThrow(/502/);
    expect(lines.filter((line) => line.includes('does not answer'))).toHaveLength(1);
    handler = (_, response) => void response.end('back');
    app.listen(port, '127.0.0.1');
    await once(app, 'listening');
    expect((await built.anonymous().get('/')).text).toBe('back');
  });
});

forOneStore((store) => {
  test('stopping ends open WebSockets and waits for a response', async () => {
    const app = await startApp(secret);
    const built = await startBuiltInSite(store, { siteUpstream: urlOf(app) });
    await built.setRules({ path: '/', access: 'public' });
    const socket = await openWebSocket(built.site, '/live', '');
    await built.server.stop();
    expect(await socket.closed).toBe(1006);
    app.closeAllConnections();
    app.close();
  });

  test('a request to which the program closes the connection does not fill the log', async () => {
    const app = createServer((request, response) =>
      request.url === '/close' ? request.socket.destroy() : response.end('page'),
    );
    app.listen(0, '127.0.0.1');
    await once(app, 'listening');
    const lines: string[] = [];
    const siteUpstream = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
    const built = await startBuiltInSite(store, { siteUpstream }, (line) => lines.push(line));
    await built.setRules({ path: '/', access: 'public' });
    for (let round = 0; round < 5; round += 1) {
      expect((await built.anonymous().get('/close')).status).toBe(502);
      expect((await built.anonymous().get('/')).text).toBe('page');
    }
    expect(lines.filter((line) => line.includes('does not answer'))).toHaveLength(1);
    app.closeAllConnections();
    app.close();
  });

  test('an address that is no program of its own is refused', async () => {
    const port = await freePort();
    const settings = { siteUpstream: `http://localhost:${port}`, sitePort: port };
    await expect(startBuiltInSite(store, settings)).rejects.toThrow('the URL of Gatehouse itself');
  });
});

async function echoOf(answer: Promise<Answer>): Promise<Echo> {
  const { status, text } = await answer;
  expect(status, text).toBe(200);
  return JSON.parse(text);
}

function collect(socket: Socket): () => string {
  let text = '';
  socket.setEncoding('latin1').on('data', (data) => {
    text += data;
  });
  return () => text;
}

function urlOf(app: Server): string {
  return `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
}
