import type { LoginProvider } from '@gatehouse/contract';
import { systemContext } from '../src/base/change-context.ts';
import type { Clock } from '../src/base/clock.ts';
import { newId } from '../src/base/ids.ts';
import { generateCode } from '../src/domain/login-links/login-code.ts';
import type { ProviderAccount } from '../src/domain/login-providers/provider-account.ts';
import type { LoginBrowser } from '../src/domain/logins/login.ts';
import { asMember } from '../src/domain/own-account/own-session.ts';
import {
  logInWithProvider,
  type ProviderLoginOutcome,
} from '../src/domain/provider-logins/provider-arrivals.ts';
import {
  type BegunProviderLogin,
  beginProviderLogin,
  type TakenProviderLogin,
  takeProviderLogin,
} from '../src/domain/provider-logins/provider-logins.ts';
import { memberSessions } from '../src/domain/sessions/session.ts';
import { generateToken } from '../src/domain/sessions/token.ts';
import { emailComposer } from '../src/pages/emails/email-composer.ts';
import type { Database } from '../src/storage/database.ts';
import { changing } from './change.ts';
import type { TestSite } from './test-server.ts';

/** An account at a provider, which vouches for its address. */
export function anAccount(
  { issuer }: Pick<LoginProvider, 'issuer'>,
  email: string | null,
  values: Partial<ProviderAccount> = {},
): ProviderAccount {
  const subject = newId();
  return { issuer, subject, email, emailVerified: true, label: email ?? subject, groups: null, ...values };
}

/** A browser in which people log in with accounts at providers, without the pages of the site. */
export class AccountBrowser {
  readonly site: TestSite;
  /** The token that identifies it. */
  token = generateToken();
  sessionToken: string | null = null;
  deviceCookie: string | null = null;
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(site: TestSite, { database, clock }: { readonly database: Database; readonly clock: Clock }) {
    this.site = site;
    this.#database = database;
    this.#clock = clock;
  }

  change<Result>(work: Parameters<typeof changing<Result>>[2]): Promise<Result> {
    return changing(this.#database, this.site.siteId, work, systemContext(this.#clock().toISOString()));
  }

  /** @param sessionToken that of the member who links an account */
  begin(
    provider: Pick<LoginProvider, 'id'>,
    sessionToken: string | null = null,
  ): Promise<BegunProviderLogin | undefined> {
    const request = {
      providerId: provider.id,
      browserToken: this.token,
      next: '/news',
      language: 'en',
    };
    return this.change((change) =>
      sessionToken === null
        ? beginProviderLogin(change, request, null)
        : asMember(change, sessionToken, (session, own) => beginProviderLogin(own, request, session)),
    );
  }

  take(state: string): Promise<TakenProviderLogin | undefined> {
    return this.change((change) => takeProviderLogin(change, { state, browserToken: this.token }));
  }

  /** Comes back from the provider with an account. */
  async arrive(taken: TakenProviderLogin, account: ProviderAccount): Promise<ProviderLoginOutcome> {
    const browser: LoginBrowser = {
      userAgent: null,
      ipAddress: null,
      lifetime: memberSessions,
      language: 'en',
      loginToken: this.token,
      sessionToken: this.sessionToken,
      deviceCookie: this.deviceCookie,
      form: null,
    };
    const origin = `https://${await this.site.domain()}`;
    const browserToken = generateToken();
    const email = { browserToken, code: generateCode(), origin };
    const outcome = await this.change((change) =>
      logInWithProvider(change, { taken, account, browser, email }, emailComposer),
    );
    if (outcome.outcome === 'email_sent') this.token = browserToken;
    if (outcome.outcome === 'logged_in') {
      this.sessionToken = outcome.cookies.sessionToken;
      this.deviceCookie = outcome.cookies.deviceCookie;
    }
    return outcome;
  }

  /** Logs in with an account, or links it to the member of a session. */
  async logIn(
    provider: Pick<LoginProvider, 'id'>,
    account: ProviderAccount,
    sessionToken: string | null = null,
  ): Promise<ProviderLoginOutcome> {
    const begun = await this.begin(provider, sessionToken);
    const taken = begun && (await this.take(begun.state));
    if (!taken) throw new Error('The login has not begun.');
    return this.arrive(taken, account);
  }
}
