import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { LineLimit } from '../../base/text/line-limit.ts';
import type { GateResult, SiteAccess } from '../../domain/access-rules/site-access.ts';
import { memberPages } from '../../domain/sites/page-addresses.ts';
import { primaryUrl } from '../../domain/sites/site-addresses.ts';
import type { VisitedSite } from '../../domain/sites/visited-site.ts';
import { StoreUnavailable } from '../../storage/errors.ts';
import { credentialsOf } from '../shared/credentials/access-token-credential.ts';
import { redirect, sendDenial, sendUnavailable } from '../shared/errors/denial.ts';
import { identityHeaders, pageCodeHeaders } from '../shared/identity/identity-headers.ts';
import type { IdentityTokens } from '../shared/identity/identity-tokens.ts';
import type { WrongTokenLimits } from '../shared/limits/wrong-tokens.ts';
import { limitArrival } from '../shared/observe/arrival.ts';
import type { DeniedAccessLog } from '../shared/observe/denied-access-log.ts';
import type { ObservedOperation, RequestObserver } from '../shared/observe/request-observer.ts';
import { transportHeaders } from '../shared/pages/page-frame.ts';
import { isPreflight } from '../shared/requests/preflight.ts';
import { hasChangingHeader, type TrustedProxies } from '../shared/requests/site-request.ts';
import type { SiteContent, Visit } from './content.ts';
import { sendMessage, sendWrongHost } from './messages.ts';
import type { ServedSite } from './served-site.ts';
import type { VisitorConnections } from './visitor-connections.ts';

const prefix = `${memberPages.prefix}/`;

export interface BuiltInSiteParts extends WrongTokenLimits {
  readonly served: ServedSite;
  readonly content: SiteContent;
  readonly siteAccess: SiteAccess;
  readonly proxies: TrustedProxies;
  readonly identityTokens: IdentityTokens;
  readonly logger: FastifyBaseLogger;
  readonly observer: RequestObserver;
  readonly deniedAccess: DeniedAccessLog;
  /** How long a visitor without access may take to send a whole request. */
  readonly requestTimeoutSeconds: number;
  readonly connections: VisitorConnections;
}

/**
 * Serves the pages of a site without a proxy. The gate decides in the same process, on exactly the path that is then
 * opened. It works on Node's requests directly, as the gate for proxies does.
 */
export class BuiltInSite {
  readonly #parts: BuiltInSiteParts;
  readonly #observed: ObservedOperation;
  readonly #limitLines = new LineLimit(1, 60_000);

  constructor(parts: BuiltInSiteParts) {
    this.#parts = parts;
    // The program decides how long its response takes, and the visitor how long a file takes.
    this.#observed = parts.observer.operation('built_in_site', 'page', true);
  }

  /** Whether a request is for a page of the site, and not for one of Gatehouse's own pages. */
  handles({ url = '' }: IncomingMessage): boolean {
    return !url.startsWith(prefix);
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    this.#observe(request, response);
    this.#enter(request, response, response)
      .then((visit) => visit && this.#parts.content.send(visit))
      .catch((error) => this.#fail(error, response));
  }

  /** Whether a connection leaves HTTP. All other upgrades are ignored, which HTTP allows. */
  shouldUpgrade(request: IncomingMessage): boolean {
    return this.handles(request) && this.#parts.content.upgrades(request);
  }

  /** Answers a request that opens a WebSocket. */
  upgrade(request: IncomingMessage, response: ServerResponse, socket: Socket, head: Buffer): void {
    this.#enter(request, response, socket)
      .then((visit) => visit && this.#parts.content.upgrade?.(visit, socket, head))
      .catch((error) => this.#fail(error, response));
  }

  /**
   * Lets a visitor in who has access. Anyone else gets a response.
   * @param end what is closed when the visit is over
   */
  async #enter(
    request: IncomingMessage,
    response: ServerResponse,
    end: Writable,
  ): Promise<Visit | undefined> {
    const allowTime = limitArrival(request, this.#parts.requestTimeoutSeconds);
    const site = await this.#parts.served.at(request);
    if (!site) {
      request.resume();
      sendWrongHost(request, response);
      return undefined;
    }
    for (const [name, value] of Object.entries(transportHeaders(site))) response.setHeader(name, value);
    const target = request.url!;
    if (site.visitedAs === 'redirect') {
      request.resume();
      redirect(response, primaryUrl(site, target));
      return undefined;
    }
    const result = await this.#check(site, request, target);
    this.#parts.observer.metrics?.decided('page', result.decision.reason);
    const deny = (denied: GateResult) =>
      sendDenial(this.#parts, request, response, {
        ...denied,
        site,
        method: request.method,
        ipAddress: () => this.#addressOf(request),
      });
    if (!result.decision.allowed) {
      this.#parts.deniedAccess.denied(site.id, result, request, () => this.#addressOf(request));
      request.resume();
      await deny(result);
      return undefined;
    }
    if (!this.#count(request, end)) {
      request.resume();
      sendMessage({ request, response, site }, 429, 'too_many', { 'retry-after': '1' });
      return undefined;
    }
    allowTime();
    const check = (other: string) => this.#check(site, request, other);
    const identity = {
      ...(await identityHeaders(site, result.visitor, this.#parts.identityTokens)),
      ...pageCodeHeaders(result.pageCode),
    };
    const ipAddress = this.#addressOf(request);
    const isStillAllowed = () => this.#isStillAllowed(request, result);
    return { request, response, site, identity, ipAddress, ...result, check, isStillAllowed, deny };
  }

  /** Whether the address of the visitor may have another request open. A proxy that names no address has no limit. */
  #count(request: IncomingMessage, end: Writable): boolean {
    const address = this.#addressOf(request);
    if (address === undefined || end.destroyed) return true;
    const leave = this.#parts.connections.enter(address);
    if (leave) end.once('close', leave);
    else this.#logLimit(address);
    return leave !== undefined;
  }

  #logLimit(ipAddress: string): void {
    if (this.#limitLines.next() === undefined) return;
    const hint =
      'an IP address has its maximum of open requests; if it is that of a proxy, add it to GATEHOUSE_TRUSTED_PROXIES';
    this.#parts.logger.warn({ ipAddress }, hint);
  }

  #observe(request: IncomingMessage, response: ServerResponse): void {
    const { observer } = this.#parts;
    if (!observer.isActive) return;
    const startedAt = performance.now();
    response.once('close', () =>
      observer.ended(this.#observed, response, performance.now() - startedAt, () => ({
        method: request.method,
      })),
    );
  }

  async #isStillAllowed(request: IncomingMessage, { visitor, pageCode }: GateResult): Promise<boolean> {
    const site = await this.#parts.served.at(request);
    if (!site || site.visitedAs === 'redirect') return false;
    const result = await this.#check(site, request, request.url!);
    const isSame = result.visitor?.memberId === visitor?.memberId && result.pageCode?.id === pageCode?.id;
    return result.decision.allowed && isSame;
  }

  #check(site: VisitedSite, request: IncomingMessage, target: string): Promise<GateResult> {
    const method = () => (hasChangingHeader(request.headers) ? undefined : request.method);
    const ipAddress = () => this.#addressOf(request);
    const credentials = credentialsOf(request, this.#parts, { site, target, ipAddress });
    const isForFile = this.#parts.content.opensFiles;
    const isPreflightRequest = () => isPreflight(request, method());
    const pageRequest = { target, method, isPreflight: isPreflightRequest, ipAddress, isForFile };
    return this.#parts.siteAccess.check(site, pageRequest, credentials);
  }

  #addressOf(request: IncomingMessage): string | undefined {
    const { proxies } = this.#parts;
    return proxies.sent(request) ? proxies.ipAddressOf(request) : request.socket.remoteAddress;
  }

  #fail(error: unknown, response: ServerResponse): void {
    const unavailable = error instanceof StoreUnavailable;
    if (unavailable) this.#parts.observer.metrics?.decided('page', 'unavailable');
    this.#parts.logger[unavailable ? 'warn' : 'error']({ err: error }, 'a page of the site failed');
    if (response.headersSent) response.destroy();
    else sendUnavailable(response);
  }
}
