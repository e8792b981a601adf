import { idsOf } from '../../base/ids.ts';
import { withdrawEmailsOfLinks } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import type { StoredLoginLink } from '../login-links/login-link.ts';
import { closeOpenLinks, closeSentLinks, findLinkByBrowser } from '../login-links/login-links.ts';
import { hashToken, isToken } from '../sessions/token.ts';

/**
 * Whether a browser has requested a link for an address. In any other one, a link may have been pressed by a program that
 * tries the links in emails.
 */
export async function hasRequestedLink(
  change: Change,
  email: string,
  { loginToken }: { readonly loginToken: string | null },
): Promise<boolean> {
  if (!isToken(loginToken)) return false;
  return (await findLinkByBrowser(change, hashToken(loginToken)))?.email === email;
}

/** Closes a used link and all others of its address, with their codes. */
export async function closeEveryLink(change: Change, { id, email }: StoredLoginLink): Promise<[]> {
  const closed = await closeOpenLinks(change, [email]);
  await withdrawEmailsOfLinks(change, [id, ...closed]);
  return [];
}

/**
 * Closes the other links of the address of a used link. The codes continue working where the links were requested. Returns
 * the links with such a code, perhaps also the used one.
 */
export async function closeEveryOtherLink(change: Change, link: StoredLoginLink): Promise<string[]> {
  const closed = [link, ...(await closeSentLinks(change, link.email))];
  const withCode = closed.filter(({ codeHash }) => codeHash !== null);
  const withoutCode = closed.filter(({ codeHash }) => codeHash === null);
  await withdrawEmailsOfLinks(change, idsOf(withoutCode));
  return idsOf(withCode);
}
