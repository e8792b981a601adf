import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { JWKStore, OAuth2Issuer, OAuth2Service } from 'oauth2-mock-server';

export type Claims = Readonly<Record<string, unknown>>;

/** The response of the token endpoint, which a test may change. */
export interface TokenResponse {
  body: Record<string, unknown>;
  statusCode: number;
}

/** An account, and what the provider does wrong when somebody logs in with it. */
export interface MockAccount {
  /** In the ID token. */
  readonly claims: Claims;
  /** Beside `sub`, from the endpoint for more claims. */
  readonly userInfo?: Claims;
  readonly change?: (response: TokenResponse) => void;
}

/** The secret of Gatehouse at every provider. */
export const clientSecret = 'a-secret-of-the-tests';

/** A login provider in which everybody can log in with any account, also with one that no right provider would describe. */
export class MockProvider {
  readonly issuer: string;
  /** The secret that it knows. */
  secret = clientSecret;
  /** What it waits for before each response. */
  delay: () => Promise<unknown> = async () => {};
  /** The account with which a browser logs in by itself. */
  account: MockAccount | undefined;
  readonly #server: Server;
  readonly #service: OAuth2Service;
  readonly #accounts = new Map<string, MockAccount>();

  private constructor(server: Server, service: OAuth2Service) {
    const { port } = server.address() as AddressInfo;
    this.issuer = `http://127.0.0.1:${port}`;
    service.issuer.url = this.issuer;
    this.#server = server;
    this.#service = service;
    server.on('request', (request, response) => {
      void this.delay().then(() => service.requestHandler(request, response));
    });
    this.#listen();
  }

  static async start(): Promise<MockProvider> {
    const issuer = new OAuth2Issuer();
    await issuer.keys.generate('RS256');
    const server = createServer();
    server.listen(0, '127.0.0.1').unref();
    await once(server, 'listening');
    return new MockProvider(server, new OAuth2Service(issuer));
  }

  /** The public key with which it signs. */
  get publicKey() {
    return this.#service.issuer.keys.toJSON(false)[0]!;
  }

  /** Replaces the key. */
  async rotateKeys(): Promise<void> {
    const { keys } = this.#service.issuer;
    const rotated = new JWKStore();
    await rotated.generate('RS256');
    keys.get = (kid) => rotated.get(kid);
    keys.toJSON = (isPrivate) => rotated.toJSON(isPrivate);
  }

  /** Logs in on the page of the provider, and returns where it sends the browser back to. */
  async authorize(page: string, account: MockAccount): Promise<URL> {
    const response = await fetch(page, { redirect: 'manual' });
    const callback = new URL(response.headers.get('location')!);
    this.#accounts.set(callback.searchParams.get('code')!, account);
    return callback;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #accountOf(code: string): MockAccount | undefined {
    return this.#accounts.get(code) ?? this.account;
  }

  #listen(): void {
    const service = this.#service;
    service.on('beforeTokenSigning', ({ payload }, { body }) => {
      const { code } = body as { code: string };
      // Access tokens are signed too; only ID tokens have an audience.
      Object.assign(payload, 'aud' in payload ? this.#accountOf(code)?.claims : { code });
    });
    service.on('beforeResponse', (response, { body, headers }) => {
      if (!sends(this.secret, headers.authorization, body as unknown as Record<string, string>)) {
        Object.assign(response, { statusCode: 401, body: { error: 'invalid_client' } });
      }
      this.#accountOf((body as { code: string }).code)?.change?.(response as TokenResponse);
    });
    service.on('beforeUserinfo', (response, request) => {
      const account = this.#accountOf(codeIn(request));
      response.body = { sub: account?.claims.sub, ...account?.userInfo };
    });
  }
}

/** Whether a client sends its secret. That of Apple is signed for each request. */
function sends(secret: string, authorization: string | undefined, body: Record<string, string>): boolean {
  if (body.client_secret !== undefined) return true;
  const [, encoded = ''] = /^Basic (.+)$/.exec(authorization ?? '') ?? [];
  return decodeURIComponent(Buffer.from(encoded, 'base64').toString()) === `gatehouse:${secret}`;
}

function codeIn({ headers }: IncomingMessage): string {
  const [, payload = ''] = (headers.authorization ?? '').split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).code;
}
