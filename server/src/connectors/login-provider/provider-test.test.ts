import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import type { ConnectedProvider } from '../../domain/login-providers/login-provider.ts';
import { OutgoingHttp } from '../outgoing/outgoing-http.ts';
import { LoginProviderConnector } from './login-provider-connector.ts';

const redirectUri = 'https://members.example.org/_gatehouse/login/callback';
const outgoing = { allowedNetworks: ['127.0.0.1/32'], allowsHttp: true };

let server: Server;
let provider: ConnectedProvider;
const http = new OutgoingHttp(outgoing);

beforeAll(async () => {
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = addressOf(server);
  // It has no types.
  const { default: Provider } = (await import('oidc-provider' as string)) as {
    default: new (issuer: string, configuration: object) => { callback(): (...args: unknown[]) => void };
  };
  const client = { client_id: 'gatehouse', client_secret: 'a-secret', redirect_uris: [redirectUri] };
  server.on('request', new Provider(issuer, { clients: [client] }).callback());
  provider = {
    siteId: 'site',
    type: 'oidc',
    name: 'Example',
    issuer,
    clientId: 'gatehouse',
    secret: 'a-secret',
    emailTrust: 'claim',
    groupsClaim: null,
    tenant: null,
    teamId: null,
    privateKeyId: null,
  };
});

function addressOf(listening: Server): string {
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

afterAll(async () => {
  await http.close();
  server.closeAllConnections();
  server.close();
});

/** The checks of a test by name, with the settings changed. */
async function testWith(
  changed: Partial<ConnectedProvider> = {},
  uri = redirectUri,
  clock: Clock = systemClock,
) {
  const connector = new LoginProviderConnector({ http, outgoing, clock });
  const { ok, checks } = await connector.test({ ...provider, ...changed }, uri);
  const statuses = Object.fromEntries(checks.map(({ check, status }) => [check, status]));
  const message = checks.find(({ status }) => status === 'failed')?.message;
  return { ok, statuses, message };
}

test('right settings have no problem', async () => {
  expect(await testWith()).toEqual({
    ok: true,
    statuses: { issuer: 'ok', clock: 'ok', secret: 'ok', redirect_uri: 'ok' },
    message: undefined,
  });
});

test('a wrong secret is named', async () => {
  const { ok, statuses, message } = await testWith({ secret: 'another-secret' });
  expect({ ok, secret: statuses.secret }).toEqual({ ok: false, secret: 'failed' });
  expect(message).toContain('invalid_client');
});

test('a client that the provider does not know is named', async () => {
  expect((await testWith({ clientId: 'other' })).statuses).toMatchObject({ secret: 'failed' });
});

test('a redirect URI that the provider does not know is named', async () => {
  const { ok, statuses, message } = await testWith({}, 'https://other.example.org/_gatehouse/login/callback');
  expect({ ok, uri: statuses.redirect_uri }).toEqual({ ok: false, uri: 'failed' });
  expect(message).toContain('Add https://other.example.org/_gatehouse/login/callback at the provider');
});

test('a wrong issuer is named, and nothing else is tried', async () => {
  const { ok, statuses } = await testWith({ issuer: `${provider.issuer}/other` });
  expect({ ok, issuer: statuses.issuer }).toEqual({ ok: false, issuer: 'failed' });
  expect(statuses).not.toHaveProperty('secret');
});

test.each(['/', '/realms/club/', '/realms/club'])(
  'an issuer that differs by a slash at its end from how the provider names it is returned: %s',
  async (path) => {
    const named = new URL(path, provider.issuer).href;
    const metadata = createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ issuer: named }));
    });
    await new Promise<void>((resolve) => metadata.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void metadata.close());
    const connector = new LoginProviderConnector({
      http: {
        fetch: (url, init) => http.fetch(String(url).replace(provider.issuer, addressOf(metadata)), init),
      },
      outgoing,
      clock: systemClock,
    });
    const entered = named.endsWith('/') ? named.slice(0, -1) : `${named}/`;
    const { ok, issuer, checks } = await connector.test({ ...provider, issuer: entered }, redirectUri);
    expect({ ok, issuer }).toEqual({ ok: false, issuer: named });
    expect(checks[0]!.message).toContain(`The provider calls itself ${named}, not ${entered}.`);
  },
);

test.each([
  ['ahead of', 300_000],
  ['behind', -300_000],
])('a clock %s that of the provider is named', async (direction, difference) => {
  const clock = () => new Date(Date.now() + difference);
  const { ok, message } = await testWith({}, redirectUri, clock);
  expect(ok).toBe(false);
  expect(message).toMatch(new RegExp(`The clock of this server is (299|300|301) seconds ${direction}`));
});
