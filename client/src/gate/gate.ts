import type { Gatehouse } from '../gatehouse.ts';
import type { VerifiedSession, VerifySession } from '../types.ts';
import {
  accessDenied,
  deniedToAll,
  type GateResponse,
  invalidPath,
  type Link,
  loginRequired,
  misdirected,
  pageCodeRequired,
  toRedirect,
  toResponse,
  unavailable,
} from './gate-response.ts';
import { type HeaderReader, isNavigation, isPreflight } from './navigation.ts';
import { readSessionToken } from './session-cookie.ts';

/** The options of every gate. */
export interface GateOptions {
  /** For a site without https, for example on your own machine, where the session cookie is `gatehouse_session`. */
  insecure?: boolean | undefined;
  /** The host of the site that the program serves, if the site has several; by default the primary host. */
  host?: string | undefined;
  /** Called with the error if Gatehouse is unavailable. Defaults to writing it to the console. */
  onError?: ((error: unknown) => void) | undefined;
}

/** The name of the session cookie of a site with https. */
export const sessionCookie = '__Host-gatehouse_session';
/** The name of the cookie of the page codes that were entered, on a site with https. */
export const passCookie = '__Host-gatehouse_pass';

/** The parts of a request that the gate uses. */
export interface Visit {
  readonly method: string;
  /** With its query, as it was received. */
  readonly path: string;
  readonly cookies: string;
  readonly header: HeaderReader;
  /** The names of the headers, in lower case. */
  readonly headerNames: readonly string[];
}

export type GateDecision =
  | { readonly allowed: true; readonly visitor: VerifiedSession }
  /** `visitor` is set if a member is logged in but has no access. */
  | {
      readonly allowed: false;
      readonly response: GateResponse;
      readonly visitor: VerifiedSession | undefined;
    };

/** The maximum time for the access check, including retries. */
const maxWaitMilliseconds = 5_000;
const retryAfterSeconds = 5;
/** The maximum length of a path that Gatehouse accepts. */
const maxPathLength = 4_096;
/**
 * The characters of a valid path and query (RFC 3986, sections 3.3 and 3.4, and those that browsers do not encode).
 * Programs read other characters in different ways.
 */
const readablePath = /^\/[\x21\x22\x24-\x3e\x40-\x5b\x5d-\x7e]*(\?[\x21\x22\x24-\x7e]*)?$/;

/** Checks with Gatehouse whether a request is allowed. After any error it is denied. */
export async function checkVisit(
  gatehouse: Gatehouse,
  visit: Visit,
  options: GateOptions,
  more: { readonly edgeToken?: boolean } = {},
): Promise<GateDecision> {
  const path = checkedPath(visit);
  const isPage = isNavigation(visit.method, visit.header, options.insecure === true);
  if (path === undefined) return deny(toResponse(invalidPath, isPage));
  // A redirect to the login page would lead back here.
  if (isOwnPath(path)) return deny(toResponse(misdirected, isPage));
  try {
    const token = readSessionToken(visit.cookies, options.insecure ? 'gatehouse_session' : sessionCookie);
    const signal = AbortSignal.timeout(maxWaitMilliseconds);
    const request = { token, ...passOf(visit, options), path, ...formOf(visit), ...hostOf(options), ...more };
    return decide(await gatehouse.sessions.verify(request, { signal }), isPage);
  } catch (error) {
    (options.onError ?? report)(error);
    const headers = { 'retry-after': String(retryAfterSeconds) };
    return deny(toResponse(unavailable, isPage, { headers }));
  }
}

/** The path that is checked, with its query; undefined if it is not valid. */
export function checkedPath({ path: received, headerNames }: Visit): string | undefined {
  if (headerNames.some((name) => pathHeader.test(name))) return undefined;
  const path = received.length > maxPathLength ? withoutParameters(received) : received;
  return path.length <= maxPathLength && readablePath.test(path) ? path : undefined;
}

/** Whether a path is one of Gatehouse itself. */
export function isOwnPath(path: string): boolean {
  return /^\/_gatehouse(\/|\?|$)/.test(path);
}

function passOf({ cookies }: Visit, { insecure }: GateOptions): { pagePass?: string } {
  const pagePass = readSessionToken(cookies, insecure ? 'gatehouse_pass' : passCookie);
  return pagePass === null ? {} : { pagePass };
}

function hostOf({ host }: GateOptions): { host?: string } {
  return host === undefined ? {} : { host };
}

/** A path whose query is too long for Gatehouse. It keeps an empty parameter, because it still is a request with a query. */
function withoutParameters(path: string): string {
  return `${path.split('?', 1)[0]}?=`;
}

/** The method, whether it is a preflight, and the page from which a form was sent. */
function formOf(visit: Visit): Pick<VerifySession, 'method' | 'preflight' | 'referer'> {
  const method = methodOf(visit);
  if (isPreflight(method, visit.header)) return { method, preflight: true };
  const referer = visit.header('referer');
  const isForm = method !== 'GET' && method !== 'HEAD';
  return isForm && referer !== undefined && referer.length <= maxPathLength
    ? { method, referer }
    : { method };
}

/** With a header that chooses another method, a request counts as one that may change something. */
export function methodOf({ method, headerNames }: Visit): string {
  return headerNames.some((name) => changingHeader.test(name)) ? 'POST' : method;
}

/** In every spelling that programs read. */
const changingHeader = /^(?:x.http.method(?:.override)?|x.method.override|upgrade|sec.websocket..*)$/;

/** Headers that tell a program which part of a path is its own, in every spelling: gunicorn reads `SCRIPT_NAME`. */
const pathHeader = /^(?:x.)?(?:script.name|path.info)$|^daphne.root.path$/;

const finalReasons: readonly string[] = ['blocked', 'condition_not_met', 'ambiguous_path', 'site_suspended'];

/** @param isPage whether the login page can be shown */
function decide(visitor: VerifiedSession, isPage: boolean): GateDecision {
  const { access, member, loginUrl } = visitor;
  if (access === null) throw new Error('The response of Gatehouse contains no access decision.');
  if (access.allowed === true) return { allowed: true, visitor: asSeenByPages(visitor) };
  if (access.reason === 'code_required') {
    return deny(isPage && loginUrl !== null ? toRedirect(loginUrl) : toResponse(pageCodeRequired, isPage));
  }
  const links = linksOf(visitor);
  if (member !== null) return { ...deny(toResponse(accessDenied, isPage, { links })), visitor };
  // Logging in would not change the decision.
  if (finalReasons.includes(access.reason)) {
    return deny(toResponse(deniedToAll, isPage, { links }));
  }
  return deny(isPage && loginUrl !== null ? toRedirect(loginUrl) : toResponse(loginRequired, isPage));
}

/** What a visitor without access can do about it, beside logging in. */
function linksOf({ pageCodeUrl, accessRequestUrl }: VerifiedSession): Link[] {
  return [
    ...(pageCodeUrl ? [{ url: pageCodeUrl, text: 'Enter a code' }] : []),
    ...(accessRequestUrl ? [{ url: accessRequestUrl, text: 'Ask for access' }] : []),
  ];
}

/** Where access depends on a page code, pages see no member, also if one is logged in: others have the same code. */
function asSeenByPages(visitor: VerifiedSession): VerifiedSession {
  return visitor.pageCode ? { ...visitor, session: null, member: null } : visitor;
}

/**
 * Which caches may store a page, unless the program says it: what is not the same for everyone is only for the browser of
 * its visitor. Undefined for a public page of an anonymous visitor.
 */
export function cacheControlOf(visitor: VerifiedSession): string | undefined {
  return isForEverybody(visitor) ? undefined : 'private, no-cache';
}

/** To a member, a public page may show the name, and a condition or a code may let some anonymous visitors in and not others. */
export function isForEverybody({ access, member, pageCode }: VerifiedSession): boolean {
  return access?.reason === 'public' && member === null && !pageCode;
}

function deny(response: GateResponse): Extract<GateDecision, { allowed: false }> {
  return { allowed: false, response, visitor: undefined };
}

function report(error: unknown): void {
  console.error('Gatehouse is unavailable, so access is denied.', error);
}
