import { type Gatehouse, GatehouseError, type ListMembers, type Member } from '@gatehouse/client';
import { type ExportedMember, withGroups } from '@gatehouse/member-lists';

import { collectMatching, toBatches, type Watch } from './bulk/bulk-action.ts';
import type { Selection } from './selection.ts';

/** The number of concurrent requests. */
const atOnce = 8;

/** The selected members in their current state, with their groups. @throws the reason of the signal when it aborts */
export async function collectWithGroups(
  gatehouse: Gatehouse,
  selection: Selection,
  filter: ListMembers,
  watch: Watch,
): Promise<ExportedMember[]> {
  const members = await collectMembers(gatehouse, selection, filter, watch);
  return Array.fromAsync(withGroups(gatehouse, members, watch.signal));
}

/** The selected members in their current state. @throws the reason of the signal when it aborts */
export async function collectMembers(
  gatehouse: Gatehouse,
  selection: Selection,
  filter: ListMembers,
  watch: Watch,
): Promise<Member[]> {
  return selection.all
    ? collectMatching(gatehouse, selection, filter, watch)
    : getEach(gatehouse, [...selection.members], watch);
}

async function getEach(
  gatehouse: Gatehouse,
  ids: readonly string[],
  { signal, onProgress }: Watch,
): Promise<Member[]> {
  const members: Member[] = [];
  for (const some of toBatches(ids, atOnce)) {
    const found = await Promise.all(some.map((id) => unlessNotFound(gatehouse.members.get(id, { signal }))));
    members.push(...found.filter((member) => member !== undefined));
    onProgress(members.length);
  }
  return members;
}

/** Undefined if the member has been deleted since. */
async function unlessNotFound<Value>(call: PromiseLike<Value>): Promise<Value | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof GatehouseError && error.status === 404) return undefined;
    throw error;
  }
}
