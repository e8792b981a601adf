import { expect, test } from 'vitest';
import { aDomain, aMember, aSession } from '../../test/contract/given.ts';
import { anOperator, OperatorBrowser } from '../../test/operator.ts';
import { forEachStore } from '../../test/stores.ts';
import { send, startTestServer, type TestServer, type TestSite, visit } from '../../test/test-server.ts';
import { emailTo, Visitor } from '../../test/visitor.ts';
import { type SecurityEvent, securityEvents } from './shared/observe/log-fields.ts';

interface Line {
  level: number;
  event?: string;
  [name: string]: unknown;
}

const fieldsOfAnyLine = ['level', 'time', 'msg', 'pid', 'hostname', 'event', 'omitted'];

forEachStore((store) => {
  /** What a service with a log wrote about security while something was done with it. */
  async function eventsOf(work: (server: TestServer, site: TestSite) => Promise<void>): Promise<Line[]> {
    const lines: Line[] = [];
    const server = await startTestServer(store, {
      log: (line) => lines.push(JSON.parse(line)),
      settings: { logLevel: 'info', trustedProxies: ['127.0.0.1'], rateLimitUnauthenticated: 20 },
    });
    const site = await server.createSite();
    await aDomain(site);
    await work(server, site);
    await server.stop();
    const events = lines.filter(({ event }) => event !== undefined);
    for (const line of events) {
      const known = [...fieldsOfAnyLine, ...securityEvents[line.event as SecurityEvent].fields];
      expect(
        Object.keys(line).filter((field) => !known.includes(field)),
        line.event,
      ).toEqual([]);
    }
    return events;
  }

  /** A visit that a proxy asks the gate about. */
  const checkGate = async (server: TestServer, site: TestSite, path: string, headers = {}) =>
    visit(server.address, 'GET', '/_gatehouse/auth', {
      headers: {
        'x-forwarded-host': await aDomain(site),
        'x-original-uri': path,
        'x-forwarded-for': '198.51.100.7',
        ...headers,
      },
    });

  test('denied visits are logged with their reason, and without what a visitor can choose', async () => {
    let memberId = '';
    const events = await eventsOf(async (server, site) => {
      const member = await aMember(site);
      memberId = member.id;
      const { token } = await aSession(site, member.id);
      const rules = [{ path: '/', access: 'paying_members' }];
      expect((await site.request('PUT', '/access-rules', { body: { rules } })).status).toBe(200);
      const cookie = `__Host-gatehouse_session=${token}`;
      expect((await checkGate(server, site, '/course?secret=1', { cookie })).status).toBe(403);
      const hidden = `/a/ada@example.org/${'x'.repeat(43)}/%0a%1b[31m`;
      expect((await checkGate(server, site, hidden)).status).toBe(403);
      const authorization = `Basic ${Buffer.from(`x:gmt_${'y'.repeat(43)}`).toString('base64')}`;
      await checkGate(server, site, '/feed', { authorization });
    });
    const siteId = expect.any(String);
    const ipAddress = '198.51.100.7';
    expect(events).toMatchObject([
      {
        level: 30,
        event: 'access.denied',
        siteId,
        reason: 'not_paying',
        path: '/course',
        memberId,
        ipAddress,
      },
      { event: 'access.denied', reason: 'ambiguous_path', path: '/a/*/*/*' },
      { event: 'access_token.refused', reason: 'anonymous', path: '/feed' },
    ]);
    expect(events[1]).not.toHaveProperty('memberId');
    expect(JSON.stringify(events)).not.toMatch(/secret=1|ada@|yyyy|31m/);
  });

  test('a flood of denied visits leaves few lines and their number, and hides no other reason', async () => {
    const events = await eventsOf(async (server, site) => {
      for (let number = 0; number < 50; number += 1) await checkGate(server, site, `/page-${number}`);
      await checkGate(server, site, '/%2e%2e/x');
    });
    const of = (reason: string) => events.filter((event) => event.reason === reason);
    expect(of('anonymous').filter(({ path }) => path !== undefined)).toHaveLength(20);
    expect(of('anonymous').at(-1)).toMatchObject({ event: 'access.denied', omitted: 30 });
    expect(of('ambiguous_path')).toHaveLength(1);
  });

  test('wrong codes, links, forms of other sites and limits are logged', async () => {
    const events = await eventsOf(async (server, site) => {
      const { email } = await aMember(site);
      const visitor = new Visitor(site);
      await visitor.requestLink(email);
      const { code } = await emailTo(server, email);
      const wrong = code === '000000' ? '000001' : '000000';
      for (let count = 0; count < 6; count += 1) await visitor.post('/_gatehouse/code', { code: wrong });
      await visitor.post(`/_gatehouse/link/${'a'.repeat(43)}`);
      await visitor.post('/_gatehouse/login', { email }, { 'sec-fetch-site': 'cross-site' });
      for (let count = 0; count < 5; count += 1) await visitor.requestLink(email);
    });
    expect(events.map(({ event }) => event)).toEqual([
      ...Array(4).fill('code.wrong'),
      ...Array(2).fill('code.refused'),
      'link.refused',
      'form.refused',
      'limit.exceeded',
    ]);
    for (const event of events) expect(event).toMatchObject({ level: 30, siteId: expect.any(String) });
  });

  test('refused keys, passkeys, sessions and permissions are logged', async () => {
    let ids = {};
    const events = await eventsOf(async (server, site) => {
      const authorization = `Bearer gat_${'k'.repeat(43)}`;
      await send(`${server.apiUrl}/site`, 'GET', { headers: { authorization } });
      const { secret } = await site.createKey({ permissions: ['members:read'] });
      await send(`${server.apiUrl}/site`, 'PATCH', {
        headers: { authorization: `Bearer ${secret}` },
        body: { title: 'X' },
      });
      await new OperatorBrowser(server).request('GET', 'me');
      const viewer = await anOperator(server, site.siteId, 'viewer');
      ids = { operatorId: viewer.id, personId: viewer.personId, siteId: site.siteId };
      await viewer.browser.api(site.siteId, 'PATCH', '/site', { title: 'X' });
      await viewer.browser.request('GET', 'me', undefined, { 'sec-fetch-site': 'cross-site' });
      const response = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {} };
      await new OperatorBrowser(server).request('POST', 'passkey-login', { response });
      const headers = { host: await aDomain(site) };
      await send(`${server.address}/_gatehouse/passkeys/login`, 'POST', { body: { response }, headers });
    });
    expect(events.map(({ event }) => event)).toEqual([
      'key.refused',
      'permission.denied',
      'session.refused',
      'permission.denied',
      'permission.denied',
      'passkey.refused',
      'passkey.refused',
    ]);
    expect(events[1]).toMatchObject({ keyId: expect.any(String), siteId: expect.any(String) });
    expect(events[3]).toMatchObject(ids);
  });
});
