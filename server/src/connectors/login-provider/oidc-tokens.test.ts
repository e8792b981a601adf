import { createHmac } from 'node:crypto';
import { OAuth2Server } from 'oauth2-mock-server';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import type { ConnectedProvider } from '../../domain/login-providers/login-provider.ts';
import { ProviderLoginFailed } from '../../domain/login-providers/provider-account.ts';
import { OutgoingHttp } from '../outgoing/outgoing-http.ts';
import { LoginProviderConnector } from './login-provider-connector.ts';

const redirectUri = 'https://members.example.org/_gatehouse/login/callback';
const codeVerifier = 'a'.repeat(43);
const codeChallenge = 'ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA';
const outgoing = { allowedNetworks: ['127.0.0.1/32', '::1/128'], allowsHttp: true };

/** Of ID tokens. */
const algorithms = ['RS256', 'ES256'];

let server: OAuth2Server;
let http: OutgoingHttp;
let connector: LoginProviderConnector;
let provider: ConnectedProvider;
/** What the provider puts into the next ID tokens. */
let claims: Record<string, unknown>;
/** Which servers stand for others, by their origins or URLs. */
let origins: Map<string, string>;
/** What else the provider says of itself. */
let furtherMetadata: object;

beforeEach(async () => {
  server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  server.issuer.url = `http://127.0.0.1:${server.address().port}`;
  http = new OutgoingHttp(outgoing);
  origins = new Map();
  furtherMetadata = {};
  const fetch: OutgoingHttp['fetch'] = async (url, init) => {
    const response = await http.fetch(replacedOrigin(new URL(url)), init);
    if (!String(url).endsWith('/openid-configuration')) return response;
    const metadata = (await response.json()) as object;
    return Response.json({
      ...metadata,
      id_token_signing_alg_values_supported: algorithms,
      ...furtherMetadata,
    });
  };
  connector = new LoginProviderConnector({ http: { fetch }, outgoing, clock: systemClock });
  provider = {
    siteId: 'site',
    type: 'oidc',
    name: 'Example',
    issuer: server.issuer.url,
    clientId: 'gatehouse',
    secret: 'secret',
    emailTrust: 'claim',
    groupsClaim: null,
    tenant: null,
    teamId: null,
    privateKeyId: null,
  };
  claims = { sub: 'ada', email: 'ada@example.org', email_verified: true };
  server.service.on('beforeTokenSigning', ({ payload }) => {
    // Also access tokens are signed; only ID tokens have a nonce.
    if ('nonce' in payload || payload.aud === 'gatehouse') Object.assign(payload, claims);
  });
  server.service.on('beforeUserinfo', (response) => {
    response.body = { sub: 'ada' };
  });
});

afterEach(async () => {
  await http.close();
  if (server.listening) await server.stop();
});

function replacedOrigin(url: URL): string {
  const origin = origins.get(url.origin + url.pathname) ?? origins.get(url.origin) ?? url.origin;
  return origin + url.pathname + url.search;
}

/** Logs in at the provider as a browser does, and returns the callback. */
async function callbackFor(login: { state: string; nonce: string }): Promise<URL> {
  const url = await connector.begin(provider, { redirectUri, codeChallenge, ...login });
  const response = await fetch(replacedOrigin(url), { redirect: 'manual' });
  return new URL(response.headers.get('location')!);
}

async function logIn(nonce = 'nonce-1') {
  const callback = await callbackFor({ state: 'state-1', nonce: 'nonce-1' });
  return connector.finish(provider, { redirectUri, callback, state: 'state-1', nonce, codeVerifier });
}

async function failureOf(login: Promise<unknown>): Promise<ProviderLoginFailed> {
  const error = await login.then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(ProviderLoginFailed);
  return error;
}

/** Replaces the ID token of the next response. */
function answerWithIdToken(change: (idToken: string) => string): void {
  server.service.once('beforeResponse', (response) => {
    const body = response.body as Record<string, string>;
    body.id_token = change(body.id_token!);
  });
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a login gives the account with its issuer and subject', async () => {
  expect(await logIn()).toEqual({
    issuer: provider.issuer,
    subject: 'ada',
    email: 'ada@example.org',
    emailVerified: true,
    label: 'ada@example.org',
    groups: null,
  });
});

test('the page of the provider gets PKCE, state and nonce', async () => {
  const login = { redirectUri, state: 's', nonce: 'n', codeChallenge };
  const { searchParams } = await connector.begin(provider, login);
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: 'gatehouse',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state: 's',
    nonce: 'n',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  });
});

test.each([
  ['a claim that is a scope too', ['openid', 'groups'], ['sub', 'groups'], 'openid email profile groups'],
  ['a claim that is no scope', ['openid'], ['sub', 'groups'], 'openid email profile'],
  ['a scope that is no claim', ['openid', 'groups'], ['sub'], 'openid email profile'],
  ['metadata without lists', 'groups', null, 'openid email profile'],
])('the groups are requested as the metadata allow it: %s', async (_, scopes, names, expected) => {
  furtherMetadata = { scopes_supported: scopes, claims_supported: names };
  provider = { ...provider, groupsClaim: 'groups' };
  const { searchParams } = await connector.begin(provider, {
    redirectUri,
    state: 's',
    nonce: 'n',
    codeChallenge,
  });
  expect(searchParams.get('scope')).toBe(expected);
});

describe('an address is not verified', () => {
  test.each([
    ['without the claim', undefined],
    ['with false', false],
    ['with a text', 'true'],
    ['with a number', 1],
  ])('%s', async (_, email_verified) => {
    claims = { sub: 'ada', email: 'ada@example.org', email_verified };
    expect(await logIn()).toMatchObject({ email: 'ada@example.org', emailVerified: false });
  });

  test('if it is missing, even if all addresses are trusted', async () => {
    provider = { ...provider, emailTrust: 'always' };
    claims = { sub: 'ada', email_verified: true };
    expect(await logIn()).toMatchObject({ email: null, emailVerified: false, label: 'ada' });
  });

  test('if addresses of the provider are never trusted', async () => {
    provider = { ...provider, emailTrust: 'never' };
    expect(await logIn()).toMatchObject({ email: 'ada@example.org', emailVerified: false });
  });

  test('by one document for the address of another', async () => {
    claims = { sub: 'ada', email: 'ada@example.org' };
    server.service.on('beforeUserinfo', (response) => {
      response.body = { sub: 'ada', email: 'other@example.org', email_verified: true };
    });
    expect(await logIn()).toMatchObject({ email: 'other@example.org', emailVerified: true });
  });
});

test('every address is verified if all of the provider are trusted', async () => {
  provider = { ...provider, emailTrust: 'always' };
  claims = { sub: 'ada', email: 'ada@example.org' };
  expect(await logIn()).toMatchObject({ emailVerified: true });
});

describe('groups', () => {
  test.each([
    ['a list', ['a', 'b', 'a'], ['a', 'b']],
    ['an empty list', [], []],
    ['a text', 'a', ['a']],
    ['nothing', undefined, null],
    ['an object', { a: true }, null],
    ['a list with a number', ['a', 1], null],
  ])('of %s', async (_, roles, groups) => {
    provider = { ...provider, groupsClaim: 'roles' };
    claims = { ...claims, roles };
    expect((await logIn()).groups).toEqual(groups);
  });

  test('that are too many for the token are unknown', async () => {
    provider = { ...provider, groupsClaim: 'groups' };
    claims = { ...claims, _claim_names: { groups: 'src1' }, groups: [] };
    expect((await logIn()).groups).toBe(null);
  });
});

describe('an ID token is rejected', () => {
  test.each([
    ['of another issuer', { iss: 'https://other.example.org' }],
    ['for another client', { aud: 'other' }],
    ['for more clients, one of which is the authorized party', { aud: ['gatehouse', 'other'], azp: 'other' }],
    ['with another nonce', { nonce: 'nonce-0' }],
    ['without a nonce', { nonce: undefined }],
    ['that has expired', { exp: 1_000_000_000 }],
    ['without a subject', { sub: undefined }],
    ['with a subject that is a number', { sub: 7 }],
  ])('%s', async (_, changed) => {
    claims = { ...claims, ...changed };
    expect((await failureOf(logIn())).reason).toBe('rejected');
  });

  test('of an earlier login', async () => {
    expect((await failureOf(logIn('nonce-2'))).reason).toBe('rejected');
  });

  test('without a signature', async () => {
    answerWithIdToken((token) => `${encoded({ alg: 'none' })}.${token.split('.')[1]}.`);
    expect((await failureOf(logIn())).reason).toBe('rejected');
  });

  test('signed by HS256 with the public key or the secret', async () => {
    const [key] = server.issuer.keys.toJSON(false);
    for (const secret of [JSON.stringify(key), String(key!.n), 'secret']) {
      answerWithIdToken((token) => {
        const signed = `${encoded({ alg: 'HS256', kid: key!.kid })}.${token.split('.')[1]}`;
        return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
      });
      expect((await failureOf(logIn())).reason).toBe('rejected');
    }
  });

  test('with changed claims', async () => {
    answerWithIdToken((token) => {
      const [header, payload, signature] = token.split('.');
      const changed = { ...JSON.parse(Buffer.from(payload!, 'base64url').toString()), sub: 'eve' };
      return `${header}.${encoded(changed)}.${signature}`;
    });
    expect((await failureOf(logIn())).reason).toBe('rejected');
  });

  test('that is missing', async () => {
    server.service.once('beforeResponse', (response) => {
      delete (response.body as Record<string, unknown>).id_token;
    });
    expect((await failureOf(logIn())).reason).toBe('rejected');
  });
});

describe('a callback', () => {
  test('with another state is rejected', async () => {
    const callback = await callbackFor({ state: 'state-1', nonce: 'n' });
    const login = { redirectUri, callback, state: 'state-2', nonce: 'n', codeVerifier };
    expect((await failureOf(connector.finish(provider, login))).reason).toBe('rejected');
  });

  test('of another issuer is rejected (RFC 9207)', async () => {
    const callback = await callbackFor({ state: 's', nonce: 'n' });
    callback.searchParams.set('iss', 'https://other.example.org');
    const login = { redirectUri, callback, state: 's', nonce: 'n', codeVerifier };
    expect((await failureOf(connector.finish(provider, login))).reason).toBe('rejected');
  });

  test('with the verifier of another browser is rejected', async () => {
    const callback = await callbackFor({ state: 's', nonce: 'n' });
    const login = { redirectUri, callback, state: 's', nonce: 'n', codeVerifier: 'b'.repeat(43) };
    expect((await failureOf(connector.finish(provider, login))).reason).toBe('rejected');
  });

  test('of a person who canceled is denied', async () => {
    const callback = new URL(`${redirectUri}?error=access_denied&state=s`);
    const login = { redirectUri, callback, state: 's', nonce: 'n', codeVerifier };
    expect((await failureOf(connector.finish(provider, login))).reason).toBe('denied');
  });
});

/** Starts a server that signs by an algorithm and stands for the provider. */
async function startWithKey(algorithm: string): Promise<OAuth2Server> {
  const started = new OAuth2Server();
  await started.issuer.keys.generate(algorithm);
  await started.start(0, '127.0.0.1');
  onTestFinished(() => started.stop());
  started.service.on('beforeTokenSigning', ({ payload }) => void Object.assign(payload, claims));
  origins.set(new URL(provider.issuer).origin, started.issuer.url!);
  started.issuer.url = provider.issuer;
  return started;
}

const rotations = algorithms.flatMap((before) => algorithms.map((after) => [before, after] as const));

test.each(rotations)('a key for %s that is replaced by one for %s counts at once', async (before, after) => {
  await startWithKey(before);
  expect(await logIn()).toMatchObject({ subject: 'ada' });
  await startWithKey(after);
  expect(await logIn()).toMatchObject({ subject: 'ada' });
});

test.each(rotations)(
  'a token by a key for %s is rejected once only one for %s is published',
  async (before, after) => {
    await startWithKey(before);
    const [keys, tokens] = ['/jwks', origins.get(new URL(provider.issuer).origin)!];
    await startWithKey(after);
    const published = origins.get(new URL(provider.issuer).origin)!;
    origins.set(new URL(provider.issuer).origin, tokens);
    origins.set(provider.issuer + keys, published);
    const { reason, message } = await failureOf(logIn());
    expect({ reason, message }).toEqual({
      reason: 'rejected',
      message: expect.stringContaining('verification key'),
    });
  },
);

test('a provider that is down is unavailable', async () => {
  await server.stop();
  expect((await failureOf(logIn())).reason).toBe('unavailable');
});
