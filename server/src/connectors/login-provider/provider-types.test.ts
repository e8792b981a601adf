import { generateKeyPairSync } from 'node:crypto';
import {
  appleIssuer,
  gitHubIssuer,
  googleIssuer,
  microsoftIssuer,
} from '@gatehouse/contract/provider-issuers';
import { exportJWK, exportPKCS8, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import type { ConnectedProvider } from '../../domain/login-providers/login-provider.ts';
import { ProviderLoginFailed } from '../../domain/login-providers/provider-account.ts';
import type { OutgoingRequest } from '../outgoing/outgoing-http.ts';
import { LoginProviderConnector } from './login-provider-connector.ts';

const redirectUri = 'https://members.example.org/_gatehouse/login/callback';
const login = { redirectUri, state: 's', nonce: 'n' };
const callback = new URL(`${redirectUri}?code=c&state=s`);
const finishing = { ...login, callback, codeVerifier: 'a'.repeat(43) };
const tenant = '11111111-2222-4333-8444-555555555555';
const outgoing = { allowedNetworks: [], allowsHttp: false };

const base: ConnectedProvider = {
  siteId: 'site',
  type: 'oidc',
  name: 'Example',
  issuer: '',
  clientId: 'gatehouse',
  secret: 'secret',
  emailTrust: 'claim',
  groupsClaim: null,
  tenant: null,
  teamId: null,
  privateKeyId: null,
};

/** Services that cannot be reached from a test, by the beginning of their URLs. */
function connectorTo(answers: Record<string, unknown>) {
  const requests: { url: string; init: OutgoingRequest }[] = [];
  const fetch = async (address: string | URL, init: OutgoingRequest = {}) => {
    const url = String(address);
    requests.push({ url, init });
    const found = Object.keys(answers).find((each) => url === each);
    if (found === undefined) return new Response('', { status: 404 });
    if (typeof answers[found] === 'string') return new Response(answers[found]);
    const { status = 200, ...body } = answers[found] as { status?: number };
    const sent = Array.isArray(answers[found]) ? answers[found] : body;
    return Response.json(sent, { status });
  };
  return {
    connector: new LoginProviderConnector({ http: { fetch }, outgoing, clock: systemClock }),
    requests,
  };
}

/** A provider with ID tokens that have the claims. */
async function oidcService(issuer: string, claims: Record<string, unknown>) {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const idToken = await new SignJWT({ sub: 'ada', nonce: 'n', ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'k' })
    .setIssuer(issuer)
    .setAudience('gatehouse')
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey);
  return connectorTo({
    [`${issuer}/.well-known/openid-configuration`]: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      userinfo_endpoint: `${issuer}/userinfo`,
    },
    [`${issuer}/keys`]: { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }] },
    [`${issuer}/token`]: { access_token: 't', token_type: 'Bearer', id_token: idToken },
  });
}

test.each([
  ['ada@gmail.com', undefined, true, true],
  ['Ada@Gmail.com', undefined, true, true],
  ['ada@example.org', 'example.org', true, true],
  ['ada@example.org', undefined, true, false],
  ['ada@example.org', '', true, false],
  ['ada@notgmail.com', undefined, true, false],
  ['ada@gmail.com.example.org', undefined, true, false],
  ['ada@gmail.com', undefined, false, false],
  ['ada@example.org', 'example.org', false, false],
  ['ada@gmail.com', undefined, 'true', false],
])(
  'Google: %s of the domain %s, verified %s, counts as verified: %s',
  async (email, hd, verified, counts) => {
    const provider: ConnectedProvider = { ...base, type: 'google', issuer: googleIssuer };
    const { connector } = await oidcService(googleIssuer, { email, hd, email_verified: verified });
    expect(await connector.finish(provider, finishing)).toMatchObject({
      issuer: googleIssuer,
      subject: 'ada',
      email,
      emailVerified: counts,
    });
  },
);

test.each([
  [true, true],
  ['1', true],
  [1, true],
  ['true', true],
  [false, false],
  ['0', false],
  ['false', false],
  [undefined, false],
])('Microsoft: with xms_edov %s, the address is verified: %s', async (xms_edov, isVerified) => {
  const issuer = microsoftIssuer(tenant);
  const provider: ConnectedProvider = { ...base, type: 'microsoft', issuer, tenant };
  const claims = { email: 'ada@example.org', email_verified: true, xms_edov };
  const { connector } = await oidcService(issuer, claims);
  expect(await connector.finish(provider, finishing)).toMatchObject({ emailVerified: isVerified });
});

test('Microsoft: the issuer of every directory is rejected', async () => {
  const issuer = microsoftIssuer('common');
  const url = `${issuer}/.well-known/openid-configuration`;
  const { connector } = connectorTo({ [url]: { issuer: microsoftIssuer('{tenantid}') } });
  const begun = connector.begin({ ...base, issuer }, { ...login, codeChallenge: 'c' });
  await expect(begun).rejects.toBeInstanceOf(ProviderLoginFailed);
});

test('Apple: the secret is signed for each request, and the page posts its result', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const secret = await exportPKCS8(privateKey);
  const provider: ConnectedProvider = {
    ...base,
    type: 'apple',
    issuer: appleIssuer,
    secret,
    teamId: 'TEAM123456',
    privateKeyId: 'KEY1234567',
  };
  const claims = { email: 'x@privaterelay.appleid.com', email_verified: 'true' };
  const { connector, requests } = await oidcService(appleIssuer, claims);
  const page = await connector.begin(provider, { ...login, codeChallenge: 'c' });
  expect(page.searchParams.get('response_mode')).toBe('form_post');
  expect(await connector.finish(provider, finishing)).toMatchObject({ emailVerified: true });

  const token = requests.find(({ url }) => url === `${appleIssuer}/token`)!;
  const sent = new URLSearchParams(String(token.init.body)).get('client_secret')!;
  const { payload, protectedHeader } = await jwtVerify(sent, publicKey, { audience: appleIssuer });
  expect(protectedHeader).toMatchObject({ alg: 'ES256', kid: 'KEY1234567' });
  expect(payload).toMatchObject({ iss: 'TEAM123456', sub: 'gatehouse' });
  expect(payload.exp! - payload.iat!).toBe(300);
});

test('Apple: a key that cannot be read is told without the key', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const secret = privateKey.export({ format: 'pem', type: 'pkcs1' }).toString();
  const { connector } = await oidcService(appleIssuer, {});
  const { checks } = await connector.test(
    { ...base, type: 'apple', issuer: appleIssuer, secret },
    redirectUri,
  );
  expect(checks[0]!.message).toContain('The private key cannot be read.');
  expect(JSON.stringify(checks)).not.toContain(secret.split('\n')[1]);
});

const gitHub: ConnectedProvider = { ...base, type: 'github', issuer: gitHubIssuer };
const tokenUrl = 'https://github.com/login/oauth/access_token';
const apiUrl = 'https://api.github.com';
const token = { access_token: 't', token_type: 'bearer', scope: 'read:user,user:email' };
const address = { email: 'ada@example.org', primary: true, verified: true };

test('GitHub: the account is its number, with its primary address', async () => {
  const { connector, requests } = connectorTo({
    [tokenUrl]: token,
    [`${apiUrl}/user`]: { id: 42, login: 'ada', email: 'shown@example.org' },
    [`${apiUrl}/user/emails`]: [{ ...address, email: 'old@example.org', primary: false }, address],
  });
  expect(await connector.finish(gitHub, finishing)).toEqual({
    issuer: 'https://github.com',
    subject: '42',
    email: 'ada@example.org',
    emailVerified: true,
    label: 'ada',
    groups: null,
  });
  const sent = new URLSearchParams(String(requests[0]!.init.body));
  expect(sent.get('code_verifier')).toBe(finishing.codeVerifier);
});

test.each([
  ['a primary address that is not verified', [{ ...address, verified: false }]],
  ['a verified address that is not primary', [{ ...address, primary: false }]],
  ['a text instead of true', [{ ...address, verified: 'true' }]],
  ['no addresses', []],
])('GitHub: %s is not verified', async (_, emails) => {
  const { connector } = connectorTo({
    [tokenUrl]: token,
    [`${apiUrl}/user`]: { id: 42, login: 'ada' },
    [`${apiUrl}/user/emails`]: emails,
  });
  expect(await connector.finish(gitHub, finishing)).toMatchObject({ subject: '42', emailVerified: false });
});

test.each([
  ['an error instead of a token', { [tokenUrl]: { error: 'bad_verification_code' } }, 'rejected'],
  ['no number', { [tokenUrl]: token, [`${apiUrl}/user`]: { id: '42', login: 'ada' } }, 'rejected'],
  ['a page instead of JSON', { [tokenUrl]: token, [`${apiUrl}/user`]: '<html>' }, 'rejected'],
  ['an overload', { [tokenUrl]: token, [`${apiUrl}/user`]: { status: 503 } }, 'unavailable'],
  [
    'addresses that may not be read',
    { [tokenUrl]: token, [`${apiUrl}/user`]: { id: 42 }, [`${apiUrl}/user/emails`]: { status: 403 } },
    'rejected',
  ],
])('GitHub: %s gives no account', async (_, answers, reason) => {
  const { connector } = connectorTo(answers);
  const failure = await connector.finish(gitHub, finishing).catch((error) => error);
  expect(failure).toBeInstanceOf(ProviderLoginFailed);
  expect(failure.reason).toBe(reason);
});

test.each([
  ['github', 200, '', 'unknown'],
  ['github', 404, '', 'unknown'],
  ['google', 302, 'https://accounts.google.com/v3/signin/identifier', 'unknown'],
  ['google', 302, 'https://accounts.google.com/signin/oauth/error?authError=x', 'failed'],
  ['microsoft', 200, '<p>Sign in</p>', 'unknown'],
  ['microsoft', 200, '<p>AADSTS50011: The redirect URI does not match</p>', 'failed'],
] as const)('%s with %s and %j: the redirect URI is %s', async (type, status, content, expected) => {
  const issuer = { github: gitHubIssuer, google: googleIssuer, microsoft: microsoftIssuer(tenant) }[type];
  const isRedirect = status === 302;
  const authorize = type === 'github' ? 'https://github.com/login/oauth/authorize' : `${issuer}/authorize`;
  const fetch = async (address: string | URL) => {
    const url = String(address);
    if (url.startsWith(authorize)) {
      const headers = isRedirect ? { location: content } : {};
      return new Response(isRedirect ? null : content, { status, headers });
    }
    const token_endpoint = `${issuer}/token`;
    const metadata = {
      issuer,
      authorization_endpoint: authorize,
      token_endpoint,
      jwks_uri: `${issuer}/keys`,
    };
    if (url.endsWith('/openid-configuration')) return Response.json(metadata);
    return Response.json({ error: 'invalid_grant' }, { status: 400 });
  };
  const connector = new LoginProviderConnector({ http: { fetch }, outgoing, clock: systemClock });
  const { checks } = await connector.test({ ...base, type, issuer, tenant }, redirectUri);
  expect(checks.find(({ check }) => check === 'redirect_uri')).toMatchObject({ status: expected });
});
