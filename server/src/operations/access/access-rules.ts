import { checkAccess } from '../../domain/access-rules/access-checks.ts';
import { findAccessRules, replaceAccessRules } from '../../domain/access-rules/access-rules.ts';
import type { OperationHandlers } from '../operation-handler.ts';

export const accessRuleHandlers = {
  getAccessRules: async (view) => ({ body: { data: await findAccessRules(view) } }),

  replaceAccessRules: {
    changesMany: true,
    handle: async ({ change, requireMatch }, { body }) => ({
      body: { data: await replaceAccessRules(change, body.rules, requireMatch) },
    }),
  },

  checkAccess: async (view, { body }) => ({
    body: { data: await checkAccess(view, body.checks) },
  }),
} satisfies OperationHandlers;
