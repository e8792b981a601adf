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
import type { ChangingContext, OperationHandlers } from './operation-handler.ts';

export const emailHandlers = {
  listEmails: async ({ db, siteId, now }, { query }) => ({
    body: await listEmails(db, siteId, query, now),
  }),

  getEmail: async ({ db, siteId, permissions, actor }, { params }) => {
    const email = await findEmail(db, siteId, params.emailId);
    // With a member's login link one can log in as that member, so reading it requires the permission to create links,
    // and a key that does not expire: unlike a link that is created for a key, this one does not end with it.
    const mayRead =
      grants(permissions, 'login-links:write') && (await findCallerEnd(db, siteId, actor)) === null;
    return { body: { data: mayRead ? email : { ...email, text: null, html: null } } };
  },

  resendEmail: async (context, { params }) => {
    const failed = await findResendableEmail(context.db, context.siteId, params.emailId);
    const email =
      failed.type === 'invitation'
        ? await inviteAgain(context, failed.recipient)
        : await sendLinkAgain(context, failed.memberId);
    return { body: { data: email }, queued: 'emails' };
  },
} satisfies OperationHandlers;

async function sendLinkAgain(
  { db, siteId, change, emails }: ChangingContext,
  memberId: string,
): Promise<Email> {
  const { id } = await createMemberLoginLink(change, memberId, { send: true }, emails, null);
  return findEmailOfLink(db, siteId, id);
}

async function inviteAgain(
  { db, siteId, change, emails, permissions }: ChangingContext,
  recipient: string,
): Promise<Email> {
  if (!grants(permissions, 'operators:write')) {
    throw new ApiError(
      'permission_denied',
      'To send an invitation, the permission operators:write is required.',
    );
  }
  const tenant = await findOperatorTenant(db);
  return findListedEmail(db, siteId, await resendInvitation(change, tenant, recipient, emails));
}
