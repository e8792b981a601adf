import type { Member, Site } from '@gatehouse/contract';
import { findAccessGroupTypes } from '../access-groups/access-groups.ts';
import type { Change } from '../events/change.ts';
import { createMembers } from '../members/new-members.ts';

/** Whether a visitor who is not a member may become one by logging in. */
export function maySignUp({ signUp }: Site, email: string): boolean {
  const { policy } = signUp;
  if (policy === 'open') return true;
  return (policy === 'allowed_domains' || policy === 'approval') && domainOf(signUp, email) !== undefined;
}

/** Whether visitors become members by logging in: all, or those whose email addresses have certain domains. */
export function offersSignUp({ signUp }: Pick<Site, 'signUp'>): boolean {
  return signUp.policy === 'open' || signUp.policy === 'allowed_domains';
}

/** Whether people who are not members can ask to join. @param usesJoinPage whether on the page for that, or by a login */
export function mayRequestToJoin(
  { signUp, allowsAccessRequests }: Pick<Site, 'signUp' | 'allowsAccessRequests'>,
  usesJoinPage: boolean,
): boolean {
  return signUp.policy === 'approval' || (usesJoinPage && allowsAccessRequests);
}

/**
 * Makes a member of a visitor who has proved that they own the email address. Undefined when the address has become a
 * member's in the meantime.
 */
export async function signUpMember(
  change: Change,
  { id: siteId, signUp }: Site,
  email: string,
): Promise<Member | undefined> {
  const { db } = change;
  const wanted = domainOf(signUp, email)?.accessGroupIds ?? [];
  // Deleted groups are ignored; they must not prevent the sign-up.
  const groups = await findAccessGroupTypes({ db, siteId }, wanted);
  const groupIds = groups.filter(({ type }) => type === 'custom').map(({ id }) => id);
  const [member] = await createMembers(change.on(siteId), [{ email }], groupIds);
  return member;
}

function domainOf(signUp: Site['signUp'], email: string) {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return signUp.domains.find((each) => each.domain === domain);
}
