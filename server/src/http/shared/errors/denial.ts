import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccessReason } from '@gatehouse/contract';
import type { GateResult } from '../../../domain/access-rules/site-access.ts';
import { wayInUrl, waysIn } from '../../../domain/access-rules/way-in.ts';
import { checkNext, checkReferer } from '../../../domain/sites/next-path.ts';
import { originOf } from '../../../domain/sites/site.ts';
import type { VisitedSite } from '../../../domain/sites/visited-site.ts';
import { noAccessPage } from '../../../pages/pages.ts';
import { withoutToken } from '../credentials/access-token-credential.ts';
import { type WrongTokenLimits, wrongTokensOf } from '../limits/wrong-tokens.ts';
import { frameOf, pageHeadersOf } from '../pages/page-frame.ts';
import { isForm, isFromBrowser, isNavigation } from '../requests/navigation.ts';

const retryAfterSeconds = '1';

export const deniedHeaders = { 'cache-control': 'no-store', 'content-length': 0 };
const plainHeaders = {
  'cache-control': 'no-store',
  'content-type': 'text/plain; charset=utf-8',
  'x-content-type-options': 'nosniff',
};
const programHeaders = { ...plainHeaders, 'content-type': 'application/json; charset=utf-8' };

/** A request to a site that has a domain, and the decision that denies it. */
export interface Denial extends GateResult {
  readonly site: VisitedSite;
  /** The method of the request; undefined if the proxy does not name it. */
  readonly method: string | undefined;
  ipAddress(): string | undefined;
}

/** What a visitor who lacks it can get on a page of the site, as an error says it to programs. */
const missing: Partial<Record<AccessReason, { readonly code: string; readonly advice: string }>> = {
  anonymous: { code: 'login_required', advice: 'Log in first' },
  code_required: { code: 'page_code_required', advice: 'Enter a page code first' },
};

/** Whether a page of the site can give a visitor what is missing. */
export function maySendToPage(reason: AccessReason): boolean {
  return reason in missing;
}

/**
 * Redirects a visitor who is not logged in to the login page, or to that for page codes, and tells all others why access
 * is denied. Scripts and programs get an error that they can read, and are never sent to the login page.
 */
export async function sendDenial(
  wrongTokens: WrongTokenLimits,
  request: IncomingMessage,
  response: ServerResponse,
  denial: Denial,
): Promise<void> {
  const { site, decision, credential, isFeed } = denial;
  const { headers } = request;
  if (credential === 'access-token' || (isFeed && !isFromBrowser(headers))) {
    return denyProgram(wrongTokens, response, denial);
  }
  const lacks = missing[decision.reason];
  // Pages and forms have no other methods.
  const isPossible = ['GET', 'HEAD', 'POST', undefined].includes(denial.method);
  if (isPossible && isNavigation(headers, site.scheme)) {
    if (lacks) redirect(response, wayInFor(request, denial));
    else sendNoAccessPage(request, response, denial);
  } else if (lacks) {
    const message = `${lacks.advice}: ${wayInFor(request, denial)}`;
    sendProgramError(response, 401, { code: lacks.code, message });
  } else sendNoAccess(response, decision.reason);
}

/** The page to which a visitor returns: the one that was requested, or the one from which a form was sent. */
function returnPathOf(request: IncomingMessage, { site, target, method }: Denial): string {
  const origin = originOf(site)!;
  return isForm(request.headers, method)
    ? checkReferer(refererOf(request), origin)
    : checkNext(withoutToken(target), origin);
}

function wayInFor(request: IncomingMessage, denial: Denial): string {
  const isUnsent = isForm(request.headers, denial.method);
  return wayInUrl(denial.site, { next: returnPathOf(request, denial), isUnsent }, denial.decision);
}

function refererOf({ headers: { referer } }: IncomingMessage): string | undefined {
  return referer === undefined ? undefined : withoutToken(referer);
}

/** A visitor who was denied access has it by now. What a form contained is lost, so that its target would be no page. */
export function redirectToPage(
  request: IncomingMessage,
  response: ServerResponse,
  site: VisitedSite,
  target: string,
): void {
  const path = isForm(request.headers, undefined)
    ? checkReferer(refererOf(request), originOf(site)!)
    : target;
  redirect(response, originOf(site)! + path);
}

function sendNoAccessPage(request: IncomingMessage, response: ServerResponse, denial: Denial): void {
  const { site, decision, visitor } = denial;
  const frame = frameOf(site, request.headers['accept-language']);
  const member = visitor ? { email: visitor.email, displayName: visitor.displayName } : null;
  const next = returnPathOf(request, denial);
  const ways = waysIn(site, next, decision, member !== null);
  const page = noAccessPage(frame, { reason: decision.reason, member, next, ...ways });
  response.writeHead(403, pageHeadersOf(site)).end(page);
}

/**
 * Wrong tokens are counted here and not in the answers to `auth_request`, after which nginx asks for the reason: it would
 * turn 429 into an error of the server.
 */
async function denyProgram(
  { limits, wrongTokenLimit }: WrongTokenLimits,
  response: ServerResponse,
  { site, decision, credential, ipAddress }: Denial,
): Promise<void> {
  if (decision.reason !== 'anonymous') return sendNoAccess(response, decision.reason);
  if (credential === 'access-token') {
    const { exceeded, secondsToReset } = await limits.consume(wrongTokensOf(ipAddress()), wrongTokenLimit);
    if (exceeded) {
      const message = 'Too many requests with a wrong access token. Try again later.';
      const headers = { 'retry-after': String(Math.max(secondsToReset, 1)) };
      return sendProgramError(response, 429, { code: 'rate_limited', message }, headers);
    }
  }
  const message = 'Send a valid access token, as the password of any user name.';
  const headers = { 'www-authenticate': `Basic realm="${site.slug}", charset="UTF-8"` };
  sendProgramError(response, 401, { code: 'access_token_required', message }, headers);
}

function sendNoAccess(response: ServerResponse, reason: AccessReason): void {
  sendProgramError(response, 403, { code: 'access_denied', message: `No access to this page (${reason}).` });
}

/** An error in the form of those of the API. The gates of the client have the same codes. */
function sendProgramError(
  response: ServerResponse,
  status: number,
  error: { readonly code: string; readonly message: string },
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...programHeaders, ...headers }).end(JSON.stringify({ error }));
}

/** Access cannot be decided, because the store does not answer. */
export function sendUnavailable(response: ServerResponse): void {
  if (response.headersSent) return;
  response
    .writeHead(503, { ...plainHeaders, 'retry-after': retryAfterSeconds })
    .end('Access is temporarily unavailable. Try again in a moment.\n');
}

export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { ...deniedHeaders, location }).end();
}
