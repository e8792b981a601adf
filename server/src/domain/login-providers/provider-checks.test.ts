import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CreateLoginProvider, LoginProviderTest } from '@gatehouse/contract';
import { providerCallbackPath } from '@gatehouse/contract/provider-issuers';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { aDomain } from '../../../test/contract/given.ts';
import { aLoginProvider } from '../../../test/contract/ways-in.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

/** Starts a server on this machine. Returns its origin. */
async function startServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a provider that knows one client, a site with an origin. Returns its issuer. */
async function startProvider(origin: string): Promise<string> {
  let answer: RequestListener = () => {};
  const issuer = await startServer((request, response) => answer(request, response));
  // It has no types.
  const { default: Provider } = (await import('oidc-provider' as string)) as {
    default: new (issuer: string, configuration: object) => { callback(): RequestListener };
  };
  const client = {
    client_id: 'gatehouse',
    client_secret: 'a-secret',
    redirect_uris: [origin + providerCallbackPath(issuer)],
  };
  answer = new Provider(issuer, { clients: [client] }).callback();
  return issuer;
}

forEachStore((store) => {
  const server = useTestServer(store);

  let site: TestSite;
  let headers: Record<string, string>;
  beforeEach(async () => {
    site = await server.createSite();
    const { secret } = await site.createKey({ permissions: ['login-providers:write', 'login-links:write'] });
    headers = { authorization: `Bearer ${secret}` };
  });

  const sendTest = (id: string) => site.request('POST', `/login-providers/${id}/test`, { headers });

  async function testOf(values: Partial<CreateLoginProvider>): Promise<LoginProviderTest> {
    const { id } = await aLoginProvider(site, values);
    return expectResponse('testLoginProvider', await sendTest(id), 200).data;
  }

  test('right settings have no problem, and a wrong secret is named', async () => {
    const issuer = await startProvider(`https://${await aDomain(site)}`);
    const { id } = await aLoginProvider(site, { issuer, secret: 'a-secret' });
    const right: LoginProviderTest = expectResponse('testLoginProvider', await sendTest(id), 200).data;
    expect(right.ok).toBe(true);
    expect(right.checks.map(({ check, status }) => [check, status])).toEqual([
      ['issuer', 'ok'],
      ['clock', 'ok'],
      ['secret', 'ok'],
      ['redirect_uri', 'ok'],
    ]);
    await site.patch(`/login-providers/${id}`, { secret: 'another' }, headers);
    const wrong: LoginProviderTest = expectResponse('testLoginProvider', await sendTest(id), 200).data;
    expect(wrong).toMatchObject({ ok: false });
    expect(wrong.checks).toContainEqual(expect.objectContaining({ check: 'secret', status: 'failed' }));
  });

  test('a provider that does not respond is named, and no secret is sent to it', async () => {
    await aDomain(site);
    const { ok, checks } = await testOf({});
    expect({ ok, named: checks.map(({ check, status }) => [check, status]) }).toEqual({
      ok: false,
      named: [['issuer', 'failed']],
    });
  });

  test('metadata that name an internal address are named', async () => {
    await aDomain(site);
    const issuer = await startServer((request, response) => {
      const own = `http://${request.headers.host}`;
      const urls = {
        authorization_endpoint: `${own}/a`,
        jwks_uri: `${own}/k`,
        token_endpoint: 'http://10.0.0.1/t',
      };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ issuer: own, ...urls }));
    });
    const { checks } = await testOf({ issuer });
    expect(checks.find(({ check }) => check === 'issuer')?.message).toContain(
      'token_endpoint is not allowed',
    );
  });

  test('a site without a domain has no redirect URI to test', async () => {
    const { id } = await aLoginProvider(site);
    expectResponse('testLoginProvider', await sendTest(id), 409, 'site_domain_missing');
  });

  test('while a slow provider is tested, others change it, and more tests of the site are refused', async () => {
    await aDomain(site);
    const held: ServerResponse[] = [];
    const issuer = await startServer((_, response) => void held.push(response));
    const { id } = await aLoginProvider(site, { issuer });
    const tests = [sendTest(id), sendTest(id)];
    await expect.poll(() => held.length).toBe(2);
    const changed = await site.patch(`/login-providers/${id}`, { name: 'Club' }, headers);
    expectResponse('updateLoginProvider', changed, 200);
    expectResponse('testLoginProvider', await sendTest(id), 429, 'rate_limited');
    for (const response of held) response.writeHead(503).end();
    for (const answer of await Promise.all(tests)) {
      const { ok, checks } = expectResponse('testLoginProvider', answer, 200).data as LoginProviderTest;
      expect({ ok, named: checks.map(({ check, status }) => [check, status]) }).toMatchObject({
        ok: false,
        named: expect.arrayContaining([['issuer', 'failed']]),
      });
    }
  });
});
