import type { AccessDecision } from '@gatehouse/contract';
import { segmentsOf } from '@gatehouse/contract/rule-paths';
import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../storage/database.ts';
import { StoreUnavailable } from '../../storage/errors.ts';
import { InvalidatingCache } from '../../storage/invalidating-cache.ts';
import { isUnrecorded, type UsedAccessToken } from '../access-tokens/access-token.ts';
import type { EnteredPageCode } from '../page-codes/page-code.ts';
import { findEnteredCodes, passDomainOf } from '../page-codes/page-passes.ts';
import { isUnseen, memberSessions, type SessionUse } from '../sessions/session.ts';
import { findNamedSite, findSiteAt, findSiteByHost, findSiteOfPages } from '../sites/visited-hosts.ts';
import { furtherHostOf, hostOf, type VisitedSite } from '../sites/visited-site.ts';
import { findAccessTrees, maxTreesCost } from './access-rules.ts';
import {
  decide,
  decideByRules,
  findRulesOf,
  isFeed,
  mayHelpToEnterCode,
  type PageRequest,
} from './decision/access-decision.ts';
import type { FoundRules } from './decision/access-tree.ts';
import { type AccessTrees, treeAt } from './decision/access-trees.ts';
import { type RequestPath, readRequestPath } from './decision/request-path.ts';
import { EnteredCodes } from './entered-codes.ts';
import { findTokenVisitor, findVisitor, type Visitor } from './visitor.ts';

/** What a request sends to identify its visitor. A request with an access token is decided by the token alone. */
export type Credential =
  | { readonly kind: 'session'; readonly token: string | undefined }
  | { readonly kind: 'access-token'; readonly token: string | null };

/** Credentials of a request, of which the first that counts at its path is used. */
export interface Credentials {
  readonly header: string | undefined;
  /** Read only if it is needed. */
  query(): { readonly token: string | null; readonly target: string } | undefined;
  session(): string | undefined;
  /** The pass of the page codes that were entered. Read only if a rule accepts one and nothing else allows access. */
  pass(): string | undefined;
  /** Whether an access token may be valid: false for an unknown one of a client that has sent too many wrong ones. */
  mayExist(token: string): boolean | Promise<boolean>;
}

export interface GateResult {
  readonly decision: AccessDecision;
  /** Undefined if access depends on a page code, also if a member is logged in: others share the code. */
  readonly visitor: Visitor | undefined;
  /** The page code on which access depends; undefined if it depends on none. */
  readonly pageCode: EnteredPageCode | undefined;
  readonly credential: Credential['kind'];
  /** Whether the path accepts access tokens in the query. */
  readonly isFeed: boolean;
  /** The path that was decided on, with its query: without an access token in it. */
  readonly target: string;
}

export interface SiteAccessOptions {
  /** Whether public paths stay accessible while the store is unavailable. */
  readonly publicWithoutStore: boolean;
  /** Called with a session whose `lastSeenAt` should be updated. */
  readonly onSeen: (siteId: string, use: SessionUse) => void;
  /** Called with an access token whose `lastUsedAt` should be updated. */
  readonly onTokenUsed: (siteId: string, token: UsedAccessToken) => void;
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
    this.#trees = new InvalidatingCache(database, maxTreesCost, ({ cost }) => cost);
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
    return this.#find(this.#namedSites, slug, findNamedSite);
  }

  /** A site as it is reached at an address, `http://localhost:8081`. @throws {StoreUnavailable} */
  siteAtOrigin(siteId: string, origin: string): Promise<VisitedSite | undefined> {
    return this.#find(this.#sitesAtOrigins, `${siteId} ${origin}`, (db) =>
      findSiteAt({ db, siteId }, origin),
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
      const last = this.#options.publicWithoutStore ? sites.lastUnchanged(key) : undefined;
      if (last && error instanceof StoreUnavailable) return last;
      throw error;
    }
  }

  /** Checks whether a visitor may access a page. @throws {StoreUnavailable} */
  async check(
    site: VisitedSite,
    request: Omit<PageRequest, 'time'>,
    credentials: Credentials,
  ): Promise<GateResult> {
    const time = this.#clock();
    const now = time.toISOString();
    const timed = { ...request, time: time.getTime() };
    const inQuery = credentials.header === undefined ? credentials.query() : undefined;
    const sent = sentCredential(credentials);
    try {
      const isAtOnce = inQuery === undefined && sent.kind === 'session';
      // Only an access token depends on the rules.
      const finding = isAtOnce ? this.#identify(site, sent, credentials, undefined, now) : undefined;
      const [trees, found] = await Promise.all([this.#treesOf(site.id), finding]);
      const rules = findRulesOf(treeAt(trees!, hostOf(site)), timed);
      const feed =
        rules !== undefined && isFeed(rules, { ...request, target: inQuery?.target ?? request.target });
      const counts = inQuery !== undefined && feed;
      const credential: Credential = counts ? { kind: 'access-token', token: inQuery.token } : sent;
      const target = counts ? inQuery.target : request.target;
      const visitor = isAtOnce
        ? found
        : await this.#identify(site, credential, credentials, pathIn(request.target, rules), now);
      const decision = decideByRules(rules, { ...timed, target }, visitor ?? null, site.status);
      // A preflight is answered for no one, whatever token its address contains.
      const known = decision.reason === 'preflight' ? undefined : visitor;
      const facts = { credential: credential.kind, isFeed: feed, target };
      const result = { decision, visitor: known, pageCode: undefined, ...facts };
      if (credential.kind !== 'session' || !mayHelpToEnterCode(decision)) return result;
      return this.#decideByCode(site, rules, { ...timed, target }, credentials, result);
    } catch (error) {
      const last = this.#options.publicWithoutStore ? this.#trees.lastUnchanged(site.id) : undefined;
      if (!last || !(error instanceof StoreUnavailable)) throw error;
      const decision = decide(treeAt(last, hostOf(site)), timed, null, site.status);
      if (!decision.allowed) throw error;
      const { target } = request;
      return {
        decision,
        visitor: undefined,
        pageCode: undefined,
        credential: sent.kind,
        isFeed: false,
        target,
      };
    }
  }

  /** Decides again about a visitor who was denied access, with the page codes that were entered in this browser. */
  async #decideByCode(
    site: VisitedSite,
    rules: FoundRules | undefined,
    request: PageRequest,
    credentials: Credentials,
    without: GateResult,
  ): Promise<GateResult> {
    const { visitor } = without;
    const view = { db: this.#database, siteId: site.id, now: new Date(request.time).toISOString() };
    const codes = await findEnteredCodes(view, credentials.pass(), passDomainOf(site));
    if (codes.length === 0) return without;
    const pageCodes = new EnteredCodes(codes);
    const decision = decideByRules(rules, { ...request, pageCodes }, visitor ?? null, site.status);
    // Denied, it says what else is missing: the folder of a page may have another rule.
    return decision.allowed
      ? { ...without, decision, visitor: undefined, pageCode: pageCodes.used }
      : { ...without, decision };
  }

  #treesOf(siteId: string): Promise<AccessTrees | undefined> {
    return this.#trees.find(siteId, () => findAccessTrees({ db: this.#database, siteId }));
  }

  async #identify(
    site: VisitedSite,
    credential: Credential,
    credentials: Credentials,
    path: RequestPath | undefined,
    now: string,
  ): Promise<Visitor | undefined> {
    if (credential.kind === 'session') {
      const visitor = await findVisitor(
        { db: this.#database, siteId: site.id, now },
        credential.token,
        furtherHostOf(site),
      );
      if (visitor && isUnseen(visitor.session, now))
        this.#options.onSeen(site.id, { ...visitor.session, lifetime: memberSessions });
      return visitor;
    }
    if (credential.token === null || !(await credentials.mayExist(credential.token))) return undefined;
    const visitor = await findTokenVisitor(
      { db: this.#database, siteId: site.id, now },
      credential.token,
      path,
    );
    if (visitor && isUnrecorded(visitor.accessToken, now)) {
      this.#options.onTokenUsed(site.id, visitor.accessToken);
    }
    return visitor;
  }
}

/**
 * The names with which the path of an access token is compared. Below a path whose rule passes on paths as they are, all
 * have the same place: other programs may read another one in them.
 */
function pathIn(target: string, rules: FoundRules | undefined): RequestPath | undefined {
  return rules?.folder?.programPaths ? segmentsOf(rules.folder.path) : readRequestPath(target);
}

/** The credential that counts everywhere. */
function sentCredential({ header, session }: Credentials): Credential {
  return header === undefined
    ? { kind: 'session', token: session() }
    : { kind: 'access-token', token: header };
}
