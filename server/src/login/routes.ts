import { requireCustomGroups } from '../access-groups/access-groups.ts';
import type { Routes } from '../routing/route.ts';
import { updateSite } from '../sites/sites.ts';
import { createMemberLoginLink } from './member-login-links.ts';
import { listMemberSessions, revokeMemberSession, revokeMemberSessions } from './member-sessions.ts';

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

/** Here rather than with the site: who enrols by logging in is added to groups, of which a site knows nothing. */
export const signUpRoutes: Routes<'updateSite'> = {
  updateSite: async ({ db, siteId, cause, requireMatch }, { body }) => ({
    body: {
      data: await updateSite(db, siteId, body, cause, requireMatch, (groupIds) =>
        requireCustomGroups(db, siteId, groupIds),
      ),
    },
  }),
};
