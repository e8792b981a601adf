import { type FoundMember, type Gatehouse, GatehouseError, type Member } from '@gatehouse/client';
import { maxLookedUpEmails } from '@gatehouse/contract/limits';
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
    if (waiting.length < maxLookedUpEmails) continue;
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
  const options = signal ? { signal } : {};
  const emails = members.map(({ email }) => email);
  const found = new Map((await gatehouse.members.lookUp(emails, options)).map((each) => [each.id, each]));
  for (const member of members) {
    const known = found.get(member.id);
    if (known) yield toExported(member, known);
    else yield* findMoved(gatehouse, member.id, options);
  }
}

/** A member who was not found by address: deleted in the meantime, or with a changed address. */
async function* findMoved(
  gatehouse: Gatehouse,
  memberId: string,
  options: { readonly signal?: AbortSignal },
): AsyncGenerator<ExportedMember, void, undefined> {
  const member = await gatehouse.members.get(memberId, options).catch((error: unknown) => {
    if (error instanceof GatehouseError && error.status === 404) return undefined;
    throw error;
  });
  const [known] = member ? await gatehouse.members.lookUp([member.email], options) : [];
  if (member && known?.id === memberId) yield toExported(member, known);
}

function toExported(member: Member, { accessGroups }: FoundMember): ExportedMember {
  return { member, groups: accessGroups };
}
