import type { Site } from '@gatehouse/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { knownBrowserDays } from '../../../domain/known-browsers/known-browser.ts';
import type { Login, LoginBrowser } from '../../../domain/logins/login.ts';
import { type SentForm, sentFormOf } from '../../../domain/sessions/form-responses.ts';
import { memberSessions, type SessionLifetime } from '../../../domain/sessions/session.ts';
import { generateToken, isToken } from '../../../domain/sessions/token.ts';
import { loginSurfaceOf } from '../../../domain/sites/site.ts';
import type { CookieName } from '../credentials/cookie-names.ts';
import { pageFrame } from '../pages/page-response.ts';
import type { PageParts, PageSettings } from './page-parts.ts';
import { cookieHeader, readCookie } from './site-request.ts';

const deviceCookieSeconds = knownBrowserDays * 24 * 60 * 60;
/** A page waits for its email, and the cookie only serves a form that is sent twice at once. */
const formCookieSeconds = 60 * 60;

/**
 * Sets the session cookie, and the device cookie that makes the browser known. The cookie of its login request ends, if it is
 * not needed once more.
 */
export function setSessionCookie(
  { settings }: PageParts,
  reply: FastifyReply,
  site: Site,
  login: Extract<Login, { outcome: 'logged_in' }>,
  { keepsLoginCookie = false } = {},
): void {
  const { sessionToken, deviceCookie } = login.cookies;
  setCookie(reply, 'session', site, sessionToken, lifetimeOf(settings, site).maxSeconds);
  if (!keepsLoginCookie) setCookie(reply, 'login', site, null, 0);
  setCookie(reply, 'device', site, deviceCookie, deviceCookieSeconds);
}

/** Sets the session cookie of a host. */
export function setSessionTokenCookie(reply: FastifyReply, site: Site, token: string): void {
  setCookie(reply, 'session', site, token, memberSessions.maxSeconds);
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

/**
 * The token by which logins know this browser: the one that it has already, as while it waits for an email, or else a new one,
 * which is still to be set as its cookie.
 */
export function browserTokenOf({ raw }: FastifyRequest, site: Site): { token: string; isNew: boolean } {
  const known = readCookie(raw, 'login', site);
  return isToken(known) ? { token: known, isNew: false } : { token: generateToken(), isNew: true };
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
