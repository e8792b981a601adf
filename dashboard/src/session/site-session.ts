import { Gatehouse, type Permission } from '@gatehouse/client';
import { dashboardApi, type OperatedSite, type SiteToken } from './dashboard-api.ts';
import { checkOnline } from './offline.ts';
import { whileSignedIn } from './signed-out.ts';

const longestMilliseconds = 30_000;
/** A token is renewed a little before it ends, so that none ends on its way. */
const renewMillisecondsBefore = 60_000;
/** Longer than anybody waits: a call stays while the operator signs in again. Each try has its own limit, below. */
const anyTime = 2_147_483_647;

/** The operator on one site: the client of its API, with a token that renews itself, and what the role allows. */
export class SiteSession {
  readonly #siteId: string;
  readonly gatehouse: Gatehouse;
  #token: SiteToken | undefined;
  /** By the clock of this page alone: the service's may show another time. */
  #renewAt = 0;
  #renewal: Promise<SiteToken> | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(siteId: string) {
    this.#siteId = siteId;
    this.gatehouse = new Gatehouse({
      url: location.origin,
      key: 'operator',
      timeoutMilliseconds: anyTime,
      fetch: (url, init) => this.#fetch(url, init),
    });
  }

  /** Empty before the first token has come. */
  get permissions(): readonly Permission[] {
    return this.#token?.permissions ?? none;
  }

  /** Has a token that is still good for a while. */
  async open(): Promise<this> {
    await this.#currentToken();
    return this;
  }

  /** Calls back when a new token has come; the role may have changed. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    const response = await this.#try(url, init, await this.#currentToken());
    if (response.status !== 401) return response;
    // The session, the role or the token has ended since: a new token says which.
    this.#token = undefined;
    return this.#try(url, init, await this.#currentToken());
  }

  async #try(url: string, init: RequestInit, { token }: SiteToken): Promise<Response> {
    checkOnline();
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    const signals = [AbortSignal.timeout(longestMilliseconds), ...(init.signal ? [init.signal] : [])];
    return fetch(url, { ...init, headers, signal: AbortSignal.any(signals) });
  }

  #currentToken(): Promise<SiteToken> {
    const token = this.#token;
    if (token && Date.now() < this.#renewAt) return Promise.resolve(token);
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renew(): Promise<SiteToken> {
    const token = await whileSignedIn(() => dashboardApi.token(this.#siteId));
    this.#token = token;
    this.#renewAt = Date.now() + token.expiresInSeconds * 1_000 - renewMillisecondsBefore;
    for (const listener of this.#listeners) listener();
    return token;
  }
}

const none: readonly Permission[] = [];
const sessions = new Map<string, SiteSession>();

/** The one session of the operator on a site. */
export function siteSession(site: Pick<OperatedSite, 'id'>): SiteSession {
  const known = sessions.get(site.id) ?? new SiteSession(site.id);
  sessions.set(site.id, known);
  return known;
}
