import { timestampAfter } from '../../base/clock.ts';
import type { SiteData } from '../../storage/site-view.ts';
import type { Change } from '../events/change.ts';
import {
  consumeHostTicket,
  deleteSessionHosts,
  insertHostTicket,
  saveSessionHost,
  selectTicketSession,
} from './session-host-store.ts';
import { generateToken, hashToken, isToken } from './token.ts';

export { findExpiredHostTickets, isAtHost, purgeHostTickets } from './session-host-store.ts';

const ticketMilliseconds = 30_000;

/** Where a ticket may be used. */
export interface TicketUse {
  /** The further host. */
  readonly domain: string;
  /** The hash of the token that the browser has as a cookie at that host. */
  readonly browserHash: string;
  /** The path to continue to. It must have passed `checkNext`. */
  readonly next: string;
}

/** Creates a ticket of 256 bits with which a browser carries its session to a further host, once, within 30 seconds. */
export async function createHostTicket(
  change: Change,
  sessionId: string,
  { domain, browserHash, next }: TicketUse,
): Promise<string> {
  const ticket = generateToken();
  await insertHostTicket(change, {
    ticketHash: hashToken(ticket),
    sessionId,
    domain,
    browserHash,
    next,
    expiresAt: timestampAfter(change.now, ticketMilliseconds),
  });
  return ticket;
}

/** A ticket after its use. */
export interface UsedTicket {
  /** Null if the ticket was refused: it is for another host or another browser, or too old. */
  readonly sessionId: string | null;
  readonly next: string;
}

/** The session of a ticket; undefined if there is no such ticket, or it was used. */
export async function findTicketSession(view: SiteData, ticket: string): Promise<string | undefined> {
  return isToken(ticket) ? selectTicketSession(view, hashToken(ticket)) : undefined;
}

/** Uses up a ticket, even if it is refused. Undefined if there is no such ticket. */
export async function useHostTicket(
  change: Change,
  ticket: string,
  domain: string,
  browserToken: string | null,
): Promise<UsedTicket | undefined> {
  if (!isToken(ticket)) return undefined;
  const used = await consumeHostTicket(change, hashToken(ticket));
  if (!used) return undefined;
  const isSameBrowser = isToken(browserToken) && used.browserHash === hashToken(browserToken);
  const isAccepted = used.domain === domain && used.expiresAt > change.now && isSameBrowser;
  return { sessionId: isAccepted ? used.sessionId : null, next: used.next };
}

/** Opens a session on a further host. Returns the token for the cookie there. */
export async function openSessionAt(change: Change, sessionId: string, domain: string): Promise<string> {
  const token = generateToken();
  await saveSessionHost(change, sessionId, domain, hashToken(token));
  return token;
}

/** Logs all members out at some further hosts, because the hosts are no longer the same. */
export async function closeSessionsAt(change: Change, domains: readonly string[]): Promise<void> {
  if (domains.length > 0) await deleteSessionHosts(change, domains);
}
