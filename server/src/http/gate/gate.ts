import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccessReason, Site } from '@gatehouse/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { SiteAccess } from '../../domain/access-rules/site-access.ts';
import type { Visitor } from '../../domain/access-rules/visitor.ts';
import { checkNext } from '../../domain/sites/next-path.ts';
import { memberPages } from '../../domain/sites/page-addresses.ts';
import { originOf } from '../../domain/sites/site.ts';
import { loginUrl } from '../../domain/sites/site-addresses.ts';
import { noAccessPage } from '../../pages/pages.ts';
import { StoreUnavailable } from '../../storage/errors.ts';
import { frameOf, pageHeaders } from '../shared/page-frame.ts';
import { addressBucket, type RateLimits } from '../shared/rate-limit.ts';
import { isNavigation, readCookie, single, type TrustedProxies } from '../shared/site-request.ts';
import type { VisitedHosts } from '../shared/visited-host.ts';
import { tokenInHeader, tokenInQuery } from './access-token-credential.ts';

const prefix = `${memberPages.prefix}/`;
const retryAfterSeconds = '1';
/**
 * The maximum length of a member's groups in one header: proxies accept about 4 KiB of headers from the gate in
 * total.
 */
const maxGroupsLength = 2_000;
/** Part of the same limit: a member's name can have 200 characters of up to 12 bytes each. */
const maxNameLength = 1_000;

interface GateRequest {
  readonly site: Site;
  /** The path that the visitor requested, with its query. */
  readonly target: string;
  /** See `RequestForm`. */
  method(): string | undefined;
}

export interface GateParts {
  readonly siteAccess: SiteAccess;
  readonly proxies: TrustedProxies;
  readonly visitedHosts: VisitedHosts;
  readonly limits: RateLimits;
  /** Requests with a wrong access token in 60 s, for each client address; 0 for no limit. */
  readonly wrongTokenLimit: number;
  readonly logger: FastifyBaseLogger;
}

/**
 * Answers the proxies in front of a site, at every request of every visitor. It works on Node's requests directly,
 * because a framework would add considerably to the cost of a request.
 */
export class Gate {
  readonly #parts: GateParts;
  readonly #warnings = new Set<string>();

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /** Whether a request is for the gate and not for the rest of the server. */
  handles({ url = '' }: IncomingMessage): boolean {
    return url.startsWith(prefix) && pathOf(url) in answers;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const kind = answers[pathOf(request.url!)]!;
    this.#answer(kind, request, response).catch((error) => {
      const unavailable = error instanceof StoreUnavailable;
      this.#parts.logger[unavailable ? 'warn' : 'error'](
        { err: error },
        'the gate could not answer a request',
      );
      const headers = { ...plainHeaders, 'retry-after': retryAfterSeconds };
      if (!response.headersSent) {
        response.writeHead(503, headers).end('Access is temporarily unavailable. Try again in a moment.\n');
      }
    });
  }

  async #answer(kind: AnswerKind, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { siteAccess, proxies, visitedHosts } = this.#parts;
    if (visitedHosts.isDashboard(request) && !(await siteAccess.siteAt(request.headers.host))) {
      response.writeHead(404, deniedHeaders).end();
      return;
    }
    const gateRequest = await this.#read(kind, request);
    if (!gateRequest) return deny(response);
    const { site, target, method } = gateRequest;
    const clientAddress = () => proxies.clientAddressOf(request);
    const { decision, visitor, credential, isFeed } = await siteAccess.check(
      site,
      { target, method, clientAddress },
      {
        header: tokenInHeader(request),
        query: () => tokenInQuery(target),
        session: () => readCookie(request, 'session', site),
      },
    );
    if (decision.allowed && kind !== 'denied') return allow(response, visitor);
    if (kind === 'auth') {
      response.writeHead(decision.reason === 'anonymous' ? 401 : 403, deniedHeaders).end();
      return;
    }
    const origin = originOf(site)!;
    if (decision.allowed) return redirect(response, origin + target);
    if (credential === 'access-token' || (isFeed && !isBrowser(request))) {
      const isWrong = credential === 'access-token' && decision.reason === 'anonymous';
      return this.#denyProgram(response, site, decision.reason, isWrong ? clientAddress() : null);
    }
    if (decision.reason !== 'anonymous') {
      const frame = frameOf(site, request.headers['accept-language']);
      const member = visitor && { email: visitor.email, displayName: visitor.displayName };
      return sendPage(
        response,
        403,
        noAccessPage(frame, {
          reason: decision.reason,
          member: member ?? null,
          next: checkNext(target, origin),
        }),
      );
    }
    const login = loginUrl(site, target);
    if (isNavigation(request)) return redirect(response, login);
    response.writeHead(401, plainHeaders).end(`Log in first: ${login}\n`);
  }

  /**
   * Programs are never sent to the login page. Wrong tokens are counted here and not in the answers to `auth_request`,
   * after which nginx asks for the reason: it would turn 429 into an error of the server.
   * @param wrongFrom the address that sent a wrong token; null if none was sent
   */
  async #denyProgram(
    response: ServerResponse,
    site: Site,
    reason: AccessReason,
    wrongFrom: string | undefined | null,
  ): Promise<void> {
    if (reason !== 'anonymous') {
      response.writeHead(403, plainHeaders).end('The member has no access to this page.\n');
      return;
    }
    if (wrongFrom !== null) {
      const { limits, wrongTokenLimit } = this.#parts;
      const bucket = `access token ${addressBucket(wrongFrom)}`;
      const { exceeded, secondsToReset } = await limits.consume(bucket, wrongTokenLimit);
      if (exceeded) {
        response
          .writeHead(429, { ...plainHeaders, 'retry-after': String(Math.max(secondsToReset, 1)) })
          .end('Too many requests with a wrong access token. Try again later.\n');
        return;
      }
    }
    response
      .writeHead(401, { ...plainHeaders, 'www-authenticate': `Basic realm="${site.slug}", charset="UTF-8"` })
      .end('Send a valid access token, as the password of any user name.\n');
  }

  /**
   * The site and target that a proxy asks about; undefined if the request is not from a trusted proxy or lacks these
   * headers.
   */
  async #read(kind: AnswerKind, request: IncomingMessage): Promise<GateRequest | undefined> {
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
function readMethod(kind: AnswerKind, { url = '', headers }: IncomingMessage): string | undefined {
  if (Object.keys(headers).some((name) => changingHeader.test(name))) return undefined;
  if (kind === 'auth') return /\?method=([A-Z]+)$/.exec(url)?.[1];
  return kind === 'denied' ? undefined : single(headers['x-forwarded-method']);
}

/** Headers that choose another method, in every spelling that programs read, and those that open a WebSocket. */
const changingHeader =
  /^(?:x[-_]http[-_]method(?:[-_]override)?|x[-_]method[-_]override|upgrade|sec-websocket-.*)$/;

/** Browsers name the mode of a request (Fetch Metadata), or at least accept pages by name. */
function isBrowser({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-mode'] !== undefined || /text\/html/.test(headers.accept ?? '');
}

type AnswerKind = 'auth' | 'forward-auth' | 'denied';

const answers: Readonly<Record<string, AnswerKind>> = Object.assign(Object.create(null), {
  [`${prefix}auth`]: 'auth',
  [`${prefix}forward-auth`]: 'forward-auth',
  [`${prefix}denied`]: 'denied',
});

const deniedHeaders = { 'cache-control': 'no-store', 'content-length': 0 };
const plainHeaders = {
  'cache-control': 'no-store',
  'content-type': 'text/plain; charset=utf-8',
  'x-content-type-options': 'nosniff',
};

function allow(response: ServerResponse, visitor: Visitor | undefined): void {
  if (visitor?.status !== 'active') {
    response.writeHead(204, { 'cache-control': 'no-store' }).end();
    return;
  }
  response
    .writeHead(204, {
      'cache-control': 'no-store',
      'remote-user': visitor.memberId,
      'remote-email': visitor.email,
      'remote-name': nameHeader(visitor.displayName ?? ''),
      'remote-groups': groupsHeader(visitor.groupNames),
    })
    .end();
}

/** The response gives no reason; operators find it in the log. */
function deny(response: ServerResponse): void {
  response.writeHead(403, deniedHeaders).end();
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { ...deniedHeaders, location }).end();
}

function sendPage(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, pageHeaders).end(page);
}

/**
 * Percent-encoded UTF-8 (RFC 3986, section 2.1), so that a name cannot end the header or contain the comma that
 * separates names.
 */
function encode(text: string): string {
  return encodeURIComponent(text);
}

function nameHeader(name: string): string {
  const whole = encode(name);
  if (whole.length <= maxNameLength) return whole;
  let header = '';
  for (const character of name) {
    const next = header + encode(character);
    if (next.length > maxNameLength) break;
    header = next;
  }
  return header;
}

function groupsHeader(names: readonly string[]): string {
  let header = '';
  for (const name of names) {
    const next = header === '' ? encode(name) : `${header},${encode(name)}`;
    if (next.length > maxGroupsLength) break;
    header = next;
  }
  return header;
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
