import type { FoundMember, Gatehouse, Member } from '@gatehouse/client';
import { maxLookedUpMembers } from '@gatehouse/contract/limits';
import { joinGroupEnds, joinGroupNames, type NamedGroup } from '../values/group-names.ts';

/** The headings of an export, by which an import finds its columns. */
export const exportColumns = [
  'id',
  'email',
  'displayName',
  'status',
  'verified',
  'paid',
  'groups',
  'groupsEndAt',
  'registeredAt',
  'lastLoginAt',
  'lastSeenAt',
  'createdAt',
] as const;

export interface ExportedMember {
  readonly member: Member;
  /** Sorted by name. */
  readonly groups: readonly NamedGroup[];
}

/**
 * The values of a row, in the order of `exportColumns`.
 * @param timeZone that of the site, in which an import reads days; undefined if it is not known
 */
export function toExportRow({ member, groups }: ExportedMember, timeZone: string | undefined): string[] {
  const names = joinGroupNames(groups.map(({ name }) => name));
  const values = { ...member, groups: names, groupsEndAt: joinGroupEnds(groups, timeZone) };
  return exportColumns.map((column) => String(values[column] ?? ''));
}

/**
 * Adds to each member their groups with the ends of the memberships, with one request for up to 500 members, and keeps
 * the order. Members that are deleted in the meantime are left out.
 * @throws GatehouseError, the reason of the signal
 */
export async function* withGroups(
  gatehouse: Gatehouse,
  members: AsyncIterable<Member> | Iterable<Member>,
  signal?: AbortSignal,
): AsyncGenerator<ExportedMember, void, undefined> {
  let waiting: Member[] = [];
  for await (const member of members) {
    waiting.push(member);
    if (waiting.length < maxLookedUpMembers) continue;
    yield* findGroups(gatehouse, waiting, signal);
    waiting = [];
  }
  if (waiting.length > 0) yield* findGroups(gatehouse, waiting, signal);
}

async function* findGroups(
  gatehouse: Gatehouse,
  members: readonly Member[],
  signal: AbortSignal | undefined,
): AsyncGenerator<ExportedMember, void, undefined> {
  const memberIds = members.map(({ id }) => id);
  const known = await gatehouse.members.lookUp({ memberIds }, signal ? { signal } : {});
  const found = new Map(known.map((each) => [each.id, each]));
  for (const member of members) {
    const current = found.get(member.id);
    // A member who was deleted in the meantime is left out.
    if (current) yield toExported(member, current);
  }
}

function toExported(member: Member, { accessGroups }: FoundMember): ExportedMember {
  return { member, groups: accessGroups };
}
