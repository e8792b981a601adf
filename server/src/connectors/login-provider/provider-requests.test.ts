import type { RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../../../test/loopback-servers.ts';
import { systemClock } from '../../base/clock.ts';
import type { ConnectedProvider } from '../../domain/login-providers/login-provider.ts';
import { ProviderLoginFailed } from '../../domain/login-providers/provider-account.ts';
import { OutgoingHttp } from '../outgoing/outgoing-http.ts';
import { LoginProviderConnector } from './login-provider-connector.ts';

const redirectUri = 'https://members.example.org/_gatehouse/login/callback';
const beginning = { redirectUri, state: 's', nonce: 'n', codeChallenge: 'c'.repeat(43) };
const discoveryPath = '/.well-known/openid-configuration';

/** A server that may be reached at 127.0.0.1 only, and a connector that knows its certificate. */
async function start(answer: RequestListener, timeoutMilliseconds?: number) {
  const { tlsPort, certificate, connections } = await listenOnLoopback(answer);
  const issuer = `https://hooks.example.org:${tlsPort}`;
  const outgoing = { allowedNetworks: ['127.0.0.1/32'], allowsHttp: false };
  const resolve = async (name: string) => {
    if (name.startsWith('unknown')) throw new Error('ENOTFOUND');
    return [name.startsWith('internal') ? '10.0.0.1' : '127.0.0.1'];
  };
  const http = new OutgoingHttp(outgoing, { resolve, certificateAuthority: certificate });
  onTestFinished(() => http.close());
  const connector = new LoginProviderConnector({
    http,
    outgoing,
    clock: systemClock,
    ...(timeoutMilliseconds !== undefined && { timeoutMilliseconds }),
  });
  const provider: ConnectedProvider = {
    siteId: 'site',
    type: 'oidc',
    name: 'Example',
    issuer,
    clientId: 'gatehouse',
    secret: 'secret',
    emailTrust: 'claim',
    groupsClaim: null,
    tenant: null,
    teamId: null,
    privateKeyId: null,
  };
  return { connector, provider, issuer, connections };
}

const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  userinfo_endpoint: `${issuer}/userinfo`,
});

/** Starts a server with changed metadata. */
function startWith(changed: Record<string, unknown>) {
  return start((request, response) => {
    const metadata = metadataOf(`https://${request.headers.host}`);
    response.setHeader('content-type', 'application/json');
    response.end(request.url === discoveryPath ? JSON.stringify({ ...metadata, ...changed }) : '{}');
  });
}

async function failureOf(login: Promise<unknown>): Promise<ProviderLoginFailed> {
  const error = await login.then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(ProviderLoginFailed);
  return error;
}

const addresses = [
  ['of a private network', 'https://10.0.0.1/x'],
  ['of this machine', 'https://127.0.0.2/x'],
  ['of the metadata of a cloud', 'https://169.254.169.254/latest'],
  ['of IPv6 with an embedded address', 'https://[::ffff:10.0.0.1]/x'],
  ['without encryption', 'http://login.example.org/x'],
  ['of a script', 'javascript:alert(1)'],
  ['of a file', 'file:///etc/passwd'],
  ['with a password', 'https://a:b@login.example.org/x'],
  ['of the port of another service', 'https://login.example.org:25/x'],
] as const;
const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const;

test.each(endpoints.flatMap((endpoint) => addresses.map(([name, url]) => ({ endpoint, name, url }))))(
  '$endpoint may not be an address $name',
  async ({ endpoint, url }) => {
    const { connector, provider } = await startWith({ [endpoint]: url });
    const failure = await failureOf(connector.begin(provider, beginning));
    expect(failure.reason).toBe('rejected');
  },
);

test('a name that leads to an internal address is not requested', async () => {
  const { connector, provider } = await startWith({ token_endpoint: 'https://internal.example.org/token' });
  const callback = new URL(`${redirectUri}?code=c&state=s`);
  const login = { redirectUri, callback, state: 's', nonce: 'n', codeVerifier: 'a'.repeat(43) };
  const failure = await failureOf(connector.finish(provider, login));
  expect(failure).toMatchObject({ reason: 'rejected' });
  expect(failure.message).toContain('internal.example.org leads to an IP address that is not public');
});

test('an issuer at an internal address is not requested', async () => {
  const { connector, provider, connections } = await startWith({});
  const issuer = 'https://internal.example.org';
  const failure = await failureOf(connector.begin({ ...provider, issuer }, beginning));
  expect(failure.reason).toBe('rejected');
  expect(connections).toEqual([]);
});

test('a redirect is not followed', async () => {
  const { connector, provider } = await start((_, response) => {
    response.writeHead(302, { location: 'https://10.0.0.1/' }).end();
  });
  expect((await failureOf(connector.begin(provider, beginning))).reason).toBe('rejected');
});

test('metadata of another issuer are rejected', async () => {
  const { connector, provider, issuer } = await startWith({ issuer: 'https://other.example.org' });
  expect((await failureOf(connector.begin(provider, beginning))).reason).toBe('rejected');
  const withSlash = await startWith({});
  const provided = { ...withSlash.provider, issuer: `${withSlash.issuer}/` };
  expect((await failureOf(withSlash.connector.begin(provided, beginning))).message).toBe(
    `The provider calls itself ${withSlash.issuer}, not ${withSlash.issuer}/. Use the issuer exactly as the provider writes it.`,
  );
  expect(issuer).toMatch(/^https:/);
});

/** What the test of a provider says about its issuer. */
async function testIssuer({ connector, provider }: Awaited<ReturnType<typeof start>>, issuer?: string) {
  const { checks } = await connector.test({ ...provider, ...(issuer && { issuer }) }, redirectUri);
  return checks.find(({ check }) => check === 'issuer')!;
}

const advice = 'Check the issuer, character by character, with its path.';

test.each([
  [
    'is not encrypted',
    'http://id.example.org',
    'The URL does not begin with https://. Use a URL with https.',
  ],
  ['is internal', 'https://10.0.0.1', '10.0.0.1 is not a public IP address. Use a public one'],
  [
    'leads to an internal address',
    'https://internal.example.org',
    'internal.example.org leads to an IP address',
  ],
  ['has an unknown name', 'https://unknown.example.org', 'The name unknown.example.org was not found.'],
])('the test of an issuer that %s says so', async (_, issuer, message) => {
  const check = await testIssuer(await startWith({}), issuer);
  expect(check).toMatchObject({ status: 'failed', message: expect.stringContaining(message) });
});

test.each([
  [
    'of another issuer',
    { issuer: 'https://other.example.org' },
    'itself https://other.example.org, not https://hooks.',
  ],
  [
    'of an issuer that is no URL',
    { issuer: 'other' },
    `answered without the metadata of a provider. ${advice}`,
  ],
  ['without a page', { authorization_endpoint: undefined }, 'lack authorization_endpoint'],
  [
    'without the code flow',
    { response_types_supported: ['id_token'] },
    'support the authorization code flow. Turn',
  ],
  [
    'without its grant',
    { grant_types_supported: ['implicit'] },
    'does not support the authorization code flow.',
  ],
  [
    'without S256',
    { code_challenge_methods_supported: ['plain'] },
    'does not support PKCE with S256. Turn it on',
  ],
])('the test of an issuer with metadata %s says so', async (_, changed, message) => {
  const check = await testIssuer(await startWith(changed));
  expect(check).toMatchObject({ status: 'failed', message: expect.stringContaining(message) });
});

test.each([
  [404, `answered 404. ${advice}`],
  [401, `answered 401. ${advice}`],
  [502, 'answered 502. Try again later.'],
  [200, `answered without the metadata of a provider. ${advice}`],
])(
  'the test of an issuer that answers %i with a page names the status, not the page',
  async (status, end) => {
    const started = await start((_, response) => void response.writeHead(status).end('<p>internal'));
    const { message } = await testIssuer(started);
    expect(message).toContain(`${started.issuer}${discoveryPath} ${end}`);
    expect(message).not.toContain('internal');
  },
);

test('the test of an issuer that does not answer says so', async () => {
  expect((await testIssuer(await start(() => {}, 300))).message).toContain('did not answer in time');
});

test.each([
  ['no JSON', (response: Parameters<RequestListener>[1]) => void response.end('<html>')],
  ['an error', (response: Parameters<RequestListener>[1]) => void response.writeHead(404).end()],
])('metadata that are %s are rejected', async (_, answer) => {
  const { connector, provider } = await start((_request, response) => answer(response));
  expect((await failureOf(connector.begin(provider, beginning))).reason).toBe('rejected');
});

test('HTTP Basic encodes only what it must, for servers that decode nothing', async () => {
  const sent: (string | undefined)[] = [];
  const { connector, provider } = await start((request, response) => {
    if (request.url === '/token') sent.push(request.headers.authorization);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(metadataOf(`https://${request.headers.host}`)));
  });
  await connector.test({ ...provider, clientId: 'club-1.app_x~', secret: 's-3.c_r~%:+ é' }, redirectUri);
  const [credentials = ''] = sent;
  expect(Buffer.from(credentials.replace('Basic ', ''), 'base64').toString()).toBe(
    'club-1.app_x~:s-3.c_r~%25%3A%2B+%C3%A9',
  );
});

test('a slow provider is unavailable after the limit', async () => {
  const { connector, provider } = await start(() => {}, 300);
  const failure = await failureOf(connector.begin(provider, beginning));
  expect(failure).toMatchObject({ reason: 'unavailable', message: expect.stringContaining('in time') });
});
