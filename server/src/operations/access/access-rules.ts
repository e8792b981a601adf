import { checkAccess } from '../../domain/access-rules/access-checks.ts';
import { findAccessRules, replaceAccessRules } from '../../domain/access-rules/access-rules.ts';
import { data, type OperationHandlers } from '../operation-handler.ts';

export const accessRuleHandlers = {
  getAccessRules: (view) => data(findAccessRules(view)),

  replaceAccessRules: {
    changesMany: true,
    handle: ({ change, requireMatch }, { body }) =>
      data(replaceAccessRules(change, body.rules, requireMatch)),
  },

  checkAccess: (view, { body }) => data(checkAccess(view, body.checks)),
} satisfies OperationHandlers;
