import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../base/api-error.ts';
import { findVisitor, type SessionVisitor } from '../../../domain/access-rules/visitor.ts';
import { findKnownBrowser } from '../../../domain/known-browsers/known-browsers.ts';
import { isRecentLogin, loginNotRecent } from '../../../domain/operators/operator.ts';
import { passkeyRequired } from '../../../domain/passkeys/passkey.ts';
import { isUnseen, loggedOut } from '../../../domain/sessions/session.ts';
import { atPrimary } from '../../../domain/sites/visited-site.ts';
import { deviceCookieOf, sessionTokenOf } from '../../shared/requests/page-cookies.ts';
import { isCrossSite } from '../../shared/requests/page-request.ts';
import type { DashboardApiParts } from './dashboard-handler.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The operator who is logged in. Set on requests to the dashboard's own API, except those that log in. */
    operator: SessionVisitor | null;
  }
}

/**
 * Admits a logged-in operator. Requests from pages of other sites are rejected first.
 * @throws {ApiError} `permission_denied`, `unsupported_media_type`, `other_operator`, `logged_out`, `login_not_recent`,
 * `passkey_required`, `rate_limited`
 */
export async function admitOperator(
  parts: DashboardApiParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  parts.admission.admitUncounted(reply);
  request.site = atPrimary(parts.tenant);
  requireSameOrigin(request);
  request.operator = (await findOperator(parts, request)) ?? null;
  if (request.operator) {
    requireSameOperator(request, request.operator);
    await parts.admission.countOperator(reply, request.operator.memberId);
    await requirePasskey(parts, request, request.operator);
    return requireRecentLogin(parts, request, request.operator);
  }
  await admitLoggedOut(parts, request, reply);
  if (!request.routeOptions.config.dashboardOperation?.loggedOut) throw loggedOut();
}

/** The operator whose session sends the request. */
export async function findOperator(
  parts: DashboardApiParts,
  request: FastifyRequest,
): Promise<SessionVisitor | undefined> {
  const { database, clock, onSeen, tenant, admission } = parts;
  const { operatorSessions: lifetime } = parts.settings;
  const now = clock().toISOString();
  const token = sessionTokenOf(request);
  if (admission.isOverLimit(request) && !(await admission.known.hasSession(tenant.id, token)))
    return undefined;
  const operator = await findVisitor({ db: database, siteId: tenant.id, now }, token);
  if (operator?.status !== 'active') return undefined;
  if (isUnseen(operator.session, now, lifetime) && !isUnattended(request)) {
    onSeen(tenant.id, { ...operator.session, lifetime });
  }
  return operator;
}

/** An open page keeps itself current. That is no use of the session if no one is there. */
function isUnattended({ headers }: FastifyRequest): boolean {
  return headers['x-gatehouse-unattended'] !== undefined;
}

/** A site on another port of the same host is not another site for browsers: they send it the operator's cookies. */
function requireSameOrigin(request: FastifyRequest): void {
  const { method, headers } = request;
  const fetchSite = headers['sec-fetch-site'];
  const isElsewhere = fetchSite !== undefined && fetchSite !== 'same-origin';
  if (isElsewhere) throw sentByAnotherSite();
  if (method !== 'GET' && method !== 'HEAD') requireOwnOrigin(request);
  // A form cannot send JSON, even if the browser does not say where it was sent from.
  if ((method === 'POST' || method === 'PATCH') && !isJson(request)) {
    throw new ApiError(
      'unsupported_media_type',
      'The body is not declared as JSON. Send it with the header Content-Type: application/json.',
    );
  }
}

/** For what must not be requested by another site, even if it cannot read the response. @throws {ApiError} `permission_denied` */
export function requireOwnOrigin(request: FastifyRequest): void {
  if (isCrossSite(request)) throw sentByAnotherSite();
}

function sentByAnotherSite(): ApiError {
  return new ApiError(
    'permission_denied',
    'This request was sent by another site. Use the dashboard itself.',
  );
}

function isJson({ headers }: FastifyRequest): boolean {
  return /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}

/** The page may have been loaded by another operator who was logged in in this browser before. */
function requireSameOperator({ headers }: FastifyRequest, { memberId }: SessionVisitor): void {
  const expected = headers['x-gatehouse-operator'];
  if (expected === undefined || expected === memberId) return;
  throw new ApiError(
    'other_operator',
    'Someone else has logged in to the dashboard in this browser. Reload the page.',
  );
}

/** @throws {ApiError} `passkey_required` */
async function requirePasskey(
  parts: DashboardApiParts,
  { routeOptions }: FastifyRequest,
  operator: SessionVisitor,
): Promise<void> {
  const { loggedOut, withoutPasskey } = routeOptions.config.dashboardOperation ?? {};
  if (loggedOut || withoutPasskey) return;
  if (lacksPasskey(parts, operator)) throw passkeyRequired();
}

/** Whether an operator has to log in with a passkey before anything else, or to add the first one. */
export function lacksPasskey({ settings }: DashboardApiParts, { session }: SessionVisitor): boolean {
  return settings.requirePasskeys && session.method !== 'passkey';
}

/** Whoever finds an open dashboard should not be able to stay in it. */
function requireRecentLogin(
  { clock }: DashboardApiParts,
  { routeOptions }: FastifyRequest,
  { session }: SessionVisitor,
): void {
  if (!routeOptions.config.dashboardOperation?.recentLogin) return;
  if (!isRecentLogin(session.createdAt, clock().toISOString())) throw loginNotRecent();
}

async function admitLoggedOut(
  { database, clock, admission, tenant }: DashboardApiParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const now = clock().toISOString();
  const cookie = deviceCookieOf(request);
  const isUnknown = admission.isOverLimit(request) && !(await admission.known.hasBrowser(tenant.id, cookie));
  const browser = isUnknown
    ? undefined
    : await findKnownBrowser({ db: database, siteId: tenant.id, now }, cookie);
  if (browser) await admission.admitKnownBrowser(reply, browser.key);
  else await admission.admitAddress(request, reply);
}
