import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Site } from '@gatehouse/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { Gatekeeper } from '../gate/gatekeeper.ts';
import { loginUrl } from '../gate/verified-session.ts';
import type { Visitor } from '../gate/visitor.ts';
import { checkNext } from '../login/next-path.ts';
import { noAccessPage } from '../pages/pages.ts';
import { originOf } from '../sites/site.ts';
import { StoreUnavailable } from '../storage/errors.ts';
import { frameOf, pageHeaders } from './page-frame.ts';
import { isNavigation, readCookie, type TrustedProxies } from './site-request.ts';
import type { VisitedHosts } from './visited-host.ts';

const prefix = '/_gatehouse/';
const retryAfterSeconds = '1';
/** Room for the groups of a member in one header: proxies take about 4 KiB of headers from the gate in all. */
const longestGroups = 2_000;
/** Of the same room: a member may choose a name of 200 characters that take 12 each. */
const longestName = 1_000;

interface Inquiry {
  readonly site: Site;
  /** The path that the visitor asked for, with its query. */
  readonly target: string;
}

export interface GateParts {
  readonly gatekeeper: Gatekeeper;
  readonly proxies: TrustedProxies;
  readonly visitedHosts: VisitedHosts;
  readonly logger: FastifyBaseLogger;
}

/**
 * Answers the proxies in front of a site: at every request of every visitor. It works on bare requests, because what a
 * framework adds to one would be a good part of what it costs.
 */
export class Gate {
  readonly #parts: GateParts;
  readonly #complaints = new Set<string>();

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /** Whether a request is for the gate, and not for the rest of the server. */
  takes({ url = '' }: IncomingMessage): boolean {
    return url.startsWith(prefix) && pathOf(url) in answers;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const kind = answers[pathOf(request.url!)]!;
    this.#answer(kind, request, response).catch((error) => {
      const unavailable = error instanceof StoreUnavailable;
      this.#parts.logger[unavailable ? 'warn' : 'error']({ err: error }, 'the gate could not answer');
      const headers = { ...plainHeaders, 'retry-after': retryAfterSeconds };
      if (!response.headersSent) {
        response.writeHead(503, headers).end('The door stays shut for a moment. Try again.\n');
      }
    });
  }

  async #answer(kind: AnswerKind, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { gatekeeper, visitedHosts } = this.#parts;
    if (visitedHosts.isDashboard(request) && !(await gatekeeper.siteAt(request.headers.host))) {
      response.writeHead(404, shutHeaders).end();
      return;
    }
    const inquiry = await this.#read(kind, request);
    if (!inquiry) return refuse(response);
    const { site, target } = inquiry;
    const { decision, visitor } = await gatekeeper.check(site, target, readCookie(request, 'session', site));
    if (decision.allowed && kind !== 'denied') return open(response, visitor);
    if (kind === 'auth') {
      response.writeHead(decision.reason === 'stranger' ? 401 : 403, shutHeaders).end();
      return;
    }
    const origin = originOf(site)!;
    if (decision.allowed) return redirect(response, origin + target);
    if (decision.reason !== 'stranger') {
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

  /** What a proxy asks about; undefined where the asker is no proxy of ours, or does not say what it asks about. */
  async #read(kind: AnswerKind, request: IncomingMessage): Promise<Inquiry | undefined> {
    const { gatekeeper, proxies, visitedHosts } = this.#parts;
    const { headers, socket } = request;
    if (!proxies.sent(request)) {
      return this.#complain(
        `${socket.remoteAddress} asks the gate but is not in GATEHOUSE_TRUSTED_PROXIES: it is refused`,
      );
    }
    // Each asks in its own header: the other one may be the visitor's.
    const name = kind === 'forward-auth' ? 'x-forwarded-uri' : 'x-original-uri';
    const target = headers[name];
    if (typeof target !== 'string' || headers['x-forwarded-host'] === undefined) {
      return this.#complain(
        `the proxy ${socket.remoteAddress} asks the gate without ${name} and x-forwarded-host`,
      );
    }
    const host = visitedHosts.hostOf(request);
    if (host === undefined) {
      return this.#complain(
        `the proxy ${socket.remoteAddress} asks the gate with another host in Host than in x-forwarded-host`,
      );
    }
    const site = await gatekeeper.siteAt(host);
    if (!site) return this.#complain('a proxy asks the gate for a host that is the domain of no site');
    return { site, target };
  }

  /** Once each: it is a matter of configuration, and true of every request. */
  #complain(message: string): undefined {
    if (this.#complaints.has(message) || this.#complaints.size > 100) return;
    this.#complaints.add(message);
    this.#parts.logger.warn(message);
  }
}

type AnswerKind = 'auth' | 'forward-auth' | 'denied';

const answers: Readonly<Record<string, AnswerKind>> = Object.assign(Object.create(null), {
  [`${prefix}auth`]: 'auth',
  [`${prefix}forward-auth`]: 'forward-auth',
  [`${prefix}denied`]: 'denied',
});

const shutHeaders = { 'cache-control': 'no-store', 'content-length': 0 };
const plainHeaders = {
  'cache-control': 'no-store',
  'content-type': 'text/plain; charset=utf-8',
  'x-content-type-options': 'nosniff',
};

function open(response: ServerResponse, visitor: Visitor | undefined): void {
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

/** Nobody is told why: whoever may know finds it in the log. */
function refuse(response: ServerResponse): void {
  response.writeHead(403, shutHeaders).end();
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { ...shutHeaders, location }).end();
}

function sendPage(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, pageHeaders).end(page);
}

/** Percent-encoded UTF-8 (RFC 3986, section 2.1): no name can end a header or hold the comma between two of them. */
function encode(text: string): string {
  return encodeURIComponent(text);
}

function nameHeader(name: string): string {
  const whole = encode(name);
  if (whole.length <= longestName) return whole;
  let header = '';
  for (const character of name) {
    const next = header + encode(character);
    if (next.length > longestName) break;
    header = next;
  }
  return header;
}

function groupsHeader(names: readonly string[]): string {
  let header = '';
  for (const name of names) {
    const next = header === '' ? encode(name) : `${header},${encode(name)}`;
    if (next.length > longestGroups) break;
    header = next;
  }
  return header;
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
