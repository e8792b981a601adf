import type { AccessDecision, Site } from '@gatehouse/contract';
import type { Timestamp } from '../../../base/clock.ts';
import { memberPages } from '../../sites/page-addresses.ts';
import { originOf } from '../../sites/site.ts';
import { decide } from '../decision/access-decision.ts';
import { type AccessTrees, treeAt } from '../decision/access-trees.ts';
import { toPageRequest } from '../page-request.ts';
import type { OwnPages } from './page-loader.ts';

/** An anonymous visitor's view of a site: what its browser would request, and what the gate would decide. */
export class AnonymousVisit implements OwnPages {
  readonly #site: Site;
  readonly #trees: AccessTrees;
  readonly #now: Timestamp;
  readonly #primaryOrigin: string;
  readonly #hosts: ReadonlyMap<string, Site['hosts'][number]>;

  /** @param site with at least one host */
  constructor(site: Site, trees: AccessTrees, now: Timestamp) {
    this.#site = site;
    this.#trees = trees;
    this.#now = now;
    const origins = site.hosts.map((host) => [new URL(originOf(host)!).origin, host] as const);
    this.#primaryOrigin = origins[0]![0];
    this.#hosts = new Map(origins);
  }

  locate(url: URL): URL | undefined {
    const host = this.#hosts.get(url.origin);
    // Browsers load no files from URLs with a password.
    if (!host || url.username !== '' || url.password !== '') return undefined;
    return host.redirect ? new URL(this.#primaryOrigin + url.pathname + url.search) : url;
  }

  isOpen(url: URL): boolean {
    return !this.isReserved(url) && this.decide(url).allowed;
  }

  /** Whether a URL belongs to the pages of Gatehouse, which no rule opens or closes. */
  isReserved({ pathname }: URL): boolean {
    return pathname === memberPages.prefix || pathname.startsWith(`${memberPages.prefix}/`);
  }

  /** @param url of a host of the site */
  decide(url: URL): AccessDecision {
    const tree = treeAt(this.#trees, this.domainOf(url));
    const request = toPageRequest({}, url.pathname + url.search, this.#now, '');
    return decide(tree, request, null, this.#site.status);
  }

  domainOf(url: URL): string {
    return this.#hosts.get(url.origin)!.domain;
  }
}
