import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { expectResponse } from '../../../../test/contract/answers.ts';
import { aDomain, aMember, anAccessToken } from '../../../../test/contract/given.ts';
import { anOperator } from '../../../../test/operator.ts';
import { forEachStore } from '../../../../test/stores.ts';
import { send, type TestSite, visit } from '../../../../test/test-server.ts';
import { useTestServer } from '../../../../test/use-server.ts';
import { generateAccessToken } from '../../../domain/access-tokens/access-token.ts';
import { generateKey } from '../../../domain/api-keys/api-key.ts';
import { generateToken } from '../../../domain/sessions/token.ts';

const limit = 3;
const requests = 300;

forEachStore((store) => {
  const server = useTestServer(store, {
    settings: {
      rateLimitUnauthenticated: limit,
      loginLimitClient: limit,
      trustedProxies: ['127.0.0.0/8'],
      metricsToken: 'token',
      // Every statement counts as a slow one.
      slowStatementMilliseconds: 1e-9,
    },
  });

  const countStatements = async () => {
    const { text } = await send(`${server.address}/metrics`, 'GET', {
      headers: { authorization: 'Bearer token' },
    });
    return Number(/^gatehouse_slow_statements_total (\d+)$/m.exec(text)![1]);
  };

  const get = (path: string, headers: Record<string, string>) =>
    send(server.address + path, 'GET', { headers });
  const deviceCookie = () => `1.${generateToken()}.${randomBytes(32).toString('base64url')}`;

  /** A request with a credential that no one has. */
  const kinds: Record<string, (client: string, site: TestSite) => Promise<{ status: number }>> = {
    'API keys': (client) =>
      get('/api/v1/site', { 'x-forwarded-for': client, authorization: `Bearer ${generateKey()}` }),
    'tokens of operators': (client) =>
      get('/api/v1/site', { 'x-forwarded-for': client, authorization: `Bearer gateop_${generateToken()}` }),
    'cookies of the dashboard': (client) =>
      get('/dashboard/api/me', {
        'x-forwarded-for': client,
        cookie: `gatehouse_operator=${generateToken()}; gatehouse_operator_device=${deviceCookie()}`,
      }),
    'cookies with forms of a site': async (client, site) =>
      visit(server.address, 'POST', '/_gatehouse/login', {
        headers: {
          'x-forwarded-for': client,
          host: await aDomain(site),
          cookie: `__Host-gatehouse_device=${deviceCookie()}`,
        },
        form: {},
      }),
    'access tokens at the gate': (client, site) => gate(site, client, generateAccessToken()),
    'access tokens in a query': async (client, site) => {
      const token = generateAccessToken();
      return gate(site, client, token, `?access_token=${token}`);
    },
  };

  const gate = async (site: TestSite, client: string, token: string, query = '') =>
    visit(server.address, 'GET', '/_gatehouse/forward-auth', {
      headers: {
        'x-forwarded-host': await aDomain(site),
        'x-forwarded-uri': `/feed${query}`,
        'x-forwarded-method': 'GET',
        'x-forwarded-for': client,
        ...(query === '' && { authorization: `Bearer ${token}` }),
      },
    });

  let lastClient = 0;
  const freshClient = () => `198.51.100.${++lastClient}`;

  test.each(Object.keys(kinds))(
    'over its limit an address pays nothing in the store for unknown %s',
    async (kind) => {
      const site = await server.createSite();
      const rules = [{ path: '/', access: 'members', acceptsTokenInUrl: true }];
      await site.request('PUT', '/access-rules', { body: { rules } });
      const attempt = (client: string) => kinds[kind]!(client, site);
      const client = freshClient();
      for (let time = 0; time <= limit; time += 1) await attempt(client);
      const before = await countStatements();
      const answers = await Promise.all(Array.from({ length: requests }, () => attempt(client)));
      const statements = (await countStatements()) - before;
      expect(answers.filter(({ status }) => status !== 429)).toEqual([]);
      expect(statements).toBeLessThan(requests / 3);
    },
  );

  test('a valid key and a logged-in operator behind the same address are recognized', async () => {
    const site = await server.createSite();
    const { secret } = await site.createKey();
    const { browser } = await anOperator(server, site.siteId);
    const token = await browser.token(site.siteId);
    const client = freshClient();
    const attack = () => Promise.all(Array.from({ length: 50 }, () => kinds['API keys']!(client, site)));
    await attack();
    const attacks = [attack(), attack()];
    const from = { 'x-forwarded-for': client };
    for (const authorization of [`Bearer ${secret}`, `Bearer ${token}`]) {
      for (let time = 0; time < 3; time += 1) {
        expectResponse('getSite', await get('/api/v1/site', { ...from, authorization }), 200);
      }
    }
    for (let time = 0; time < 3; time += 1) {
      expect((await get('/dashboard/api/me', { ...from, ...browser.cookieHeader() })).status).toBe(200);
    }
    await Promise.all(attacks);
    await site.delete(`/api-keys/${(await site.get('/api-keys')).body.data[0].id}`);
    await expect
      .poll(async () => (await get('/api/v1/site', { ...from, authorization: `Bearer ${secret}` })).status)
      .toBe(429);
  });

  test('a valid access token behind the same address is recognized until it is deleted', async () => {
    const site = await server.createSite();
    // Another domain ends all tokens.
    await aDomain(site);
    const { id: memberId } = await aMember(site);
    const { id, secret } = await anAccessToken(site, memberId);
    const client = freshClient();
    const attack = () =>
      Promise.all(Array.from({ length: 50 }, () => kinds['access tokens at the gate']!(client, site)));
    await attack();
    const attacks = [attack(), attack()];
    const statuses: unknown[] = [(await gate(site, freshClient(), secret)).status];
    for (let time = 0; time < 3; time += 1) statuses.push((await gate(site, client, secret)).status);
    expect(statuses).toEqual([204, 204, 204, 204]);
    await Promise.all(attacks);
    await site.delete(`/members/${memberId}/access-tokens/${id}`);
    expect((await gate(site, client, secret)).status).toBe(429);
  });
});
