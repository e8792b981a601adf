import type { Session } from '@gatehouse/contract';
import type { OperatedSite, OperatorToken, Passkey } from '@gatehouse/contract/dashboard';
import type { Change } from '../../domain/events/change.ts';
import type { Login, LoginBrowser } from '../../domain/logins/login.ts';
import { notifyOperator } from '../../domain/logins/operator-notices.ts';
import { lockMember } from '../../domain/members/member-lookup.ts';
import { loggedOut } from '../../domain/operators/operator.ts';
import { createOperatorToken } from '../../domain/operators/operator-tokens.ts';
import { createSiteAsOperator, notifySites, renameOperator } from '../../domain/operators/operators.ts';
import { claimFirstOwnership, type FirstOperator } from '../../domain/operators/setup-token.ts';
import type { ChallengePurpose, NewCredential } from '../../domain/passkeys/passkey.ts';
import {
  addPasskey,
  consumeChallenge,
  deletePasskey,
  listPasskeys,
  logInWithPasskey,
  saveChallengeFor,
  type UsedPasskey,
} from '../../domain/passkeys/passkeys.ts';
import type { NewSite } from '../../domain/sites/sites.ts';
import { asMember } from '../access/visitor-actions.ts';
import type { ActionHandlers } from '../operation-handler.ts';

interface Inputs {
  createOperatorToken: { sessionToken: string; siteId: string };
  createSiteAsOperator: { sessionToken: string; site: NewSite };
  claimFirstOwnership: { token: string; owner: FirstOperator; browser: LoginBrowser };
  renameOperator: { sessionToken: string; displayName: string };
  saveChallengeFor: { browserToken: string; purpose: ChallengePurpose; challenge: string };
  consumeChallenge: { browserToken: string | undefined; purpose: ChallengePurpose };
  addPasskey: {
    sessionToken: string;
    name: string;
    credential: NewCredential;
    language: string;
    /** Set if the operator must use a passkey that there is already. */
    onlyFirst: boolean;
  };
  deletePasskey: { sessionToken: string; passkeyId: string };
  logInWithPasskey: { passkey: UsedPasskey; browser: LoginBrowser };
}

interface Results {
  createOperatorToken: OperatorToken;
  createSiteAsOperator: OperatedSite;
  claimFirstOwnership: Login;
  renameOperator: null;
  saveChallengeFor: null;
  consumeChallenge: string | null;
  addPasskey: Passkey;
  deletePasskey: null;
  logInWithPasskey: Login;
}

export type OperatorActionInputs = Inputs;
export type OperatorActionResults = Results;

/**
 * Changes that operators make in the dashboard outside of the API. The site of these actions is the operator tenant.
 */
export const operatorActions: ActionHandlers<Inputs, Results> = {
  createOperatorToken: (change, { sessionToken, siteId }) =>
    asOperator(change, sessionToken, (session, own) => createOperatorToken(own, session, siteId)),

  createSiteAsOperator: {
    changesMany: true,
    handle: (change, { sessionToken, site }) =>
      asOperator(change, sessionToken, ({ memberId }, own) => createSiteAsOperator(own, memberId, site)),
  },

  claimFirstOwnership: {
    changesMany: true,
    handle: (change, { token, owner, browser }, composer) =>
      claimFirstOwnership(change, token, owner, browser, composer),
  },

  renameOperator: {
    changesMany: true,
    handle: (change, { sessionToken, displayName }) =>
      asOperator(change, sessionToken, async ({ memberId }, own) => {
        await renameOperator(own, memberId, displayName);
        return null;
      }),
  },

  saveChallengeFor: async (change, { browserToken, purpose, challenge }) => {
    await saveChallengeFor(change, browserToken, purpose, challenge);
    return null;
  },

  consumeChallenge: (change, { browserToken, purpose }) => consumeChallenge(change, browserToken, purpose),

  addPasskey: {
    changesMany: true,
    queues: 'emails',
    handle: (change, { sessionToken, name, credential, language, onlyFirst }, composer) =>
      asOperator(change, sessionToken, async ({ memberId }, own) => {
        const passkey = await notifyOfPasskeys(own, memberId, () =>
          addPasskey(own, memberId, name, credential, onlyFirst),
        );
        const operator = (await lockMember(own, memberId))!;
        const notice = { type: 'new_passkey', name: passkey.name } as const;
        await notifyOperator(own, operator, notice, language, composer);
        return passkey;
      }),
  },

  deletePasskey: {
    changesMany: true,
    handle: (change, { sessionToken, passkeyId }) =>
      asOperator(change, sessionToken, async ({ memberId }, own) => {
        await notifyOfPasskeys(own, memberId, () => deletePasskey(own, memberId, passkeyId));
        return null;
      }),
  },

  logInWithPasskey: {
    queues: 'emails',
    handle: (change, { passkey, browser }, composer) => logInWithPasskey(change, passkey, browser, composer),
  },
};

/** Runs an action as the operator of a session. @throws {ApiError} `logged_out` */
async function asOperator<Result>(
  change: Change,
  sessionToken: string,
  act: (session: Session, own: Change) => Promise<Result>,
): Promise<Result> {
  const result = await asMember(change, sessionToken, act);
  if (result === 'logged_out') throw loggedOut();
  return result;
}

/** A passkey is another way to log in: each site of the operator records the number of passkeys before and after. */
async function notifyOfPasskeys<Result>(
  change: Change,
  personId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await lockMember(change, personId);
  const count = async () => String((await listPasskeys(change, personId)).length);
  const from = await count();
  const result = await work();
  await notifySites(change, personId, { field: 'passkeys', from, to: await count() });
  return result;
}
