import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccessReason } from '@gatehouse/contract';
import type { GateAnswer } from '../../domain/access-rules/site-access.ts';
import { checkNext } from '../../domain/sites/next-path.ts';
import { originOf } from '../../domain/sites/site.ts';
import { loginUrl } from '../../domain/sites/site-addresses.ts';
import type { VisitedSite } from '../../domain/sites/visited-site.ts';
import { noAccessPage } from '../../pages/pages.ts';
import { withoutToken } from './access-token-credential.ts';
import { frameOf, pageHeadersOf } from './page-frame.ts';
import { isNavigation } from './site-request.ts';
import { type WrongTokenLimits, wrongTokensOf } from './wrong-tokens.ts';

const retryAfterSeconds = '1';

export const deniedHeaders = { 'cache-control': 'no-store', 'content-length': 0 };
const plainHeaders = {
  'cache-control': 'no-store',
  'content-type': 'text/plain; charset=utf-8',
  'x-content-type-options': 'nosniff',
};

/** A request to a site that has a domain, and the decision that denies it. */
export interface Denial extends GateAnswer {
  readonly site: VisitedSite;
  clientAddress(): string | undefined;
}

/**
 * Redirects a visitor who is not logged in to the login page, and tells all others why access is denied. Programs are
 * never sent to the login page.
 */
export async function sendDenial(
  wrongTokens: WrongTokenLimits,
  request: IncomingMessage,
  response: ServerResponse,
  denial: Denial,
): Promise<void> {
  const { site, decision, visitor, credential, isFeed } = denial;
  const target = withoutToken(denial.target);
  if (credential === 'access-token' || (isFeed && !isBrowser(request))) {
    return denyProgram(wrongTokens, response, denial);
  }
  if (decision.reason !== 'anonymous') {
    const frame = frameOf(site, request.headers['accept-language']);
    const member = visitor ? { email: visitor.email, displayName: visitor.displayName } : null;
    const next = checkNext(target, originOf(site)!);
    const page = noAccessPage(frame, { reason: decision.reason, member, next });
    response.writeHead(403, pageHeadersOf(site)).end(page);
    return;
  }
  const login = loginUrl(site, target);
  if (isNavigation(request)) redirect(response, login);
  else response.writeHead(401, plainHeaders).end(`Log in first: ${login}\n`);
}

/**
 * Wrong tokens are counted here and not in the answers to `auth_request`, after which nginx asks for the reason: it would
 * turn 429 into an error of the server.
 */
async function denyProgram(
  { limits, wrongTokenLimit }: WrongTokenLimits,
  response: ServerResponse,
  { site, decision, credential, clientAddress }: Denial,
): Promise<void> {
  if (decision.reason !== 'anonymous') return sendNoAccess(response, decision.reason);
  if (credential === 'access-token') {
    const { exceeded, secondsToReset } = await limits.consume(
      wrongTokensOf(clientAddress()),
      wrongTokenLimit,
    );
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

function sendNoAccess(response: ServerResponse, reason: AccessReason): void {
  response.writeHead(403, plainHeaders).end(`No access to this page (${reason}).\n`);
}

/** Browsers name the mode of a request (Fetch Metadata), or at least accept pages by name. */
function isBrowser({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-mode'] !== undefined || /text\/html/.test(headers.accept ?? '');
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
