import type { Member, Site } from '@gatehouse/contract';
import { selectAccessGroupTypes } from '../access-groups/access-group-store.ts';
import type { Cause } from '../base/cause.ts';
import { addPeople } from '../members/new-members.ts';
import type { Transaction } from '../storage/database.ts';

/** Whether somebody who is no member may become one by logging in. */
export function mayEnrol({ signUp }: Site, email: string): boolean {
  if (signUp.policy === 'open') return true;
  return signUp.policy === 'allowed_domains' && domainOf(signUp, email) !== undefined;
}

/** Makes a member of somebody who has shown that the address is theirs. Undefined when it became a member meanwhile. */
export async function enrol(
  tx: Transaction,
  { id: siteId, signUp }: Site,
  email: string,
  cause: Cause,
): Promise<Member | undefined> {
  const wanted = domainOf(signUp, email)?.accessGroupIds ?? [];
  // A group that was deleted since is no reason to keep anybody out.
  const groups = wanted.length === 0 ? [] : await selectAccessGroupTypes(tx, siteId, wanted);
  const groupIds = groups.filter(({ type }) => type === 'custom').map(({ id }) => id);
  const [member] = await addPeople(tx, siteId, [{ email, displayName: null, paid: false }], groupIds, cause);
  return member;
}

function domainOf(signUp: Site['signUp'], email: string) {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return signUp.domains.find((each) => each.domain === domain);
}
