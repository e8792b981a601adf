import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { isUuid } from '../../base/ids.ts';
import type { Credentials, SiteAccess } from '../../domain/access-rules/site-access.ts';
import { memberPages } from '../../domain/sites/page-addresses.ts';
import { primaryUrl } from '../../domain/sites/site-addresses.ts';
import type { VisitedSite } from '../../domain/sites/visited-site.ts';
import { StoreUnavailable } from '../../storage/errors.ts';
import { credentialsOf, withoutToken } from '../shared/credentials/access-token-credential.ts';
import { cookiesForProgram } from '../shared/credentials/cookie-names.ts';
import {
  deniedHeaders,
  maySendToPage,
  redirect,
  redirectToPage,
  sendDenial,
  sendUnavailable,
} from '../shared/errors/denial.ts';
import { identityHeaders, pageCodeHeaders } from '../shared/identity/identity-headers.ts';
import type { IdentityTokens } from '../shared/identity/identity-tokens.ts';
import type { WrongTokenLimits } from '../shared/limits/wrong-tokens.ts';
import type { DeniedAccessLog } from '../shared/observe/denied-access-log.ts';
import type { DecidedRequest, RequestMetrics } from '../shared/observe/request-metrics.ts';
import type { ObservedOperation, RequestFacts, RequestObserver } from '../shared/observe/request-observer.ts';
import { isForEverybody } from '../shared/pages/for-everybody.ts';
import { isPreflight } from '../shared/requests/preflight.ts';
import {
  hasChangingHeader,
  hasPathHeader,
  single,
  type TrustedProxies,
} from '../shared/requests/site-request.ts';
import type { VisitedHosts } from '../shared/requests/visited-host.ts';

const prefix = `${memberPages.prefix}/`;
interface GateRequest {
  readonly site: VisitedSite;
  /** The path that the visitor requested, with its query. */
  readonly target: string;
  /** See `RequestForm`. */
  method(): string | undefined;
}

export interface GateParts extends WrongTokenLimits {
  readonly siteAccess: SiteAccess;
  readonly proxies: TrustedProxies;
  readonly visitedHosts: VisitedHosts;
  readonly logger: FastifyBaseLogger;
  readonly identityTokens: IdentityTokens;
  readonly observer: RequestObserver;
  readonly deniedAccess: DeniedAccessLog;
}

/** What the log says about a request. */
interface SeenRequest {
  siteId: string | undefined;
}

/**
 * Responds to the proxies in front of a site, at every request of every visitor. It works on Node's requests directly,
 * because a framework would add considerably to the cost of a request.
 */
export class Gate {
  readonly #parts: GateParts;
  readonly #warnings = new Set<string>();
  readonly #observed: Readonly<Record<GateOperation, ObservedOperation>>;

  constructor(parts: GateParts) {
    this.#parts = parts;
    const observe = (kind: GateOperation) => parts.observer.operation('gate', kind);
    this.#observed = {
      auth: observe('auth'),
      'forward-auth': observe('forward-auth'),
      denied: observe('denied'),
    };
  }

  /** Whether a request is for the gate and not for the rest of the server. */
  handles({ url = '' }: IncomingMessage): boolean {
    return url.startsWith(prefix) && pathOf(url) in decisionKinds;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const kind = decisionKinds[pathOf(request.url!)]!;
    const { observer, logger } = this.#parts;
    const startedAt = performance.now();
    const seen: SeenRequest = { siteId: undefined };
    const end = () => {
      const milliseconds = performance.now() - startedAt;
      if (!observer.records(milliseconds)) return;
      observer.ended(this.#observed[kind], response, milliseconds, () => factsOf(request, seen));
    };
    this.#handle(kind, request, response, seen).then(end, (error) => {
      const unavailable = error instanceof StoreUnavailable;
      logger[unavailable ? 'warn' : 'error']({ err: error }, 'the gate could not answer a request');
      sendUnavailable(response);
      if (unavailable) this.#count(kind, 'unavailable');
      end();
    });
  }

  async #handle(
    kind: GateOperation,
    request: IncomingMessage,
    response: ServerResponse,
    seen: SeenRequest,
  ): Promise<void> {
    const { siteAccess, proxies, visitedHosts, identityTokens, deniedAccess } = this.#parts;
    if (visitedHosts.isDashboard(request) && !(await siteAccess.siteAt(request.headers.host))) {
      response.writeHead(404, deniedHeaders).end();
      return;
    }
    const gateRequest = await this.#read(kind, request);
    if (!gateRequest || hasPathHeader(request.headers)) {
      this.#count(kind, 'unreadable');
      return deny(response);
    }
    const { site, target, method } = gateRequest;
    seen.siteId = site.id;
    if (site.visitedAs === 'redirect') {
      if (kind === 'auth') response.writeHead(401, deniedHeaders).end();
      else redirect(response, primaryUrl(site, target));
      return;
    }
    const ipAddress = () => proxies.ipAddressOf(request);
    const pageRequest = {
      target,
      method,
      isPreflight: () => dropsBodies(request) && isPreflight(request, method()),
      ipAddress,
    };
    const credentials = credentialsOf(request, this.#parts, { site, target, ipAddress });
    const result = await siteAccess.check(site, pageRequest, credentials);
    const { decision, visitor, pageCode } = result;
    this.#count(kind, decision.reason);
    if (!decision.allowed && kind !== 'denied') deniedAccess.denied(site.id, result, request, ipAddress);
    if (decision.allowed && kind !== 'denied')
      return allow(response, {
        ...(await identityHeaders(site, visitor, identityTokens)),
        ...pageCodeHeaders(pageCode),
        ...(kind === 'forward-auth' && headersForProgram(request, credentials)),
        'remote-cache': isForEverybody(result) ? 'public' : 'private',
        'remote-credential': credentials.header === undefined ? 'none' : 'access-token',
      });
    if (kind === 'auth') {
      response.writeHead(maySendToPage(decision.reason) ? 401 : 403, deniedHeaders).end();
      return;
    }
    if (decision.allowed) return redirectToPage(request, response, site, target);
    const denial = { ...result, site, method: method(), ipAddress };
    await sendDenial(this.#parts, request, response, denial);
  }

  /**
   * The site and target that a proxy asks about; undefined if the request is not from a trusted proxy or lacks these
   * headers.
   */
  async #read(kind: GateOperation, request: IncomingMessage): Promise<GateRequest | undefined> {
    const { siteAccess, proxies, visitedHosts } = this.#parts;
    const { headers, socket } = request;
    if (!proxies.sent(request)) {
      return this.#warn(
        `${socket.remoteAddress} sent a request to the gate but is not in GATEHOUSE_TRUSTED_PROXIES: access is denied`,
      );
    }
    // Each kind of request uses its own headers: the others may come from the visitor.
    const name = kind === 'forward-auth' ? 'x-forwarded-uri' : 'x-original-uri';
    const target = headers[name];
    if (typeof target !== 'string' || headers['x-forwarded-host'] === undefined) {
      return this.#warn(
        `the proxy ${socket.remoteAddress} sent a request to the gate without ${name} and x-forwarded-host`,
      );
    }
    const host = visitedHosts.hostOf(request);
    if (host === undefined) {
      return this.#warn(
        `the proxy ${socket.remoteAddress} sent a request to the gate with different hosts in Host and x-forwarded-host`,
      );
    }
    const site = await siteAccess.siteAt(host);
    if (!site)
      return this.#warn('a proxy sent a request to the gate for a host that is not the domain of any site');
    return { site, target, method: () => readMethod(kind, request) };
  }

  /** nginx asks for the reason of a denial afterwards: that is the same decision. */
  #count(kind: GateOperation, reason: Parameters<RequestMetrics['decided']>[1]): void {
    const decided = decidedRequests[kind];
    if (decided !== undefined) this.#parts.observer.metrics?.decided(decided, reason);
  }

  /** Logs each message once: it concerns the configuration and would repeat at every request. */
  #warn(message: string): undefined {
    if (this.#warnings.has(message) || this.#warnings.size > 100) return;
    this.#warnings.add(message);
    this.#parts.logger.warn(message);
  }
}

/**
 * The method of the visitor's request; undefined if the proxy does not name it, or if a program may treat the request as
 * another one. nginx names the method in the URL, because a visitor may send any header that its configuration does not
 * set. For the reason of a denial nginx changes the method.
 */
function readMethod(kind: GateOperation, { url = '', headers }: IncomingMessage): string | undefined {
  if (hasChangingHeader(headers)) return undefined;
  if (kind === 'auth') return /\?method=([A-Z]+)(?:&preflights=without-body)?$/.exec(url)?.[1];
  return kind === 'denied' ? undefined : single(headers['x-forwarded-method']);
}

/**
 * Whether the proxy passes on no body of a preflight. The gate never sees the body itself, so that the configuration of the
 * proxy has to say it, in the URL, where no visitor can.
 */
function dropsBodies({ url = '' }: IncomingMessage): boolean {
  return /[?&]preflights=without-body$/.test(url);
}

type GateOperation = 'auth' | 'forward-auth' | 'denied';

const decidedRequests: Readonly<Record<GateOperation, DecidedRequest | undefined>> = {
  auth: 'auth',
  'forward-auth': 'forward_auth',
  denied: undefined,
};

const decisionKinds: Readonly<Record<string, GateOperation>> = Object.assign(Object.create(null), {
  [`${prefix}auth`]: 'auth',
  [`${prefix}forward-auth`]: 'forward-auth',
  [`${prefix}denied`]: 'denied',
});

/**
 * `Remote-Credential` tells the proxy whether `Authorization` is for Gatehouse, and not for the program behind the proxy. It
 * is on every response that allows a request, and on no other one. `Remote-Cache` says whether a cache may show the page to
 * others.
 */
function allow(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  response.writeHead(204, { 'cache-control': 'no-store', ...headers }).end();
}

/**
 * The headers of a visitor as the program behind the proxy may receive them, without Gatehouse's cookies and tokens, for
 * proxies that can replace a header but not change it (Traefik). A proxy uses those that its configuration names.
 */
function headersForProgram(
  { headers: { authorization, cookie, referer } }: IncomingMessage,
  { header: token }: Credentials,
): Record<string, string> {
  const headers: Record<string, string> = {};
  const cookies = cookiesForProgram(cookie);
  if (cookies !== undefined) headers.cookie = cookies;
  if (authorization !== undefined && token === undefined) headers.authorization = authorization;
  if (referer !== undefined) headers.referer = withoutToken(referer);
  return headers;
}

/** The response gives no reason; operators find it in the log. */
function deny(response: ServerResponse): void {
  response.writeHead(403, deniedHeaders).end();
}

/** Responses of the gate have no request ID of their own; a proxy may send one. */
function factsOf({ method, headers }: IncomingMessage, { siteId }: SeenRequest): RequestFacts {
  const requestId = single(headers['x-request-id']);
  return { requestId: requestId !== undefined && isUuid(requestId) ? requestId : undefined, method, siteId };
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
