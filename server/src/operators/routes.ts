import type { Routes } from '../routing/route.ts';
import { changeOperatorRole, inviteOperator, listOperators, removeOperator } from './operators.ts';
import { findOperatorsRealm } from './operators-realm.ts';

export const operatorRoutes: Routes<
  'listOperators' | 'inviteOperator' | 'updateOperator' | 'removeOperator'
> = {
  listOperators: async ({ db, siteId, cause }, { query }) => ({
    body: await listOperators(db, (await findOperatorsRealm(db)).id, siteId, query, cause.at),
  }),

  inviteOperator: async ({ db, siteId, cause }, { body }) => {
    const realm = await findOperatorsRealm(db);
    return {
      body: { data: await inviteOperator(db, realm, siteId, body, cause) },
      mailWaits: true,
    };
  },

  updateOperator: async ({ db, siteId, cause }, { params, body }) => {
    const { id } = await findOperatorsRealm(db);
    return {
      body: { data: await changeOperatorRole(db, id, siteId, params.operatorId, body.role, cause) },
    };
  },

  removeOperator: async ({ db, siteId, cause }, { params }) => {
    await removeOperator(db, (await findOperatorsRealm(db)).id, siteId, params.operatorId, cause);
    return { body: undefined };
  },
};
