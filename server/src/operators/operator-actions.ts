import type { Login, LoginBrowser } from '../login/login.ts';
import { asMember, type SignedIn, type VisitorContext } from '../login/visitor-actions.ts';
import type { NewSite } from '../sites/sites.ts';
import type { OperatedSite } from './operator-store.ts';
import { createOperatorToken, type OperatorToken } from './operator-tokens.ts';
import { createSiteAsOperator, renameOperator } from './operators.ts';
import type { ChallengePurpose, NewCredential, Passkey } from './passkey.ts';
import {
  addPasskey,
  consumeChallenge,
  deletePasskey,
  keepChallenge,
  logInWithPasskey,
  type UsedPasskey,
} from './passkeys.ts';
import { acceptWelcome, type FirstOperator } from './welcome.ts';

interface Inputs {
  createOperatorToken: { sessionToken: string; siteId: string };
  createSiteAsOperator: { sessionToken: string; site: NewSite };
  acceptWelcome: { token: string; person: FirstOperator; browser: LoginBrowser };
  renameOperator: { sessionToken: string; displayName: string };
  keepChallenge: { browserToken: string; purpose: ChallengePurpose; challenge: string };
  consumeChallenge: { browserToken: string | undefined; purpose: ChallengePurpose };
  addPasskey: { sessionToken: string; name: string; credential: NewCredential };
  deletePasskey: { sessionToken: string; passkeyId: string };
  logInWithPasskey: { passkey: UsedPasskey; browser: LoginBrowser };
}

interface Results {
  createOperatorToken: SignedIn<OperatorToken>;
  createSiteAsOperator: SignedIn<{ site: OperatedSite }>;
  acceptWelcome: Login;
  renameOperator: SignedIn<{ renamed: true }>;
  keepChallenge: null;
  consumeChallenge: string | null;
  addPasskey: SignedIn<Passkey>;
  deletePasskey: SignedIn<'deleted'>;
  logInWithPasskey: Login;
}

export type OperatorActionName = keyof Inputs;
export type OperatorActionInputs = Inputs;
export type OperatorActionResults = Results;

/** What operators change at the dashboard beside its use of the API. The site of these actions is the operators' realm. */
export const operatorActions: {
  readonly [Name in OperatorActionName]: (
    context: VisitorContext,
    input: Inputs[Name],
  ) => Promise<Results[Name]>;
} = {
  createOperatorToken: (context, { sessionToken, siteId }) =>
    asMember(context, sessionToken, (session, cause) =>
      createOperatorToken(context.db, context.siteId, session, siteId, cause),
    ),

  createSiteAsOperator: (context, { sessionToken, site }) =>
    asMember(context, sessionToken, async ({ memberId }, cause) => ({
      site: await createSiteAsOperator(context.db, context.siteId, memberId, site, cause),
    })),

  acceptWelcome: ({ db, siteId, cause }, { token, person, browser }) =>
    acceptWelcome(db, siteId, token, person, browser, cause),

  renameOperator: (context, { sessionToken, displayName }) =>
    asMember(context, sessionToken, async ({ memberId }, cause) => {
      await renameOperator(context.db, context.siteId, memberId, displayName, cause);
      return { renamed: true } as const;
    }),

  keepChallenge: async ({ db, siteId, cause }, { browserToken, purpose, challenge }) => {
    await keepChallenge(db, siteId, browserToken, purpose, challenge, cause.at);
    return null;
  },

  consumeChallenge: ({ db, siteId, cause }, { browserToken, purpose }) =>
    consumeChallenge(db, siteId, browserToken, purpose, cause.at),

  addPasskey: (context, { sessionToken, name, credential }) =>
    asMember(context, sessionToken, ({ memberId }, cause) =>
      addPasskey(context.db, context.siteId, memberId, name, credential, cause),
    ),

  deletePasskey: (context, { sessionToken, passkeyId }) =>
    asMember(context, sessionToken, async ({ memberId }, cause) => {
      await deletePasskey(context.db, context.siteId, memberId, passkeyId, cause);
      return 'deleted' as const;
    }),

  logInWithPasskey: ({ db, siteId, cause }, { passkey, browser }) =>
    logInWithPasskey(db, siteId, passkey, browser, cause),
};
