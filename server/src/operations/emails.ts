import type { Email } from '@gatehouse/contract';
import { grants } from '@gatehouse/contract/permissions';
import { ApiError } from '../base/api-error.ts';
import { findCallerEnd } from '../domain/api-keys/api-keys.ts';
import {
  findEmail,
  findEmailOfLink,
  findListedEmail,
  findResendableEmail,
  listEmails,
} from '../domain/emails/emails.ts';
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
      const email =
        failed.type === 'invitation'
          ? await inviteAgain(context, failed.recipient)
          : await sendLinkAgain(context, failed.memberId);
      return { body: { data: email } };
    },
  },
} satisfies OperationHandlers;

async function sendLinkAgain(context: ChangingContext, memberId: string): Promise<Email> {
  const { change, emails } = context;
  const { id } = await createMemberLoginLink(change, memberId, { send: true }, emails, null);
  return findEmailOfLink(context, id);
}

async function inviteAgain(context: ChangingContext, recipient: string): Promise<Email> {
  const { db, change, emails, permissions } = context;
  if (!grants(permissions, 'operators:write')) {
    throw new ApiError(
      'permission_denied',
      'To send an invitation, the permission operators:write is required.',
    );
  }
  const tenant = await findOperatorTenant(db);
  return findListedEmail(context, await resendInvitation(change, tenant, recipient, emails));
}
