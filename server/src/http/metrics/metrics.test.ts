import { operations } from '@gatehouse/contract';
import { dashboardOperations } from '@gatehouse/contract/dashboard';
import { expect, test } from 'vitest';
import { aDomain, aMember, aSession, unknownId } from '../../../test/contract/given.ts';
import { type Family, readExposition } from '../../../test/exposition.ts';
import { lacksPromtool, promtool } from '../../../test/promtool.ts';
import { forEachStore, forOneStore } from '../../../test/stores.ts';
import { send, type TestServer, type TestSite, visit } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { Visitor } from '../../../test/visitor.ts';
import { commit, version } from '../../base/version.ts';

const token = 'a-token-for-the-metrics';
const isWithoutPromtool = lacksPromtool();

const read = (address: string, headers: Record<string, string> = { authorization: `Bearer ${token}` }) =>
  send(`${address}/metrics`, 'GET', { headers });
const familiesOf = async (server: TestServer) => readExposition((await read(server.address)).text);

/** The sum of the values with these labels. */
function sum(families: readonly Family[], name: string, labels: Record<string, string> = {}): number {
  const samples = families.flatMap((family) => family.samples);
  const wanted = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  return wanted.reduce((total, { value }) => total + value, 0);
}

const gate = async (
  server: TestServer,
  site: TestSite,
  path: string,
  headers: Record<string, string> = {},
) => {
  const own = {
    'x-forwarded-host': await aDomain(site),
    'x-forwarded-uri': path,
    'x-forwarded-method': 'GET',
  };
  return visit(server.address, 'GET', '/_gatehouse/forward-auth', { headers: { ...own, ...headers } });
};

forEachStore((store) => {
  const server = useTestServer(store, {
    settings: { metricsToken: token, trustedProxies: ['127.0.0.1'], loginLimitClient: 0 },
  });

  test('only the token reads them', async () => {
    const { status, headers } = await read(server.address);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    for (const wrong of [{}, { authorization: `Bearer ${token}x` }, { authorization: token }]) {
      const answer = await read(server.address, wrong as Record<string, string>);
      expect([answer.status, answer.body.error.code]).toEqual([401, 'invalid_api_key']);
    }
  });

  test('requests are counted by operation and status, with their durations', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    await aDomain(site);
    const before = await familiesOf(server);
    await site.get(`/members/${id}`);
    await site.get(`/members/${id}`);
    await site.get(`/members/${unknownId()}`);
    await site.get('/no-such-path');
    await site.visit('GET', '/_gatehouse/login');
    await send(`${server.address}/dashboard/api/me`, 'GET');
    await send(`${server.address}/healthz`, 'GET');
    await send(`${server.address}/${id}`, 'GET');
    const after = await familiesOf(server);
    const grown = (name: string, labels: Record<string, string>) =>
      sum(after, name, labels) - sum(before, name, labels);
    const requests = (surface: string, operation: string, status: string) =>
      grown('gatehouse_http_requests_total', { surface, operation, status });
    expect(requests('api', 'getMember', '200')).toBe(2);
    expect(requests('api', 'getMember', '404')).toBe(1);
    expect(requests('api', 'unknown', '404')).toBe(1);
    expect(requests('site_pages', '/_gatehouse/login', '200')).toBe(1);
    expect(grown('gatehouse_http_requests_total', { surface: 'dashboard_api', status: '401' })).toBe(1);
    expect(requests('health', '/healthz', '200')).toBe(1);
    expect(requests('other', 'unknown', '404')).toBe(1);
    const ofMember = { surface: 'api', operation: 'getMember' };
    expect(grown('gatehouse_http_request_duration_seconds_count', ofMember)).toBe(3);
    expect(grown('gatehouse_http_request_duration_seconds_sum', ofMember)).toBeGreaterThan(0);
  });

  test('decisions of the gate are counted by their reason', async () => {
    const site = await server.createSite();
    await site.request('PUT', '/access-rules', {
      body: {
        rules: [
          { path: '/', access: 'members' },
          { path: '/open', access: 'public' },
        ],
      },
    });
    const { token: session } = await aSession(site, (await aMember(site)).id);
    const before = await familiesOf(server);
    await gate(server, site, '/open');
    await gate(server, site, '/members');
    await gate(server, site, '/members', { cookie: `__Host-gatehouse_session=${session}` });
    await gate(server, site, '/a/../b');
    await visit(server.address, 'GET', '/_gatehouse/auth', { headers: {} });
    const host = await aDomain(site);
    const nginx = { 'x-forwarded-host': host, 'x-original-uri': '/members' };
    await visit(server.address, 'GET', '/_gatehouse/auth', { headers: nginx });
    await visit(server.address, 'GET', '/_gatehouse/denied', { headers: nginx });
    const after = await familiesOf(server);
    const decisions = (request: string, reason: string) =>
      sum(after, 'gatehouse_gate_decisions_total', { request, reason }) -
      sum(before, 'gatehouse_gate_decisions_total', { request, reason });
    expect(decisions('forward_auth', 'public')).toBe(1);
    expect(decisions('forward_auth', 'anonymous')).toBe(1);
    expect(decisions('forward_auth', 'member')).toBe(1);
    expect(decisions('forward_auth', 'ambiguous_path')).toBe(1);
    expect(decisions('auth', 'unreadable')).toBe(1);
    // The request for the reason of a denial is no decision.
    expect(decisions('auth', 'anonymous')).toBe(1);
    const requests = (operation: string) =>
      sum(after, 'gatehouse_http_requests_total', { surface: 'gate', operation }) -
      sum(before, 'gatehouse_http_requests_total', { surface: 'gate', operation });
    expect([requests('forward-auth'), requests('auth'), requests('denied')]).toEqual([4, 2, 1]);
  });

  test('the store, the jobs, the emails and the threads are in them', async () => {
    const site = await server.createSite();
    const { email } = await aMember(site);
    const before = await familiesOf(server);
    await new Visitor(site).requestLink(email);
    await site.get('/members?q=ada');
    let families = before;
    const grown = (name: string, labels: Record<string, string> = {}) =>
      sum(families, name, labels) - sum(before, name, labels);
    const countUnsent = async () => {
      families = await familiesOf(server);
      return grown('gatehouse_emails_total', { result: 'not_sent' });
    };
    await expect.poll(countUnsent, { interval: 50 }).toBe(1);
    expect(grown('gatehouse_job_runs_total', { job: 'login-requests', result: 'done' })).toBeGreaterThan(0);
    expect(grown('gatehouse_transaction_duration_seconds_count', { result: 'committed' })).toBeGreaterThan(0);
    expect(grown('gatehouse_event_lag_seconds_count')).toBeGreaterThan(0);
    expect(sum(families, 'gatehouse_store_up')).toBe(1);
    expect(
      sum(families, 'gatehouse_build_info', { version, ...(commit && { commit }), store: store.dialect }),
    ).toBe(1);
    for (const job of ['email-delivery', 'login-requests', 'source-sync', 'secret-renewal', 'purging']) {
      expect(families.find(({ name }) => name === 'gatehouse_job_queued')!.samples).toContainEqual(
        expect.objectContaining({ labels: { job } }),
      );
    }
    for (const name of [
      'process_resident_memory_bytes',
      'gatehouse_thread_heap_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      expect(sum(families, name), name).toBeGreaterThan(0);
    if (store.dialect === 'postgres') {
      expect(sum(families, 'gatehouse_postgres_connections_max')).toBe(10);
      expect(sum(families, 'gatehouse_postgres_connections')).toBeGreaterThan(0);
      return;
    }
    expect(grown('gatehouse_sqlite_group_transactions_count')).toBeGreaterThan(0);
    expect(grown('gatehouse_search_wait_seconds_count')).toBe(1);
    for (const thread of ['writer', 'search']) {
      expect(sum(families, 'gatehouse_thread_responses', { thread }), thread).toBe(1);
      expect(sum(families, 'gatehouse_thread_busy_seconds_total', { thread }), thread).toBeGreaterThan(0);
    }
  });

  test('no label contains a site, a person, a path or a key', async () => {
    const site = await server.createSite();
    const { id, email } = await aMember(site);
    const session = (await aSession(site, id)).token;
    await gate(server, site, '/private/page', { cookie: `__Host-gatehouse_session=${session}` });
    await send(`${server.address}/wp-login.php`, 'GET');
    const { text } = await read(server.address);
    const slug = (await site.get('/site')).body.data.slug;
    for (const hidden of [
      site.siteId,
      slug,
      id,
      email,
      site.key,
      site.keyId,
      session,
      '/private',
      'wp-login',
    ])
      expect(text).not.toContain(hidden);
    const families = readExposition(text).filter(({ name }) => name.startsWith('gatehouse_'));
    const labels = new Set(
      families.flatMap(({ samples }) => samples.flatMap((sample) => Object.keys(sample.labels))),
    );
    const bounded = [
      'surface',
      'operation',
      'status',
      'request',
      'reason',
      'job',
      'result',
      'thread',
      'state',
      'le',
    ];
    expect(
      [...labels].filter((label) => ![...bounded, 'version', 'commit', 'node', 'store'].includes(label)),
    ).toEqual([]);
    const known = [...Object.keys(operations), ...Object.keys(dashboardOperations), 'unknown'];
    const ofGate = ['auth', 'forward-auth', 'denied'];
    const named = families.flatMap(({ samples }) =>
      samples.map(({ labels }) => labels.operation ?? 'unknown'),
    );
    // Other operations are the paths of routes, with the names of their parameters.
    const rest = new Set(named.filter((name) => ![...known, ...ofGate].includes(name)));
    for (const route of rest) expect(route).toMatch(/^\/[\w/:.*-]*$/);
    expect(rest.size).toBeLessThan(60);
  });

  test.skipIf(isWithoutPromtool)('promtool finds no mistake', async () => {
    expect(promtool(['check', 'metrics'], (await read(server.address)).text)).toBe('');
  });
});

forOneStore((store) => {
  const shared = useTestServer(store);
  const server = useTestServer(store, { settings: { metricsPort: 0 } });

  test('without a token and an address of their own there are no metrics', async () => {
    const answer = await read(shared.address);
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
    expect(shared.metricsAddress).toBeUndefined();
  });

  test('at an address of their own there is nothing else, and they are nowhere else', async () => {
    expect((await read(server.metricsAddress!, {})).status).toBe(200);
    for (const path of ['/api/v1/site', '/healthz', '/dashboard', '/_gatehouse/login', '/'])
      expect((await send(server.metricsAddress! + path, 'GET')).status, path).toBe(404);
    expect((await read(server.address, {})).status).toBe(404);
  });

  test('many readers at the same time get metrics that grow', async () => {
    const texts = await Promise.all(Array.from({ length: 20 }, () => read(server.metricsAddress!, {})));
    expect(new Set(texts.map(({ status }) => status))).toEqual(new Set([200]));
    for (const { text } of texts.slice(0, 3)) readExposition(text);
  });
});
