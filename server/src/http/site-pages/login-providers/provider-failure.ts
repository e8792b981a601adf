import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredLoginProvider } from '../../../domain/login-providers/login-provider.ts';
import type { ProviderLoginFailed } from '../../../domain/login-providers/provider-account.ts';
import { memberPages } from '../../../domain/sites/page-addresses.ts';
import { loginUrl } from '../../../domain/sites/site-addresses.ts';
import { identitiesAnchor, type LinkingResult } from '../../../pages/login-providers/identities-section.ts';
import { type LoginFailure, rememberFailure } from '../../shared/login/failed-login.ts';

/** A login that was begun in this browser. */
export interface BegunLogin {
  readonly provider: Pick<StoredLoginProvider, 'id' | 'name'>;
  readonly next: string;
  /** Whether a member who is logged in links the account. */
  readonly isLinking: boolean;
}

/** Says that a login has failed at the provider, and offers the other ways. What is wrong is for the log. */
export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  { provider, next, isLinking }: BegunLogin,
  { reason, message }: ProviderLoginFailed,
): FastifyReply {
  if (reason !== 'denied') {
    const { id: siteId } = request.site!;
    request.log.warn(
      { requestId: request.id, siteId, provider: provider.name, problem: message },
      'a login at a provider failed',
    );
  }
  if (isLinking) return sendLinkingResult(reply, reason === 'denied' ? 'denied' : 'failed');
  return sendProblem(request, reply, { reason, providerId: provider.id }, next);
}

/** For the log: the browser is redirected. An unavailable provider has a line of its own. */
const statuses = { denied: 400, expired: 400, refused: 403, rejected: 400, too_many: 429 } as const;

/**
 * Leads back to the login page, which says what has happened. The address of a callback, with its code and state, would
 * fail once more when it is loaded again.
 */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  failure: LoginFailure,
  next: string,
): FastifyReply {
  const { reason } = failure;
  if (reason !== 'unavailable') {
    const event = reason === 'too_many' ? 'limit.exceeded' : 'provider.refused';
    reply.server.requestLog.rejected(request, statuses[reason], undefined, event);
  }
  rememberFailure(reply, request.site!, failure);
  return reply.redirect(loginUrl(request.site!, next), 303);
}

/** Leads back to the account page, which says what came of linking an account. */
export function sendLinkingResult(reply: FastifyReply, result: LinkingResult): FastifyReply {
  return reply.redirect(`${memberPages.prefix}/account?linking=${result}#${identitiesAnchor}`, 303);
}
