import { checkAccess } from '../../domain/access-rules/access-checks.ts';
import { findAccessRules, replaceAccessRules } from '../../domain/access-rules/access-rules.ts';
import { findMemberAccess } from '../../domain/access-rules/member-access.ts';
import { data, type OperationHandlers } from '../operation-handler.ts';

export const accessRuleHandlers = {
  getAccessRules: (view) => data(findAccessRules(view)),

  replaceAccessRules: {
    changesMany: true,
    handle: ({ change, requireMatch }, { body }) =>
      data(replaceAccessRules(change, body.rules, requireMatch)),
  },

  checkAccess: {
    readsMany: ({ body }) => body.rules !== undefined,
    handle: (view, { body }) => data(checkAccess(view, body.checks, body.rules)),
  },

  listMemberAccess: (view, { params }) => data(findMemberAccess(view, params.memberId)),
} satisfies OperationHandlers;
