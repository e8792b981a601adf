import type { AccessDecision } from '@gatehouse/contract';
import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../storage/database.ts';
import { StoreUnavailable } from '../../storage/errors.ts';
import { InvalidatingCache } from '../../storage/invalidating-cache.ts';
import { isUnseen, type SeenSession } from '../sessions/session.ts';
import { findSiteAt, findSiteByHost, findSiteBySlug, findSiteOfPages } from '../sites/sites.ts';
import { atPrimary, furtherHostOf, hostOf, type VisitedSite } from '../sites/visited-site.ts';
import { findAccessTrees } from './access-rules.ts';
import { decide, type PageRequest } from './decision/access-decision.ts';
import { type AccessTrees, treeAt } from './decision/access-trees.ts';
import { findVisitor, type Visitor } from './visitor.ts';

export interface GateAnswer {
  readonly decision: AccessDecision;
  readonly visitor: Visitor | undefined;
}

export interface SiteAccessOptions {
  /** Whether public paths stay accessible while the store is unavailable. */
  readonly publicWithoutStore: boolean;
  /** Called with a session whose `lastSeenAt` should be updated. */
  readonly onSeen: (siteId: string, session: SeenSession) => void;
}

/**
 * Allows or denies a visitor access to a site, at every request. Sites and their rules are cached; visitors never are.
 */
export class SiteAccess {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #options: SiteAccessOptions;
  readonly #sites: InvalidatingCache<VisitedSite>;
  readonly #sitesOfPages: InvalidatingCache<VisitedSite>;
  readonly #namedSites: InvalidatingCache<VisitedSite>;
  readonly #sitesAtOrigins: InvalidatingCache<VisitedSite>;
  readonly #trees: InvalidatingCache<AccessTrees>;

  constructor(database: Database, clock: Clock, options: SiteAccessOptions) {
    this.#database = database;
    this.#clock = clock;
    this.#options = options;
    this.#sites = new InvalidatingCache(database);
    this.#sitesOfPages = new InvalidatingCache(database);
    this.#namedSites = new InvalidatingCache(database);
    this.#sitesAtOrigins = new InvalidatingCache(database);
    this.#trees = new InvalidatingCache(database);
  }

  /** The site with this domain, for the gate. @throws {StoreUnavailable} */
  siteAt(host: string | undefined): Promise<VisitedSite | undefined> {
    return this.#find(this.#sites, host, findSiteByHost);
  }

  /**
   * The site whose pages this host serves, including a site that is being tried out without a domain. @throws
   * {StoreUnavailable}
   */
  siteOfPages(host: string | undefined): Promise<VisitedSite | undefined> {
    return this.#find(this.#sitesOfPages, host, findSiteOfPages);
  }

  /** The site with this slug. @throws {StoreUnavailable} */
  siteNamed(slug: string): Promise<VisitedSite | undefined> {
    return this.#find(this.#namedSites, slug, async (db) => {
      const site = await findSiteBySlug(db, slug);
      return site && atPrimary(site);
    });
  }

  /** A site as it is reached at an address, `http://localhost:8081`. @throws {StoreUnavailable} */
  siteAtOrigin(siteId: string, origin: string): Promise<VisitedSite | undefined> {
    return this.#find(this.#sitesAtOrigins, `${siteId} ${origin}`, async (db) =>
      atPrimary(await findSiteAt(db, siteId, origin)),
    );
  }

  async #find(
    sites: InvalidatingCache<VisitedSite>,
    key: string | undefined,
    load: typeof findSiteByHost,
  ): Promise<VisitedSite | undefined> {
    if (key === undefined) return undefined;
    try {
      return await sites.find(key, () => load(this.#database, key));
    } catch (error) {
      const last = this.#options.publicWithoutStore ? sites.last(key) : undefined;
      if (last && error instanceof StoreUnavailable) return last;
      throw error;
    }
  }

  /**
   * Checks whether a visitor may access a page.
   * @param token the token of the visitor's session
   * @throws {StoreUnavailable}
   */
  async check(
    site: VisitedSite,
    request: Omit<PageRequest, 'time'>,
    token: string | undefined,
  ): Promise<GateAnswer> {
    const time = this.#clock();
    const now = time.toISOString();
    const timed = { ...request, time: time.getTime() };
    try {
      const [trees, visitor] = await Promise.all([
        this.#trees.find(site.id, () => findAccessTrees(this.#database, site.id)),
        findVisitor(this.#database, site.id, token, now, furtherHostOf(site)),
      ]);
      const decision = decide(treeAt(trees!, hostOf(site)), timed, visitor ?? null, site.status);
      if (visitor && isUnseen(visitor.session, now)) this.#options.onSeen(site.id, visitor.session);
      return { decision, visitor };
    } catch (error) {
      const last = this.#options.publicWithoutStore ? this.#trees.last(site.id) : undefined;
      if (!last || !(error instanceof StoreUnavailable)) throw error;
      const decision = decide(treeAt(last, hostOf(site)), timed, null, site.status);
      if (!decision.allowed) throw error;
      return { decision, visitor: undefined };
    }
  }
}
