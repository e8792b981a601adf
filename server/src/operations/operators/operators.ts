import { grants } from '@gatehouse/contract/permissions';
import { requireUnlimitedCaller } from '../../domain/api-keys/api-keys.ts';
import {
  changeOperatorRole,
  inviteOperator,
  listOperators,
  removeOperator,
} from '../../domain/operators/operators.ts';
import { findOperatorTenant } from '../../domain/sites/operator-tenant.ts';
import type { ChangingContext, OperationHandlers } from '../operation-handler.ts';

export const operatorHandlers = {
  listOperators: async (view, { query }) => {
    const mayWrite = grants(view.permissions, 'operators:write');
    const listed = await listOperators(view, (await findOperatorTenant(view.db)).id, query);
    // Who has no passkey is easier to attack.
    const shown = mayWrite ? listed.data : listed.data.map((operator) => ({ ...operator, passkeys: null }));
    return { body: { ...listed, data: shown } };
  },

  inviteOperator: {
    changesMany: true,
    queues: 'emails',
    handle: async (context, { body }) => {
      await requireAuthorityOverOperators(context);
      const { db, change, permissions, emails } = context;
      const tenant = await findOperatorTenant(db);
      const { operator } = await inviteOperator(change, tenant, body, emails, permissions);
      return { body: { data: operator } };
    },
  },

  updateOperator: {
    changesMany: true,
    handle: async (context, { params, body }) => {
      await requireAuthorityOverOperators(context);
      const { db, change, permissions } = context;
      const { id } = await findOperatorTenant(db);
      const operator = await changeOperatorRole(change, id, params.operatorId, body.role, permissions);
      return { body: { data: operator } };
    },
  },

  removeOperator: {
    changesMany: true,
    handle: async (context, { params }) => {
      await requireAuthorityOverOperators(context);
      const { db, change, permissions } = context;
      const { id } = await findOperatorTenant(db);
      await removeOperator(change, id, params.operatorId, permissions);
      return { body: undefined };
    },
  },
} satisfies OperationHandlers;

/**
 * An operator never expires and has the default rate limit: a key with less authority could gain more by creating an
 * operator.
 */
function requireAuthorityOverOperators({
  change,
  actor,
  permissions,
  defaultRateLimit,
}: ChangingContext): Promise<void> {
  return requireUnlimitedCaller(change, { actor, permissions }, defaultRateLimit);
}
