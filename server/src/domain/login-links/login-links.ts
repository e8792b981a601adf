import { idsOf } from '../../base/ids.ts';
import { withdrawEmailsOfEveryLink, withdrawEmailsOfLinks } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import { linksToClose } from './login-link.ts';
import {
  closeLoginLinks,
  closeOpenLinks,
  deleteEveryLink,
  deleteLinks,
  lockOpenLinks,
  selectOpenLinks,
} from './login-link-store.ts';

export {
  claimLoginRequest,
  closeLoginRequest,
  closeOpenLinks,
  closeSentLinks,
  countCodeTry,
  findOldLinks,
  insertLoginLink,
  keepCodes,
  lockOpenLinks,
  purgeLinks,
  selectFirstRequestTime as findFirstRequestTime,
  selectLinkByBrowser as findLinkByBrowser,
  selectLinkByToken as findLinkByToken,
  selectLoginRequests as findLoginRequests,
  selectSessionsOfLinks as findSessionsOfLinks,
  selectSitesWithRequests as findSitesWithRequests,
  startLinkTime,
  useUpLink,
} from './login-link-store.ts';

/** A member or visitor for whom links log in. */
export interface LinkOwner {
  readonly id: string;
  readonly email: string;
}

/** Locks the open links of locked members, all together (see `lockOpenLinks`). */
export function lockLinksOf(change: Change, members: readonly LinkOwner[]): Promise<void> {
  return lockOpenLinks(change, emailsOf(members), idsOf(members));
}

/**
 * Closes every link that logs in as one of these members, whatever address it was sent to, and withdraws its email.
 * Returns the number of closed links.
 */
export async function revokeLinksOf(change: Change, members: readonly LinkOwner[]): Promise<number> {
  await lockLinksOf(change, members);
  const closed = await closeOpenLinks(change, emailsOf(members), idsOf(members));
  await withdrawEmailsOfLinks(change, closed);
  return closed.length;
}

/** Deletes all login requests and links of these members. */
export function deleteLinksOf(change: Change, members: readonly LinkOwner[]): Promise<void> {
  return deleteLinks(change, emailsOf(members), idsOf(members));
}

/** Deletes every link of the site. Emails are locked before links, as when they are sent. */
export async function revokeEveryLink(change: Change): Promise<number> {
  await withdrawEmailsOfEveryLink(change);
  return deleteEveryLink(change);
}

/**
 * Closes links so that one more link of an address can be opened. Its member and links must be locked. Returns false
 * when no further one is allowed (see `linksToClose`): the mailbox then has three emails with a working link.
 */
export async function makeRoomForLink(
  change: Change,
  email: string,
  isPublicRequest: boolean,
): Promise<boolean> {
  const closing = linksToClose(await selectOpenLinks(change, email), isPublicRequest);
  if (closing === undefined) return false;
  if (closing.length > 0) {
    await closeLoginLinks(change, closing);
    await withdrawEmailsOfLinks(change, closing);
  }
  return true;
}

function emailsOf(owners: readonly LinkOwner[]): string[] {
  return owners.map(({ email }) => email);
}
