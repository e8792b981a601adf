import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clientSecret } from './mock-provider.ts';

/** What is used of oidc-provider, which has no types. */
type OidcProvider = new (
  issuer: string,
  configuration: object,
) => { callback(): (...args: unknown[]) => void };

/** oidc-provider, in which everybody can log in with any email address. */
export async function startOidcServer() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { default: Provider } = (await import('oidc-provider' as string)) as { default: OidcProvider };
  return {
    issuer,
    addClient(redirectUri: string): void {
      const client = { client_id: 'gatehouse', client_secret: clientSecret, redirect_uris: [redirectUri] };
      const provider = new Provider(issuer, {
        clients: [client],
        claims: { email: ['email', 'email_verified'], profile: ['name'] },
        findAccount: (_: unknown, accountId: string) => ({
          accountId,
          claims: () => ({ sub: accountId, email: accountId, email_verified: true }),
        }),
      });
      server.on('request', provider.callback());
    },
    stop(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Logs in on the pages of oidc-provider, and agrees. Returns where it sends the browser back to. */
export async function logInAtServer(page: string, email: string): Promise<URL> {
  const { origin } = new URL(page);
  const cookies = new Map<string, string>();
  let next = new URL(page);
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 12 && next.origin === origin; step += 1) {
    const response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      cookies.set(name!, value!);
    }
    const location = response.headers.get('location');
    form = location === null ? formOf(await response.text(), email) : undefined;
    if (location !== null) next = new URL(location, next);
  }
  return next;
}

function formOf(text: string, email: string): URLSearchParams {
  const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(text) ?? [];
  return new URLSearchParams({ prompt, login: email, password: 'any' });
}
