import type { Configuration } from 'openid-client';
import type { ConnectedProvider } from '../../domain/login-providers/login-provider.ts';
import type { ProviderCheck, ProviderTest } from '../../domain/login-providers/provider-account.ts';
import { authorizationParameters } from './authorization-parameters.ts';
import { profileOf } from './profiles.ts';
import { answerText, failureOf, oauthErrorOf } from './provider-failure.ts';
import { missingSupport } from './provider-metadata.ts';
import { type ProviderConnections, ProviderSession } from './provider-session.ts';

const maxClockDifferenceSeconds = 60;
const probe = 'gatehouse-test';
/** Of the right form; no code is ever exchanged with it. */
const probeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** Says what is wrong with the settings of a provider, as far as its servers tell it without a login. */
export async function testProvider(
  provider: ConnectedProvider,
  redirectUri: string,
  connections: ProviderConnections,
): Promise<ProviderTest> {
  const checks: ProviderCheck[] = [];
  const session = new ProviderSession(provider, withClockCheck(connections, checks));
  const configuration = await session.configure().catch((error) => {
    checks.unshift(failed('issuer', knownMessage(error)));
    return undefined;
  });
  if (configuration !== undefined) {
    checks.unshift(issuerCheck(configuration, provider));
    checks.push(await checkSecret(configuration, redirectUri));
    checks.push(await checkRedirectUri(session, configuration, redirectUri));
  }
  return { ok: checks.every(({ status }) => status !== 'failed'), issuer: session.namedIssuer, checks };
}

function issuerCheck(configuration: Configuration, { type }: ConnectedProvider): ProviderCheck {
  const missing = missingSupport(configuration.serverMetadata(), profileOf(type));
  if (missing !== undefined) return failed('issuer', missing);
  return { check: 'issuer', status: 'ok', message: 'The issuer and its URLs can be used.' };
}

/** Compares the clock with that of the first response. */
function withClockCheck(connections: ProviderConnections, checks: ProviderCheck[]): ProviderConnections {
  const { http, clock } = connections;
  const fetch: ProviderConnections['http']['fetch'] = async (url, init) => {
    const response = await http.fetch(url, init);
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date) && !checks.some(({ check }) => check === 'clock')) {
      checks.push(clockCheck(Math.round((clock().getTime() - date) / 1_000)));
    }
    return response;
  };
  return { ...connections, http: { fetch } };
}

function clockCheck(difference: number): ProviderCheck {
  if (Math.abs(difference) <= maxClockDifferenceSeconds) {
    return { check: 'clock', status: 'ok', message: 'The clocks agree.' };
  }
  const direction = difference > 0 ? 'ahead of' : 'behind';
  return failed(
    'clock',
    `The clock of this server is ${Math.abs(difference)} seconds ${direction} the one of the provider.`,
    'Set the clock of this server by NTP: tokens would count as expired or not yet valid.',
  );
}

/** Exchanges a code that cannot be valid: the error says whether the provider knows the client and its secret. */
async function checkSecret(configuration: Configuration, redirectUri: string): Promise<ProviderCheck> {
  const client = await import('openid-client');
  const callback = new URL(redirectUri);
  callback.search = new URLSearchParams({ code: probe, state: probe }).toString();
  const { issuer } = configuration.serverMetadata();
  if (configuration.serverMetadata().authorization_response_iss_parameter_supported) {
    callback.searchParams.set('iss', issuer);
  }
  try {
    await client.authorizationCodeGrant(configuration, callback, {
      expectedState: probe,
      pkceCodeVerifier: `${probe}-${'0'.repeat(43)}`,
    });
  } catch (error) {
    return secretCheck(error);
  }
  return { check: 'secret', status: 'unknown', message: 'The provider accepted a code that was invented.' };
}

function secretCheck(error: unknown): ProviderCheck {
  const answered = oauthErrorOf(error);
  if (answered === undefined) return failed('secret', knownMessage(error));
  const said = answerText(answered);
  if (secretErrors.has(answered.error)) {
    return failed('secret', said, 'Check the client ID, and paste the secret again.');
  }
  if (codeErrors.has(answered.error)) {
    return { check: 'secret', status: 'ok', message: 'The provider accepts the client ID and the secret.' };
  }
  return { check: 'secret', status: 'unknown', message: said };
}

const secretErrors = new Set(['invalid_client', 'unauthorized_client', 'incorrect_client_credentials']);
/** The client is known, and only the code is refused. GitHub has its own name for it. */
const codeErrors = new Set(['invalid_grant', 'bad_verification_code']);

/** Opens the page of the provider like a browser: it complains before anyone logs in. */
async function checkRedirectUri(
  session: ProviderSession,
  configuration: Configuration,
  redirectUri: string,
): Promise<ProviderCheck> {
  const client = await import('openid-client');
  const login = { redirectUri, state: probe, nonce: probe, codeChallenge: probeChallenge };
  const url = client.buildAuthorizationUrl(
    configuration,
    authorizationParameters(session.provider, configuration.serverMetadata(), login),
  );
  try {
    const response = await session.load(url.href, { redirects: 'manual' });
    const location = response.headers.get('location') ?? '';
    const text = `${location} ${await response.text()}`.replaceAll(encodeURIComponent(redirectUri), '');
    return redirectUriCheck(session.provider, redirectUri, response, text);
  } catch (error) {
    return failed('redirect_uri', knownMessage(error));
  }
}

function redirectUriCheck(
  { type }: ConnectedProvider,
  redirectUri: string,
  { ok, status }: Response,
  text: string,
): ProviderCheck {
  const check = 'redirect_uri';
  if ((namesRedirectUri.test(text) && !ok) || errorsOnPages.test(text)) {
    return failed(
      check,
      'The provider does not know the redirect URI.',
      `Add ${redirectUri} at the provider, character by character.`,
    );
  }
  if (status >= 400) {
    return { check, status: 'unknown', message: `The page of the provider answered ${status}.` };
  }
  if (type === 'oidc') {
    return { check, status: 'ok', message: 'The provider shows its page for the redirect URI.' };
  }
  const message = `The provider says it only after a login. Compare ${redirectUri} with what is entered there.`;
  return { check, status: 'unknown', message };
}

/** As providers write it: Keycloak, oidc-provider, Google and GitHub. */
const namesRedirectUri =
  /(?:invalid|mismatch|match|registered)\W{0,20}redirect.?uri|redirect.?uri\W{0,3}\s?(?:did not|does not|mismatch|is not|must)/i;
/** Errors that do not show in the status: of Entra on its page, and of Google where it redirects to. */
const errorsOnPages = /AADSTS50011|^https:\/\/accounts\.google\.com\/signin\/oauth\/error/;

function knownMessage(error: unknown): string {
  const failure = failureOf(error);
  if (failure === undefined) throw error;
  return failure.message;
}

/** @param advice left out if `found` says what to do */
function failed(check: ProviderCheck['check'], found: string, advice = ''): ProviderCheck {
  return { check, status: 'failed', message: `${found} ${advice}`.trim() };
}
