import { isUnseen } from '../credentials/session.ts';
import type { Routes } from '../routing/route.ts';
import { checkAccess } from './access-checks.ts';
import { findAccessRules, replaceAccessRules } from './access-rules.ts';
import { verifySession } from './verified-session.ts';

type Ids = 'getAccessRules' | 'replaceAccessRules' | 'checkAccess' | 'verifySession';

export const accessRoutes: Routes<Ids> = {
  getAccessRules: async ({ db, siteId }) => ({ body: { data: await findAccessRules(db, siteId) } }),

  replaceAccessRules: async ({ db, siteId, cause, requireMatch }, { body }) => ({
    body: { data: await replaceAccessRules(db, siteId, body.rules, cause, requireMatch) },
  }),

  checkAccess: async ({ db, siteId, cause }, { body }) => ({
    body: { data: await checkAccess(db, siteId, body.checks, cause.at) },
  }),

  verifySession: async ({ db, siteId, cause }, { body }) => {
    const verified = await verifySession(db, siteId, body, cause.at);
    const { session } = verified;
    const unseen = session !== null && isUnseen(session, cause.at);
    return { body: { data: verified }, ...(unseen && { seen: session }) };
  },
};
