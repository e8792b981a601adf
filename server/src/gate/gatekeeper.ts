import type { AccessDecision, Site } from '@gatehouse/contract';
import type { Clock } from '../base/clock.ts';
import { isUnseen } from '../credentials/session.ts';
import type { SeenSession } from '../routing/route.ts';
import { findSiteByHost, findSiteOfPages } from '../sites/sites.ts';
import type { Database } from '../storage/database.ts';
import { StoreUnavailable } from '../storage/errors.ts';
import { Remembered } from '../storage/remembered.ts';
import { decide } from './access-decision.ts';
import { findAccessTree } from './access-rules.ts';
import type { AccessTree } from './access-tree.ts';
import { findVisitor, type Visitor } from './visitor.ts';

export interface GateAnswer {
  readonly decision: AccessDecision;
  readonly visitor: Visitor | undefined;
}

export interface GatekeeperOptions {
  /** Whether paths open to everybody stay open while the store is out of reach. */
  readonly publicWithoutStore: boolean;
  /** Told of a session in use that was not seen for a while. */
  readonly onSeen: (siteId: string, session: SeenSession) => void;
}

/** Opens or shuts a site for a visitor, at every request. Sites and their rules are remembered; visitors never are. */
export class Gatekeeper {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #options: GatekeeperOptions;
  readonly #sites: Remembered<Site>;
  readonly #sitesOfPages: Remembered<Site>;
  readonly #trees: Remembered<AccessTree>;

  constructor(database: Database, clock: Clock, options: GatekeeperOptions) {
    this.#database = database;
    this.#clock = clock;
    this.#options = options;
    this.#sites = new Remembered(database);
    this.#sitesOfPages = new Remembered(database);
    this.#trees = new Remembered(database);
  }

  /** The site whose domain a host is, which the gate decides for. @throws StoreUnavailable */
  siteAt(host: string | undefined): Promise<Site | undefined> {
    return this.#find(this.#sites, host, findSiteByHost);
  }

  /** The site whose pages a host has: also where a site can be tried out. @throws StoreUnavailable */
  siteOfPages(host: string | undefined): Promise<Site | undefined> {
    return this.#find(this.#sitesOfPages, host, findSiteOfPages);
  }

  async #find(
    sites: Remembered<Site>,
    host: string | undefined,
    load: typeof findSiteByHost,
  ): Promise<Site | undefined> {
    if (host === undefined) return undefined;
    try {
      return await sites.find(host, () => load(this.#database, host));
    } catch (error) {
      const last = this.#options.publicWithoutStore ? sites.last(host) : undefined;
      if (last && error instanceof StoreUnavailable) return last;
      throw error;
    }
  }

  /**
   * Whether somebody may see something.
   * @param target the path as the visitor asked for it, with its query
   * @param token that of the visitor's session
   * @throws StoreUnavailable
   */
  async check(site: Site, target: string, token: string | undefined): Promise<GateAnswer> {
    const now = this.#clock().toISOString();
    try {
      const [tree, visitor] = await Promise.all([
        this.#trees.find(site.id, () => findAccessTree(this.#database, site.id)),
        findVisitor(this.#database, site.id, token, now),
      ]);
      const decision = decide(tree!, target, visitor ?? null, site.status);
      if (visitor && isUnseen(visitor.session, now)) this.#options.onSeen(site.id, visitor.session);
      return { decision, visitor };
    } catch (error) {
      const last = this.#options.publicWithoutStore ? this.#trees.last(site.id) : undefined;
      if (!last || !(error instanceof StoreUnavailable)) throw error;
      const decision = decide(last, target, null, site.status);
      if (!decision.allowed) throw error;
      return { decision, visitor: undefined };
    }
  }
}
