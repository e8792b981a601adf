import type { RouteContext, Routes } from '../routing/route.ts';
import { requireUnlimitedCaller } from '../sites/api-keys.ts';
import type { Transaction } from '../storage/database.ts';
import { changeOperatorRole, inviteOperator, listOperators, removeOperator } from './operators.ts';
import { findOperatorsRealm } from './operators-realm.ts';

export const operatorRoutes: Routes<
  'listOperators' | 'inviteOperator' | 'updateOperator' | 'removeOperator'
> = {
  listOperators: async ({ db, siteId, cause }, { query }) => ({
    body: await listOperators(db, (await findOperatorsRealm(db)).id, siteId, query, cause.at),
  }),

  inviteOperator: async (context, { body }) => {
    await requireAuthorityOverOperators(context);
    const { db, siteId, cause, permissions, emailLimits } = context;
    const realm = await findOperatorsRealm(db);
    return {
      body: { data: await inviteOperator(db, realm, siteId, body, cause, emailLimits, permissions) },
      mailWaits: true,
    };
  },

  updateOperator: async (context, { params, body }) => {
    await requireAuthorityOverOperators(context);
    const { db, siteId, cause, permissions } = context;
    const { id } = await findOperatorsRealm(db);
    return {
      body: {
        data: await changeOperatorRole(db, id, siteId, params.operatorId, body.role, cause, permissions),
      },
    };
  },

  removeOperator: async (context, { params }) => {
    await requireAuthorityOverOperators(context);
    const { db, siteId, cause, permissions } = context;
    const { id } = await findOperatorsRealm(db);
    await removeOperator(db, id, siteId, params.operatorId, cause, permissions);
    return { body: undefined };
  },
};

/** An operator has no end and the usual limit: a key with less could go on as an operator that it has made. */
function requireAuthorityOverOperators({
  db,
  siteId,
  cause,
  permissions,
  defaultRateLimit,
}: RouteContext<Transaction>): Promise<void> {
  return requireUnlimitedCaller(db, siteId, { actor: cause.actor, permissions }, defaultRateLimit, cause.at);
}
