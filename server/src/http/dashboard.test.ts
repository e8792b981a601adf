import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sql from 'sql-template-tag';
import { afterAll, describe, expect, test } from 'vitest';
import { aDomain, aMember, aSession } from '../../test/contract/given.ts';
import { day, hour, movableClock, useTestServer } from '../../test/contract/use-server.ts';
import { anOperator, OperatorBrowser, realmOfOperators } from '../../test/operator.ts';
import { forEachStore } from '../../test/stores.ts';
import { send, visit } from '../../test/test-server.ts';
import { everyAskAnswered, mailTo, Visitor } from '../../test/visitor.ts';
import { renewWelcome } from '../operators/welcome.ts';
import { listSites } from '../sites/sites.ts';

const built = mkdtempSync(path.join(tmpdir(), 'gatehouse-dashboard-'));
mkdirSync(path.join(built, 'assets'));
writeFileSync(path.join(built, 'index.html'), '<meta nonce="__NONCE__"><script nonce="__NONCE__"></script>');
writeFileSync(path.join(built, 'assets', 'app-1a2b.js'), 'start();');
writeFileSync(path.join(built, 'secret.js'), 'secret');
afterAll(() => rmSync(built, { recursive: true }));

const toPage = { accept: 'text/html,*/*;q=0.8', 'sec-fetch-mode': 'navigate' };

forEachStore((store) => {
  const server = useTestServer(store, { dashboardFolder: built });
  const outside = () => new OperatorBrowser(server);
  const operator = async () => {
    const site = await server.createSite();
    return { site, ...(await anOperator(server, site.siteId)) };
  };

  describe('logging in at the dashboard', () => {
    test('works with the link of a mail, and leads to where the operator was going', async () => {
      const { email } = await operator();
      const browser = outside();
      const page = await browser.visit('GET', '/dashboard/login?next=/dashboard/club/members%3Fq=ada');
      expect(page.text).toContain('value="/dashboard/club/members?q=ada"');
      const next = '/dashboard/club/members?q=ada';
      const asked = await browser.visit('POST', '/dashboard/login', { email, next });
      expect([asked.status, asked.headers.location]).toEqual([303, '/dashboard/check']);
      expect((await browser.visit('GET', '/dashboard/check')).text).toContain(email);
      const { url, path: link } = await mailTo(server, email);
      expect(url).toBe(`http://localhost:8080${link}`);
      expect(link).toMatch(/^\/dashboard\/link\/[\w-]{43}$/);
      expect((await browser.visit('GET', link)).text).toContain('/dashboard/press.js');
      const pressed = await browser.visit('POST', link);
      expect([pressed.status, pressed.headers.location]).toEqual([303, `http://localhost:8080${next}`]);
      expect([...browser.cookies.keys()]).toEqual(['gatehouse_operator', 'gatehouse_operator_device']);
      expect((await browser.ask('GET', 'me')).body.operator.email).toBe(email);
    });

    test('works with the code of a mail, in the browser that asked', async () => {
      const { email } = await operator();
      const browser = outside();
      await browser.visit('POST', '/dashboard/login', { email });
      const { code } = await mailTo(server, email);
      const typed = await browser.visit('POST', '/dashboard/code', { code: code! });
      expect([typed.status, typed.headers.location]).toEqual([303, 'http://localhost:8080/dashboard/']);
      expect((await browser.ask('GET', 'me')).status).toBe(200);
    });

    test('has a picture for the tab, and a script whose address changes with it', async () => {
      await operator();
      const { text } = await outside().visit('GET', '/dashboard/login');
      const [, icon] = /<link rel="icon" href="([^"]+)">/.exec(text)!;
      expect((await outside().visit('GET', icon!)).headers['content-type']).toBe('image/svg+xml');
      const [, script] = /<script src="([^"]+\?v=[0-9a-f]{8})"/.exec(text)!;
      expect((await outside().visit('GET', script!)).text).toContain('passkey-login');
    });

    test.each([
      '/',
      '/_gatehouse/account',
      '/dashboardx',
      '//evil.example/dashboard/',
      '/dashboard/../_gatehouse/sign-out',
      '/dashboard/sign-out',
      '/dashboard/api/me',
      '/dashboard/link/x',
      '/dashboard/%61pi/preview/login?title=x',
      '/dashboard/%6cogin',
      'https://evil.example/dashboard/',
    ])('never leads to %s', async (next) => {
      await operator();
      const page = await outside().visit('GET', `/dashboard/login?next=${encodeURIComponent(next)}`);
      expect(page.text).toContain('name="next" value="/dashboard/"');
    });

    test('takes nothing for a passkey that is no base64url, asked for or not', async () => {
      const browser = outside();
      for (const asked of [false, true]) {
        for (const id of ['\u0000', '', 'a b', 'ü', 'AAAA']) {
          if (asked) await browser.ask('POST', 'passkey-login/options', {});
          const { status, body } = await browser.ask('POST', 'passkey-login', { response: { id } });
          expect([status, body.error.code], JSON.stringify(id)).toEqual([400, 'invalid_request']);
        }
      }
    });

    test('sends nothing to somebody who is no operator, member of a site or not', async () => {
      const { site } = await operator();
      const member = await aMember(site);
      const browser = outside();
      for (const email of [member.email, 'nobody@example.com']) {
        expect((await browser.visit('POST', '/dashboard/login', { email })).status).toBe(303);
      }
      await everyAskAnswered(server);
      const realm = await realmOfOperators(server);
      const mails = await server.database.all(
        sql`SELECT id FROM mails WHERE site_id = ${realm.id} AND recipient IN (${member.email}, 'nobody@example.com')`,
      );
      expect(mails).toEqual([]);
    });
  });

  describe('where few forms are taken from one address', () => {
    const limited = useTestServer(store, { settings: { loginLimitClient: 2 } });

    test('the forms of visitors leave those of operators alone', async () => {
      const site = await limited.createSite();
      await aDomain(site);
      const { email } = await anOperator(limited, site.siteId);
      const visitor = new Visitor(site);
      for (const status of [303, 303, 429]) {
        expect((await visitor.post('/_gatehouse/login', { email: 'a@example.com' })).status).toBe(status);
      }
      const browser = new OperatorBrowser(limited);
      for (const status of [303, 303, 429]) {
        expect((await browser.visit('POST', '/dashboard/login', { email })).status).toBe(status);
      }
    });
  });

  describe('the realms of members and operators', () => {
    test('know nothing of each other, whatever is carried from one to the other', async () => {
      const { site, email, browser } = await operator();
      const member = await aMember(site, { email });
      const session = await aSession(site, member.id);
      const operatorToken = browser.cookies.get('gatehouse_operator')!;

      const asOperator = outside();
      for (const name of ['gatehouse_operator', 'gatehouse_session', '__Host-gatehouse_session']) {
        asOperator.cookies.set(name, session.token);
      }
      expect((await asOperator.ask('GET', 'me')).body.error.code).toBe('signed_out');

      const verified = await site.post('/sessions/verify', { token: operatorToken, path: '/' });
      expect(verified.body.data).toMatchObject({ session: null, member: null });
      const visitor = new Visitor(site);
      visitor.cookies.set('__Host-gatehouse_session', operatorToken);
      expect((await visitor.get('/_gatehouse/account')).status).toBe(303);
      const token = await browser.token(site.siteId);
      visitor.cookies.set('__Host-gatehouse_session', token);
      expect((await visitor.get('/_gatehouse/account')).status).toBe(303);
    });

    test('take no link of the other, and no code', async () => {
      const { site, email } = await operator();
      await aMember(site, { email });
      const [visitor, browser] = [new Visitor(site), outside()];
      await visitor.ask(email);
      await mailTo(server, email);
      await browser.visit('POST', '/dashboard/login', { email });
      await mailTo(server, email, 2);
      const mails = await server.database.all<{ site_id: string; content: string }>(
        sql`SELECT site_id, content FROM mails WHERE recipient = ${email}`,
      );
      const linkOf = (siteId: string) => {
        const { text } = JSON.parse(mails.find((mail) => mail.site_id === siteId)!.content);
        return /\/link\/([\w-]{43})/.exec(text)![1]!;
      };
      const realm = await realmOfOperators(server);
      const [membersLink, operatorsLink] = [linkOf(site.siteId), linkOf(realm.id)];
      expect((await browser.visit('POST', `/dashboard/link/${membersLink}`)).status).toBe(410);
      expect((await visitor.post(`/_gatehouse/link/${operatorsLink}`)).status).toBe(410);
      const asked = visitor.cookies.get('__Host-gatehouse_login')!;
      const mixed = outside();
      mixed.cookies.set('gatehouse_operator_login', asked);
      expect((await mixed.visit('GET', '/dashboard/check')).headers.location).toBe('/dashboard/login');
      expect((await browser.visit('POST', `/dashboard/link/${operatorsLink}`)).status).toBe(303);
      expect((await visitor.post(`/_gatehouse/link/${membersLink}`)).status).toBe(303);
    });

    test('are apart in the list of sites, at the gate and on the pages of visitors', async () => {
      const realm = await realmOfOperators(server);
      expect((await listSites(server.database)).map(({ id }) => id)).not.toContain(realm.id);
      const headers = { host: realm.domain! };
      const page = await visit(server.address, 'GET', '/_gatehouse/login', { headers });
      // On this machine the pages of a site are there beside the dashboard, but never those of the operators.
      expect(page.text).not.toContain(`<bdi>${realm.title}</bdi>`);
      const asked = { ...headers, 'x-forwarded-host': realm.domain!, 'x-original-uri': '/' };
      expect((await visit(server.address, 'GET', '/_gatehouse/auth', { headers: asked })).status).toBe(403);
    });
  });

  describe('what the dashboard asks for beside the API', () => {
    const requests: [string, string, object | undefined][] = [
      ['GET', 'me', undefined],
      ['PATCH', 'me', { displayName: 'Eve' }],
      ['POST', 'token', { siteId: randomUUID() }],
      ['POST', 'sites', { slug: 'club', title: 'Club' }],
      ['GET', 'sessions', undefined],
      ['DELETE', `sessions/${randomUUID()}`, undefined],
      ['POST', 'sign-out', {}],
      ['GET', 'passkeys', undefined],
      ['POST', 'passkeys/options', {}],
      ['POST', 'passkeys', { response: { id: 'x' }, name: 'Key' }],
      ['DELETE', `passkeys/${randomUUID()}`, undefined],
      ['GET', 'preview/login?title=Club', undefined],
      ['GET', 'preview/mail?title=Club', undefined],
      ['GET', 'nothing', undefined],
    ];

    test.each(requests)('is answered to nobody who is signed out: %s %s', async (method, where, body) => {
      const { status, body: answer, headers } = await outside().ask(method, where, body);
      expect([status, answer.error.code]).toEqual([401, 'signed_out']);
      expect(answer.error.requestId).toBe(headers.get('x-request-id'));
    });

    test.each(requests)(
      'is done by nobody else than the page belongs to: %s %s',
      async (method, where, body) => {
        const { browser } = await operator();
        const { id } = await operator();
        const { status, body: answer } = await browser.ask(method, where, body, {
          'x-gatehouse-operator': id,
        });
        expect([status, answer.error.code]).toEqual([409, 'other_operator']);
        expect((await browser.ask('GET', 'me')).body.operator.displayName).toBeNull();
      },
    );

    test('is answered to the operator to whom the page belongs', async () => {
      const { id, browser } = await operator();
      const { status } = await browser.ask('GET', 'me', undefined, { 'x-gatehouse-operator': id });
      expect(status).toBe(200);
    });

    test.each(requests.filter(([method]) => method !== 'GET'))(
      'is refused to pages of other sites: %s %s',
      async (method, where, body) => {
        const { browser } = await operator();
        for (const foreign of [
          { origin: 'https://evil.example' },
          { origin: 'null' },
          { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:8080' },
          { 'sec-fetch-site': 'same-site' },
        ] as Record<string, string>[]) {
          const { status, body: answer } = await browser.ask(method, where, body, foreign);
          expect([status, answer.error.code]).toEqual([403, 'permission_denied']);
        }
        expect((await browser.ask('GET', 'me')).status).toBe(200);
      },
    );

    test.each(requests.filter(([method]) => method === 'POST' || method === 'PATCH'))(
      'takes nothing that a form can send: %s %s',
      async (method, where, body) => {
        const { browser } = await operator();
        const cookie = `gatehouse_operator=${browser.cookies.get('gatehouse_operator')}`;
        for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '']) {
          const answer = await send(`${server.address}/dashboard/api/${where}`, method, {
            headers: { cookie, ...(type && { 'content-type': type }) },
            ...(type && { body: JSON.stringify(body) }),
          });
          expect([answer.status, answer.body.error.code]).toEqual([415, 'unsupported_media_type']);
        }
        expect((await browser.ask('GET', 'me')).status).toBe(200);
      },
    );

    test('tells who is signed in, and on which sites with which role', async () => {
      const { site, id, email, browser } = await operator();
      const { body } = await browser.ask('GET', 'me');
      expect(body).toEqual({
        operator: { id, email, displayName: null },
        sites: [
          {
            id: site.siteId,
            slug: expect.any(String),
            title: expect.any(String),
            domain: null,
            role: 'owner',
          },
        ],
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        mayCreateSites: true,
      });
    });

    test('changes the name of the operator, and names what is wrong with one', async () => {
      const { browser } = await operator();
      const changed = await browser.ask('PATCH', 'me', { displayName: ' Ada ' });
      expect(changed.body.operator.displayName).toBe('Ada');
      expect((await browser.ask('PATCH', 'me', { displayName: null })).body.operator.displayName).toBeNull();
      for (const body of [{ displayName: 'x'.repeat(201) }, { displayName: 'a\nb' }, {}, { name: 'Ada' }]) {
        const { status, body: answer } = await browser.ask('PATCH', 'me', body);
        expect([status, answer.error.code]).toEqual([400, 'invalid_request']);
      }
    });

    test('lists the sessions of the operator, and ends one', async () => {
      const { email, browser, sessionId } = await operator();
      const other = outside();
      await other.visit('POST', '/dashboard/login', { email });
      const { path: link } = await mailTo(server, email);
      await other.visit('POST', link);
      const { data } = (await browser.ask('GET', 'sessions')).body;
      expect(data.map(({ current }: { current: boolean }) => current)).toEqual([false, true]);
      expect(Object.keys(data[0]).sort()).toEqual(
        ['clientAddress', 'createdAt', 'current', 'id', 'lastSeenAt', 'userAgent'].sort(),
      );
      expect(data[1].id).toBe(sessionId);
      expect((await browser.ask('DELETE', `sessions/${data[0].id}`)).status).toBe(204);
      expect((await other.ask('GET', 'me')).status).toBe(401);
      expect((await browser.ask('DELETE', 'sessions/x')).status).toBe(404);
      expect((await browser.ask('DELETE', `sessions/${sessionId}`)).status).toBe(204);
      expect(browser.cookies.size).toBe(0);
    });

    test.each(['login', 'mail'])('shows how the %s looks with values that are not saved', async (kind) => {
      const { site, browser } = await operator();
      const logo =
        'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
      expect((await site.patch('/site', { logo })).status).toBe(200);
      const title = '<script>alert(1)</script>';
      const ask = (values: Record<string, string>) =>
        browser.ask('GET', `preview/${kind}?${new URLSearchParams(values)}`);
      const shown = await ask({ title, colour: '#B3261E', language: 'de', siteId: site.siteId });
      expect(shown.status).toBe(200);
      expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8');
      const policy = shown.headers.get('content-security-policy')!;
      for (const part of ['sandbox;', "default-src 'none'", "form-action 'none'", "frame-ancestors 'self'"]) {
        expect(policy).toContain(part);
      }
      expect(shown.text).toContain('<html lang="de"');
      expect(shown.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(shown.text).not.toContain('<script');
      expect(shown.text).toContain(logo);
      const sheet = /href="data:text\/css;base64,([^"]+)"/.exec(shown.text)?.[1] ?? '';
      expect(shown.text + Buffer.from(sheet, 'base64').toString()).toContain('#b3261e');
      const foreign = await server.createSite();
      expect((await foreign.patch('/site', { logo })).status).toBe(200);
      expect((await ask({ title, siteId: foreign.siteId })).text).not.toContain(logo);
      const png = (rest: string) =>
        `data:image/png;base64,${Buffer.from(`\x89PNG\r\n\x1a\n${rest}`, 'latin1').toString('base64')}`;
      expect((await ask({ title, siteId: site.siteId, logo: png('not saved') })).text).toContain(
        png('not saved'),
      );
      for (const wrong of ['data:image/svg+xml;base64,AAAA', png('x'.repeat(6_000)), '"><b>'])
        expect((await ask({ title, logo: wrong })).text).not.toContain(wrong);
      const query = new URLSearchParams({ title, logo: png('of others') });
      const headers = { 'sec-fetch-site': 'cross-site' };
      const linked = await browser.ask('GET', `preview/${kind}?${query}`, undefined, headers);
      expect(linked.text).not.toContain(png('of others'));
      expect((await ask({ title, colour: 'red;}', language: 'x' })).text).toContain('<html lang="en"');
      for (const wrong of ['', 'x'.repeat(101), 'a\nb'])
        expect((await ask({ title: wrong })).status).toBe(400);
    });

    test('ends no session of another operator', async () => {
      const [one, other] = [await operator(), await operator()];
      await one.browser.ask('DELETE', `sessions/${other.sessionId}`);
      expect((await other.browser.ask('GET', 'me')).status).toBe(200);
    });
  });

  describe('the app', () => {
    test('is one page at every address, each time with a nonce of its own in the policy', async () => {
      const { browser } = await operator();
      const nonces = new Set<string>();
      for (const where of ['/dashboard/', '/dashboard/club/members?q=ada', '/dashboard/me']) {
        const { status, text, headers } = await browser.visit('GET', where, undefined, toPage);
        expect(status).toBe(200);
        const nonce = /'nonce-([\w-]{24})'/.exec(String(headers['content-security-policy']))![1]!;
        expect(text).toBe(`<meta nonce="${nonce}"><script nonce="${nonce}"></script>`);
        expect(headers['content-security-policy']).toBe(
          `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
            "connect-src 'self'; font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        );
        expect(headers['cache-control']).toBe('no-store');
        const head = await browser.visit('HEAD', where, undefined, toPage);
        expect([head.status, head.text]).toEqual([200, '']);
        nonces.add(nonce);
      }
      expect(nonces.size).toBe(3);
    });

    test('sends whoever is signed out to log in, and back', async () => {
      const { status, headers } = await outside().visit(
        'GET',
        '/dashboard/club/members?q=a',
        undefined,
        toPage,
      );
      const login = 'http://localhost:8080/dashboard/login?next=%2Fdashboard%2Fclub%2Fmembers%3Fq%3Da';
      expect([status, headers.location]).toEqual([302, login]);
      const bare = await outside().visit('GET', '/dashboard', undefined, toPage);
      expect([bare.status, bare.headers.location]).toEqual([302, '/dashboard/']);
    });

    test('is no answer to what asks for no page', async () => {
      const { browser } = await operator();
      const { status } = await browser.visit('GET', '/dashboard/club', undefined, {
        accept: 'application/json',
      });
      expect(status).toBe(404);
    });

    test('has files that browsers keep, and gives no others away', async () => {
      const file = await outside().visit('GET', '/dashboard/assets/app-1a2b.js', undefined, {
        'accept-encoding': 'identity',
      });
      expect([file.status, file.text]).toEqual([200, 'start();']);
      expect(file.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'text/javascript; charset=utf-8',
      });
      for (const name of ['../secret.js', '..%2Fsecret.js', '%2e%2e%2fsecret.js', 'none.js', '.']) {
        const answer = await outside().visit('GET', `/dashboard/assets/${name}`);
        expect(answer.text, name).not.toBe('secret');
        expect([302, 404], name).toContain(answer.status);
      }
    });
  });

  describe('before there is an operator', () => {
    const clock = movableClock();
    const fresh = useTestServer(store, { clock, dashboardFolder: path.join(built, 'nowhere') });
    const renew = () => fresh.database.transaction((tx) => renewWelcome(tx, clock().toISOString()));
    const person = { email: 'first@example.com', displayName: 'Ada Lovelace' };

    test('the login page says how the first one comes in', async () => {
      const { text } = await new OperatorBrowser(fresh).visit('GET', '/dashboard/login');
      expect(text).toContain('<code>./gatehouse operator invite</code>');
      expect(text).not.toContain('<form');
    });

    test('a link of a start is dead after a day, and one that was cut or made up opens nothing', async () => {
      const link = `/dashboard/welcome/${await renew()}`;
      clock.advance(day);
      for (const dead of [link, link.slice(0, -1), `/dashboard/welcome/${'A'.repeat(43)}`]) {
        expect((await new OperatorBrowser(fresh).visit('GET', dead)).status).toBe(410);
        expect((await new OperatorBrowser(fresh).visit('POST', dead, person)).status).toBe(410);
      }
    });

    test('a start prints a link that lets one person in, once, for a day', async () => {
      const site = await fresh.createSite();
      const { siteId } = site;
      await fresh.createSite();
      const browser = new OperatorBrowser(fresh);
      const old = `/dashboard/welcome/${await renew()}`;
      const link = `/dashboard/welcome/${await renew()}`;
      expect((await browser.visit('GET', old)).status).toBe(410);
      expect((await browser.visit('GET', link)).status).toBe(200);
      expect((await browser.visit('HEAD', link)).status).toBe(200);
      const foreign = await browser.visit('POST', link, person, { 'sec-fetch-site': 'cross-site' });
      expect(foreign.status).toBe(403);
      for (const wrong of [{ email: 'x' }, { displayName: 'a\u0000b' }]) {
        const answer = await browser.visit('POST', link, { ...person, ...wrong });
        expect(answer.status).toBe(400);
        expect(answer.text).toContain('aria-invalid="true"');
      }
      clock.advance(day - hour);
      const browsers = Array.from({ length: 32 }, () => new OperatorBrowser(fresh));
      const answers = await Promise.all(
        browsers.map((each, index) =>
          each.visit('POST', link, { ...person, email: `first-${index}@example.com` }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(31).fill(410)]);
      const first = browsers[answers.findIndex(({ status }) => status === 303)]!;
      expect((await first.ask('GET', 'me')).body).toMatchObject({
        operator: { displayName: 'Ada Lovelace' },
        sites: [{ id: siteId, role: 'owner' }],
      });
      const { operator } = (await first.ask('GET', 'me')).body;
      expect((await site.get('/events?type=operator.invited')).body.data).toMatchObject([
        {
          actor: { type: 'operator', id: operator.id, name: 'Ada Lovelace' },
          clientAddress: '127.0.0.1',
          data: { operator: { displayName: 'Ada Lovelace', role: 'owner' } },
        },
      ]);
      expect(await renew()).toBeUndefined();
      expect((await new OperatorBrowser(fresh).visit('GET', link)).status).toBe(410);
      const again = await first.visit('GET', link);
      expect([again.status, again.headers.location]).toEqual([303, 'http://localhost:8080/dashboard/']);
      expect((await browser.visit('GET', '/dashboard/login')).text).toContain('<form');

      const page = await first.visit('GET', '/dashboard/', undefined, toPage);
      expect(page.status).toBe(503);
      expect(page.text).toContain('npm run build --workspace dashboard');
    });
  });
});
