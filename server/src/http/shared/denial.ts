import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GateAnswer } from '../../domain/access-rules/site-access.ts';
import { checkNext } from '../../domain/sites/next-path.ts';
import { originOf } from '../../domain/sites/site.ts';
import { loginUrl } from '../../domain/sites/site-addresses.ts';
import type { VisitedSite } from '../../domain/sites/visited-site.ts';
import { noAccessPage } from '../../pages/pages.ts';
import { frameOf, pageHeadersOf } from './page-frame.ts';
import { isNavigation } from './site-request.ts';

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
  /** The path that the visitor requested, with its query. */
  readonly target: string;
}

/** Redirects a visitor who is not logged in to the login page, and tells all others why access is denied. */
export function sendDenial(
  request: IncomingMessage,
  response: ServerResponse,
  { site, target, decision, visitor }: Denial,
): void {
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
