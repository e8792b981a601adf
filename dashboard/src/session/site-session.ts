import { Gatehouse, type Permission } from '@gatehouse/client';
import { isLeaving } from './attendance.ts';
import { dashboardApi, type OperatedSite, type OperatorToken } from './dashboard-api.ts';
import { Listeners } from './listeners.ts';
import { whileLoggedIn } from './logged-out.ts';
import { checkOnline } from './offline.ts';
import { confirmLogin } from './recent-login.ts';

const maxMilliseconds = 30_000;
/** A token is renewed shortly before it expires, so that it does not expire during a request. */
const renewMillisecondsBefore = 60_000;
/** Practically unlimited: a call waits while the operator logs in again. Each attempt has its own limit, below. */
const unlimitedMilliseconds = 2_147_483_647;

/** The operator's session on one site: an API client whose token renews itself, and the permissions of the role. */
export class SiteSession {
  readonly #siteId: string;
  readonly gatehouse: Gatehouse;
  #token: OperatorToken | undefined;
  /** By the clock of this page, because the server's clock may differ. */
  #renewAt = 0;
  #renewal: Promise<OperatorToken> | undefined;
  #startedAfter: string | undefined;
  readonly #listeners = new Listeners();

  constructor(siteId: string) {
    this.#siteId = siteId;
    this.gatehouse = new Gatehouse({
      url: location.origin,
      key: 'operator',
      timeoutMilliseconds: unlimitedMilliseconds,
      fetch: (url, init) => this.#fetch(url, init),
    });
  }

  /** Empty until the first token is loaded. */
  get permissions(): readonly Permission[] {
    return this.#token?.permissions ?? none;
  }

  /** The last event of the site before anything of it was loaded. */
  get startedAfter(): string | undefined {
    return this.#startedAfter;
  }

  /** Loads the permissions again: the role may have changed. */
  async renew(): Promise<void> {
    this.#renewAt = 0;
    await this.open();
  }

  /** Makes sure that there is a valid token. */
  async open(): Promise<this> {
    await this.#currentToken();
    return this;
  }

  /** Calls back when there is a new token. The role may have changed. */
  readonly subscribe = this.#listeners.subscribe;

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    const response = await this.#try(url, init, await this.#currentToken());
    const isAskingForLogin = await needsRecentLogin(response);
    if (response.status !== 401 && !isAskingForLogin) return response;
    if (isAskingForLogin && !(await confirmLogin())) return response;
    // The session, the role or the token has ended. Requesting a new token shows which.
    this.#token = undefined;
    return this.#try(url, init, await this.#currentToken());
  }

  async #try(url: string, init: RequestInit, { token }: OperatorToken): Promise<Response> {
    checkOnline();
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    const signals = [AbortSignal.timeout(maxMilliseconds), ...(init.signal ? [init.signal] : [])];
    return fetch(url, { ...init, headers, signal: AbortSignal.any(signals), keepalive: isLeaving() });
  }

  #currentToken(): Promise<OperatorToken> {
    const token = this.#token;
    if (token && Date.now() < this.#renewAt) return Promise.resolve(token);
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renew(): Promise<OperatorToken> {
    const token = await whileLoggedIn(() => dashboardApi.token(this.#siteId));
    this.#token = token;
    this.#startedAfter ??= token.lastEventId;
    this.#renewAt = Date.now() + token.expiresInSeconds * 1_000 - renewMillisecondsBefore;
    this.#listeners.notify();
    return token;
  }
}

async function needsRecentLogin(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  const answer = await response
    .clone()
    .json()
    .catch(() => undefined);
  return answer?.error?.code === 'login_not_recent';
}

const none: readonly Permission[] = [];
const sessions = new Map<string, SiteSession>();

/** The operator's only session for a site. */
export function siteSession(site: Pick<OperatedSite, 'id'>): SiteSession {
  const known = sessions.get(site.id) ?? new SiteSession(site.id);
  sessions.set(site.id, known);
  return known;
}
