import type { MemberPasskey } from '@gatehouse/contract';
import type { Login, LoginBrowser } from '../../domain/logins/login.ts';
import { asMember } from '../../domain/own-account/own-session.ts';
import {
  addOwnPasskey,
  consumePasskeyOffer,
  deleteOwnPasskey,
  deleteOwnPasskeys,
  type NewOwnPasskey,
} from '../../domain/passkeys/own-passkeys.ts';
import type { ChallengePurpose } from '../../domain/passkeys/passkey.ts';
import {
  consumeChallenge,
  logInWithPasskey,
  saveChallengeFor,
  type UsedPasskey,
} from '../../domain/passkeys/passkeys.ts';
import type { ActionHandlers } from '../operation-handler.ts';

interface Inputs {
  saveChallengeFor: { browserToken: string; purpose: ChallengePurpose; challenge: string };
  consumeChallenge: { browserToken: string | undefined; purpose: ChallengePurpose };
  /** `next` is a path of the site that was checked. */
  logInWithPasskey: { passkey: UsedPasskey; next: string; browser: LoginBrowser };
  addOwnPasskey: { sessionToken: string } & NewOwnPasskey;
  deleteOwnPasskey: { sessionToken: string; passkeyId: string; language: string };
  deleteOwnPasskeys: { sessionToken: string; language: string };
  consumePasskeyOffer: { sessionToken: string };
}

/** Of the actions that have one. */
interface Results {
  /** Null when there is none. */
  consumeChallenge: string | null;
  logInWithPasskey: Login;
  addOwnPasskey: MemberPasskey;
  /** Whether the member is to be asked to add a passkey. */
  consumePasskeyOffer: boolean;
}

export type PasskeyActionInputs = Inputs;
export type PasskeyActionResults = Results;

/** Logins with passkeys, of members and operators, and what members do with their own. */
export const passkeyActions: ActionHandlers<Inputs, Results> = {
  saveChallengeFor: (change, { browserToken, purpose, challenge }) =>
    saveChallengeFor(change, browserToken, purpose, challenge),

  consumeChallenge: (change, { browserToken, purpose }) => consumeChallenge(change, browserToken, purpose),

  logInWithPasskey: {
    queues: 'emails',
    handle: (change, { passkey, next, browser }, composer) =>
      logInWithPasskey(change, passkey, next, browser, composer),
  },

  addOwnPasskey: {
    queues: 'emails',
    handle: (change, { sessionToken, ...input }, composer) =>
      asMember(change, sessionToken, (session, own) => addOwnPasskey(own, session, input, composer)),
  },

  deleteOwnPasskey: {
    queues: 'emails',
    handle: (change, { sessionToken, passkeyId, language }, composer) =>
      asMember(change, sessionToken, (session, own) =>
        deleteOwnPasskey(own, session, passkeyId, language, composer),
      ),
  },

  deleteOwnPasskeys: {
    queues: 'emails',
    handle: (change, { sessionToken, language }, composer) =>
      asMember(change, sessionToken, (session, own) => deleteOwnPasskeys(own, session, language, composer)),
  },

  consumePasskeyOffer: (change, { sessionToken }) =>
    asMember(change, sessionToken, (session, own) => consumePasskeyOffer(own, session)),
};
