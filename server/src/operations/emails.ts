import type { Email, Permission } from '@gatehouse/contract';
import { grants } from '@gatehouse/contract/permissions';
import { ApiError } from '../base/api-error.ts';
import { findCallerEnd } from '../domain/api-keys/api-keys.ts';
import {
  findEmail,
  findEmailOfLink,
  findListedEmail,
  findResendableEmail,
  listEmails,
  notResendable,
  type ResendableEmail,
} from '../domain/emails/emails.ts';
import { findInvitationOfEmail, sendInvitation } from '../domain/invitations/invitations.ts';
import { createMemberLoginLink } from '../domain/logins/member-login-links.ts';
import { resendInvitation } from '../domain/operators/invitations.ts';
import { findOperatorTenant } from '../domain/sites/operator-tenant.ts';
import { type ChangingContext, isFiltered, type OperationHandlers, page } from './operation-handler.ts';

export const emailHandlers = {
  listEmails: {
    readsMany: isFiltered,
    handle: (view, { query }) => page(listEmails(view, query)),
  },

  getEmail: async (view, { params }) => {
    const { permissions, actor } = view;
    const email = await findEmail(view, params.emailId);
    // With a member's login link one can log in as that member, so reading it requires the permission to create links,
    // and a key that does not expire: unlike a link that is created for a key, this one does not end with it.
    const mayRead = grants(permissions, 'login-links:write') && (await findCallerEnd(view, actor)) === null;
    return { body: { data: mayRead ? email : { ...email, text: null, html: null } } };
  },

  resendEmail: {
    queues: 'emails',
    handle: async (context, { params }) => {
      const failed = await findResendableEmail(context, params.emailId);
      return { body: { data: await sendAgain(context, failed) } };
    },
  },
} satisfies OperationHandlers;

function sendAgain(context: ChangingContext, failed: ResendableEmail): Promise<Email> {
  if (failed.type === 'invitation') return inviteOperatorAgain(context, failed.recipient);
  if (failed.type === 'member_invitation') return invitePersonAgain(context, failed);
  return sendLinkAgain(context, failed.memberId);
}

async function sendLinkAgain(context: ChangingContext, memberId: string): Promise<Email> {
  const { change, emails } = context;
  const { id } = await createMemberLoginLink(change, memberId, { send: true }, emails, null);
  return findEmailOfLink(context, id);
}

async function inviteOperatorAgain(context: ChangingContext, recipient: string): Promise<Email> {
  const { db, change, emails } = context;
  requireToInvite(context, ['operators:write']);
  const tenant = await findOperatorTenant(db);
  return findListedEmail(context, await resendInvitation(change, tenant, recipient, emails));
}

async function invitePersonAgain(
  context: ChangingContext,
  failed: { readonly recipient: string; readonly createdAt: string },
): Promise<Email> {
  const { change, emails } = context;
  requireToInvite(context, ['invitations:write', 'members:write']);
  const invitation = await findInvitationOfEmail(change, failed);
  if (!invitation) throw notResendable('The invitation of this person has ended. Create a new one.');
  const { emailId } = await sendInvitation(change, invitation.id, emails);
  return findListedEmail(context, emailId);
}

function requireToInvite({ permissions }: ChangingContext, needed: readonly Permission[]): void {
  const missing = needed.filter((permission) => !grants(permissions, permission));
  if (missing.length === 0) return;
  throw new ApiError(
    'permission_denied',
    `To send an invitation, the permission ${missing.join(' and ')} is required.`,
  );
}
