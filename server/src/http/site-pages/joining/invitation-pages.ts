import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findAccessGroupNames } from '../../../domain/access-groups/access-groups.ts';
import {
  type StoredInvitation,
  statusOf as statusOfInvitation,
  worksFor,
} from '../../../domain/invitations/invitation.ts';
import { findInvitationByCode } from '../../../domain/invitations/redemption.ts';
import { originOf } from '../../../domain/sites/site.ts';
import { pagesOf } from '../../../domain/sites/site-addresses.ts';
import { joinPage } from '../../../pages/pages.ts';
import { sendJoinOutcome } from '../../shared/login/after-login.ts';
import { tokenOf } from '../../shared/login/link-token.ts';
import { pageFrame, sendPage } from '../../shared/pages/page-response.ts';
import { attempt } from '../../shared/requests/page-action.ts';
import { offerForm, sessionTokenOf } from '../../shared/requests/page-cookies.ts';
import { type PageParts, viewOf } from '../../shared/requests/page-parts.ts';
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

/** The page of an invitation. Opening it changes nothing, and neither does a form without the cookie of the page. */
export function addInvitationPages(pages: FastifyInstance, parts: PageParts): void {
  pages.get('/join/*', onJoinPage, async (request, reply) => {
    const invitation = await findActive(parts, request);
    if (!invitation) return sendJoinOutcome(request, reply, 'invitation_ended');
    return showInvitation(parts, request, reply, invitation);
  });

  pages.post('/join/*', onlyPressedByMember, async (request, reply) => {
    const invitation = await findActive(parts, request);
    if (!invitation) return sendJoinOutcome(request, reply, 'invitation_ended');
    if (!hasFormCookie(request)) return sendJoinOutcome(request, reply, 'cookie_missing');
    if (isOfMember(request)) return joinAsMember(parts, request, reply, invitation);
    const wrong = await requestJoining(parts, request, reply, invitation.id);
    return wrong ? showInvitation(parts, request, reply, invitation, wrong) : reply;
  });
}

async function findActive(parts: PageParts, request: FastifyRequest): Promise<StoredInvitation | undefined> {
  const view = viewOf(parts, request);
  const invitation = await findInvitationByCode(view, tokenOf(request));
  return invitation && statusOfInvitation(invitation, view.now) === 'active' ? invitation : undefined;
}

async function showInvitation(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  invitation: StoredInvitation,
  wrong?: WrongForm,
): Promise<FastifyReply> {
  const view = viewOf(parts, request);
  const member = (await memberOf(parts, request)) ?? null;
  if (member && !worksFor(invitation, member.email, view.now))
    return sendJoinOutcome(request, reply, 'other_address');
  if (!wrong) offerForm(request, reply);
  const { entered = nothingEntered, problem = null } = wrong ?? {};
  const page = joinPage(pageFrame(request), {
    action: `${pagesOf(request.site!).prefix}/join/${tokenOf(request)}`,
    next: nextOf(request),
    groups: await findAccessGroupNames(view, invitation.groupIds),
    domains: invitation.emailDomains,
    needsApproval: invitation.needsApproval,
    member,
    entered,
    problem,
  });
  return sendPage(reply, page, statusOf(wrong));
}

async function joinAsMember(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  invitation: StoredInvitation,
): Promise<FastifyReply> {
  const read = readMemberRequest(request);
  if ('problem' in read) return showInvitation(parts, request, reply, invitation, read);
  const input = { sessionToken: sessionTokenOf(request), code: tokenOf(request), request: read };
  const joined = await attempt(parts, request, 'joinWithInvitation', input, ['logged_out']);
  // The session has ended since the page was shown: the page of others asks for the address.
  if (joined.kind !== 'success') return showInvitation(parts, request, reply, invitation);
  const { outcome } = joined.result;
  if (outcome === 'joined') return reply.redirect(originOf(request.site!)! + nextOf(request), 303);
  return sendJoinOutcome(request, reply, outcome);
}
