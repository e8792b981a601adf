import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { aDomain, aMember } from '../../../../test/contract/given.ts';
import { forEachStore } from '../../../../test/stores.ts';
import { send, type TestSite, visit } from '../../../../test/test-server.ts';
import { useTestServer } from '../../../../test/use-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any line
type Line = any;

forEachStore((store) => {
  const lines: Line[] = [];
  const log = (line: string) => lines.push(JSON.parse(line));
  const server = useTestServer(store, {
    log,
    settings: {
      logLevel: 'debug',
      slowRequestMilliseconds: 1,
      slowStatementMilliseconds: 1,
      trustedProxies: ['127.0.0.1'],
    },
  });
  /** The lines about one request. */
  const linesOf = (requestId: string, msg: string) =>
    lines.filter((line) => line.requestId === requestId && line.msg === msg);
  const members = (count: number) =>
    Array.from({ length: count }, () => ({
      email: `${randomUUID()}@example.com`,
      displayName: 'Ada Lovelace',
    }));
  const createMany = (site: TestSite) => site.post('/members/bulk', { members: members(400) });

  test('slow requests and their slow statements are logged with the request ID, without values', async () => {
    const site = await server.createSite();
    const created = await createMany(site);
    expect(created.status, created.text).toBeLessThan(300);
    const requestId = created.headers.get('x-request-id')!;
    const soon = { interval: 5 };
    await expect
      .poll(() => linesOf(requestId, 'Slow request'), soon)
      .toMatchObject([
        {
          level: 40,
          method: 'POST',
          surface: 'api',
          operation: 'bulkCreateMembers',
          siteId: site.siteId,
          keyId: site.keyId,
        },
      ]);
    await expect.poll(() => linesOf(requestId, 'Slow statement').length, soon).toBeGreaterThan(0);
    for (const line of linesOf(requestId, 'Slow statement')) {
      expect(line).toMatchObject({
        level: 40,
        milliseconds: expect.any(Number),
        statement: expect.any(String),
      });
    }
    expect(JSON.stringify(lines)).not.toMatch(/@example\.com|Ada Lovelace/);
  });

  test('at the level debug each request is logged, without its query, its path and its secrets', async () => {
    const site = await server.createSite();
    const { id, email } = await aMember(site);
    const host = await aDomain(site);
    const secret = randomUUID();
    const listed = await site.get(`/members?q=${email}`);
    const missing = await send(`${server.address}/${secret}?token=${secret}`, 'GET');
    const page = await site.visit('GET', `/_gatehouse/login?next=/${secret}`);
    const requestId = randomUUID();
    await visit(server.address, 'GET', '/_gatehouse/forward-auth', {
      headers: {
        'x-forwarded-host': host,
        'x-forwarded-uri': `/${secret}`,
        'x-request-id': requestId,
        cookie: `__Host-gatehouse_session=${secret}`,
      },
    });
    const found = (id: unknown) => linesOf(id as string, 'Request');
    await expect
      .poll(() => found(requestId), { interval: 5 })
      .toMatchObject([
        { level: 20, method: 'GET', surface: 'gate', operation: 'forward-auth', siteId: site.siteId },
      ]);
    expect(found(listed.headers.get('x-request-id'))).toMatchObject([
      {
        operation: 'listMembers',
        status: 200,
        siteId: site.siteId,
        keyId: site.keyId,
        milliseconds: expect.any(Number),
      },
    ]);
    expect(found(missing.headers.get('x-request-id'))).toMatchObject([{ operation: 'unknown', status: 404 }]);
    expect(found(page.headers['x-request-id'])).toMatchObject([
      { surface: 'site_pages', operation: '/_gatehouse/login', siteId: site.siteId },
    ]);
    for (const hidden of [email, id, site.key]) expect(JSON.stringify(lines)).not.toContain(hidden);
    const own = lines.filter(({ msg }) => msg === 'Request' || msg === 'Slow request');
    expect(JSON.stringify(own)).not.toContain(secret);
  });
});
