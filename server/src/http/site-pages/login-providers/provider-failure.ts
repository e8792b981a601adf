import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProviderLoginFailed } from '../../../domain/login-providers/provider-account.ts';
import { memberPages } from '../../../domain/sites/page-addresses.ts';
import { identitiesAnchor, type LinkingResult } from '../../../pages/login-providers/identities-section.ts';
import type { ProviderProblem } from '../../../pages/pages.ts';
import { sendLoginForm } from '../../shared/login/login-form.ts';
import type { PageParts } from '../../shared/requests/page-parts.ts';

/** A login that was begun in this browser. */
export interface BegunLogin {
  /** The name of the provider. */
  readonly provider: string;
  readonly next: string;
  /** Whether a member who is logged in links the account. */
  readonly isLinking: boolean;
}

/** Says that a login has failed at the provider, and offers the other ways. What is wrong is for the log. */
export function sendFailure(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { provider, next, isLinking }: BegunLogin,
  { reason, message }: ProviderLoginFailed,
): Promise<FastifyReply> | FastifyReply {
  if (reason !== 'denied') {
    const { id: siteId } = request.site!;
    request.log.warn(
      { requestId: request.id, siteId, provider, problem: message },
      'a login at a provider failed',
    );
  }
  if (isLinking) return sendLinkingResult(reply, reason === 'denied' ? 'denied' : 'failed');
  return sendProblem(parts, request, reply, { reason, provider }, next);
}

const statuses = { denied: 400, expired: 400, refused: 403, rejected: 400, unavailable: 503 } as const;

/** Shows the login page with what has happened. */
export function sendProblem(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  providerProblem: ProviderProblem,
  next: string,
): Promise<FastifyReply> {
  const view = { next, email: '', providerProblem };
  return sendLoginForm(parts, request, reply, view, statuses[providerProblem.reason], 'provider.refused');
}

/** Leads back to the account page, which says what came of linking an account. */
export function sendLinkingResult(reply: FastifyReply, result: LinkingResult): FastifyReply {
  return reply.redirect(`${memberPages.prefix}/account?linking=${result}#${identitiesAnchor}`, 303);
}
