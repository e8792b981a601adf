import {
  type AccessGroup,
  type Gatehouse,
  GatehouseError,
  type ListMembers,
  type Member,
} from '@gatehouse/client';
import { inLots } from '../../parts/lots.ts';
import { collectMatching, type Watch } from './bulk.ts';
import type { Selection } from './selection.ts';

const largestPage = 100;
/** So many requests are under way together. */
const atOnce = 8;

export interface ExportedMember {
  readonly member: Member;
  /** In alphabetical order. */
  readonly groups: readonly ExportedGroup[];
}

interface ExportedGroup {
  readonly name: string;
  /** When the membership ends; null for never. */
  readonly expiresAt: string | null;
}

/** The selected members as they are now, with their groups. @throws the reason of the signal when it aborts */
export async function collectWithGroups(
  gatehouse: Gatehouse,
  selection: Selection,
  filter: ListMembers,
  watch: Watch,
): Promise<ExportedMember[]> {
  const members = selection.all
    ? await collectMatching(gatehouse, selection, filter, watch)
    : await getEach(gatehouse, [...selection.members], watch);
  const groups = await Array.fromAsync(gatehouse.accessGroups.list({ limit: largestPage }, watch));
  const memberships = await groupsOf(gatehouse, members, groups, watch);
  return members.map((member) => ({
    member,
    groups: (memberships.get(member.id) ?? []).sort((one, other) => (one.name < other.name ? -1 : 1)),
  }));
}

type Groups = Map<string, ExportedGroup[]>;

/** Reads the groups of each from the lists of the groups or member by member, whichever asks for less. */
async function groupsOf(
  gatehouse: Gatehouse,
  members: readonly Member[],
  groups: readonly AccessGroup[],
  { signal }: Watch,
): Promise<Groups> {
  const found: Groups = new Map(members.map(({ id }) => [id, []]));
  const pages = groups.reduce((sum, { memberCount }) => sum + Math.ceil(memberCount / largestPage), 0);
  if (pages <= members.length) {
    for (const { id, name } of groups.filter(({ memberCount }) => memberCount > 0)) {
      for await (const { memberId, expiresAt } of gatehouse.accessGroups.members.listMemberships(
        id,
        { limit: largestPage },
        { signal },
      )) {
        found.get(memberId)?.push({ name, expiresAt });
      }
    }
    return found;
  }
  await inTurns(members, async ({ id }) => {
    const { accessGroups = [] } = (await unlessGone(gatehouse.members.get(id, { signal }))) ?? {};
    for (const group of accessGroups) {
      const membership = await unlessGone(gatehouse.accessGroups.members.get(group.id, id, { signal }));
      if (membership) found.get(id)!.push({ name: group.name, expiresAt: membership.expiresAt });
    }
  });
  return found;
}

async function getEach(
  gatehouse: Gatehouse,
  ids: readonly string[],
  { signal, onProgress }: Watch,
): Promise<Member[]> {
  const members: Member[] = [];
  await inTurns(ids, async (id) => {
    const member = await unlessGone(gatehouse.members.get(id, { signal }));
    if (member) members.push(member);
    onProgress(members.length);
  });
  return members;
}

async function inTurns<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  for (const some of inLots(items, atOnce)) await Promise.all(some.map(run));
}

/** Undefined for what somebody has deleted meanwhile. */
async function unlessGone<Value>(call: PromiseLike<Value>): Promise<Value | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof GatehouseError && error.status === 404) return undefined;
    throw error;
  }
}
