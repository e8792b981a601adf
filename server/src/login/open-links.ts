import type { Timestamp } from '../base/clock.ts';
import { linksToClose } from '../credentials/login-link.ts';
import { closeLoginLinks, selectOpenLinks } from '../credentials/login-link-store.ts';
import { withdrawMailsOfLinks } from '../mail/mails.ts';
import type { Transaction } from '../storage/database.ts';

/**
 * Closes what has to close so that one more link of an address can open, whose member and links are locked. Gives false
 * where the one more has to stay out (see `linksToClose`): then the mailbox has three mails with a link that works.
 */
export async function makeRoomForLink(
  tx: Transaction,
  siteId: string,
  email: string,
  isFromAnybody: boolean,
  at: Timestamp,
): Promise<boolean> {
  const closing = linksToClose(await selectOpenLinks(tx, siteId, email, at), isFromAnybody);
  if (closing === undefined) return false;
  if (closing.length > 0) {
    await closeLoginLinks(tx, siteId, closing);
    await withdrawMailsOfLinks(tx, siteId, closing, at);
  }
  return true;
}
