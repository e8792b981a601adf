import type { Me } from '@gatehouse/contract/dashboard';
import type { SessionVisitor } from '../../../domain/access-rules/visitor.ts';
import { listSitesOfOperator } from '../../../domain/operators/operators.ts';
import { loggedOut } from '../../../domain/sessions/session.ts';
import { findNewerVersion } from '../../../storage/migrations/newer-version.ts';
import { sessionTokenOf } from '../../shared/requests/page-cookies.ts';
import { type DashboardApiParts, type DashboardHandlers, runAction } from './dashboard-handler.ts';
import { findOperator, lacksPasskey } from './operator-admission.ts';

export const meHandlers: DashboardHandlers<'getMe' | 'updateMe'> = {
  getMe: async ({ parts, operator }) => ({ data: await describe(parts, operator) }),

  updateMe: async (context, { body }) => {
    const { parts, request } = context;
    const displayName = body.displayName ?? '';
    await runAction(context, 'renameOperator', { sessionToken: sessionTokenOf(request), displayName });
    const operator = await findOperator(parts, request);
    if (!operator) throw loggedOut();
    return { data: await describe(parts, operator) };
  },
};

async function describe(parts: DashboardApiParts, operator: SessionVisitor): Promise<Me> {
  const { memberId: id, email, displayName } = operator;
  const { database, version, commit, builtInSite } = parts;
  const needsPasskey = lacksPasskey(parts, operator);
  const sites = needsPasskey ? [] : await listSitesOfOperator(database, id);
  return {
    operator: { id, email, displayName },
    sites,
    folderSiteId: (builtInSite?.isFolder && sites.find(({ slug }) => slug === builtInSite.slug)?.id) || null,
    version,
    commit: commit ?? null,
    newerVersion: (await findNewerVersion(database)) ?? null,
    needsPasskey,
    requiresPasskeys: parts.settings.requirePasskeys,
    mayCreateSites: sites.some(({ role }) => role === 'owner'),
  };
}
