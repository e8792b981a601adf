import type { Routes } from '../routing/route.ts';
import { bulkMemberActions } from './bulk-actions.ts';
import { createMemberLoginLink } from './member-login-links.ts';
import { listMemberSessions, revokeMemberSession, revokeMemberSessions } from './member-sessions.ts';
import { changeSite } from './site-changes.ts';

/** Here rather than with the members, who know nothing of login links. */
export const bulkActionRoutes: Routes<'bulkMemberActions'> = {
  bulkMemberActions: async ({ db, siteId, cause, emailLimits }, { body }) => ({
    body: await bulkMemberActions(db, siteId, body, cause, emailLimits),
    mailWaits: body.action.type === 'send_login_link',
  }),
};

export const sessionRoutes: Routes<
  'listMemberSessions' | 'revokeMemberSessions' | 'revokeMemberSession' | 'createMemberLoginLink'
> = {
  listMemberSessions: async ({ db, siteId, cause }, { params, query }) => ({
    body: await listMemberSessions(db, siteId, params.memberId, query, cause.at),
  }),

  revokeMemberSessions: async ({ db, siteId, cause }, { params }) => {
    await revokeMemberSessions(db, siteId, params.memberId, 'revoked', cause);
    return { body: undefined };
  },

  revokeMemberSession: async ({ db, siteId, cause }, { params: { memberId, sessionId } }) => {
    await revokeMemberSession(db, siteId, memberId, sessionId, 'revoked', cause);
    return { body: undefined };
  },

  createMemberLoginLink: async ({ db, siteId, cause, emailLimits }, { params, body }) => ({
    body: { data: await createMemberLoginLink(db, siteId, params.memberId, body, cause, emailLimits) },
    mailWaits: body.send ?? true,
  }),
};

/** Here rather than with the site, which knows nothing of groups and sessions. */
export const signUpRoutes: Routes<'updateSite'> = {
  updateSite: async ({ db, siteId, cause, requireMatch }, { body }) => ({
    body: { data: await changeSite(db, siteId, body, cause, requireMatch) },
  }),
};
