import { checkAccess } from '../../domain/access-rules/access-checks.ts';
import { findAccessRules, replaceAccessRules } from '../../domain/access-rules/access-rules.ts';
import type { OperationHandlers } from '../operation-handler.ts';

export const accessRuleHandlers = {
  getAccessRules: async ({ db, siteId }) => ({ body: { data: await findAccessRules(db, siteId) } }),

  replaceAccessRules: async ({ change, requireMatch }, { body }) => ({
    body: { data: await replaceAccessRules(change, body.rules, requireMatch) },
  }),

  checkAccess: async ({ db, siteId, now }, { body }) => ({
    body: { data: await checkAccess(db, siteId, body.checks, now) },
  }),
} satisfies OperationHandlers;
