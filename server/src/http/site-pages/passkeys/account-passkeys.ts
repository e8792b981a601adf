import { browserNames } from '@gatehouse/contract/browser-names';
import { maxPasskeys } from '@gatehouse/contract/limits';
import type { FastifyRequest } from 'fastify';
import { millisecondsBetween, millisecondsPerDay } from '../../../base/clock.ts';
import type { SessionVisitor } from '../../../domain/access-rules/visitor.ts';
import { isFirstLoginInBrowser } from '../../../domain/known-browsers/known-browsers.ts';
import { listOwnPasskeys } from '../../../domain/passkeys/own-passkeys.ts';
import { offersPasskeys } from '../../../domain/passkeys/passkey.ts';
import { isOpenedByEmail, isRecentLoginByEmail } from '../../../domain/sessions/session.ts';
import type { AccountPasskeys } from '../../../pages/pages.ts';
import type { SiteView } from '../../../storage/site-view.ts';
import { deviceCookieOf } from '../../shared/requests/page-cookies.ts';

/** The passkeys of a member for the account page. A site whose members have none runs no statement for it. */
export async function findAccountPasskeys(
  view: SiteView,
  request: FastifyRequest,
  visitor: SessionVisitor,
): Promise<AccountPasskeys> {
  const site = request.site!;
  const list = site.hasPasskeys ? await listOwnPasskeys(view, site, visitor.memberId) : [];
  return {
    list,
    adding: addingOf(view, request, visitor, list.length),
    suggestedName: suggestedNameOf(request),
    offersRemoval: list.length > 0 && (await isRecovery(view, request, visitor, list)),
  };
}

function addingOf(
  { now }: SiteView,
  { site }: FastifyRequest,
  { session }: SessionVisitor,
  count: number,
): AccountPasskeys['adding'] {
  if (!offersPasskeys(site!)) return 'not_allowed';
  if (count >= maxPasskeys) return 'too_many';
  return isRecentLoginByEmail(session, now) ? 'possible' : 'login_not_recent';
}

/**
 * Whether a member has logged in by email in a new browser in the last day, perhaps after the loss of a device, and has
 * added no passkey since.
 */
async function isRecovery(
  view: SiteView,
  request: FastifyRequest,
  { email, session }: SessionVisitor,
  list: AccountPasskeys['list'],
): Promise<boolean> {
  const { createdAt } = session;
  const isRecent = millisecondsBetween(createdAt, view.now) < millisecondsPerDay;
  if (!isOpenedByEmail(session) || !isRecent || list.some((passkey) => passkey.createdAt >= createdAt))
    return false;
  return isFirstLoginInBrowser(view, deviceCookieOf(request), email, createdAt);
}

/** The name of the system of a browser, as the name of its passkey. */
export function suggestedNameOf({ headers }: FastifyRequest): string {
  const { browser, system } = browserNames(headers['user-agent'] ?? null);
  return system ?? browser ?? '';
}
