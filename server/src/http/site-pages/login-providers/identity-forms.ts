import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUuid } from '../../../base/ids.ts';
import { listIdentities } from '../../../domain/identities/identities.ts';
import { listEnabledProviders } from '../../../domain/login-providers/enabled-providers.ts';
import { isRecentLoginByEmail, type LoginOfSession } from '../../../domain/sessions/session.ts';
import { memberPages } from '../../../domain/sites/page-addresses.ts';
import type { LinkedAccounts } from '../../../pages/login-providers/identities-section.ts';
import { attempt } from '../../shared/requests/page-action.ts';
import { sessionTokenOf } from '../../shared/requests/page-cookies.ts';
import { viewOf } from '../../shared/requests/page-parts.ts';
import { type Fields, one } from '../../shared/requests/page-request.ts';
import { ownFormOf } from '../form-key.ts';
import { leadToProvider } from './begin-login.ts';
import type { LoginProviderParts } from './login-provider-parts.ts';

const accountPath = `${memberPages.prefix}/account`;

/** The forms of the account page about accounts at providers. */
export function addIdentityForms(pages: FastifyInstance, parts: LoginProviderParts): void {
  const ownForm = ownFormOf(parts);

  pages.post('/account/identities/link', ownForm, async (request, reply) => {
    const providerId = one((request.body as Fields | undefined)?.provider) ?? '';
    const sessionToken = sessionTokenOf(request);
    return leadToProvider(parts, request, reply, { providerId, next: accountPath, sessionToken });
  });

  pages.post('/account/identities/delete', ownForm, async (request, reply) => {
    const identityId = one((request.body as Fields | undefined)?.id) ?? '';
    const input = { sessionToken: sessionTokenOf(request), identityId: identityId.toLowerCase() };
    if (!isUuid(identityId)) return reply.redirect(accountPath, 303);
    const expected = ['logged_out', 'identity_not_found'] as const;
    const removed = await attempt(parts, request, 'deleteOwnIdentity', input, expected);
    return reply.redirect(accountPath + (removed.kind === 'success' ? '?saved=identity-removed' : ''), 303);
  });
}

interface ShownVisitor {
  readonly memberId: string;
  readonly session: LoginOfSession;
}

/** What the account page shows; undefined if there is nothing, as on a site without login providers. */
export async function findLinkedAccounts(
  parts: LoginProviderParts,
  request: FastifyRequest,
  { memberId, session }: ShownVisitor,
): Promise<LinkedAccounts | undefined> {
  if (!request.site!.hasLoginProviders) return undefined;
  const view = viewOf(parts, request);
  const providers = await listEnabledProviders(view);
  const identities = await listIdentities(view, memberId);
  if (providers.length + identities.length === 0) return undefined;
  const typeOf = (id: string) => providers.find((provider) => provider.id === id)?.type ?? null;
  return {
    accounts: identities.map(({ providerId, providerName, ...identity }) => ({
      ...identity,
      provider: { id: providerId, name: providerName, type: typeOf(providerId) },
    })),
    providers,
    canLink: isRecentLoginByEmail(session, view.now),
  };
}
