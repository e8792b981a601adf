import { parse as parseForm } from 'node:querystring';
import type { Site } from '@gatehouse/contract';
import { type DashboardErrorCode, dashboardErrorStatus } from '@gatehouse/contract/dashboard';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../base/api-error.ts';
import type { Clock } from '../../../base/clock.ts';
import { knownBrowserDays } from '../../../domain/known-browsers/known-browser.ts';
import { findKnownBrowser, type KnownBrowser } from '../../../domain/known-browsers/known-browsers.ts';
import type { Login, LoginBrowser } from '../../../domain/logins/login.ts';
import { type SentForm, sentFormOf } from '../../../domain/sessions/form-responses.ts';
import { memberSessions, type SessionLifetime } from '../../../domain/sessions/session.ts';
import { generateToken } from '../../../domain/sessions/token.ts';
import { loginSurfaceOf, originOf } from '../../../domain/sites/site.ts';
import type { VisitedSite } from '../../../domain/sites/visited-site.ts';
import { messagePage, type PageFrame } from '../../../pages/pages.ts';
import type {
  ActionCall,
  ActionInput,
  ActionName,
  ActionResult,
  CallRunner,
  ErrorResponse,
  Success,
} from '../../../runtime/call.ts';
import type { Database } from '../../../storage/database.ts';
import { StoreUnavailable } from '../../../storage/errors.ts';
import type { SiteView } from '../../../storage/site-view.ts';
import type { Admission } from '../credentials/admission.ts';
import type { CookieName } from '../credentials/cookie-names.ts';
import { addressBucket, type Bucket, bucketFor, type RateLimits } from '../limits/rate-limit.ts';
import type { SecurityEvent } from '../observe/log-fields.ts';
import { frameOf, pageHeaders, pageHeadersOf, transportHeaders } from '../pages/page-frame.ts';
import { isFromServiceWorker, isNotForPage, isUnpressed, openerPolicyFor } from './page-navigation.ts';
import { cookieHeader, readCookie } from './site-request.ts';

const maxFormBytes = 16 * 1024;
const deviceCookieSeconds = knownBrowserDays * 24 * 60 * 60;
/** A page waits for its email, and the cookie only serves a form that is sent twice at once. */
const formCookieSeconds = 60 * 60;
/** In this time the requests of a bucket are counted, such as the forms of one client address. */
const countedSeconds = 15 * 60;

export interface PageSettings {
  /** Login links for one address in 15 minutes; 0 for no limit. */
  readonly loginLimit: number;
  /** Forms sent from one client address in 15 minutes; 0 for no limit. */
  readonly loginLimitClient: number;
  /** How long operators stay logged in. */
  readonly operatorSessions: SessionLifetime;
  /** Whether operators have to log in with a passkey. */
  readonly requirePasskeys: boolean;
}

/** The dependencies of a site's pages, for members and operators alike. */
export interface PageParts {
  readonly database: Database;
  readonly admission: Admission;
  readonly limits: RateLimits;
  /** Runs changes. */
  readonly writer: CallRunner;
  readonly clock: Clock;
  readonly settings: PageSettings;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The site of the requested page. Set on every page. */
    site: VisitedSite | null;
    /** The known browser that sends a form; null for any other browser. */
    knownBrowser: KnownBrowser | null;
  }
}

export type Fields = Readonly<Record<string, string | string[] | undefined>>;

/** Makes a plugin of pages parse forms and answer errors with pages. */
export function preparePages(pages: FastifyInstance, { admission }: PageParts): void {
  pages.decorateRequest('site', null);
  pages.decorateRequest('knownBrowser', null);
  pages.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxFormBytes },
    async (_: FastifyRequest, body: string) => parseForm(body, '&', '=', { maxKeys: 20 }),
  );
  // Pages have their own limits, on the forms sent to them.
  pages.addHook('onRequest', async (_, reply) => admission.admitUncounted(reply));
  pages.setErrorHandler((error, request, reply) => sendErrorPage(error, request, reply));
}

/** The site of a page, as it is now. */
export function viewOf({ database, clock }: PageParts, { site }: FastifyRequest): SiteView {
  return { db: database, siteId: site!.id, now: clock().toISOString() };
}

/**
 * Admits a request to a page of a site. Rejects forms sent from other sites or by scripts, and forms over the limit: then
 * `reply.sent` is true. (A reply that is awaited is undefined once it has been sent.)
 */
export async function enterPage(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  site: VisitedSite,
): Promise<void> {
  request.site = site;
  reply.headers({
    ...pageHeadersOf(site),
    ...transportHeaders(site),
    'cross-origin-opener-policy': openerPolicyFor(request.headers),
  });
  if (request.method === 'GET' || request.method === 'HEAD') return;
  if (isCrossSite(request) || isByScript(request)) {
    await sendForbidden(request, reply);
    return;
  }
  request.knownBrowser = (await knownBrowserOf(parts, request, site)) ?? null;
  const { knownBrowser } = request;
  if (knownBrowser) await countForm(parts, request, reply, `browser ${site.id} ${knownBrowser.key}`);
  else await countFormByAddress(parts, request, reply);
}

/** For pages that show personal data: other pages of the host must not read them. */
export const onlyAsPage = {
  onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
    isNotForPage(request.headers) ? sendForbidden(request, reply) : undefined,
};

/** For pages of the login, which must also work where a web app passes all requests through its service worker. */
export const onlyAsLoginPage = {
  onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
    isByScript(request) ? sendForbidden(request, reply) : undefined,
};

/**
 * For forms that act as the visitor: another page of the host must not send them without a press, and neither may a
 * service worker.
 */
export const onlyPressed = {
  onRequest: async ({ headers }: FastifyRequest, reply: FastifyReply) =>
    isNotForPage(headers) || isUnpressed(headers) ? sendForbidden(reply.request, reply) : undefined,
};

function isByScript({ headers }: FastifyRequest): boolean {
  return isNotForPage(headers) && !isFromServiceWorker(headers);
}

/** The known browser that sends a form. While the client is over its limit, an unknown cookie costs no statement. */
async function knownBrowserOf(
  parts: PageParts,
  request: FastifyRequest,
  { id: siteId }: VisitedSite,
): Promise<KnownBrowser | undefined> {
  const { limits, admission } = parts;
  const cookie = deviceCookieOf(request);
  const isOverLimit = limits.secondsExceeded(bucketFor('visitor', formBucketOf(request))) > 0;
  if (isOverLimit && !(await admission.known.hasBrowser(siteId, cookie))) return undefined;
  return findKnownBrowser(viewOf(parts, request), cookie);
}

/** Counts a form by its client address, including forms of a known browser for an email address not known there. */
export function countFormByAddress(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  return countForm(parts, request, reply, formBucketOf(request));
}

/** Each login surface has its own bucket: forms of members' pages cannot lock out an operator with the same address. */
function formBucketOf({ site, ip }: FastifyRequest): Bucket {
  return bucketFor(loginSurfaceOf(site!), addressBucket(ip));
}

/** Answers with an error page if the limit is exceeded. */
async function countForm(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  bucket: Bucket,
): Promise<void> {
  const wait = await secondsToWait(parts, bucket, parts.settings.loginLimitClient);
  if (wait > 0) await sendTooMany(request, reply, wait);
}

/** @param wait in seconds */
export function sendTooMany(request: FastifyRequest, reply: FastifyReply, wait: number): FastifyReply {
  reply.header('retry-after', wait);
  const page = messagePage(pageFrame(request), { kind: 'too_many', waitMinutes: Math.ceil(wait / 60) });
  return sendPage(reply, page, 429);
}

/**
 * Whether a request was sent from another site. Browsers indicate it (Fetch Metadata, and `Origin` of RFC 6454); a
 * client that sends neither is not a browser that could be tricked.
 */
export function isCrossSite({ headers, site }: FastifyRequest): boolean {
  const fetchSite = headers['sec-fetch-site'];
  if (fetchSite !== undefined) return fetchSite !== 'same-origin' && fetchSite !== 'none';
  return headers.origin !== undefined && headers.origin !== originOf(site!);
}

/** The seconds to wait if the limit is exceeded, 0 otherwise. */
export async function secondsToWait(
  { limits }: PageParts,
  bucket: Bucket,
  limit: number,
  seconds = countedSeconds,
): Promise<number> {
  const { exceeded, secondsToReset } = await limits.consume(bucketFor('visitor', bucket), limit, seconds);
  return exceeded ? Math.max(secondsToReset, 1) : 0;
}

/** Runs an action of a page. Pages show no error responses like those of the API, only what kind of error it was. */
export async function act<Name extends ActionName>(
  parts: PageParts,
  request: FastifyRequest,
  action: Name,
  input: ActionInput<Name>,
): Promise<ActionResult<Name>> {
  const outcome = await attempt(parts, request, action, input, []);
  return (outcome as ActionSuccess<Name>).result;
}

interface ActionSuccess<Name extends ActionName> extends Success {
  readonly result: ActionResult<Name>;
}

/** Like `act`, but an error is a valid outcome, if it is one of those that are expected. By default every error is. */
export async function attempt<Name extends ActionName>(
  { writer, clock }: PageParts,
  request: FastifyRequest,
  action: Name,
  input: ActionInput<Name>,
  expected?: readonly DashboardErrorCode[],
): Promise<ActionSuccess<Name> | ErrorResponse> {
  const call: ActionCall<Name> = {
    action,
    siteId: request.site!.id,
    changeContext: {
      actor: { type: 'member', id: null, name: null },
      requestId: request.id,
      ipAddress: request.ip,
      at: clock().toISOString(),
    },
    input,
  };
  const outcome = await writer.run(call);
  if (outcome.kind === 'success') return outcome as ActionSuccess<Name>;
  if (expected?.includes(outcome.code) ?? true) return outcome;
  throw new ApiError(outcome.code, `${action} failed: ${outcome.message}`);
}

/** Sets the session cookie, and the device cookie that makes the browser known. */
export function setSessionCookie(
  { settings }: PageParts,
  reply: FastifyReply,
  site: Site,
  login: Extract<Login, { outcome: 'logged_in' }>,
): void {
  const { sessionToken, deviceCookie } = login.cookies;
  setSessionTokenCookie(reply, site, sessionToken, lifetimeOf(settings, site));
  setCookie(reply, 'device', site, deviceCookie, deviceCookieSeconds);
}

/** Sets the session cookie of a host. */
export function setSessionTokenCookie(
  reply: FastifyReply,
  site: Site,
  token: string,
  { maxSeconds }: SessionLifetime = memberSessions,
): void {
  setCookie(reply, 'session', site, token, maxSeconds);
  setCookie(reply, 'login', site, null, 0);
}

function lifetimeOf({ operatorSessions }: PageSettings, site: Site): SessionLifetime {
  return loginSurfaceOf(site) === 'operators' ? operatorSessions : memberSessions;
}

/** @param form the form with which the browser logs in; null if a form that is sent twice is not to log in twice */
export function browserOf(
  { settings }: PageParts,
  request: FastifyRequest,
  form: SentForm | null,
): LoginBrowser {
  return {
    lifetime: lifetimeOf(settings, request.site!),
    userAgent: request.headers['user-agent'] ?? null,
    ipAddress: request.ip,
    language: pageFrame(request).language,
    loginToken: readCookie(request.raw, 'login', request.site!) ?? null,
    sessionToken: sessionTokenOf(request) || null,
    deviceCookie: deviceCookieOf(request) ?? null,
    form,
  };
}

/**
 * Lets the browser send the form of a page twice. The cookie is new with each page: one that another host of the domain
 * has set comes in addition, and then both are ignored.
 */
export function offerForm(request: FastifyRequest, reply: FastifyReply): void {
  setCookie(reply, 'form', request.site!, generateToken(), formCookieSeconds);
}

/** A form as this browser sent it; null if it did not get the cookie of the page, or no longer has it. */
export function sentForm({ raw, site }: FastifyRequest, content: readonly string[]): SentForm | null {
  return sentFormOf(readCookie(raw, 'form', site!), content);
}

export function sessionTokenOf(request: FastifyRequest): string {
  return readCookie(request.raw, 'session', request.site!) ?? '';
}

/** The device cookie of a known browser, as sent. */
export function deviceCookieOf(request: FastifyRequest): string | undefined {
  return readCookie(request.raw, 'device', request.site!);
}

export function setCookie(
  reply: FastifyReply,
  name: CookieName,
  site: Site,
  value: string | null,
  maxAgeSeconds: number,
): void {
  reply.header('set-cookie', cookieHeader(name, site, value, maxAgeSeconds));
}

export function pageFrame(request: FastifyRequest): PageFrame {
  return frameOf(request.site!, request.headers['accept-language']);
}

/** @param event what a page with an error means for the log */
export function sendPage(
  reply: FastifyReply,
  page: string,
  status = 200,
  event?: SecurityEvent,
): FastifyReply {
  if (status >= 400 && status < 500) {
    reply.server.requestLog.rejected(reply.request, status, undefined, event);
  }
  // The framework drops the type when it handles an error.
  return reply.code(status).type(pageHeaders['content-type']).send(page);
}

export function sendForbidden(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const kind = isFromServiceWorker(request.headers) ? 'service_worker' : 'bad_request';
  const page = messagePage(pageFrame(request), { kind, requestId: request.id });
  return sendPage(reply, page, 403, 'form.refused');
}

export function sendNotFoundPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendPage(reply, messagePage(pageFrame(request), { kind: 'not_found' }), 404);
}

/** The value of a field that was sent exactly once. */
export function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function sendErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = statusOf(error);
  const kind = kindOf(status);
  const isWrong = kind === 'bad_request';
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', 1);
  if (!isWrong) {
    const level = kind === 'unavailable' ? 'warn' : 'error';
    request.log[level]({ requestId: request.id, err: error }, 'a page failed');
  }
  if (request.site) {
    return sendPage(reply, messagePage(pageFrame(request), { kind, requestId: request.id }), status);
  }
  if (isWrong) request.server.requestLog.rejected(request, status);
  let text = isWrong ? wrongText : unavailableText;
  if (error instanceof ApiError) text = error.message;
  return reply
    .code(isWrong ? status : 503)
    .type('text/plain')
    .send(`${text}\n`);
}

function kindOf(status: number): 'bad_request' | 'unavailable' | 'internal_error' {
  if (status < 500) return 'bad_request';
  return status === 503 ? 'unavailable' : 'internal_error';
}

const wrongText = 'This request cannot be answered. Correct it.';
const unavailableText = 'Try again in a moment.';

/** Below 500 if the request is wrong. What anyone may send must not become an error in the log. */
function statusOf(error: unknown): number {
  if (error instanceof ApiError) return dashboardErrorStatus[error.code];
  if (error instanceof StoreUnavailable) return 503;
  const { statusCode } = error as { statusCode?: number };
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500 ? statusCode : 500;
}
