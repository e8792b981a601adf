import { removeIdentity } from '../../domain/identities/identities.ts';
import { asMember, lockOwnMember } from '../../domain/own-account/own-session.ts';
import {
  declinePendingIdentity,
  linkPendingIdentity,
} from '../../domain/provider-logins/pending-identities.ts';
import {
  logInWithProvider,
  type ProviderArrival,
  type ProviderLoginOutcome,
} from '../../domain/provider-logins/provider-arrivals.ts';
import {
  type BegunProviderLogin,
  beginProviderLogin,
  type ProviderLoginRequest,
  storeProviderCode,
  type TakenProviderLogin,
  takeProviderLogin,
} from '../../domain/provider-logins/provider-logins.ts';
import type { ActionHandlers } from '../operation-handler.ts';

export interface ProviderLoginInputs {
  /** `sessionToken` is that of the member who links an account; null for a login. */
  beginProviderLogin: ProviderLoginRequest & { sessionToken: string | null };
  storeProviderCode: { state: string; code: string };
  takeProviderLogin: { state: string; browserToken: string | undefined };
  logInWithProvider: ProviderArrival;
  linkPendingIdentity: { sessionToken: string; browserToken: string | undefined; language: string };
  declinePendingIdentity: { browserToken: string | undefined };
  deleteOwnIdentity: { sessionToken: string; identityId: string };
}

export interface ProviderLoginResults {
  /** Undefined if nobody can log in with the provider, or the session is not a recent login by email. */
  beginProviderLogin: BegunProviderLogin | undefined;
  /** Whether a login waits for the code. */
  storeProviderCode: boolean;
  /** Undefined unless the browser has begun this login, and for the first time. */
  takeProviderLogin: TakenProviderLogin | undefined;
  logInWithProvider: ProviderLoginOutcome;
  /** Whether it was linked. */
  linkPendingIdentity: boolean;
}

/** Of members who log in with an account at a login provider. */
export const providerLoginActions: ActionHandlers<ProviderLoginInputs, ProviderLoginResults> = {
  beginProviderLogin: (change, { sessionToken, ...request }) =>
    sessionToken === null
      ? beginProviderLogin(change, request, null)
      : asMember(change, sessionToken, (session, own) => beginProviderLogin(own, request, session)),

  storeProviderCode,

  takeProviderLogin,

  logInWithProvider: { queues: 'emails', handle: logInWithProvider },

  linkPendingIdentity: {
    queues: 'emails',
    handle: (change, { sessionToken, ...confirmation }, composer) =>
      asMember(change, sessionToken, (session, own) =>
        linkPendingIdentity(own, session, confirmation, composer),
      ),
  },

  declinePendingIdentity,

  deleteOwnIdentity: (change, { sessionToken, identityId }) =>
    asMember(change, sessionToken, async (session, own) => {
      const { id } = await lockOwnMember(own, session);
      await removeIdentity(own, id, identityId);
    }),
};
