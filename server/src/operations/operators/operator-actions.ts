import type {
  CreateSavedView,
  OperatedSite,
  OperatorToken,
  Passkey,
  SavedView,
  UpdateSavedView,
} from '@gatehouse/contract/dashboard';
import type { Change } from '../../domain/events/change.ts';
import type { Login, LoginBrowser } from '../../domain/logins/login.ts';
import { notifyOperator } from '../../domain/logins/operator-notices.ts';
import { lockMember } from '../../domain/members/member-lookup.ts';
import { queueMailTest } from '../../domain/operators/mail-test.ts';
import { createOperatorToken, findOperatorRole } from '../../domain/operators/operator-tokens.ts';
import { createSiteAsOperator, notifySites, renameOperator } from '../../domain/operators/operators.ts';
import { claimFirstOwnership, type FirstOperator } from '../../domain/operators/setup-token.ts';
import { asMember } from '../../domain/own-account/own-session.ts';
import { type NewCredential, toPasskey } from '../../domain/passkeys/passkey.ts';
import { addPasskey, deletePasskey, listPasskeys } from '../../domain/passkeys/passkeys.ts';
import { createSavedView, deleteSavedView, updateSavedView } from '../../domain/saved-views/saved-views.ts';
import { findOperatorTenant } from '../../domain/sites/operator-tenant.ts';
import type { NewSite } from '../../domain/sites/sites.ts';
import type { ActionHandlers } from '../operation-handler.ts';

interface Inputs {
  createOperatorToken: { sessionToken: string; siteId: string };
  createSiteAsOperator: { sessionToken: string; site: NewSite };
  claimFirstOwnership: { token: string; owner: FirstOperator; browser: LoginBrowser };
  renameOperator: { sessionToken: string; displayName: string };
  addPasskey: {
    sessionToken: string;
    name: string;
    credential: NewCredential;
    language: string;
    /** Set if the operator must use a passkey that there is already. */
    onlyFirst: boolean;
  };
  deletePasskey: { sessionToken: string; passkeyId: string };
  createSavedView: { sessionToken: string; siteId: string; view: CreateSavedView };
  updateSavedView: { sessionToken: string; viewId: string; changes: UpdateSavedView };
  deleteSavedView: { sessionToken: string; viewId: string };
  testMailServer: { sessionToken: string; language: string };
}

/** Of the actions that have one. */
interface Results {
  createOperatorToken: OperatorToken;
  createSiteAsOperator: OperatedSite;
  claimFirstOwnership: Login;
  addPasskey: Passkey;
  createSavedView: SavedView;
  updateSavedView: SavedView;
  /** The id of the email. */
  testMailServer: string;
}

export type OperatorActionInputs = Inputs;
export type OperatorActionResults = Results;

/**
 * Changes that operators make in the dashboard outside of the API. The site of these actions is the operator tenant,
 * except where they say otherwise.
 */
export const operatorActions: ActionHandlers<Inputs, Results> = {
  createOperatorToken: {
    // It changes rows of the tenant and of a site.
    changesMany: true,
    handle: (change, { sessionToken, siteId }) =>
      asMember(change, sessionToken, (session, own) => createOperatorToken(own, session, siteId)),
  },

  createSiteAsOperator: {
    changesMany: true,
    handle: (change, { sessionToken, site }) =>
      asMember(change, sessionToken, ({ memberId }, own) => createSiteAsOperator(own, memberId, site)),
  },

  claimFirstOwnership: {
    changesMany: true,
    handle: (change, { token, owner, browser }, composer) =>
      claimFirstOwnership(change, token, owner, browser, composer),
  },

  renameOperator: {
    changesMany: true,
    handle: (change, { sessionToken, displayName }) =>
      asMember(change, sessionToken, ({ memberId }, own) => renameOperator(own, memberId, displayName)),
  },

  addPasskey: {
    changesMany: true,
    queues: 'emails',
    handle: (change, { sessionToken, name, credential, language, onlyFirst }, composer) =>
      asMember(change, sessionToken, async ({ memberId }, own) => {
        const passkey = await notifyOfPasskeys(own, memberId, () =>
          addPasskey(own, memberId, name, credential, onlyFirst),
        );
        const operator = (await lockMember(own, memberId))!;
        const notice = { type: 'new_passkey', name: passkey.name } as const;
        await notifyOperator(own, operator, notice, language, composer);
        return toPasskey(passkey);
      }),
  },

  deletePasskey: {
    changesMany: true,
    handle: (change, { sessionToken, passkeyId }) =>
      asMember(change, sessionToken, ({ memberId }, own) =>
        notifyOfPasskeys(own, memberId, () => deletePasskey(own, memberId, passkeyId)),
      ),
  },

  createSavedView: (change, { sessionToken, siteId, view }) =>
    asMember(change, sessionToken, async ({ memberId }, own) => {
      // First, so that the role is not removed meanwhile, with all views but this one.
      await lockMember(own, memberId);
      await findOperatorRole(own.on(siteId), own.siteId, memberId);
      return createSavedView(own, { personId: memberId, operatedSiteId: siteId }, view);
    }),

  updateSavedView: (change, { sessionToken, viewId, changes }) =>
    asMember(change, sessionToken, ({ memberId }, own) => updateSavedView(own, memberId, viewId, changes)),

  deleteSavedView: (change, { sessionToken, viewId }) =>
    asMember(change, sessionToken, ({ memberId }, own) => deleteSavedView(own, memberId, viewId)),

  // Of the tested site, whose email it is and whose email budgets it uses.
  testMailServer: {
    queues: 'emails',
    handle: async (change, { sessionToken, language }, composer, limits) => {
      const tenant = await findOperatorTenant(change.db);
      return asMember(change.on(tenant.id), sessionToken, ({ memberId }) =>
        queueMailTest(change, tenant, memberId, language, { composer, limits }),
      );
    },
  },
};

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
