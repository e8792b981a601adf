import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mayRequestToJoin } from '../../../domain/sign-up/sign-up.ts';
import { originOf } from '../../../domain/sites/site.ts';
import { joinRequestPage } from '../../../pages/pages.ts';
import { sendJoinOutcome } from '../../shared/login/after-login.ts';
import { pageFrame, sendNotFoundPage, sendPage } from '../../shared/pages/page-response.ts';
import { attempt } from '../../shared/requests/page-action.ts';
import { offerForm, sessionTokenOf } from '../../shared/requests/page-cookies.ts';
import type { PageParts } from '../../shared/requests/page-parts.ts';
import {
  hasFormCookie,
  isOfMember,
  memberOf,
  nextOf,
  nothingEntered,
  readMemberRequest,
  requestJoining,
  type WrongForm,
} from './join-forms.ts';
import { onJoinPage, onlyPressedByMember, statusOf } from './join-routes.ts';

/** The page on which somebody asks to become a member, or a member asks for access to a page. */
export function addJoinRequestPages(pages: FastifyInstance, parts: PageParts): void {
  pages.get('/join', onJoinPage, (request, reply) => showRequestPage(parts, request, reply));

  pages.post('/join', onlyPressedByMember, async (request, reply) => {
    if (!mayRequestToJoin(request.site!, true)) return sendNotFoundPage(request, reply);
    if (!hasFormCookie(request)) return sendJoinOutcome(request, reply, 'cookie_missing');
    if (isOfMember(request)) return requestAsMember(parts, request, reply);
    const wrong = await requestJoining(parts, request, reply, null);
    return wrong ? showRequestPage(parts, request, reply, wrong) : reply;
  });
}

async function showRequestPage(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  wrong?: WrongForm,
): Promise<FastifyReply> {
  const site = request.site!;
  if (!mayRequestToJoin(site, true)) return sendNotFoundPage(request, reply);
  const member = await memberOf(parts, request);
  const next = nextOf(request);
  // Who is a member already has nothing to ask for, unless pages are denied to members too.
  if (member && !site.allowsAccessRequests) return reply.redirect(originOf(site)! + next, 303);
  if (!wrong) offerForm(request, reply);
  const { entered = nothingEntered, problem = null } = wrong ?? {};
  const page = joinRequestPage(pageFrame(request), { next, member: member ?? null, entered, problem });
  return sendPage(reply, page, statusOf(wrong));
}

async function requestAsMember(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const read = readMemberRequest(request);
  if ('problem' in read) return showRequestPage(parts, request, reply, read);
  const input = { sessionToken: sessionTokenOf(request), request: read };
  const requested = await attempt(parts, request, 'requestAccess', input, ['logged_out']);
  // The session has ended since the page was shown: the page of others asks for the address.
  if (requested.kind !== 'success') return showRequestPage(parts, request, reply);
  if (!requested.result) return sendNotFoundPage(request, reply);
  return sendJoinOutcome(request, reply, requested.result.outcome);
}
