import type { Gatehouse } from '@gatehouse/client';
import { maxLookedUpMembers } from '@gatehouse/contract/limits';
import { type MemberState, stateOf } from './outcome.ts';

/** An existing member of the site. */
export interface KnownMember {
  readonly id: string;
  readonly state: MemberState;
}

export interface LookUpOptions {
  readonly signal?: AbortSignal;
  /** Called with the number of addresses that have been looked up so far. */
  readonly progress?: (done: number) => void;
}

/** The members with these addresses, by address. @throws GatehouseError */
export async function lookUpMembers(
  gatehouse: Gatehouse,
  addresses: Iterable<string>,
  { signal, progress }: LookUpOptions = {},
): Promise<Map<string, KnownMember>> {
  const found = new Map<string, KnownMember>();
  const each = [...new Set(addresses)];
  for (let start = 0; start < each.length; start += maxLookedUpMembers) {
    const some = each.slice(start, start + maxLookedUpMembers);
    const members = await gatehouse.members.lookUp({ emails: some }, { signal });
    for (const member of members) found.set(member.email, { id: member.id, state: stateOf(member) });
    progress?.(start + some.length);
  }
  return found;
}
