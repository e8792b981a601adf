import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sql from 'sql-template-tag';
import { afterAll, describe, expect, test } from 'vitest';
import { aDomain, aMember, aSession } from '../../../test/contract/given.ts';
import { day, hour, movableTime } from '../../../test/movable-time.ts';
import { anOperator, OperatorBrowser, operatorTenantOf } from '../../../test/operator.ts';
import { forEachStore } from '../../../test/stores.ts';
import { visit } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { appendedToLinks, emailTo, everyLoginRequestProcessed, Visitor } from '../../../test/visitor.ts';
import { commit, version } from '../../base/version.ts';
import { createSetupToken } from '../../domain/operators/setup-token.ts';
import { listSites } from '../../domain/sites/sites.ts';

const built = mkdtempSync(path.join(tmpdir(), 'gatehouse-dashboard-'));
mkdirSync(path.join(built, 'assets'));
writeFileSync(path.join(built, 'index.html'), '<meta name="style-nonce" nonce="__NONCE__">');
const script = 'start();'.repeat(100);
writeFileSync(path.join(built, 'assets', 'app-1a2b.js'), script);
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
    test('works with the link of an email, and continues to the requested page', async () => {
      const { email } = await operator();
      const browser = outside();
      const page = await browser.visit('GET', '/dashboard/login?next=/dashboard/club/members%3Fq=ada');
      expect(page.text).toContain('value="/dashboard/club/members?q=ada"');
      const next = '/dashboard/club/members?q=ada';
      const requested = await browser.visit('POST', '/dashboard/login', { email, next });
      expect([requested.status, requested.headers.location]).toEqual([303, '/dashboard/check']);
      expect((await browser.visit('GET', '/dashboard/check')).text).toContain(email);
      const { url, path: link } = await emailTo(server, email);
      expect(url).toBe(`http://localhost:8080${link}`);
      expect(link).toMatch(/^\/dashboard\/link\/[\w-]{43}$/);
      expect((await browser.visit('GET', link)).text).toContain('/dashboard/press.js');
      const pressed = await browser.visit('POST', link);
      expect([pressed.status, pressed.headers.location]).toEqual([303, `http://localhost:8080${next}`]);
      expect([...browser.cookies.keys()].sort()).toEqual([
        'gatehouse_operator',
        'gatehouse_operator_device',
        'gatehouse_operator_form',
      ]);
      expect((await browser.request('GET', 'me')).body.data.operator.email).toBe(email);
    });

    test('works with the code of an email, in the browser that requested it', async () => {
      const { email } = await operator();
      const browser = outside();
      await browser.visit('POST', '/dashboard/login', { email });
      const { code } = await emailTo(server, email);
      const typed = await browser.visit('POST', '/dashboard/code', { code: code! });
      expect([typed.status, typed.headers.location]).toEqual([303, 'http://localhost:8080/dashboard/']);
      expect((await browser.request('GET', 'me')).status).toBe(200);
    });

    test('has an icon, and a script with a version in its URL', async () => {
      await operator();
      const { text } = await outside().visit('GET', '/dashboard/login');
      const [, icon] = /<link rel="icon" href="([^"]+)">/.exec(text)!;
      expect((await outside().visit('GET', icon!)).headers['content-type']).toBe('image/svg+xml');
      const [, script] = /<script src="([^"]+passkey\.js\?v=[0-9a-f]{8})"/.exec(text)!;
      expect((await outside().visit('GET', script!)).text).toContain('navigator.credentials.get');
    });

    test('finds its pages with what was appended to their addresses in an email', async () => {
      const { browser } = await operator();
      for (const appended of appendedToLinks.filter((each) => each !== '/')) {
        for (const page of ['/dashboard/me', '/dashboard/club/webhooks']) {
          const { status, headers } = await browser.visit('GET', page + appended, undefined, {
            accept: 'text/html',
          });
          expect([page + appended, status, headers.location]).toEqual([page + appended, 302, page]);
        }
      }
      for (const other of ['//evil.example/.', '/%2F%2Fevil.example.', '/a%0D%0Ab.'])
        expect((await browser.visit('GET', `/dashboard${other}`)).headers.location ?? '').toBe('');
    });

    test.each([
      '/',
      '/_gatehouse/account',
      '/dashboardx',
      '//evil.example/dashboard/',
      '/dashboard/../_gatehouse/logout',
      '/dashboard/logout',
      '/dashboard/api/me',
      '/dashboard/link/x',
      '/dashboard/%61pi/preview/login?title=x',
      '/dashboard/%6cogin',
      'https://evil.example/dashboard/',
    ])('never redirects to %s', async (next) => {
      await operator();
      const page = await outside().visit('GET', `/dashboard/login?next=${encodeURIComponent(next)}`);
      expect(page.text).toContain('name="next" value="/dashboard/"');
    });

    test('rejects a passkey that is not base64url, with or without a challenge', async () => {
      const browser = outside();
      for (const hasChallenge of [false, true]) {
        for (const id of ['\u0000', '', 'a b', 'ü', 'AAAA']) {
          if (hasChallenge) await browser.request('POST', 'passkey-login/options', {});
          const { status, body } = await browser.request('POST', 'passkey-login', { response: { id } });
          expect([status, body.error.code], JSON.stringify(id)).toEqual([400, 'invalid_request']);
        }
      }
    });

    test('sends no email to an address that is not an operator’s, even a member’s', async () => {
      const { site } = await operator();
      const member = await aMember(site);
      const browser = outside();
      for (const email of [member.email, 'nobody@example.com']) {
        expect((await browser.visit('POST', '/dashboard/login', { email })).status).toBe(303);
      }
      await everyLoginRequestProcessed(server);
      const tenant = await operatorTenantOf(server);
      const emails = await server.database.all(
        sql`SELECT id FROM emails WHERE site_id = ${tenant.id} AND recipient IN (${member.email}, 'nobody@example.com')`,
      );
      expect(emails).toEqual([]);
    });
  });

  describe('with a low limit of forms for one client address', () => {
    const limited = useTestServer(store, {
      settings: { loginLimitClient: 2, trustedProxies: ['127.0.0.1'] },
    });

    test('a wide IPv6 network can send 16 times as many', async () => {
      const site = await limited.createSite();
      await aDomain(site);
      const statuses: number[] = [];
      for (let subnet = 0; subnet <= 32; subnet += 1) {
        const headers = { 'x-forwarded-for': `2001:db8:5:${subnet.toString(16)}::1` };
        const form = { email: `a${subnet}@example.com` };
        statuses.push((await new Visitor(site).post('/_gatehouse/login', form, headers)).status);
      }
      expect(statuses).toEqual([...Array(32).fill(303), 429]);
    });

    test('the forms of visitors do not count against those of operators', async () => {
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

  describe('members and operators', () => {
    test('are separate: cookies and tokens of one are invalid for the other', async () => {
      const { site, email, browser } = await operator();
      const member = await aMember(site, { email });
      const session = await aSession(site, member.id);
      const operatorToken = browser.cookies.get('gatehouse_operator')!;

      const asOperator = outside();
      for (const name of ['gatehouse_operator', 'gatehouse_session', '__Host-gatehouse_session']) {
        asOperator.cookies.set(name, session.token);
      }
      expect((await asOperator.request('GET', 'me')).body.error.code).toBe('logged_out');

      const verified = await site.post('/sessions/verify', { token: operatorToken, path: '/' });
      expect(verified.body.data).toMatchObject({ session: null, member: null });
      const visitor = new Visitor(site);
      visitor.cookies.set('__Host-gatehouse_session', operatorToken);
      expect((await visitor.get('/_gatehouse/account')).status).toBe(303);
      const token = await browser.token(site.siteId);
      visitor.cookies.set('__Host-gatehouse_session', token);
      expect((await visitor.get('/_gatehouse/account')).status).toBe(303);
    });

    test('cannot use each other’s links and codes', async () => {
      const { site, email } = await operator();
      await aMember(site, { email });
      const [visitor, browser] = [new Visitor(site), outside()];
      await visitor.requestLink(email);
      await emailTo(server, email);
      await browser.visit('POST', '/dashboard/login', { email });
      await emailTo(server, email, 2);
      const emails = await server.database.all<{ site_id: string; content: string }>(
        sql`SELECT site_id, content FROM emails WHERE recipient = ${email}`,
      );
      const linkOf = (siteId: string) => {
        const { text } = JSON.parse(emails.find((email) => email.site_id === siteId)!.content);
        return /\/link\/([\w-]{43})/.exec(text)![1]!;
      };
      const tenant = await operatorTenantOf(server);
      const [membersLink, operatorsLink] = [linkOf(site.siteId), linkOf(tenant.id)];
      expect((await browser.visit('POST', `/dashboard/link/${membersLink}`)).status).toBe(410);
      expect((await visitor.post(`/_gatehouse/link/${operatorsLink}`)).status).toBe(410);
      const loginCookie = visitor.cookies.get('__Host-gatehouse_login')!;
      const mixed = outside();
      mixed.cookies.set('gatehouse_operator_login', loginCookie);
      expect((await mixed.visit('GET', '/dashboard/check')).headers.location).toBe('/dashboard/login');
      expect((await browser.visit('POST', `/dashboard/link/${operatorsLink}`)).status).toBe(303);
      expect((await visitor.post(`/_gatehouse/link/${membersLink}`)).status).toBe(303);
    });

    test('are separate in the list of sites, at the gate and on the pages of visitors', async () => {
      const tenant = await operatorTenantOf(server);
      expect((await listSites(server.database)).map(({ id }) => id)).not.toContain(tenant.id);
      const headers = { host: tenant.domain! };
      const page = await visit(server.address, 'GET', '/_gatehouse/login', { headers });
      // On localhost the pages of a site are available next to the dashboard, but never those of the operators' site.
      expect(page.text).not.toContain(`<bdi>${tenant.title}</bdi>`);
      const gateHeaders = { ...headers, 'x-forwarded-host': tenant.domain!, 'x-original-uri': '/' };
      expect((await visit(server.address, 'GET', '/_gatehouse/auth', { headers: gateHeaders })).status).toBe(
        403,
      );
    });
  });

  describe('the API of the dashboard', () => {
    test('answers only the operator to whom the page belongs', async () => {
      const { personId, browser } = await operator();
      const headers = { 'x-gatehouse-operator': personId };
      const { status } = await browser.request('GET', 'me', undefined, headers);
      expect(status).toBe(200);
    });

    test('returns the logged-in operator, with sites and roles', async () => {
      const { site, id, personId, email, browser } = await operator();
      const { data } = (await browser.request('GET', 'me')).body;
      expect(data).toEqual({
        operator: { id: personId, email, displayName: null },
        sites: [
          {
            id: site.siteId,
            slug: expect.any(String),
            title: expect.any(String),
            domain: null,
            timeZone: 'UTC',
            role: 'owner',
            operatorId: id,
          },
        ],
        folderSiteId: null,
        version,
        commit: commit ?? null,
        newerVersion: null,
        mayCreateSites: true,
        needsPasskey: false,
        requiresPasskeys: false,
      });
    });

    test('changes the name of the operator, and rejects an invalid name with a reason', async () => {
      const { browser } = await operator();
      const changed = await browser.request('PATCH', 'me', { displayName: ' Ada ' });
      expect(changed.body.data.operator.displayName).toBe('Ada');
      expect(
        (await browser.request('PATCH', 'me', { displayName: null })).body.data.operator.displayName,
      ).toBeNull();
      for (const body of [{ displayName: 'x'.repeat(201) }, { displayName: 'a\nb' }, {}, { name: 'Ada' }]) {
        const { status, body: answer } = await browser.request('PATCH', 'me', body);
        expect([status, answer.error.code]).toEqual([400, 'invalid_request']);
      }
    });

    test('lists the sessions of the operator, and ends one', async () => {
      const { email, browser, sessionId } = await operator();
      const other = outside();
      await other.visit('POST', '/dashboard/login', { email });
      const { path: link } = await emailTo(server, email);
      await other.visit('POST', link);
      const { data } = (await browser.request('GET', 'sessions')).body;
      expect(data.map(({ current }: { current: boolean }) => current)).toEqual([false, true]);
      expect(Object.keys(data[0]).sort()).toEqual(
        ['ipAddress', 'createdAt', 'current', 'id', 'lastSeenAt', 'userAgent'].sort(),
      );
      expect(data[1].id).toBe(sessionId);
      expect((await browser.request('DELETE', `sessions/${data[0].id}`)).status).toBe(204);
      expect((await other.request('GET', 'me')).status).toBe(401);
      expect((await browser.request('DELETE', 'sessions/x')).status).toBe(400);
      expect((await browser.request('DELETE', `sessions/${sessionId}`)).status).toBe(204);
      expect(browser.cookies.size).toBe(0);
    });

    test.each(['login', 'email'])('previews the %s with unsaved values', async (kind) => {
      const { site, browser } = await operator();
      const logo =
        'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
      expect((await site.patch('/site', { logo })).status).toBe(200);
      const title = '<script>alert(1)</script>';
      const preview = (values: Record<string, string>) =>
        browser.request('GET', `preview/${kind}?${new URLSearchParams(values)}`);
      const shown = await preview({ title, color: '#B3261E', language: 'de', siteId: site.siteId });
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
      expect((await preview({ title, siteId: foreign.siteId })).text).not.toContain(logo);
      const png = (rest: string) =>
        `data:image/png;base64,${Buffer.from(`\x89PNG\r\n\x1a\n${rest}`, 'latin1').toString('base64')}`;
      expect((await preview({ title, siteId: site.siteId, logo: png('not saved') })).text).toContain(
        png('not saved'),
      );
      for (const wrong of ['data:image/svg+xml;base64,AAAA', png('x'.repeat(6_000)), '"><b>'])
        expect((await preview({ title, logo: wrong })).text).not.toContain(wrong);
      const query = new URLSearchParams({ title, logo: png('of others') });
      const headers = { 'sec-fetch-site': 'cross-site' };
      const linked = await browser.request('GET', `preview/${kind}?${query}`, undefined, headers);
      expect(linked.text).not.toContain(png('of others'));
      expect((await preview({ title, language: 'xx' })).text).toContain('<html lang="en"');
      for (const wrong of [{ color: 'red;}' }, { language: 'x' }, { logo: '"><b>' }, { colour: '#b3261e' }])
        expect((await preview({ title, ...wrong })).status).toBe(400);
      for (const wrong of ['', 'x'.repeat(101), 'a\nb'])
        expect((await preview({ title: wrong })).status).toBe(400);
    });

    test('previews the email with unsaved texts, under the rules of saved ones', async () => {
      const { browser } = await operator();
      const preview = (values: Record<string, string>) =>
        browser.request('GET', `preview/email?${new URLSearchParams({ title: 'Club', ...values })}`);
      const { text } = await preview({ greeting: 'Ahoy <b>,', welcome: 'Welcome', closing: 'See\nyou' });
      expect(text).toMatch(/Ahoy &lt;b&gt;,<\/p>\s*<p [^>]*>Welcome<\/p>.*<p [^>]*>See<br>you<\/p>/s);
      expect(text).not.toContain('Hello,');
      expect((await preview({})).text).toContain('Hello,');
      expect((await preview({ closing: 'example.org' })).status).toBe(400);
    });

    test('cannot end a session of another operator', async () => {
      const [one, other] = [await operator(), await operator()];
      await one.browser.request('DELETE', `sessions/${other.sessionId}`);
      expect((await other.browser.request('GET', 'me')).status).toBe(200);
    });
  });

  describe('the app', () => {
    test('is one page for all paths, with a new nonce in the policy each time', async () => {
      const { browser } = await operator();
      const nonces = new Set<string>();
      for (const where of ['/dashboard/', '/dashboard/club/members?q=ada', '/dashboard/me']) {
        const { status, text, headers } = await browser.visit('GET', where, undefined, toPage);
        expect(status).toBe(200);
        const nonce = /'nonce-([\w-]{24})'/.exec(String(headers['content-security-policy']))![1]!;
        expect(text).toBe(`<meta name="style-nonce" nonce="${nonce}">`);
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

    test('redirects a logged-out operator to the login page, and back', async () => {
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

    test('is sent only to requests for a page', async () => {
      const { browser } = await operator();
      const { status } = await browser.visit('GET', '/dashboard/club', undefined, {
        accept: 'application/json',
      });
      expect(status).toBe(404);
    });

    test('has assets that browsers cache, and serves no other files', async () => {
      const file = await outside().visit('GET', '/dashboard/assets/app-1a2b.js', undefined, {
        'accept-encoding': 'identity',
      });
      expect([file.status, file.text]).toEqual([200, script]);
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

  test.each([
    ['gzip', 'gzip'],
    ['*', 'gzip'],
    ['deflate, gzip;q=1.0, *;q=0.5', 'gzip'],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip;q=0, *', undefined],
    ['gzip; q=0.000, deflate', undefined],
    ['gzip;q=0.2, identity', undefined],
    ['*;q=0', undefined],
    ['identity;q=0', undefined],
    ['notgzip', undefined],
    ['', undefined],
  ])('an asset for “Accept-Encoding: %s” has the encoding %s', async (accepted, encoding) => {
    const headers = { 'accept-encoding': accepted };
    const file = await outside().visit('GET', '/dashboard/assets/app-1a2b.js', undefined, headers);
    expect([file.status, file.headers['content-encoding']]).toEqual([200, encoding]);
    expect(file.headers.vary).toContain('accept-encoding');
  });

  describe('before there is an operator', () => {
    const { clock, advance } = movableTime();
    const fresh = useTestServer(store, { clock, dashboardFolder: path.join(built, 'nowhere') });
    const newToken = () => fresh.database.transaction((tx) => createSetupToken(tx, clock().toISOString()));
    const newLink = async () => `/dashboard/setup/${await newToken()}`;
    const statusOf = async (link: string) => (await new OperatorBrowser(fresh).visit('GET', link)).status;
    const person = { email: 'first@example.com', displayName: 'Ada Lovelace' };

    test('the login page says how to become the first owner', async () => {
      const { text } = await new OperatorBrowser(fresh).visit('GET', '/dashboard/login');
      expect(text).toContain('<code>./gatehouse operators invite</code>');
      expect(text).not.toContain('<form');
    });

    test('a setup link works with what was appended to it, and not if it is changed', async () => {
      const link = await newLink();
      for (const appended of appendedToLinks) {
        const { status, text } = await new OperatorBrowser(fresh).visit('GET', link + appended);
        expect([appended, status]).toEqual([appended, 200]);
        expect(text).toContain(`action="${link}"`);
      }
      for (const changed of [`${link.slice(0, -1)}.`, `${link}A`, `${link}.A`])
        expect([changed, await statusOf(changed)]).toEqual([changed, 410]);
    });

    test('a setup link is invalid after a day, and a truncated or made-up one never works', async () => {
      const link = await newLink();
      advance(day);
      for (const dead of [link, link.slice(0, -1), `/dashboard/setup/${'A'.repeat(43)}`]) {
        expect((await new OperatorBrowser(fresh).visit('GET', dead)).status).toBe(410);
        expect((await new OperatorBrowser(fresh).visit('POST', dead, person)).status).toBe(410);
      }
    });

    test('the links of several starts are valid side by side, the newest 20 of them', async () => {
      const links: string[] = [];
      for (let start = 0; start < 20; start += 1) {
        links.push(await newLink());
        advance(1_000);
      }
      expect(await Promise.all(links.map(statusOf))).toEqual(Array(20).fill(200));
      links.push(await newLink());
      expect(await Promise.all(links.map(statusOf))).toEqual([410, ...Array(20).fill(200)]);
    });

    test('each start prints a setup link that works until one is used, within a day', async () => {
      const site = await fresh.createSite();
      const { siteId } = site;
      await fresh.createSite();
      const browser = new OperatorBrowser(fresh);
      const [other, link] = [await newLink(), await newLink()];
      expect((await browser.visit('GET', other)).status).toBe(200);
      expect((await browser.visit('GET', link)).status).toBe(200);
      expect((await browser.visit('HEAD', link)).status).toBe(200);
      const foreign = await browser.visit('POST', link, person, { 'sec-fetch-site': 'cross-site' });
      expect(foreign.status).toBe(403);
      const ofScript = {
        'sec-fetch-site': 'same-origin',
        'sec-fetch-mode': 'cors',
        'sec-fetch-dest': 'empty',
      };
      expect((await browser.visit('GET', link, undefined, ofScript)).status).toBe(403);
      for (const page of [link, '/dashboard/login', '/dashboard/logout'])
        expect([page, (await browser.visit('POST', page, person, ofScript)).status]).toEqual([page, 403]);
      for (const wrong of [{ email: 'x' }, { displayName: 'a\u0000b' }]) {
        const answer = await browser.visit('POST', link, { ...person, ...wrong });
        expect(answer.status).toBe(400);
        expect(answer.text).toContain('aria-invalid="true"');
      }
      advance(day - hour);
      const browsers = Array.from({ length: 32 }, () => new OperatorBrowser(fresh));
      const answers = await Promise.all(
        browsers.map((each, index) =>
          each.visit('POST', index % 2 === 0 ? link : other, {
            ...person,
            email: `first-${index}@example.com`,
          }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(31).fill(410)]);
      const first = browsers[answers.findIndex(({ status }) => status === 303)]!;
      expect((await first.request('GET', 'me')).body.data).toMatchObject({
        operator: { displayName: 'Ada Lovelace' },
        sites: [{ id: siteId, role: 'owner' }],
      });
      const { operator, sites } = (await first.request('GET', 'me')).body.data;
      const id = sites[0].operatorId;
      expect(id).not.toBe(operator.id);
      expect((await site.get('/operators')).body.data).toMatchObject([{ id, email: operator.email }]);
      expect((await site.get('/events?type=operator.invited')).body.data).toMatchObject([
        {
          actor: { type: 'operator', id, name: 'Ada Lovelace' },
          ipAddress: '127.0.0.1',
          data: { operator: { id, displayName: 'Ada Lovelace', role: 'owner' } },
        },
      ]);
      expect(await newToken()).toBeUndefined();
      expect([await statusOf(link), await statusOf(other)]).toEqual([410, 410]);
      const again = await first.visit('GET', link);
      expect([again.status, again.headers.location]).toEqual([303, 'http://localhost:8080/dashboard/']);
      expect((await browser.visit('GET', '/dashboard/login')).text).toContain('<form');

      const page = await first.visit('GET', '/dashboard/', undefined, toPage);
      expect(page.status).toBe(503);
      expect(page.text).toContain('npm run build --workspace dashboard');
    });
  });
});
