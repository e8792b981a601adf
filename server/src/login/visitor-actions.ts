import type { Session } from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import { Refusal } from '../base/refusal.ts';
import { isUnseen } from '../credentials/session.ts';
import { findSession, prolongSession } from '../credentials/sessions.ts';
import { selectMember } from '../members/member-store.ts';
import { updateMember } from '../members/members.ts';
import type { Transaction } from '../storage/database.ts';
import { type Ask, askForLoginLink } from './asks.ts';
import { consumeLoginCode, consumeLoginLink, type Login, type LoginBrowser } from './login.ts';
import { revokeMemberSession, revokeMemberSessions } from './member-sessions.ts';

/** What a visitor's action is given beside its input. It runs inside one transaction. */
export interface VisitorContext {
  readonly db: Transaction;
  readonly siteId: string;
  readonly cause: Cause;
}

interface Inputs {
  askForLoginLink: Ask;
  consumeLoginLink: { token: string; browser: LoginBrowser };
  consumeLoginCode: { browserToken: string | undefined; typed: string; browser: LoginBrowser };
  prolongSession: Pick<Session, 'id' | 'createdAt' | 'lastSeenAt'>;
  renameMember: { sessionToken: string; displayName: string };
  endSession: { sessionToken: string; sessionId: string | null };
  endAllSessions: { sessionToken: string; deviceCookie: string | null };
}

interface Results {
  askForLoginLink: null;
  consumeLoginLink: Login;
  consumeLoginCode: Login;
  prolongSession: null;
  renameMember: SignedIn<'renamed' | 'invalid_name'>;
  endSession: SignedIn<'ended'>;
  endAllSessions: SignedIn<'ended'>;
}

/** What became of an action that only a member who is logged in can take. */
export type SignedIn<Outcome> = Outcome | 'signed_out';

export type VisitorActionName = keyof Inputs;
export type VisitorActionInputs = Inputs;
export type VisitorActionResults = Results;

/** What visitors change on the pages of the site: what routes are for programs. */
export const visitorActions: {
  readonly [Name in VisitorActionName]: (
    context: VisitorContext,
    input: Inputs[Name],
  ) => Promise<Results[Name]>;
} = {
  askForLoginLink: async ({ db, siteId, cause }, ask) => {
    await askForLoginLink(db, siteId, ask, cause.at);
    return null;
  },

  consumeLoginLink: ({ db, siteId, cause }, { token, browser }) =>
    consumeLoginLink(db, siteId, token, browser, cause),

  consumeLoginCode: ({ db, siteId, cause }, { browserToken, typed, browser }) =>
    consumeLoginCode(db, siteId, browserToken, typed, browser, cause),

  prolongSession: async ({ db, siteId, cause }, session) => {
    // Many requests of one page come at once; the first has done it.
    if (isUnseen(session, cause.at)) {
      await prolongSession(db, siteId, session, cause.at);
    }
    return null;
  },

  renameMember: (context, { sessionToken, displayName }) =>
    asMember(context, sessionToken, async ({ memberId }, cause) => {
      try {
        await updateMember(context.db, context.siteId, memberId, { displayName }, cause, () => {});
        return 'renamed';
      } catch (error) {
        if (error instanceof Refusal && error.code === 'invalid_request') return 'invalid_name';
        throw error;
      }
    }),

  endSession: (context, { sessionToken, sessionId }) =>
    asMember(context, sessionToken, async (session, cause) => {
      const ending = sessionId ?? session.id;
      await revokeMemberSession(
        context.db,
        context.siteId,
        session.memberId,
        ending,
        'signed_out',
        cause,
      ).catch(unlessEnded);
      return 'ended' as const;
    }),

  endAllSessions: (context, { sessionToken, deviceCookie }) =>
    asMember(context, sessionToken, async ({ memberId }, cause) => {
      await revokeMemberSessions(context.db, context.siteId, memberId, 'signed_out', cause, deviceCookie);
      return 'ended' as const;
    }),
};

/** Does something as the member whom a session belongs to. */
export async function asMember<Outcome>(
  { db, siteId, cause }: VisitorContext,
  sessionToken: string,
  act: (session: Session, cause: Cause) => Promise<Outcome>,
): Promise<SignedIn<Outcome>> {
  const session = await findSession(db, siteId, sessionToken, cause.at);
  const member = session && (await selectMember(db, siteId, session.memberId));
  if (!session || member?.status !== 'active') return 'signed_out';
  return act(session, { ...cause, actor: { type: 'member', id: member.id, name: member.display_name } });
}

function unlessEnded(error: unknown): void {
  if (!(error instanceof Refusal && error.code === 'session_not_found')) throw error;
}
