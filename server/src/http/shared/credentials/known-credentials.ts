import type { Clock } from '../../../base/clock.ts';
import { isAccessToken } from '../../../domain/access-tokens/access-token.ts';
import { findValidAccessTokens } from '../../../domain/access-tokens/access-tokens.ts';
import { findKeysInForce } from '../../../domain/api-keys/api-keys.ts';
import { readBrowserCookie } from '../../../domain/known-browsers/known-browser.ts';
import { findBrowsersByHash } from '../../../domain/known-browsers/known-browsers.ts';
import { findValidOperatorTokens } from '../../../domain/operators/operator-tokens.ts';
import { findValidSessions } from '../../../domain/sessions/sessions.ts';
import { hashToken, isToken } from '../../../domain/sessions/token.ts';
import type { Database } from '../../../storage/database.ts';
import { SharedLookUps } from '../limits/shared-look-ups.ts';

/**
 * Tells valid credentials from unknown ones, for clients over their limit, with few statements (see `SharedLookUps`).
 * What is known here is looked up as usual afterwards.
 */
export class KnownCredentials {
  readonly #keys: SharedLookUps;
  readonly #operatorTokens: SharedLookUps;
  readonly #sessions: SharedLookUps;
  readonly #accessTokens: SharedLookUps;
  readonly #browsers: SharedLookUps;

  /** @param tenantId the ID of the operators' hidden site */
  constructor(database: Database, tenantId: string, clock: Clock) {
    const now = () => clock().toISOString();
    this.#keys = new SharedLookUps((hashes) => findKeysInForce(database, hashes, now()));
    this.#operatorTokens = new SharedLookUps((hashes) =>
      findValidOperatorTokens({ db: database, siteId: tenantId, now: now() }, hashes),
    );
    this.#sessions = bySite((siteId, hashes) =>
      findValidSessions({ db: database, siteId, now: now() }, hashes),
    );
    this.#accessTokens = bySite((siteId, hashes) =>
      findValidAccessTokens({ db: database, siteId, now: now() }, hashes),
    );
    this.#browsers = bySite((siteId, hashes) =>
      findBrowsersByHash({ db: database, siteId, now: now() }, hashes),
    );
  }

  hasKey(hash: string): Promise<boolean> {
    return this.#keys.has(hash);
  }

  hasOperatorToken(hash: string): Promise<boolean> {
    return this.#operatorTokens.has(hash);
  }

  async hasSession(siteId: string, token: string | undefined): Promise<boolean> {
    return isToken(token) && this.#sessions.has(`${siteId} ${hashToken(token)}`);
  }

  async hasAccessToken(siteId: string, token: string): Promise<boolean> {
    return isAccessToken(token) && this.#accessTokens.has(`${siteId} ${hashToken(token)}`);
  }

  /** The signature of the cookie is not checked. */
  async hasBrowser(siteId: string, deviceCookie: string | undefined): Promise<boolean> {
    const parts = readBrowserCookie(deviceCookie);
    return parts !== undefined && this.#browsers.has(`${siteId} ${hashToken(parts.token)}`);
  }
}

type FindInSite = (siteId: string, hashes: readonly string[]) => Promise<readonly string[]>;

/** Look-ups of `<site> <hash>`, one statement for each site. */
function bySite(find: FindInSite): SharedLookUps {
  return new SharedLookUps(async (credentials) => {
    const sites = Map.groupBy(credentials, (credential) => credential.split(' ')[0]!);
    const found: string[] = [];
    for (const [siteId, listed] of sites) {
      const hashes = listed.map((credential) => credential.slice(siteId.length + 1));
      found.push(...(await find(siteId, hashes)).map((hash) => `${siteId} ${hash}`));
    }
    return found;
  });
}
