import { verifySession } from '../../domain/access-rules/verified-session.ts';
import { endWithin } from '../../domain/api-keys/key-authority.ts';
import { createMemberLoginLink } from '../../domain/logins/member-login-links.ts';
import { logOutEveryone } from '../../domain/members/credentials.ts';
import {
  listMemberSessions,
  revokeMemberSession,
  revokeMemberSessions,
} from '../../domain/members/member-sessions.ts';
import { isUnseen } from '../../domain/sessions/session.ts';
import { noContent, type OperationHandlers, page } from '../operation-handler.ts';
import { authorityOf } from '../operators/caller-authority.ts';

export const sessionHandlers = {
  listMemberSessions: (view, { params, query }) => page(listMemberSessions(view, params.memberId, query)),

  revokeMemberSessions: ({ change }, { params }) =>
    noContent(revokeMemberSessions(change, params.memberId, 'revoked')),

  revokeMemberSession: ({ change }, { params: { memberId, sessionId } }) =>
    noContent(revokeMemberSession(change, memberId, sessionId, 'revoked')),

  revokeSessions: {
    changesMany: true,
    handle: async ({ change }) => {
      const { sessions, links, browsers } = await logOutEveryone(change);
      const data = { siteId: change.siteId, changes: [], sessionsEnded: sessions };
      if (sessions + links + browsers > 0) change.record({ type: 'site.updated', data });
      return { body: { data: { count: sessions } } };
    },
  },

  createMemberLoginLink: {
    queues: 'emails',
    handle: async (context, { params, body }) => {
      const { change, emails } = context;
      const { send = true } = body;
      const callerEnd = send ? null : endWithin(await authorityOf(context), undefined);
      return {
        body: { data: await createMemberLoginLink(change, params.memberId, body, emails, callerEnd) },
      };
    },
  },

  verifySession: async (view, { body }) => {
    const { now, signer } = view;
    const verified = await verifySession(view, body, signer);
    const { session } = verified;
    const unseen = session !== null && isUnseen(session, now);
    return { body: { data: verified }, ...(unseen && { seen: session }) };
  },
} satisfies OperationHandlers;
