import type { Session, Site } from '@gatehouse/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '../../../base/ids.ts';
import { findVisitor } from '../../../domain/access-rules/visitor.ts';
import { listSessions } from '../../../domain/sessions/sessions.ts';
import { checkNext } from '../../../domain/sites/next-path.ts';
import { memberPages } from '../../../domain/sites/page-addresses.ts';
import { originOf } from '../../../domain/sites/site.ts';
import { loginUrl, pagesOf } from '../../../domain/sites/site-addresses.ts';
import { otherSessionsPage } from '../../../pages/pages.ts';
import type { SiteView } from '../../../storage/site-view.ts';
import { pageFrame, sendPage } from '../pages/page-response.ts';
import { attempt } from '../requests/page-action.ts';
import { sessionTokenOf } from '../requests/page-cookies.ts';
import { type PageParts, viewOf } from '../requests/page-parts.ts';
import { type Fields, one, onlyAsPage, onlyPressed } from '../requests/page-request.ts';

/** The sessions of a member that are looked through, the newest ones. */
const maxSessions = 100;

/** `next`, or first the page about other sessions if there are some. */
export function pathOverOtherSessions(site: Site, sessionIds: readonly string[], next: string): string {
  return sessionIds.length === 0 ? next : otherSessionsPath(site, sessionIds, next);
}

/** The address of the page about other sessions, which continues to `next`. */
export function otherSessionsPath(site: Site, sessionIds: readonly string[], next: string): string {
  return `${pagesOf(site).prefix}/other-sessions?${queryOf(sessionIds, next)}`;
}

/** The address of the page that asks whether to link an account, which continues to the other sessions and to `next`. */
export function linkAccountPath(sessionIds: readonly string[], next: string): string {
  return `${memberPages.prefix}/link-account?${queryOf(sessionIds, next)}`;
}

function queryOf(sessionIds: readonly string[], next: string): URLSearchParams {
  return new URLSearchParams([['next', next], ...sessionIds.map((id) => ['id', id])]);
}

/** The page after a login about sessions that links opened in browsers that had not requested them. */
export function addOtherSessionsPage(pages: FastifyInstance, parts: PageParts): void {
  pages.get('/other-sessions', onlyAsPage, async (request, reply) => {
    const site = request.site!;
    const fields = request.query as Fields;
    const next = checkNext(one(fields.next), originOf(site)!, pagesOf(site));
    const view = viewOf(parts, request);
    const sessions = await findOtherSessions(view, request, sessionIdsOf(fields.id));
    if (!sessions) return reply.redirect(loginUrl(site, next), 303);
    if (sessions.length === 0) return reply.redirect(originOf(site)! + next, 303);
    return sendPage(reply, otherSessionsPage(pageFrame(request), { sessions, next, now: view.now }));
  });

  pages.post('/other-sessions', onlyPressed, (request, reply) => endOtherSession(parts, request, reply));
}

async function endOtherSession(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const site = request.site!;
  const fields = (request.body as Fields | undefined) ?? {};
  const [sessionId] = sessionIdsOf(fields.end);
  if (sessionId !== undefined) {
    const sessionToken = sessionTokenOf(request);
    const input = { sessionToken, furtherHost: null, sessionId };
    await attempt(parts, request, 'endSession', input, ['logged_out', 'session_not_found']);
  }
  const next = checkNext(one(fields.next), originOf(site)!, pagesOf(site));
  return reply.redirect(originOf(site)! + otherSessionsPath(site, sessionIdsOf(fields.id), next), 303);
}

/** Those of the sessions that the visitor still has. Undefined if the visitor is not logged in. */
async function findOtherSessions(
  view: SiteView,
  request: FastifyRequest,
  ids: readonly string[],
): Promise<Session[] | undefined> {
  const visitor = await findVisitor(view, sessionTokenOf(request));
  if (visitor?.status !== 'active') return undefined;
  const { data } = await listSessions(view, visitor.memberId, { limit: maxSessions });
  return data.filter(({ id }) => ids.includes(id) && id !== visitor.session.id);
}

export function sessionIdsOf(field: Fields[string]): string[] {
  return [field ?? []].flat().filter(isUuid);
}
