import type { Timestamp } from '../../base/clock.ts';
import { isUnrecorded, type UsedAccessToken } from '../../domain/access-tokens/access-token.ts';
import { markUsed } from '../../domain/access-tokens/access-tokens.ts';
import {
  type AddressConfirmation,
  type AddressConfirmationOutcome,
  type AddressRequest,
  type AddressRequestOutcome,
  confirmAddressChange,
  requestAddressChange,
  takeBackAddress,
} from '../../domain/address-changes/address-changes.ts';
import type { EnteredTexts } from '../../domain/logins/arrivals.ts';
import { consumeLoginCode, consumeLoginLink } from '../../domain/logins/email-login.ts';
import type { JoinOutcome, Login, LoginBrowser } from '../../domain/logins/login.ts';
import { type LoginRequest, requestLoginLink } from '../../domain/logins/login-requests.ts';
import { deleteMemberAccessToken } from '../../domain/members/member-access-tokens.ts';
import { markSessionMemberSeen } from '../../domain/members/member-lookup.ts';
import { revokeMemberSession, revokeMemberSessions } from '../../domain/members/member-sessions.ts';
import { updateMember } from '../../domain/members/members.ts';
import {
  type ArrivedBrowser,
  arriveWithTicket,
  createOwnHostTicket,
} from '../../domain/own-account/further-hosts.ts';
import {
  createOwnAccessToken,
  type OwnAccessTokenInput,
} from '../../domain/own-account/own-access-tokens.ts';
import { joinOwn, type MemberRequest, requestAccess } from '../../domain/own-account/own-joining.ts';
import { asMember } from '../../domain/own-account/own-session.ts';
import {
  type CodeEntry,
  enterPageCode,
  leavePages,
  type SentPass,
} from '../../domain/page-codes/page-passes.ts';
import { pausePageCodes } from '../../domain/page-codes/pausing.ts';
import { isUnseen, type SessionUse } from '../../domain/sessions/session.ts';
import type { TicketUse } from '../../domain/sessions/session-hosts.ts';
import { prolongSession } from '../../domain/sessions/sessions.ts';
import { acceptNotification, type Notification } from '../../domain/sources/source/source-webhook.ts';
import type { ActionHandlers } from '../operation-handler.ts';
import {
  type ProviderLoginInputs,
  type ProviderLoginResults,
  providerLoginActions,
} from './provider-login-actions.ts';

interface Inputs extends ProviderLoginInputs {
  requestLoginLink: LoginRequest;
  consumeLoginLink: { token: string; browser: LoginBrowser; entered: EnteredTexts | null };
  consumeLoginCode: { typed: string; browser: LoginBrowser };
  joinWithInvitation: { sessionToken: string; code: string; request: MemberRequest };
  requestAccess: { sessionToken: string; request: MemberRequest };
  prolongSession: SessionUse;
  markTokenUsed: UsedAccessToken;
  renameMember: { sessionToken: string; displayName: string };
  createAccessToken: { sessionToken: string } & OwnAccessTokenInput;
  deleteAccessToken: { sessionToken: string; tokenId: string };
  requestAddressChange: AddressRequest;
  confirmAddressChange: AddressConfirmation;
  takeBackAddress: { token: string };
  endSession: { sessionToken: string; furtherHost: string | null; sessionId: string | null };
  endAllSessions: { sessionToken: string; deviceCookie: string | null };
  createHostTicket: { sessionToken: string } & TicketUse;
  useHostTicket: { ticket: string; domain: string; browserToken: string | null };
  acceptNotification: Notification;
  enterPageCode: CodeEntry;
  leavePages: SentPass;
  pausePageCodes: null;
}

/** Of the actions that have one. */
interface Results extends ProviderLoginResults {
  consumeLoginLink: Login;
  consumeLoginCode: Login;
  joinWithInvitation: JoinOutcome | { readonly outcome: 'joined' };
  /** Undefined if the site allows no such requests. */
  requestAccess: JoinOutcome | undefined;
  requestAddressChange: AddressRequestOutcome;
  confirmAddressChange: AddressConfirmationOutcome;
  /** Whether the link worked. */
  takeBackAddress: boolean;
  /** The secret of the token, or null for a form that was sent before. */
  createAccessToken: string | null;
  /** The ticket. */
  createHostTicket: string;
  useHostTicket: ArrivedBrowser;
  /** When the pass ends; null if the code was not accepted. */
  enterPageCode: Timestamp | null;
}

export type VisitorActionInputs = Inputs;
export type VisitorActionResults = Results;

/** Changes that come without a key: of visitors on the pages of the site, and of workspaces that report a change. */
export const visitorActions: ActionHandlers<Inputs, Results> = {
  requestLoginLink: { queues: 'emails', handle: requestLoginLink },

  consumeLoginLink: (change, { token, browser, entered }, composer) =>
    consumeLoginLink(change, token, browser, entered, composer),

  consumeLoginCode: (change, { typed, browser }, composer) =>
    consumeLoginCode(change, typed, browser, composer),

  joinWithInvitation: (change, { sessionToken, code, request }) =>
    asMember(change, sessionToken, (session, own) => joinOwn(own, session, code, request)),

  requestAccess: (change, { sessionToken, request }) =>
    asMember(change, sessionToken, (session, own) => requestAccess(own, session, request)),

  prolongSession: async (change, session) => {
    // A page often sends many requests at the same time; the first one has already updated the session.
    if (!isUnseen(session, change.now, session.lifetime)) return;
    await markSessionMemberSeen(change, session.id);
    await prolongSession(change, session);
  },

  markTokenUsed: async (change, token) => {
    if (isUnrecorded(token, change.now)) await markUsed(change, token.id);
  },

  renameMember: (change, { sessionToken, displayName }) =>
    asMember(change, sessionToken, async ({ memberId }, own) => {
      await updateMember(own, memberId, { displayName }, () => {});
    }),

  createAccessToken: (change, { sessionToken, ...input }) =>
    asMember(change, sessionToken, (session, own) => createOwnAccessToken(own, session, input)),

  deleteAccessToken: (change, { sessionToken, tokenId }) =>
    asMember(change, sessionToken, ({ memberId }, own) => deleteMemberAccessToken(own, memberId, tokenId)),

  requestAddressChange: {
    queues: 'emails',
    handle: (change, input, composer, limits) =>
      asMember(change, input.sessionToken, (session, own) =>
        requestAddressChange(own, session, input, { composer, limits }),
      ),
  },

  confirmAddressChange: {
    queues: 'emails',
    handle: (change, input, composer) =>
      asMember(change, input.sessionToken, (session, own) =>
        confirmAddressChange(own, session, input, composer),
      ),
  },

  takeBackAddress: (change, { token }) => takeBackAddress(change, token),

  endSession: (change, { sessionToken, furtherHost, sessionId }) =>
    asMember(
      change,
      sessionToken,
      ({ id, memberId }, own) => revokeMemberSession(own, memberId, sessionId ?? id, 'logged_out'),
      furtherHost,
    ),

  endAllSessions: (change, { sessionToken, deviceCookie }) =>
    asMember(change, sessionToken, ({ memberId }, own) =>
      revokeMemberSessions(own, memberId, 'logged_out', deviceCookie),
    ),

  createHostTicket: (change, { sessionToken, ...use }) => createOwnHostTicket(change, sessionToken, use),

  useHostTicket: (change, { ticket, domain, browserToken }) =>
    arriveWithTicket(change, ticket, domain, browserToken),

  acceptNotification: { queues: 'source-runs', handle: acceptNotification },

  ...providerLoginActions,

  enterPageCode,

  leavePages,

  pausePageCodes: { queues: 'emails', handle: (change, _, composer) => pausePageCodes(change, composer) },
};
