import { ApiError } from '../../base/api-error.ts';
import type { Clock } from '../../base/clock.ts';
import type { OutgoingSettings } from '../../base/networks/outgoing-url.ts';
import { systemTimers } from '../../base/timers.ts';
import type { Tracing } from '../../base/traces/tracing.ts';
import type { ConnectedProvider } from '../../domain/login-providers/login-provider.ts';
import {
  type LoginBeginning,
  type LoginCallback,
  type ProviderAccount,
  type ProviderConnector,
  ProviderLoginFailed,
  type ProviderTest,
} from '../../domain/login-providers/provider-account.ts';
import { AwaitedRequests } from '../awaited-requests.ts';
import type { OutgoingHttp } from '../outgoing/outgoing-http.ts';
import type { LoginProviderConnector } from './login-provider-connector.ts';

/** Steps of logins that wait for one provider at the same time, in one process. */
export const maxSteps = 50;

/**
 * Speaks with login providers, with one client for all of them, which is made when the first one is used. A process has two:
 * that of its store logs in, that of its operations tests.
 */
export class LoginProviderAccess implements ProviderConnector {
  readonly #outgoing: OutgoingSettings;
  readonly #clock: Clock;
  readonly #tracing: Tracing | undefined;
  readonly #tests = new AwaitedRequests(
    { activity: 'testing login providers', tooSlow: testTooSlow },
    systemTimers,
  );
  /** How many steps of logins wait, by site and issuer. */
  readonly #waiting = new Map<string, number>();
  #http: Promise<OutgoingHttp> | undefined;
  #connector: Promise<LoginProviderConnector> | undefined;

  constructor(outgoing: OutgoingSettings, clock: Clock, tracing?: Tracing | undefined) {
    this.#outgoing = outgoing;
    this.#clock = clock;
    this.#tracing = tracing;
  }

  begin(provider: ConnectedProvider, login: LoginBeginning): Promise<URL> {
    return this.#limit(provider, async () => (await this.#open()).begin(provider, login));
  }

  finish(provider: ConnectedProvider, login: LoginCallback): Promise<ProviderAccount> {
    return this.#limit(provider, async () => (await this.#open()).finish(provider, login));
  }

  /** @throws {ApiError} `rate_limited`, `unavailable` */
  test(provider: ConnectedProvider, redirectUri: string): Promise<ProviderTest> {
    return this.#tests.use(provider.siteId, async () => (await this.#open()).test(provider, redirectUri));
  }

  /** Closes all connections to providers. */
  async close(): Promise<void> {
    await (await this.#http)?.close();
  }

  /** Each step holds a connection for as long as ten seconds, at a provider that does not respond. */
  async #limit<Result>({ siteId, issuer }: ConnectedProvider, step: () => Promise<Result>): Promise<Result> {
    const key = `${siteId} ${issuer}`;
    const waiting = this.#waiting.get(key) ?? 0;
    if (waiting >= maxSteps) {
      throw new ProviderLoginFailed('unavailable', `${maxSteps} logins wait for the provider already.`);
    }
    this.#waiting.set(key, waiting + 1);
    try {
      return await step();
    } finally {
      const others = this.#waiting.get(key)! - 1;
      if (others === 0) this.#waiting.delete(key);
      else this.#waiting.set(key, others);
    }
  }

  #open(): Promise<LoginProviderConnector> {
    this.#http ??= openHttp(this.#outgoing, this.#tracing);
    this.#connector ??= this.#connect(this.#http);
    return this.#connector;
  }

  async #connect(http: Promise<OutgoingHttp>): Promise<LoginProviderConnector> {
    const { LoginProviderConnector } = await import('./login-provider-connector.ts');
    return new LoginProviderConnector({ http: await http, outgoing: this.#outgoing, clock: this.#clock });
  }
}

async function openHttp(outgoing: OutgoingSettings, tracing: Tracing | undefined): Promise<OutgoingHttp> {
  const { OutgoingHttp } = await import('../outgoing/outgoing-http.ts');
  return new OutgoingHttp(outgoing, { tracing });
}

function testTooSlow(): ApiError {
  const message = 'The login provider did not respond in time. Try again in a minute.';
  return new ApiError('unavailable', message, undefined, 60);
}
