import type { Routes } from '../routing/route.ts';
import { createMemberLoginLink } from './member-login-links.ts';
import { listMemberSessions, revokeMemberSession, revokeMemberSessions } from './member-sessions.ts';
import { changeSite } from './site-changes.ts';

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

  createMemberLoginLink: async ({ db, siteId, cause, permissions }, { params, body }) => ({
    body: { data: await createMemberLoginLink(db, siteId, params.memberId, body, permissions, cause) },
    mailWaits: body.send ?? true,
  }),
};

/** Here rather than with the site, which knows nothing of groups and sessions. */
export const signUpRoutes: Routes<'updateSite'> = {
  updateSite: async ({ db, siteId, cause, requireMatch }, { body }) => ({
    body: { data: await changeSite(db, siteId, body, cause, requireMatch) },
  }),
};
