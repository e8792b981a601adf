import type { AccessDecision, AccessRule, CheckPage, ErrorCode, PageCheck } from '@gatehouse/contract';
import { maxPageChecks } from '@gatehouse/contract/limits';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectResponse } from '../../../../test/contract/answers.ts';
import { aGroup, unknownId } from '../../../../test/contract/given.ts';
import { allPathTricks } from '../../../../test/gate/path-tricks.ts';
import { addHost, type PageServer, type Served, startPageServer } from '../../../../test/page-server.ts';
import { forEachStore, forOneStore } from '../../../../test/stores.ts';
import type { TestServer, TestSite } from '../../../../test/test-server.ts';
import { useTestServer } from '../../../../test/use-server.ts';

const frontPage: AccessRule[] = [
  { path: '/', access: 'members' },
  { path: '/', appliesTo: 'page', access: 'public' },
];
const everything: AccessRule[] = [{ path: '/', access: 'public' }];

async function aPageServer(pages: Record<string, Served>): Promise<PageServer> {
  const server = await startPageServer(pages);
  onTestFinished(() => server.stop());
  return server;
}

/** A site whose only host has these pages. */
async function aSiteWith(server: TestServer, pages: Record<string, Served>, rules = everything) {
  const site = await server.createSite();
  const { domain, requests, ...pageServer } = await aPageServer(pages);
  await addHost(site, domain);
  expectResponse('replaceAccessRules', await site.request('PUT', '/access-rules', { body: { rules } }), 200);
  return { site, domain, pageServer, paths: () => requests.map(({ url }) => url), requests };
}

async function check(site: TestSite, page: Partial<CheckPage> = {}): Promise<PageCheck> {
  const answer = await site.post('/page-checks', { path: '/', ...page });
  return expectResponse('checkPage', answer, 200).data;
}

async function expectError(site: TestSite, page: Partial<CheckPage>, status: number, code: ErrorCode) {
  return expectResponse('checkPage', await site.post('/page-checks', { path: '/', ...page }), status, code);
}

/** Rules that are valid in any combination, with an open page at `/`. */
const anyRules = (hosts: readonly string[]) => {
  const path = fc
    .array(fc.constantFrom('a', 'b', 'b-1', 'a.css', 'é'), { minLength: 1, maxLength: 2 })
    .map((names) => `/${names.join('/')}`);
  const until = '2020-01-01T00:00:00.000Z';
  const networks = ['192.0.2.0/24'];
  const access = fc.constantFrom<object>(
    { access: 'public' },
    { access: 'members' },
    { access: 'conditional', anyOf: [{ access: 'public', from: until }] },
    {
      access: 'conditional',
      anyOf: [
        { access: 'public', until },
        { access: 'public', networks },
      ],
    },
  );
  const place = fc.record({
    path,
    page: fc.constantFrom({}, { appliesTo: 'page' }, { appliesTo: 'page', queryParameters: ['p'] }),
    host: fc.constantFrom(undefined, ...hosts),
  });
  const rule = fc.tuple(place, access).map(([{ path, page, host }, rest]): unknown => ({
    path,
    ...page,
    ...(host && { hosts: [host] }),
    ...rest,
  }));
  const placeOf = ({ path, appliesTo, hosts }: AccessRule) => JSON.stringify([path, appliesTo, hosts]);
  return fc
    .tuple(access, fc.uniqueArray(rule as fc.Arbitrary<AccessRule>, { selector: placeOf, maxLength: 12 }))
    .map(([root, rules]) => [{ path: '/', ...root } as AccessRule, frontPage[1]!, ...rules]);
};

/** Paths that such rules are about, and spellings of them. */
const anyTarget = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'b', 'b-1', 'a.css', 'é', 'A', '%61', 'b%2D1', 'index.html', '..', 'a;b'), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.constantFrom('', '/'),
    fc.constantFrom('', '', '?p=1', '?p=1&q=2', '?'),
  )
  .map(([names, end, query]) => `/${names.join('/')}${end}${query}`);

/** Each file as `type path allowed`. */
function lines({ files }: PageCheck): string[] {
  return files.map(({ type, path, allowed }) => `${type} ${path} ${allowed}`);
}

const redirectTo =
  (location: string): Served =>
  (response) =>
    response.writeHead(302, { location }).end();

forEachStore((store) => {
  const server = useTestServer(store);

  test('a page is checked with the files that it loads and those of its open style sheets', async () => {
    const { site, domain, paths, requests } = await aSiteWith(
      server,
      {
        '/': `<!doctype html><link rel=stylesheet href="/assets/site.css"><link rel="stylesheet" href="/closed.css">
          <script src="/assets/site.js"></script><img src="/images/ada.png">`,
        '/assets/site.css': '@import "more.css"; body { background: url(/images/back.png) }',
        '/assets/more.css': '@font-face { src: url("/fonts/inter.woff2") }',
        '/closed.css': 'body { background: url(/never.png) }',
      },
      [...frontPage, { path: '/assets', access: 'public' }],
    );
    const page = await check(site);
    expect(page).toMatchObject({ url: `http://${domain}/`, status: 200, isComplete: true });
    expect(lines(page)).toEqual([
      'style_sheet /assets/site.css true',
      'style_sheet /closed.css false',
      'script /assets/site.js true',
      'image /images/ada.png false',
      'style_sheet /assets/more.css true',
      'image /images/back.png false',
      'font /fonts/inter.woff2 false',
    ]);
    expect(page.files[1]).toEqual({
      url: `http://${domain}/closed.css`,
      path: '/closed.css',
      host: domain,
      type: 'style_sheet',
      allowed: false,
      reason: 'anonymous',
      rule: { path: '/', access: 'members' },
    });
    expect(paths()).toEqual(['/', '/assets/site.css', '/assets/more.css']);
    for (const { headers } of requests) {
      expect(headers).toMatchObject({ host: domain });
      expect(headers).not.toHaveProperty('cookie');
      expect(headers).not.toHaveProperty('authorization');
    }
  });

  test('rules of the request decide instead of the saved ones, and are not stored', async () => {
    const { site } = await aSiteWith(server, { '/': '<img src="/assets/ada.png">' }, frontPage);
    const saved = (await site.get('/access-rules')).body;
    const rules: AccessRule[] = [...frontPage, { path: '/assets', access: 'public' }];
    expect(lines(await check(site, { rules }))).toEqual(['image /assets/ada.png true']);
    expect(lines(await check(site))).toEqual(['image /assets/ada.png false']);
    expect((await site.get('/access-rules')).body).toEqual(saved);
  });

  test('rules of the request are validated as if they were saved', async () => {
    const { site, paths } = await aSiteWith(server, { '/': '' });
    const [{ id: groupId }] = [await aGroup(site)];
    const rejected: [rules: AccessRule[], status: number, code: ErrorCode][] = [
      [[{ path: '/a/../b', access: 'public' }], 400, 'invalid_request'],
      [[...everything, ...everything], 400, 'invalid_request'],
      [[{ path: '/', access: 'public', hosts: ['unknown.example.com'] }], 400, 'invalid_request'],
      [[{ path: '/', access: 'groups', groupIds: [groupId, unknownId()] }], 404, 'access_group_not_found'],
      [[{ path: '/', access: 'code', pageCodeIds: [unknownId()] }], 404, 'page_code_not_found'],
    ];
    for (const [rules, status, code] of rejected) {
      const { requestId: _, ...error } = await expectError(site, { rules }, status, code);
      const saved = await site.request('PUT', '/access-rules', { body: { rules } });
      const { requestId: __, ...expected } = expectResponse('replaceAccessRules', saved, status, code);
      expect(error).toEqual(expected);
    }
    expect(paths()).toEqual([]);
  });
});

forOneStore((store) => {
  const server = useTestServer(store);

  test.each<[string, AccessRule[], Partial<CheckPage>, number, ErrorCode]>([
    ['that is for members', frontPage, { path: '/course' }, 422, 'page_not_public'],
    ['whose path is ambiguous', everything, { path: '/a%2fb' }, 422, 'page_not_public'],
    ['that the rules of the request close', everything, { rules: [] }, 422, 'page_not_public'],
    ['with a query that the rule does not list', frontPage, { path: '/?p=7' }, 422, 'page_not_public'],
    ['of Gatehouse itself', everything, { path: '/_gatehouse/login' }, 400, 'invalid_request'],
    ['behind the host', everything, { path: '@example.com/' }, 400, 'invalid_request'],
    ['at another port', everything, { path: ':22/' }, 400, 'invalid_request'],
    ['at a longer name', everything, { path: '.example.com/' }, 400, 'invalid_request'],
    ['at a URL', everything, { path: 'http://169.254.169.254/' }, 400, 'invalid_request'],
    ['of a host that the site does not have', everything, { host: 'example.com' }, 400, 'invalid_request'],
  ])('a page %s is not requested', async (_, rules, page, status, code) => {
    const { site, paths } = await aSiteWith(server, { '/': '' }, rules);
    await expectError(site, page, status, code);
    expect(paths()).toEqual([]);
  });

  test('a page of a site without a domain is not requested', async () => {
    await expectError(await server.createSite(), {}, 409, 'site_domain_missing');
  });

  test.each(['//example.com/a', '/\\example.com/a', '/a#b', '/\ta', '/b/../a'])(
    'nothing elsewhere is requested: the path %j stays on the host',
    async (path) => {
      const { site, domain, paths } = await aSiteWith(server, { '/a': '' });
      const answer = await site.post('/page-checks', { path });
      if (answer.status === 200) expect(answer.body.data.url).toBe(`http://${domain}/a`);
      else expectResponse('checkPage', answer, 422, 'page_not_public');
      expect(paths().filter((each) => each !== '/a')).toEqual([]);
    },
  );

  test('the rules of the host decide', async () => {
    const { site, domain } = await aSiteWith(server, { '/': '<img src="/a.png">' });
    const rules: AccessRule[] = [...everything, { path: '/a.png', hosts: [domain], access: 'members' }];
    expect(lines(await check(site, { rules, host: domain }))).toEqual(['image /a.png false']);
  });

  test.each<[string, Served, number, ErrorCode]>([
    ['the login', redirectTo('/_gatehouse/login?next=%2F'), 422, 'page_not_public'],
    ['a page for members', redirectTo('/members/'), 422, 'page_not_public'],
    ['itself', redirectTo('/'), 422, 'page_redirected'],
    ['another host', redirectTo('https://example.com/'), 422, 'page_redirected'],
    [
      'the metadata of a cloud',
      redirectTo('http://169.254.169.254/latest/meta-data'),
      422,
      'page_redirected',
    ],
    ['another port', redirectTo('http://127.0.0.1:1/'), 422, 'page_redirected'],
    ['another loopback address', redirectTo('http://127.0.0.2/'), 422, 'page_redirected'],
    ['a file', redirectTo('file:///etc/passwd'), 422, 'page_redirected'],
    ['data', redirectTo('data:text/html,<img src=/a>'), 422, 'page_redirected'],
    ['nothing', redirectTo('http://['), 422, 'page_redirected'],
  ])('a redirect to %s is not followed', async (_, served, status, code) => {
    const rules: AccessRule[] = [...everything, { path: '/members', access: 'members' }];
    const { site, paths } = await aSiteWith(server, { '/': served }, rules);
    const error = await expectError(site, {}, status, code);
    expect(error.message).not.toMatch(/169|example|meta|passwd/);
    expect(new Set(paths())).toEqual(new Set(['/']));
  });

  test('a redirect with a password, or to the same name on another scheme, is not followed', async () => {
    const { site, domain, pageServer, paths } = await aSiteWith(server, {});
    for (const location of [`http://ada:secret@${domain}/a`, `https://${domain}/a`, `ftp://${domain}/a`]) {
      pageServer.pages['/'] = redirectTo(location);
      await expectError(site, {}, 422, 'page_redirected');
    }
    expect(new Set(paths())).toEqual(new Set(['/']));
  });

  test('a redirect to an open page of the site is followed', async () => {
    const { site, domain } = await aSiteWith(server, {
      '/': redirectTo('/en/'),
      '/en/': '<img src="a.png">',
    });
    expect(await check(site)).toMatchObject({ url: `http://${domain}/en/`, files: [{ path: '/en/a.png' }] });
  });

  test.each<[string, Served, number, ErrorCode]>([
    ['that needs a password', (response) => response.writeHead(401).end(), 422, 'page_not_public'],
    ['that is forbidden', (response) => response.writeHead(403).end(), 422, 'page_not_public'],
    [
      'that is no HTML',
      (response) => response.setHeader('content-type', 'image/svg+xml').end('<svg/>'),
      422,
      'page_not_html',
    ],
    ['without a type', (response) => response.end('<img src=/a>'), 422, 'page_not_html'],
    ['that breaks off', (response) => response.destroy(), 502, 'page_unavailable'],
  ])('a page %s is an error', async (_, served, status, code) => {
    const { site } = await aSiteWith(server, { '/': served });
    await expectError(site, {}, status, code);
  });

  test('checks are limited also where requests of a key are not', async () => {
    const { site } = await aSiteWith(server, { '/': '' });
    for (let sent = 0; sent < maxPageChecks; sent += 1) await check(site);
    await expectError(site, {}, 429, 'rate_limited');
  });

  test('a page that does not exist has its status and no files', async () => {
    const { site, domain } = await aSiteWith(server, {});
    expect(await check(site, { path: '/none' })).toEqual({
      url: `http://${domain}/none`,
      status: 404,
      files: [],
      isComplete: true,
    });
  });

  test('nothing of a response is returned that is not a URL on a host of the site', async () => {
    const secret = 'c0ffee';
    const { site, pageServer } = await aSiteWith(server, {
      '/': (response) =>
        response
          .writeHead(200, {
            'content-type': `text/html; charset=${secret}`,
            'x-key': secret,
            'set-cookie': secret,
          })
          .end(`${secret}<img src="https://example.com/${secret}" alt="${secret}"><img src="data:image/png,${secret}">
            <a href="/${secret}">${secret}</a><script>"/${secret}"</script><!-- <img src="/${secret}"> -->`),
    });
    const shown = async () => (await site.post('/page-checks', { path: '/' })).text;
    expect(await shown()).not.toContain(secret);
    pageServer.pages['/'] = (response) => response.writeHead(500, secret, { 'x-key': secret }).end(secret);
    expect(await shown()).not.toContain(secret);
  });

  test('files on other hosts, ports and schemes are not listed, and not requested', async () => {
    const other = await aPageServer({ '/a.css': '' });
    const { site, domain, pageServer, paths } = await aSiteWith(server, {});
    const foreign = [
      `http://${other.domain}/a.css`,
      `http://ada@${domain}/a.css`,
      `http://${domain}./a.css`,
      `https://${domain}/a.css`,
      `//localhost:${domain.split(':')[1]}/a.css`,
      'file:///a.css',
      'http:/\\169.254.169.254/a.css',
    ];
    pageServer.pages['/'] = foreign.map((url) => `<link rel=stylesheet href="${url}">`).join('');
    expect(await check(site)).toMatchObject({ files: [], isComplete: true });
    expect(paths()).toEqual(['/']);
    expect(other.requests).toEqual([]);
  });

  test('a style sheet that cannot be read, or leads elsewhere, leaves the check incomplete', async () => {
    const other = await aPageServer({ '/a.css': 'a { background: url(/a.png) }' });
    const { site, pageServer } = await aSiteWith(server, { '/': '<link rel=stylesheet href=/a.css>' });
    const bad: Served[] = [
      redirectTo(`http://${other.domain}/a.css`),
      redirectTo('/_gatehouse/login'),
      (response) => response.writeHead(500).end(),
      (response) => response.setHeader('content-type', 'text/html').end('a { background: url(/a.png) }'),
      (response) => response.destroy(),
    ];
    for (const served of bad) {
      pageServer.pages['/a.css'] = served;
      expect(await check(site)).toMatchObject({ files: [{ path: '/a.css' }], isComplete: false });
    }
    expect(other.requests).toEqual([]);
  });

  test('files on each host are decided by any rules as access checks decide them', async () => {
    const { site, domain, pageServer } = await aSiteWith(server, {});
    await addHost(site, 'media.example.com');
    const hosts = [domain, 'media.example.com'];
    const targets = fc.array(
      fc.tuple(fc.constantFrom(`http://${domain}`, 'https://media.example.com'), anyTarget),
      {
        minLength: 80,
        maxLength: 90,
      },
    );
    let open = 0;
    await fc.assert(
      fc.asyncProperty(anyRules(hosts), targets, async (rules, addresses) => {
        pageServer.pages['/'] = addresses
          .map(([origin, target]) => `<img src="${origin}${target}">`)
          .join('');
        const { files } = await check(site, { rules });
        const checks = files.map(({ path, host }) => ({ path, host }));
        const answer = await site.post('/access-checks', { rules, checks });
        const decisions: AccessDecision[] = expectResponse('checkAccess', answer, 200).data;
        expect(files.map(({ allowed, reason, rule }) => ({ allowed, reason, rule }))).toEqual(
          decisions.map(({ allowed, reason, rule }) => ({ allowed, reason, rule })),
        );
        open += files.filter(({ allowed }) => allowed).length;
      }),
      { numRuns: maxPageChecks, endOnFailure: true },
    );
    expect(open).toBeGreaterThan(0);
  });

  test('every path is decided as the gate decides it', async () => {
    const rules: AccessRule[] = [
      ...everything,
      { path: '/members', access: 'members' },
      { path: '/a/private', access: 'members' },
    ];
    const { site, pageServer } = await aSiteWith(server, {}, rules);
    const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    const tricks = allPathTricks.map(({ target }) => target).filter((target) => target.startsWith('/'));
    const parts = Math.ceil(tricks.length / 190);
    const sample = Array.from({ length: Math.min(parts, 5) }, (_, part) =>
      tricks.filter((_each, index) => index % parts === part),
    );
    for (const targets of sample) {
      pageServer.pages['/'] = targets.map((target) => `<img src="${attribute(target)}">`).join('');
      const { files } = await check(site);
      expect(files.length).toBeGreaterThan(20);
      for (let start = 0; start < files.length; start += 100) {
        const some = files.slice(start, start + 100);
        const answer = await site.post('/access-checks', { checks: some.map(({ path }) => ({ path })) });
        const decisions = expectResponse('checkAccess', answer, 200).data;
        expect(some.map(({ allowed, reason }) => [allowed, reason])).toEqual(
          decisions.map(({ allowed, reason }: AccessDecision) => [allowed, reason]),
        );
      }
    }
  });
});

forOneStore((store) => {
  describe('checks are limited', () => {
    const server = useTestServer(store, { settings: { rateLimit: 1_000 } });

    test('to 10 of a key in a minute, of which other requests use up none', async () => {
      const { site } = await aSiteWith(server, { '/': '' });
      for (let sent = 0; sent < 10; sent += 1) await check(site);
      // What the contract rejects costs nothing.
      await expectError(site, { path: '' }, 400, 'invalid_request');
      const answer = await site.post('/page-checks', { path: '/' });
      expectResponse('checkPage', answer, 429, 'rate_limited');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.headers.get('x-ratelimit-limit')).toBe('10');
      const other = await site.get('/access-rules');
      expect([other.status, other.headers.get('x-ratelimit-limit')]).toEqual([200, '1000']);
      const { secret } = await site.createKey({ permissions: ['site:write'] });
      const headers = { authorization: `Bearer ${secret}` };
      expectResponse('checkPage', await site.post('/page-checks', { path: '/' }, headers), 200);
    });

    test('to two of a site at the same time, and to 10 seconds', async () => {
      const { site } = await aSiteWith(server, { '/': () => {} });
      const startedAt = performance.now();
      const first = Array.from({ length: 2 }, () => site.post('/page-checks', { path: '/' }));
      const third = async () => (await site.post('/page-checks', { path: '/' })).status;
      await expect.poll(third, { timeout: 5_000 }).toBe(429);
      for (const answer of await Promise.all(first)) {
        expectResponse('checkPage', answer, 502, 'page_unavailable');
      }
      expect(performance.now() - startedAt).toBeLessThan(15_000);
    }, 30_000);
  });

  describe('without allowed networks', () => {
    const server = useTestServer(store, { settings: { allowedNetworks: [] } });

    test('a page on this machine is not requested', async () => {
      const { site, paths } = await aSiteWith(server, { '/': '' });
      const { message } = await expectError(site, {}, 502, 'page_unavailable');
      expect(message).toContain('GATEHOUSE_ALLOWED_NETWORKS');
      expect(paths()).toEqual([]);
    });
  });
});
