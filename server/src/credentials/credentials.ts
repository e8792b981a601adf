import type { Timestamp } from '../base/clock.ts';
import type { NewEvent } from '../events/event.ts';
import { withdrawMailsOfEveryLink, withdrawMailsOfLinks } from '../mail/mails.ts';
import type { Transaction } from '../storage/database.ts';
import { deleteBrowsersOfMember, deleteEveryKnownBrowser } from './known-browser-store.ts';
import { verifyCookie } from './known-browsers.ts';
import { closeLinksOfEmail, closeLinksOfMember, deleteEveryLink, lockOpenLinks } from './login-link-store.ts';
import type { SessionEnd } from './session.ts';
import { deleteEverySession } from './session-store.ts';
import { endAllSessions } from './sessions.ts';

/**
 * Takes from a member everything to get in with, in the transaction of what calls for it: sessions, login links, the
 * mails that carry one, and the browsers that are known, but the one in which the member calls for it. The member's row
 * is locked. Gives the events to record.
 */
export async function withdrawCredentials(
  tx: Transaction,
  siteId: string,
  { id, email }: { readonly id: string; readonly email: string },
  reason: SessionEnd,
  at: Timestamp,
  ownBrowserCookie: string | null = null,
): Promise<NewEvent[]> {
  await lockOpenLinks(tx, siteId, [email], [id]);
  const links = [
    ...(await closeLinksOfMember(tx, siteId, id)),
    ...(await closeLinksOfEmail(tx, siteId, email)),
  ];
  await withdrawMailsOfLinks(tx, siteId, links, at);
  const ownBrowser = await verifyCookie(tx, siteId, ownBrowserCookie);
  await deleteBrowsersOfMember(tx, siteId, id, ownBrowser ?? null);
  return endAllSessions(tx, siteId, id, reason, at);
}

/**
 * Takes from everybody what opens a site. Without events: it goes with a change of the address, at which no browser has
 * a session any more.
 */
export async function withdrawEveryCredential(tx: Transaction, siteId: string, at: Timestamp): Promise<void> {
  // Mails before links, as where they are sent.
  await withdrawMailsOfEveryLink(tx, siteId, at);
  await deleteEveryLink(tx, siteId);
  await deleteEverySession(tx, siteId);
  await deleteEveryKnownBrowser(tx, siteId);
}
