import type { FastifyRequest } from 'fastify';
import type { AnsweredLogin } from '../../../domain/logins/login.ts';
import { wasOfferedPasskey } from '../../../domain/passkeys/own-passkeys.ts';
import { offersPasskeys } from '../../../domain/passkeys/passkey.ts';
import { passkeyOfferPath } from '../../../domain/sites/page-addresses.ts';
import { loginSurfaceOf } from '../../../domain/sites/site.ts';
import type { VisitedSite } from '../../../domain/sites/visited-site.ts';
import { act } from '../requests/page-action.ts';
import { isFromServiceWorker } from '../requests/page-navigation.ts';
import { type PageParts, viewOf } from '../requests/page-parts.ts';
import { type Fields, one } from '../requests/page-request.ts';

/** Whether members are offered a passkey after a login by email. Operators add theirs in the dashboard. */
export function mayOfferPasskey(site: VisitedSite): boolean {
  return loginSurfaceOf(site) === 'members' && offersPasskeys(site);
}

/**
 * A login that first leads to the offer of a passkey, once for each member: only if the form says that the device can hold
 * one, and if there is no other page first. That page is not shown through a service worker.
 */
export async function afterOffer(
  parts: PageParts,
  request: FastifyRequest,
  login: AnsweredLogin,
): Promise<AnsweredLogin> {
  const isWanted = one((request.body as Fields | undefined)?.offersPasskey) === 'yes';
  const mayOffer = isWanted && mayOfferPasskey(request.site!) && !isFromServiceWorker(request.headers);
  if (!mayOffer || login.outcome !== 'logged_in' || login.otherSessionIds.length > 0) return login;
  const { sessionToken } = login.cookies;
  // Most members were asked before, which needs no transaction.
  if (await wasOfferedPasskey(viewOf(parts, request), sessionToken)) return login;
  const isOffered = await act(parts, request, 'consumePasskeyOffer', { sessionToken });
  return isOffered ? { ...login, next: passkeyOfferPath(login.next) } : login;
}
