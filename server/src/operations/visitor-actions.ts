import type { ErrorCode, Session } from '@gatehouse/contract';
import { ApiError } from '../base/api-error.ts';
import { isUnrecorded, type UsedAccessToken } from '../domain/access-tokens/access-token.ts';
import { markUsed } from '../domain/access-tokens/access-tokens.ts';
import type { Change } from '../domain/events/change.ts';
import { consumeLoginCode, consumeLoginLink, type Login, type LoginBrowser } from '../domain/logins/login.ts';
import { type LoginRequest, requestLoginLink } from '../domain/logins/login-requests.ts';
import { createMemberAccessToken, deleteMemberAccessToken } from '../domain/members/member-access-tokens.ts';
import { lookUpMember } from '../domain/members/member-lookup.ts';
import { revokeMemberSession, revokeMemberSessions } from '../domain/members/member-sessions.ts';
import { updateMember } from '../domain/members/members.ts';
import { isUnseen } from '../domain/sessions/session.ts';
import { findSession, prolongSession } from '../domain/sessions/sessions.ts';
import { findSite } from '../domain/sites/sites.ts';
import { acceptNotification, type Notification } from '../domain/sources/source-webhook.ts';

interface Inputs {
  requestLoginLink: LoginRequest;
  consumeLoginLink: { token: string; browser: LoginBrowser };
  consumeLoginCode: { browserToken: string | undefined; typed: string; browser: LoginBrowser };
  prolongSession: Pick<Session, 'id' | 'createdAt' | 'lastSeenAt'>;
  markTokenUsed: UsedAccessToken;
  renameMember: { sessionToken: string; displayName: string };
  createAccessToken: { sessionToken: string; name: string; pathPrefix: string };
  deleteAccessToken: { sessionToken: string; tokenId: string };
  endSession: { sessionToken: string; sessionId: string | null };
  endAllSessions: { sessionToken: string; deviceCookie: string | null };
  acceptNotification: Notification;
}

interface Results {
  requestLoginLink: null;
  consumeLoginLink: Login;
  consumeLoginCode: Login;
  prolongSession: null;
  markTokenUsed: null;
  renameMember: LoggedIn<'renamed' | 'invalid_name'>;
  createAccessToken: LoggedIn<OwnAccessToken>;
  deleteAccessToken: LoggedIn<'deleted'>;
  endSession: LoggedIn<'ended'>;
  endAllSessions: LoggedIn<'ended'>;
  acceptNotification: null;
}

/** A new access token, or why there is none. */
export type OwnAccessToken = { readonly secret: string } | 'invalid' | 'too_many' | 'not_allowed';

/** The result of an action that requires a logged-in member. */
export type LoggedIn<Outcome> = Outcome | 'logged_out';

export type VisitorActionName = keyof Inputs;
export type VisitorActionInputs = Inputs;
export type VisitorActionResults = Results;

/** Changes that come without a key: of visitors on the pages of the site, and of workspaces that report a change. */
export const visitorActions: {
  readonly [Name in VisitorActionName]: (change: Change, input: Inputs[Name]) => Promise<Results[Name]>;
} = {
  requestLoginLink: async (change, request) => {
    await requestLoginLink(change, request);
    return null;
  },

  consumeLoginLink: (change, { token, browser }) => consumeLoginLink(change, token, browser),

  consumeLoginCode: (change, { browserToken, typed, browser }) =>
    consumeLoginCode(change, browserToken, typed, browser),

  prolongSession: async ({ tx, siteId, at }, session) => {
    // A page often sends many requests at the same time; the first one has already updated the session.
    if (isUnseen(session, at)) {
      await prolongSession(tx, siteId, session, at);
    }
    return null;
  },

  markTokenUsed: async ({ tx, siteId, at }, token) => {
    if (isUnrecorded(token, at)) await markUsed(tx, siteId, token.id, at);
    return null;
  },

  renameMember: (change, { sessionToken, displayName }) =>
    asMember(change, sessionToken, async ({ memberId }, own) => {
      try {
        await updateMember(own, memberId, { displayName }, () => {});
        return 'renamed';
      } catch (error) {
        if (error instanceof ApiError && error.code === 'invalid_request') return 'invalid_name';
        throw error;
      }
    }),

  createAccessToken: (change, { sessionToken, name, pathPrefix }) =>
    asMember<OwnAccessToken>(change, sessionToken, async ({ memberId }, own) => {
      const site = await findSite(own.tx, own.siteId);
      if (!site.membersCreateTokens) return 'not_allowed';
      try {
        const { secret } = await createMemberAccessToken(own, memberId, { name, pathPrefix });
        return { secret };
      } catch (error) {
        if (error instanceof ApiError && error.code === 'invalid_request') return 'invalid';
        if (error instanceof ApiError && error.code === 'too_many_access_tokens') return 'too_many';
        throw error;
      }
    }),

  deleteAccessToken: (change, { sessionToken, tokenId }) =>
    asMember(change, sessionToken, async ({ memberId }, own) => {
      await deleteMemberAccessToken(own, memberId, tokenId).catch(unless('access_token_not_found'));
      return 'deleted' as const;
    }),

  endSession: (change, { sessionToken, sessionId }) =>
    asMember(change, sessionToken, async (session, own) => {
      const ending = sessionId ?? session.id;
      await revokeMemberSession(own, session.memberId, ending, 'logged_out').catch(
        unless('session_not_found'),
      );
      return 'ended' as const;
    }),

  endAllSessions: (change, { sessionToken, deviceCookie }) =>
    asMember(change, sessionToken, async ({ memberId }, own) => {
      await revokeMemberSessions(own, memberId, 'logged_out', deviceCookie);
      return 'ended' as const;
    }),

  acceptNotification: async (change, notification) => {
    await acceptNotification(change, notification);
    return null;
  },
};

/** Runs an action as the member of a session. */
export async function asMember<Outcome>(
  change: Change,
  sessionToken: string,
  act: (session: Session, own: Change) => Promise<Outcome>,
): Promise<LoggedIn<Outcome>> {
  const { tx, siteId, at } = change;
  const session = await findSession(tx, siteId, sessionToken, at);
  const member = session && (await lookUpMember(tx, siteId, session.memberId));
  if (!session || member?.status !== 'active') return 'logged_out';
  return act(session, change.as({ type: 'member', id: member.id, name: member.displayName }));
}

function unless(code: ErrorCode): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof ApiError && error.code === code)) throw error;
  };
}
