import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findVisitor } from '../../domain/access-rules/visitor.ts';
import { findTicketSession } from '../../domain/sessions/session-hosts.ts';
import { hashToken } from '../../domain/sessions/token.ts';
import { checkNext } from '../../domain/sites/next-path.ts';
import {
  type LoginNotes,
  memberPages,
  offersCodeField,
  returnToHostPath,
  unsentField,
} from '../../domain/sites/page-addresses.ts';
import { originOf } from '../../domain/sites/site.ts';
import { loginUrl } from '../../domain/sites/site-addresses.ts';
import {
  atNamedHost,
  isFurtherHost,
  primaryOriginOf,
  type VisitedSite,
} from '../../domain/sites/visited-site.ts';
import { messagePage } from '../../pages/pages.ts';
import { pageFrame, sendPage, sendTooMany } from '../shared/pages/page-response.ts';
import { act, attempt } from '../shared/requests/page-action.ts';
import {
  browserTokenOf,
  sessionTokenOf,
  setCookie,
  setSessionTokenCookie,
} from '../shared/requests/page-cookies.ts';
import { type PageParts, viewOf } from '../shared/requests/page-parts.ts';
import { type Fields, one, secondsToWait } from '../shared/requests/page-request.ts';
import { readCookie } from '../shared/requests/site-request.ts';

const { prefix } = memberPages;
const ticketPath = `${prefix}/ticket`;
/** A login by email takes a while; the browser must still be known when it returns. */
const browserCookieSeconds = 24 * 60 * 60;
/** A longer query would be too long as the destination of a login. */
const maxQueryLength = 1_900;
/** The maximum number of tickets for a session in 15 minutes. */
const maxTickets = 100;
const hashForm = /^[0-9a-f]{64}$/;

/** The page on the primary host that sends a logged-in browser back to the host that it came from, with a ticket. */
export function addReturnToHostPage(pages: FastifyInstance, parts: PageParts): void {
  pages.get(returnToHostPath.slice(prefix.length), async (request, reply) => {
    const site = request.site!;
    const fields = request.query as Fields;
    const [domain, browserHash] = [one(fields.host), one(fields.browser) ?? ''];
    const target = furtherHost(site, domain);
    if (!target || !hashForm.test(browserHash)) return sendBadRequest(request, reply);
    const origin = originOf(target)!;
    const next = checkNext(one(fields.next), origin);
    const sessionToken = sessionTokenOf(request);
    if (!(await findVisitor(viewOf(parts, request), sessionToken))) {
      return reply.redirect(loginUrl(site, request.url, notesIn(fields)), 303);
    }
    const wait = await secondsToWait(parts, `host ${hashToken(sessionToken)}`, maxTickets);
    if (wait > 0) return sendTooMany(request, reply, wait);
    const input = { sessionToken, domain: target.domain!, browserHash, next };
    const made = await attempt(parts, request, 'createHostTicket', input, ['logged_out', 'not_found']);
    if (made.kind === 'success') {
      const again = one(fields.again) === 'yes' ? '&again=yes' : '';
      return reply.redirect(`${origin}${ticketPath}?ticket=${made.result}${again}`, 303);
    }
    if (made.code === 'logged_out') return reply.redirect(loginUrl(site, request.url), 303);
    return sendBadRequest(request, reply);
  });
}

/**
 * Answers the pages on a host where members do not log in. Login pages are on the primary host: the browser goes there,
 * and comes back with a ticket. Undefined for the pages that this host has itself.
 */
export async function respondAtOtherHost(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const site = request.site!;
  const [path] = request.url.split('?') as [string];
  // An absolute or encoded form, which no browser sends.
  if (!path.startsWith(prefix)) return sendBadRequest(request, reply);
  const name = path.slice(prefix.length);
  if (site.visitedAs === 'redirect') return reply.redirect(primaryOriginOf(site) + request.url, 302);
  if (ownPaths.has(name)) return undefined;
  if (request.method !== 'GET') return sendBadRequest(request, reply);
  if (path === ticketPath) return useTicket(parts, request, reply);
  if (name === '/login') {
    const fields = request.query as Fields;
    return sendToPrimary(request, reply, one(fields.next), fieldsOf(notesIn(fields)));
  }
  return reply.redirect(primaryOriginOf(site) + request.url, 303);
}

const ownPaths = new Set(['/style.css', '/logo', '/jwks.json', '/logout', '/page-code', '/page-code/leave']);

async function useTicket(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const site = request.site!;
  const fields = request.query as Fields;
  const browserToken = readCookie(request.raw, 'login', site) ?? null;
  const ticket = one(fields.ticket) ?? '';
  const used = (await findTicketSession({ db: parts.database, siteId: site.id }, ticket))
    ? await act(parts, request, 'useHostTicket', { ticket, domain: site.domain!, browserToken })
    : { sessionToken: null, next: '/' };
  if (used.sessionToken !== null) {
    setSessionTokenCookie(reply, site, used.sessionToken);
    return reply.redirect(originOf(site)! + used.next, 303);
  }
  // The login link may have been opened in another browser than the one that requested it. That browser tries once more.
  if (one(fields.again) !== 'yes') return sendToPrimary(request, reply, used.next, '&again=yes');
  return sendBadRequest(request, reply);
}

/** Sends a browser to the primary host. The cookie binds the ticket with which it returns to this browser. */
function sendToPrimary(
  request: FastifyRequest,
  reply: FastifyReply,
  next: string | undefined,
  more = '',
): FastifyReply {
  const site = request.site!;
  const { token: browserToken } = browserTokenOf(request, site);
  setCookie(reply, 'login', site, browserToken, browserCookieSeconds);
  const path = checkNext(next, originOf(site)!);
  const queryOf = (next: string) =>
    new URLSearchParams({ host: site.domain!, browser: hashToken(browserToken), next }).toString();
  const whole = queryOf(path);
  const query = whole.length > maxQueryLength ? queryOf(memberPages.front) : whole;
  return reply.redirect(`${primaryOriginOf(site)}${returnToHostPath}?${query}${more}`, 303);
}

/** What the login page says, which is on the primary host. */
function notesIn(fields: Fields): LoginNotes {
  return {
    isUnsent: one(fields[unsentField]) === 'yes',
    offersCode: one(fields[offersCodeField]) === 'yes',
  };
}

function fieldsOf({ isUnsent, offersCode }: LoginNotes): string {
  return `${isUnsent ? `&${unsentField}=yes` : ''}${offersCode ? `&${offersCodeField}=yes` : ''}`;
}

/** The site at a further host; undefined if the site has no such host. */
function furtherHost(site: VisitedSite, domain: string | undefined): VisitedSite | undefined {
  return domain !== undefined && isFurtherHost(site, domain) ? atNamedHost(site, domain, '') : undefined;
}

function sendBadRequest(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const page = messagePage(pageFrame(request), { kind: 'bad_request', requestId: request.id });
  return sendPage(reply, page, 400);
}
