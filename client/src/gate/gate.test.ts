import { afterEach, describe, expect, test, vi } from 'vitest';
import { frameworks, ownPage, type SiteOptions, visit } from '../../test/gated-site.ts';
import { apiError, type Reaction, startScriptedServer } from '../../test/scripted-server.ts';
import { Gatehouse } from '../index.ts';

const loginUrl = 'https://academy.example.com/_gatehouse/login?next=%2Fcourses';
const ada = { id: '01980a3e-7c1b-7d42-9f3a-2b6c4d5e6f70', email: 'ada@example.com', displayName: 'Ada 💙' };
const rule = { path: '/courses', access: 'members' };

const visitor = (member: object | null, access: object | null, more: object = {}): Reaction => ({
  status: 200,
  body: { data: { session: member && { id: '1' }, member, access, loginUrl, ...more } },
});
const allowed = visitor(ada, { allowed: true, reason: 'member', rule });
const open = visitor(null, { allowed: true, reason: 'public', rule: null });
const anonymous = visitor(null, { allowed: false, reason: 'anonymous', rule });
const denied = visitor(ada, { allowed: false, reason: 'not_in_groups', rule });

const cookie = '__Host-gatehouse_session=secret';
const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(Object.entries(frameworks))('the gate of %s', (framework, startSite) => {
  async function start(reaction: Reaction, options: SiteOptions = {}) {
    const { url, requests } = await startScriptedServer(reaction);
    const gatehouse = new Gatehouse({ url, key: 'gate_test', wait: async () => {} });
    const errors: unknown[] = [];
    const site = await startSite(gatehouse, { onError: (error) => errors.push(error), ...options });
    const sentRequests = () =>
      requests.map(({ method, path, body }) => {
        expect(`${method} ${path}`).toBe('POST /api/v1/sessions/verify');
        return JSON.parse(body);
      });
    return { site, sentRequests, errors };
  }

  test('allows visitors with access, and passes the visitor to the page', async () => {
    const { site, sentRequests } = await start(allowed);
    const response = await visit(site, '/courses?a=b', { headers: { cookie: `theme=dark; ${cookie}; x=y` } });
    expect(response).toMatchObject({ status: 200, body: 'The page, for ada@example.com.' });
    expect(sentRequests()).toEqual([{ token: 'secret', path: '/courses?a=b', method: 'GET' }]);
  });

  test('allows anonymous visitors on public paths', async () => {
    const { site, sentRequests } = await start(open);
    expect(await visit(site, '/')).toMatchObject({ status: 200, body: 'The page, for everybody.' });
    expect(sentRequests()).toEqual([{ token: null, path: '/', method: 'GET' }]);
  });

  test('lets no cache between show a page to others, unless the page says how long it may be stored', async () => {
    const openFor = (member: object | null, reason: string) =>
      visitor(member, { allowed: true, reason, rule: null });
    const reactions = [
      [openFor(null, 'public'), undefined],
      [openFor(ada, 'public'), 'private, no-cache'],
      [openFor(ada, 'member'), 'private, no-cache'],
      [openFor(null, 'condition_met'), 'private, no-cache'],
    ] as const;
    for (const [reaction, expected] of reactions) {
      const { site } = await start(reaction);
      const { headers } = await visit(site, '/courses', { headers: { cookie } });
      expect([reaction, headers['cache-control']]).toEqual([reaction, expected]);
      const own = await visit(site, '/cached', { headers: { cookie } });
      expect([reaction, own.headers['cache-control']]).toEqual([reaction, 'private, max-age=60']);
    }
  });

  test.each(['X-HTTP-Method-Override', 'x_http_method_override', 'X-Method-Override', 'X-HTTP-Method'])(
    'does not check a request with %s as one that only gets the page',
    async (name) => {
      const { site, sentRequests } = await start(open);
      await visit(site, '/', { headers: { [name]: 'DELETE' } });
      expect(sentRequests()).toEqual([{ token: null, path: '/', method: 'POST' }]);
    },
  );

  test('checks every request', async () => {
    const { site, sentRequests } = await start(allowed);
    await visit(site, '/courses', { headers: { cookie } });
    await visit(site, '/courses', { headers: { cookie } });
    expect(sentRequests()).toHaveLength(2);
  });

  test.each(['GET', 'HEAD'])('redirects an anonymous visitor of a page to the login: %s', async (method) => {
    const { site } = await start(anonymous);
    const response = await visit(site, '/courses', { method, headers: { accept } });
    expect(response).toMatchObject({
      status: 302,
      headers: { location: loginUrl, 'cache-control': 'no-store' },
      body: '',
    });
  });

  test.each([
    ['GET', 'application/json'],
    ['GET', '*/*'],
    ['POST', 'application/json'],
    ['OPTIONS', accept],
  ])('responds with JSON to other requests of an anonymous visitor: %s of %s', async (method, type) => {
    const { site } = await start(anonymous);
    const response = await visit(site, '/courses', { method, headers: { accept: type } });
    expect(response).toMatchObject({ status: 401, headers: { 'cache-control': 'no-store' } });
    expect(JSON.parse(response.body)).toMatchObject({ error: { code: 'login_required' } });
  });

  test('does not redirect to the login while the site has no domain', async () => {
    const { site } = await start(visitor(null, { allowed: false, reason: 'anonymous' }, { loginUrl: null }));
    expect(await visit(site, '/courses', { headers: { accept } })).toMatchObject({ status: 401 });
  });

  test.each(['blocked', 'ambiguous_path', 'site_suspended'])(
    'does not redirect to a useless login: %s',
    async (reason) => {
      const { site } = await start(visitor(null, { allowed: false, reason, rule: null }));
      expect(await visit(site, '/a;b', { headers: { accept } })).toMatchObject({ status: 403 });
    },
  );

  test('sends the pass of page codes, and people who need a code to its page', async () => {
    const codeUrl = 'https://academy.example.com/_gatehouse/page-code?next=%2Fcourses';
    for (const member of [null, ada]) {
      const required = visitor(
        member,
        { allowed: false, reason: 'code_required', rule },
        { loginUrl: codeUrl },
      );
      const { site, sentRequests } = await start(required, { ownPage: true });
      const cookies = `${cookie}; __Host-gatehouse_pass=pass`;
      const page = await visit(site, '/courses', { headers: { cookie: cookies, accept } });
      expect([page.status, page.headers.location]).toEqual([302, codeUrl]);
      expect(sentRequests()).toEqual([
        { token: 'secret', pagePass: 'pass', path: '/courses', method: 'GET' },
      ]);
      const json = await visit(site, '/courses', { headers: { accept: '*/*' } });
      expect([json.status, JSON.parse(json.body).error.code]).toEqual([401, 'page_code_required']);
    }
  });

  test('shows a page that a code opens as that of no member, and for no other visitor', async () => {
    for (const reason of ['page_code', 'public']) {
      const opened = { allowed: true, reason, rule };
      const { site } = await start(visitor(ada, opened, { pageCode: { id: '1', label: 'Class 7b' } }));
      const response = await visit(site, '/courses', { headers: { cookie } });
      expect(response).toMatchObject({ status: 200, body: 'The page, for everybody.' });
      expect(response.headers['cache-control']).toBe('private, no-cache');
    }
  });

  test('shows a denied member a page, and a program JSON', async () => {
    const { site } = await start(denied);
    const shown = await visit(site, '/courses', { headers: { cookie, accept } });
    expect(shown).toMatchObject({ status: 403, body: expect.stringContaining('<h1>You are logged in') });
    expect(shown.headers['content-type']).toBe('text/html; charset=utf-8');
    const json = await visit(site, '/courses', { method: 'POST', headers: { cookie } });
    expect(json.status).toBe(403);
    expect(JSON.parse(json.body)).toMatchObject({ error: { code: 'access_denied' } });
  });

  test('leads visitors whom it denies a page to those on which they can get access', async () => {
    const urls = {
      pageCodeUrl: 'https://academy.example.com/_gatehouse/page-code?next=%2Fcourses&login=yes',
      accessRequestUrl: 'https://academy.example.com/_gatehouse/join?next=%2Fcourses',
    };
    const notMet = { allowed: false, reason: 'condition_not_met', rule };
    for (const member of [null, ada]) {
      const { site } = await start(visitor(member, notMet, urls));
      const { status, body } = await visit(site, '/courses', { headers: { cookie, accept } });
      expect(status).toBe(403);
      expect(body).toContain(`<a href="${urls.pageCodeUrl.replace('&', '&amp;')}">Enter a code</a>`);
      expect(body).toContain(`<a href="${urls.accessRequestUrl}">Ask for access</a>`);
    }
  });

  test('shows a denied member the page of the site', async () => {
    const { site } = await start(denied, { ownPage: true });
    const response = await visit(site, '/courses', { headers: { cookie, accept } });
    expect(response).toMatchObject({ status: 403, body: ownPage });
  });

  test('does not show the page for denied members to an anonymous visitor', async () => {
    const { site } = await start(anonymous, { ownPage: true });
    expect(await visit(site, '/courses')).toMatchObject({ status: 401 });
  });

  describe('denies access', () => {
    test.each<[string, Reaction]>([
      ['when Gatehouse cannot be reached', 'drop the connection'],
      ['when Gatehouse is not ready', apiError(503, 'unavailable', { 'retry-after': '120' })],
      ['when the key is invalid', apiError(401, 'invalid_api_key')],
      ['when there are too many requests', apiError(429, 'rate_limited', { 'retry-after': '120' })],
      ['when another server responds', { status: 200, body: 'It works!' }],
      ['when the response is incomplete', 'stop in the middle'],
      ['when the response has no decision', visitor(ada, null)],
      ['when the response has only part of a decision', { status: 200, body: { data: { member: ada } } }],
    ])('%s', async (_, reaction) => {
      const { site, errors } = await start(reaction, { ownPage: true });
      const response = await visit(site, '/courses', { headers: { cookie, accept } });
      expect(response).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
      expect(response.body).not.toContain('The page');
      expect(errors).toHaveLength(1);
    });

    test('when Gatehouse takes longer than five seconds', async () => {
      const { timeout } = AbortSignal;
      const timeoutSpy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(20));
      const { site } = await start('never answer');
      expect(await visit(site, '/courses', { headers: { cookie } })).toMatchObject({ status: 503 });
      expect(timeoutSpy).toHaveBeenCalledWith(5_000);
    });

    test('when a decision has the wrong type', async () => {
      const { site } = await start(visitor(ada, { allowed: 'false', reason: 'member', rule }));
      expect(await visit(site, '/courses', { headers: { cookie } })).toMatchObject({ status: 403 });
    });
  });

  test('logs the error to the console, without the key', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { site } = await start(apiError(401, 'invalid_api_key'), { onError: undefined } as SiteOptions);
    await visit(site, '/');
    expect(log).toHaveBeenCalledOnce();
    expect(String(log.mock.calls[0])).toContain('access is denied');
    expect(String(log.mock.calls[0])).not.toContain('gate_test');
  });

  describe('treats as an anonymous visitor', () => {
    test.each([
      ['who has two session cookies', '__Host-gatehouse_session=one; __Host-gatehouse_session=two'],
      ['who has the same cookie twice', `${cookie}; ${cookie}`],
      ['whose cookie is longer than any token', `__Host-gatehouse_session=${'a'.repeat(201)}`],
      ['whose cookie is empty', '__Host-gatehouse_session='],
      ['whose cookie is not a valid value', '__Host-gatehouse_session=a b'],
      ['whose cookie any neighboring site could have set', 'gatehouse_session=secret'],
      ['whose cookie has a similar name', '__host-gatehouse_session=secret'],
      ['whose cookie has a space before its sign', '__Host-gatehouse_session =secret'],
      ['whose cookie has another space before its name', '\u00a0__Host-gatehouse_session=secret'],
    ])('one %s', async (_, given) => {
      const { site, sentRequests } = await start(anonymous);
      await visit(site, '/', { headers: { cookie: given } });
      expect(sentRequests()).toEqual([{ token: null, path: '/', method: 'GET' }]);
    });

    test('one who has two session cookies in two headers', async () => {
      const { site, sentRequests } = await start(anonymous);
      await visit(site, '/', { headers: { cookie: [cookie, '__Host-gatehouse_session=other'] } });
      expect(sentRequests()).toEqual([{ token: null, path: '/', method: 'GET' }]);
    });
  });

  test('accepts the cookie of a site without https only with the option', async () => {
    const { site, sentRequests } = await start(allowed, { insecure: true });
    await visit(site, '/', { headers: { cookie: `${cookie}; gatehouse_session=plain` } });
    expect(sentRequests()).toEqual([{ token: 'plain', path: '/', method: 'GET' }]);
  });

  const received = [
    '/public/../courses',
    '/public/%2e%2e/courses',
    '/courses/%2e%2e%2fpublic',
    '//courses',
    '/public//courses',
    '/%63ourses',
    '/%2563ourses',
    '/courses;a=b',
    '/COURSES/',
    '/courses/.',
    '/courses?next=/../x&a=%00',
    '/courses%00',
    '/courses?a=b?c=d',
    '/courses?q=a\\b',
    `/${'a'.repeat(4_095)}`,
  ];
  test.skipIf(framework === 'Next.js').each(received)('checks the path as received: %s', async (path) => {
    const { site, sentRequests } = await start(anonymous);
    expect((await visit(site, path)).status).toBeOneOf([400, 401]);
    for (const { path: sentPath } of sentRequests()) expect(sentPath).toBe(path);
  });

  test('checks a path with an empty query parameter if path and query are too long', async () => {
    const { site, sentRequests } = await start(anonymous);
    await visit(site, `/courses?a=${'b'.repeat(4_096)}`);
    expect(sentRequests()).toEqual([{ token: null, path: '/courses?=', method: 'GET' }]);
  });

  const unreadable = ['/cour\\ses', '/courses#/../public', '/cours\u00e9s', `/${'a'.repeat(4_096)}`];
  test.skipIf(framework === 'Next.js').each([...unreadable, 'http://elsewhere.example/courses', '*'])(
    'rejects paths that programs may read differently: %s',
    async (path) => {
      const { site, sentRequests } = await start(allowed);
      expect((await visit(site, path, { headers: { cookie } })).status).toBeOneOf([400, 404]);
      expect(sentRequests()).toEqual([]);
    },
  );

  test.each(['/_gatehouse/login', '/_gatehouse', '/_gatehouse?next=/'])(
    'does not redirect in a loop if %s is not forwarded to Gatehouse',
    async (path) => {
      const { site, sentRequests } = await start(anonymous);
      expect(await visit(site, path, { headers: { accept } })).toMatchObject({ status: 404 });
      expect(sentRequests()).toEqual([]);
    },
  );
});
