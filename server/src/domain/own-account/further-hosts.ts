import { ApiError } from '../../base/api-error.ts';
import type { Change } from '../events/change.ts';
import { lookUpMember } from '../members/member-lookup.ts';
import { loggedOut } from '../sessions/session.ts';
import {
  createHostTicket,
  findTicketSession,
  openSessionAt,
  type TicketUse,
  useHostTicket,
} from '../sessions/session-hosts.ts';
import { findAndLockSession } from '../sessions/sessions.ts';
import { findSite, lockSite } from '../sites/sites.ts';
import { isFurtherHost } from '../sites/visited-site.ts';
import { asMember } from './own-session.ts';

/**
 * Creates a ticket with which the browser of a session goes to a further host of the site.
 * @throws {ApiError} `not_found` when it is not a host of the site any more, `logged_out`
 */
export async function createOwnHostTicket(
  change: Change,
  sessionToken: string,
  use: TicketUse,
): Promise<string> {
  if (!(await lockFurtherHost(change, use.domain))) {
    throw new ApiError('not_found', 'This is not a host of the site. Check the URL.');
  }
  return asMember(change, sessionToken, async ({ id }, own) => {
    if (!(await findAndLockSession(own, id))) throw loggedOut();
    return createHostTicket(own, id, use);
  });
}

/** Where a browser continues with its ticket. The token is null if the ticket was refused. */
export interface ArrivedBrowser {
  readonly sessionToken: string | null;
  readonly next: string;
}

/** Uses up a ticket, and continues its session at a further host. */
export async function arriveWithTicket(
  change: Change,
  ticket: string,
  domain: string,
  browserToken: string | null,
): Promise<ArrivedBrowser> {
  const isHost = await lockFurtherHost(change, domain);
  const sessionId = await findTicketSession(change, ticket);
  // Locked before the ticket, as where a session ends.
  const session = sessionId === undefined ? undefined : await findAndLockSession(change, sessionId);
  const used = await useHostTicket(change, ticket, domain, browserToken);
  const next = used?.next ?? '/';
  const member = session && (await lookUpMember(change, session.memberId));
  const isAccepted = isHost && used?.sessionId === session?.id && member?.status === 'active';
  if (!session || !isAccepted) return { sessionToken: null, next };
  return { sessionToken: await openSessionAt(change, session.id, domain), next };
}

/** Whether a domain is a further host of the site, which then cannot change before the transaction ends. */
async function lockFurtherHost(change: Change, domain: string): Promise<boolean> {
  await lockSite(change);
  return isFurtherHost(await findSite(change), domain);
}
