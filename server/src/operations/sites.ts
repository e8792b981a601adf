import { requireCustomGroups } from '../domain/access-groups/access-groups.ts';
import { findRuleHosts } from '../domain/access-rules/access-rules.ts';
import type { Change } from '../domain/events/change.ts';
import { revokeEveryCredential } from '../domain/members/credentials.ts';
import { closeSessionsAt } from '../domain/sessions/session-hosts.ts';
import { requireSigningKey } from '../domain/signing-keys/signing-keys.ts';
import { findSite, type SiteDependents, updateSite } from '../domain/sites/sites.ts';
import { data, type OperationHandlers } from './operation-handler.ts';
import { requireLastingCaller } from './operators/caller-authority.ts';

export const siteHandlers = {
  getSite: (view) => data(findSite(view)),

  updateSite: {
    changesMany: true,
    handle: async (context, { body }) => {
      const { change, requireMatch } = context;
      if (body.domain !== undefined || body.hosts !== undefined || body.scheme !== undefined) {
        await requireLastingCaller(context, 'a host continues to receive the sessions of members');
      }
      if (body.identityHeaders !== undefined) {
        await requireLastingCaller(context, 'identity headers go on telling programs who a visitor is');
      }
      return { body: { data: await updateSite(change, body, siteDependents(change), requireMatch) } };
    },
  },
} satisfies OperationHandlers;

/** The members and groups of the site of a change. */
export function siteDependents(change: Change): SiteDependents {
  return {
    requireGroups: (groupIds) => requireCustomGroups(change, groupIds),
    hostsOfRules: () => findRuleHosts(change),
    revokeEveryCredential: () => revokeEveryCredential(change),
    logOutAt: (domains) => closeSessionsAt(change, domains),
    requireSigningKey: () => requireSigningKey(change),
  };
}
