import type { ErrorCode, Session } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { earlier, millisecondsPerDay, type Timestamp, timestampAfter } from '../../base/clock.ts';
import { isUnrecorded, type UsedAccessToken } from '../../domain/access-tokens/access-token.ts';
import { findNewestAccessToken, markUsed } from '../../domain/access-tokens/access-tokens.ts';
import type { Change } from '../../domain/events/change.ts';
import { consumeLoginCode, consumeLoginLink } from '../../domain/logins/email-login.ts';
import type { Login, LoginBrowser } from '../../domain/logins/login.ts';
import { type LoginRequest, requestLoginLink } from '../../domain/logins/login-requests.ts';
import {
  createMemberAccessToken,
  deleteMemberAccessToken,
} from '../../domain/members/member-access-tokens.ts';
import { lockMember, lookUpMember } from '../../domain/members/member-lookup.ts';
import { revokeMemberSession, revokeMemberSessions } from '../../domain/members/member-sessions.ts';
import { updateMember } from '../../domain/members/members.ts';
import { isUnseen, type SessionUse } from '../../domain/sessions/session.ts';
import {
  createHostTicket,
  findTicketSession,
  openSessionAt,
  type TicketUse,
  useHostTicket,
} from '../../domain/sessions/session-hosts.ts';
import { findAndLockSession, findSession, prolongSession } from '../../domain/sessions/sessions.ts';
import { findSite, lockSite } from '../../domain/sites/sites.ts';
import { isFurtherHost } from '../../domain/sites/visited-site.ts';
import { acceptNotification, type Notification } from '../../domain/sources/source/source-webhook.ts';
import type { ActionHandlers } from '../operation-handler.ts';

interface Inputs {
  requestLoginLink: LoginRequest;
  consumeLoginLink: { token: string; browser: LoginBrowser };
  consumeLoginCode: { typed: string; browser: LoginBrowser };
  prolongSession: SessionUse;
  markTokenUsed: UsedAccessToken;
  renameMember: { sessionToken: string; displayName: string };
  createAccessToken: {
    sessionToken: string;
    name: string;
    pathPrefix: string;
    days: number | null;
    form: TokenForm;
  };
  deleteAccessToken: { sessionToken: string; tokenId: string };
  endSession: { sessionToken: string; furtherHost: string | null; sessionId: string | null };
  endAllSessions: { sessionToken: string; deviceCookie: string | null };
  createHostTicket: { sessionToken: string } & TicketUse;
  useHostTicket: { ticket: string; domain: string; browserToken: string | null };
  acceptNotification: Notification;
}

/** What the form for an access token knows of the time when it was shown. */
export interface TokenForm {
  readonly shownAt: string;
  /** The newest token of the member at that time. */
  readonly newestId: string | null;
}

/** Shorter than the time for which deleted tokens are known. */
const tokenFormLifetimeMilliseconds = millisecondsPerDay / 2;

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
  createHostTicket: LoggedIn<{ ticket: string } | 'unknown_host'>;
  useHostTicket: { sessionToken: string | null; next: string };
  acceptNotification: null;
}

/** A new access token, or why there is none. */
export type OwnAccessToken =
  | { readonly secret: string }
  | 'invalid'
  | 'too_many'
  | 'not_allowed'
  | 'sent_before';

/** The result of an action that requires a logged-in member. */
export type LoggedIn<Outcome> = Outcome | 'logged_out';

export type VisitorActionInputs = Inputs;
export type VisitorActionResults = Results;

/** Changes that come without a key: of visitors on the pages of the site, and of workspaces that report a change. */
export const visitorActions: ActionHandlers<Inputs, Results> = {
  requestLoginLink: {
    queues: 'emails',
    handle: async (change, request) => {
      await requestLoginLink(change, request);
      return null;
    },
  },

  consumeLoginLink: (change, { token, browser }, composer) =>
    consumeLoginLink(change, token, browser, composer),

  consumeLoginCode: (change, { typed, browser }, composer) =>
    consumeLoginCode(change, typed, browser, composer),

  prolongSession: async (change, session) => {
    const { now } = change;
    // A page often sends many requests at the same time; the first one has already updated the session.
    if (isUnseen(session, now, session.lifetime)) {
      await prolongSession(change, session);
    }
    return null;
  },

  markTokenUsed: async (change, token) => {
    const { now } = change;
    if (isUnrecorded(token, now)) await markUsed(change, token.id);
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

  createAccessToken: (change, { sessionToken, name, pathPrefix, days, form }) =>
    asMember<LoggedIn<OwnAccessToken>>(change, sessionToken, async ({ id, memberId }, own) => {
      const { now } = own;
      const site = await findSite(own);
      if (!site.membersCreateTokens) return 'not_allowed';
      await lockMember(own, memberId);
      // All sessions may have been ended meanwhile, with the tokens.
      const session = await findAndLockSession(own, id);
      if (!session) return 'logged_out';
      // Browsers send a form again when its response is loaded again.
      const newestId = await findNewestAccessToken(own, memberId);
      if (!isCurrent(form, newestId, now)) return 'sent_before';
      const wanted = days === null ? session.endsAt : timestampAfter(now, days * millisecondsPerDay);
      const expiresAt = wanted && earlier(wanted, session.endsAt);
      try {
        const { secret } = await createMemberAccessToken(own, memberId, { name, pathPrefix, expiresAt });
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

  endSession: (change, { sessionToken, furtherHost, sessionId }) =>
    asMember(
      change,
      sessionToken,
      async (session, own) => {
        const ending = sessionId ?? session.id;
        await revokeMemberSession(own, session.memberId, ending, 'logged_out').catch(
          unless('session_not_found'),
        );
        return 'ended' as const;
      },
      furtherHost,
    ),

  endAllSessions: (change, { sessionToken, deviceCookie }) =>
    asMember(change, sessionToken, async ({ memberId }, own) => {
      await revokeMemberSessions(own, memberId, 'logged_out', deviceCookie);
      return 'ended' as const;
    }),

  createHostTicket: async (change, { sessionToken, ...use }) => {
    if (!(await findLockedHost(change, use.domain))) return 'unknown_host';
    return asMember(change, sessionToken, async ({ id }, own) => {
      const session = await findAndLockSession(own, id);
      return session ? { ticket: await createHostTicket(own, id, use) } : 'logged_out';
    });
  },

  useHostTicket: async (change, { ticket, domain, browserToken }) => {
    const isHost = await findLockedHost(change, domain);
    const sessionId = await findTicketSession(change, ticket);
    // Locked before the ticket, as where a session ends.
    const session = sessionId === undefined ? undefined : await findAndLockSession(change, sessionId);
    const used = await useHostTicket(change, ticket, domain, browserToken);
    const next = used?.next ?? '/';
    const member = session && (await lookUpMember(change, session.memberId));
    const isAccepted = isHost && used?.sessionId === session?.id && member?.status === 'active';
    if (!session || !isAccepted) return { sessionToken: null, next };
    return { sessionToken: await openSessionAt(change, session.id, domain), next };
  },

  acceptNotification: {
    queues: 'source-runs',
    handle: async (change, notification) => {
      await acceptNotification(change, notification);
      return null;
    },
  },
};

/** Whether a form can create a token: it is not old, and no token was created since it was shown. */
function isCurrent(form: TokenForm, newestId: string | null, now: Timestamp): boolean {
  const isRecent = Date.parse(now) - Date.parse(form.shownAt) <= tokenFormLifetimeMilliseconds;
  return isRecent && (newestId ?? '') <= (form.newestId ?? '');
}

/** Runs an action as the member of a session. @param furtherHost see `findSession` */
export async function asMember<Outcome>(
  change: Change,
  sessionToken: string,
  act: (session: Session, own: Change) => Promise<Outcome>,
  furtherHost: string | null = null,
): Promise<LoggedIn<Outcome>> {
  const session = await findSession(change, sessionToken, furtherHost);
  const member = session && (await lookUpMember(change, session.memberId));
  if (!session || member?.status !== 'active') return 'logged_out';
  return act(session, change.as({ type: 'member', id: member.id, name: member.displayName }));
}

/** Whether a domain is a further host of the site, which then cannot change before the transaction ends. */
async function findLockedHost(change: Change, domain: string): Promise<boolean> {
  await lockSite(change);
  return isFurtherHost(await findSite(change), domain);
}

function unless(code: ErrorCode): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof ApiError && error.code === code)) throw error;
  };
}
