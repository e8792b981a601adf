import { parse as parseForm } from 'node:querystring';
import type { Site } from '@gatehouse/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../base/clock.ts';
import { knownBrowserDays } from '../credentials/known-browser.ts';
import { findKnownBrowser, type KnownBrowser } from '../credentials/known-browsers.ts';
import { sessionLongestDays } from '../credentials/session.ts';
import type { Login, LoginBrowser } from '../login/login.ts';
import { messagePage, type PageFrame } from '../pages/pages.ts';
import { realmOf } from '../sites/realm.ts';
import { originOf } from '../sites/site.ts';
import type { Database } from '../storage/database.ts';
import { StoreUnavailable } from '../storage/errors.ts';
import type { ActionCall, ActionInput, ActionName, ActionResult, Outcome, Performer } from './call.ts';
import { frameOf, pageHeaders, transportHeaders } from './page-frame.ts';
import { addressBucket, type RateLimits } from './rate-limit.ts';
import { type CookieName, readCookie, setCookie } from './site-request.ts';

const largestFormBytes = 16 * 1024;
const sessionCookieSeconds = sessionLongestDays * 24 * 60 * 60;
const deviceCookieSeconds = knownBrowserDays * 24 * 60 * 60;
const askWindowSeconds = 15 * 60;

export interface PageSettings {
  /** Login links for one address in 15 minutes; 0 for no limit. */
  readonly loginLimit: number;
  /** Forms sent from one client address in 15 minutes; 0 for no limit. */
  readonly loginLimitClient: number;
}

/** What the pages of a site need, whoever its people are. */
export interface PageParts {
  readonly database: Database;
  readonly limits: RateLimits;
  /** Where changes are made. */
  readonly writer: Performer;
  readonly clock: Clock;
  readonly settings: PageSettings;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The site whose page is asked for. Set on every page. */
    site: Site | null;
    /** The known browser that sends a form; null for any other. */
    knownBrowser: KnownBrowser | null;
  }
}

export type Fields = Readonly<Record<string, string | string[] | undefined>>;

/** Pages have limits of their own, on what is sent to them. */
export const pageOptions = { config: { uncounted: true } };

/** Has forms read on these pages, and faults told as pages. */
export function preparePages(pages: FastifyInstance): void {
  pages.removeAllContentTypeParsers();
  pages.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: largestFormBytes },
    async (_: FastifyRequest, body: string) => parseForm(body, '&', '=', { maxKeys: 20 }),
  );
  pages.setErrorHandler((error, request, reply) => answerFault(error, request, reply));
}

/** Lets a request to a page of a site in. Refuses what another site makes a browser send, and too much of anything. */
export async function enterPage(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  site: Site,
): Promise<FastifyReply | undefined> {
  request.site = site;
  reply.headers({ ...pageHeaders, ...transportHeaders(site) });
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  if (isForeign(request)) {
    return sendPage(reply, messagePage(pageFrame(request), { kind: 'refused', requestId: request.id }), 403);
  }
  const now = parts.clock().toISOString();
  request.knownBrowser =
    (await findKnownBrowser(parts.database, site.id, deviceCookieOf(request), now)) ?? null;
  return request.knownBrowser
    ? countForm(parts, request, reply, `browser ${site.id} ${request.knownBrowser.key}`)
    : countFormOfAddress(parts, request, reply);
}

/** Counts a form by where it comes from, also one of a known browser that is about somebody not known there. */
export function countFormOfAddress(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  // Whoever uses up what the pages of sites allow keeps no operator out who comes from the same address.
  const bucket = `${realmOf(request.site!).prefix} ${addressBucket(request.ip)}`;
  return countForm(parts, request, reply, bucket);
}

/** Answers a form where a limit is used up. */
async function countForm(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  bucket: string,
): Promise<FastifyReply | undefined> {
  const wait = await secondsToWait(parts, bucket, parts.settings.loginLimitClient);
  if (wait === 0) return undefined;
  reply.header('retry-after', wait);
  const waitMinutes = Math.ceil(wait / 60);
  return sendPage(reply, messagePage(pageFrame(request), { kind: 'too_many', waitMinutes }), 429);
}

/**
 * Whether something was sent from another site. Browsers say so (Fetch Metadata, and `Origin` of RFC 6454); what says
 * nothing is no browser that could be tricked.
 */
export function isForeign({ headers, site }: FastifyRequest): boolean {
  const fetchSite = headers['sec-fetch-site'];
  if (fetchSite !== undefined) return fetchSite !== 'same-origin' && fetchSite !== 'none';
  return headers.origin !== undefined && headers.origin !== originOf(site!);
}

/** Seconds to wait where a limit is used up, and 0 otherwise. */
export async function secondsToWait(
  { limits }: PageParts,
  bucket: string,
  limit: number,
  seconds = askWindowSeconds,
): Promise<number> {
  const { exceeded, secondsToReset } = await limits.consume(`visitor ${bucket}`, limit, seconds);
  return exceeded ? Math.max(secondsToReset, 1) : 0;
}

/** Does what somebody asks for on a page that cannot be refused in the way of the API. */
export async function act<Name extends ActionName>(
  parts: PageParts,
  request: FastifyRequest,
  action: Name,
  input: ActionInput<Name>,
): Promise<ActionResult<Name>> {
  const outcome = await attempt(parts, request, action, input);
  if (outcome.kind !== 'success') throw new Error(`${action} was refused: ${outcome.message}`);
  return JSON.parse(outcome.payload!);
}

/** As `act`, where a refusal is an answer too. */
export function attempt<Name extends ActionName>(
  { writer, clock }: PageParts,
  request: FastifyRequest,
  action: Name,
  input: ActionInput<Name>,
): Promise<Outcome> {
  const call: ActionCall<Name> = {
    action,
    siteId: request.site!.id,
    cause: {
      actor: { type: 'member', id: null, name: null },
      requestId: request.id,
      clientAddress: request.ip,
      at: clock().toISOString(),
    },
    input,
  };
  return writer.perform(call);
}

/** Gives a browser its session, and makes it known. */
export function keepSession(reply: FastifyReply, site: Site, login: Extract<Login, { outcome: 'in' }>): void {
  const { sessionToken, deviceCookie } = login.cookies;
  keepCookie(reply, 'session', site, sessionToken, sessionCookieSeconds);
  keepCookie(reply, 'device', site, deviceCookie, deviceCookieSeconds);
  keepCookie(reply, 'login', site, null, 0);
}

export function browserOf(request: FastifyRequest): LoginBrowser {
  return {
    userAgent: request.headers['user-agent'] ?? null,
    clientAddress: request.ip,
    sessionToken: sessionTokenOf(request) || null,
    deviceCookie: deviceCookieOf(request) ?? null,
  };
}

export function sessionTokenOf(request: FastifyRequest): string {
  return readCookie(request.raw, 'session', request.site!) ?? '';
}

/** The cookie of a known browser, as it was sent. */
export function deviceCookieOf(request: FastifyRequest): string | undefined {
  return readCookie(request.raw, 'device', request.site!);
}

export function keepCookie(
  reply: FastifyReply,
  name: CookieName,
  site: Site,
  value: string | null,
  maxAgeSeconds: number,
): void {
  reply.header('set-cookie', setCookie(name, site, value, maxAgeSeconds));
}

export function pageFrame(request: FastifyRequest): PageFrame {
  return frameOf(request.site!, request.headers['accept-language']);
}

export function sendPage(reply: FastifyReply, page: string, status = 200): FastifyReply {
  if (status >= 400 && status < 500) reply.server.requestLog.refused(reply.request, status);
  // The framework forgets the type when it hands an error on.
  return reply.code(status).type(pageHeaders['content-type']).send(page);
}

export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendPage(reply, messagePage(pageFrame(request), { kind: 'not_found' }), 404);
}

/** A field that was sent once. */
export function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function answerFault(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { statusCode = 500 } = error as { statusCode?: number };
  const wrong = statusCode >= 400 && statusCode < 500;
  const unavailable = error instanceof StoreUnavailable;
  if (unavailable) reply.header('retry-after', 1);
  if (!wrong) request.log.error({ requestId: request.id, err: error }, 'a page failed');
  if (!request.site) {
    if (wrong) request.server.requestLog.refused(request, statusCode);
    return reply
      .code(wrong ? statusCode : 503)
      .type('text/plain')
      .send('Try again in a moment.\n');
  }
  const kind = wrong ? 'refused' : unavailable ? 'unavailable' : 'fault';
  const page = messagePage(pageFrame(request), { kind, requestId: request.id });
  return sendPage(reply, page, wrong ? statusCode : unavailable ? 503 : 500);
}
