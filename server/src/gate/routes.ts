import type { Routes } from '../routing/route.ts';
import { checkAccess } from './access-checks.ts';
import { findAccessRules, replaceAccessRules } from './access-rules.ts';
import { verifySession } from './verified-session.ts';

export const accessRoutes: Routes<'getAccessRules' | 'replaceAccessRules' | 'checkAccess' | 'verifySession'> =
  {
    getAccessRules: async ({ db, siteId }) => ({ body: { data: await findAccessRules(db, siteId) } }),

    replaceAccessRules: async ({ db, siteId, cause, requireMatch }, { body }) => ({
      body: { data: await replaceAccessRules(db, siteId, body.rules, cause, requireMatch) },
    }),

    checkAccess: async ({ db, siteId, cause }, { body }) => ({
      body: { data: await checkAccess(db, siteId, body.checks, cause.at) },
    }),

    verifySession: async ({ db, siteId, cause }, { body }) => ({
      body: { data: await verifySession(db, siteId, body, cause.at) },
    }),
  };
