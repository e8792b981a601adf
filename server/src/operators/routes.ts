import type { Routes } from '../routing/route.ts';
import { changeOperatorRole, inviteOperator, listOperators, removeOperator } from './operators.ts';
import { findOperatorsRealm } from './operators-realm.ts';

export const operatorRoutes: Routes<
  'listOperators' | 'inviteOperator' | 'updateOperator' | 'removeOperator'
> = {
  listOperators: async ({ db, siteId, cause }, { query }) => ({
    body: await listOperators(db, (await findOperatorsRealm(db)).id, siteId, query, cause.at),
  }),

  inviteOperator: async ({ db, siteId, cause, permissions, emailLimits }, { body }) => {
    const realm = await findOperatorsRealm(db);
    return {
      body: { data: await inviteOperator(db, realm, siteId, body, cause, emailLimits, permissions) },
      mailWaits: true,
    };
  },

  updateOperator: async ({ db, siteId, cause, permissions }, { params, body }) => {
    const { id } = await findOperatorsRealm(db);
    return {
      body: {
        data: await changeOperatorRole(db, id, siteId, params.operatorId, body.role, cause, permissions),
      },
    };
  },

  removeOperator: async ({ db, siteId, cause, permissions }, { params }) => {
    const { id } = await findOperatorsRealm(db);
    await removeOperator(db, id, siteId, params.operatorId, cause, permissions);
    return { body: undefined };
  },
};
