import { grants } from '@gatehouse/contract/permissions';
import { findCallerEnd } from '../domain/api-keys/api-keys.ts';
import { findEmail, listEmails } from '../domain/emails/emails.ts';
import type { OperationHandlers } from './operation-handler.ts';

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
} satisfies OperationHandlers;
