import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import type { ConnectedProvider } from '../../domain/login-providers/login-provider.ts';
import { LoginProviderAccess, maxSteps } from './login-provider-access.ts';

const login = {
  redirectUri: 'https://members.example.org/_gatehouse/login/callback',
  state: 's',
  nonce: 'n',
  codeChallenge: 'c',
};
const outgoing = { allowedNetworks: ['127.0.0.1/32'], allowsHttp: true };

/** A provider of a site, whose server answers like this. */
async function startProvider(siteId: string, answer: RequestListener): Promise<ConnectedProvider> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    siteId,
    type: 'oidc',
    name: 'Example',
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: 'gatehouse',
    secret: 'secret',
    emailTrust: 'claim',
    groupsClaim: null,
    tenant: null,
    teamId: null,
    privateKeyId: null,
  };
}

const respond: RequestListener = ({ headers }, response) => {
  const issuer = `http://${headers.host}`;
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
  };
  response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata));
};

test('logins that wait for one provider are limited, and others do not wait for it', async () => {
  const access = new LoginProviderAccess(outgoing, systemClock);
  onTestFinished(() => access.close());
  const held: (() => void)[] = [];
  const slow = await startProvider('first', (request, response) => {
    held.push(() => respond(request, response));
  });
  const waiting = Array.from({ length: maxSteps }, () => access.begin(slow, login));
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await expect(access.begin(slow, login)).rejects.toMatchObject({ reason: 'unavailable' });
  const others = [await startProvider('first', respond), await startProvider('second', respond)];
  for (const other of others) {
    expect((await access.begin(other, login)).origin).toBe(other.issuer);
  }
  const release = setInterval(() => {
    for (const answer of held.splice(0)) answer();
  }, 5);
  onTestFinished(() => clearInterval(release));
  await Promise.all(waiting);
  expect((await access.begin(slow, login)).origin).toBe(slow.issuer);
});

test('a provider that was never used is closed at once', async () => {
  await new LoginProviderAccess(outgoing, systemClock).close();
});
