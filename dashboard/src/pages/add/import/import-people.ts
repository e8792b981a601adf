import type { BulkResultItem, Gatehouse, Member } from '@gatehouse/client';
import { inLots } from '../../../parts/lots.ts';
import { addressKey, type Person, type Problem } from '../people.ts';
import { differencesOf, type ExistingMembers } from './existing-members.ts';

/** What became of somebody. */
export interface Result {
  readonly person: Person;
  /** `unchanged`: a member already, and the row says nothing else. `joined`: a member already, and now in more groups. */
  readonly status: 'created' | 'unchanged' | 'joined' | 'error';
  /** Why; null where it is no error. */
  readonly reason: Reason | null;
}

/** Why somebody was not added: what is wrong with the row, or what the service says of it. */
export interface Reason extends Problem {
  readonly message?: string;
}

/** An import that can be taken up again where it stopped: a lot that is sent twice is done once. */
export interface Import {
  readonly lots: readonly Lot[];
  /** All go under one request id, by which their events are told as one. */
  readonly requestId: string;
  /** What is known before anything is sent: rows that cannot be used. */
  readonly unusable: readonly Result[];
  readonly total: number;
}

/** People who are added to the same groups. */
interface Lot {
  readonly people: readonly Person[];
  readonly accessGroupIds: readonly string[];
  readonly idempotencyKey: string;
}

/**
 * Makes lots of people. Of those with the same address the first comes in an earlier lot than the others, so that it is
 * the one that is added.
 * @param groupIdsOf the groups that somebody is added to
 */
export function newImport(
  people: readonly Person[],
  groupIdsOf: (person: Person) => readonly string[],
): Import {
  const usable = people.filter(({ problem }) => !problem);
  const seen = new Set<string>();
  const firsts = usable.filter(({ email }) => {
    const key = addressKey(email);
    return !seen.has(key) && seen.add(key);
  });
  const isFirst = new Set(firsts);
  const others = usable.filter((person) => !isFirst.has(person));
  return {
    lots: [...toLots(firsts, groupIdsOf), ...toLots(others, groupIdsOf)],
    requestId: crypto.randomUUID(),
    unusable: people.flatMap((person) =>
      person.problem ? [{ person, status: 'error', reason: person.problem }] : [],
    ),
    total: people.length,
  };
}

function toLots(people: readonly Person[], groupIdsOf: (person: Person) => readonly string[]): Lot[] {
  const byGroups = Map.groupBy(people, (person) => JSON.stringify([...new Set(groupIdsOf(person))].sort()));
  return [...byGroups].flatMap(([groups, some]) =>
    inLots(some).map((lot) => ({
      people: lot,
      accessGroupIds: JSON.parse(groups),
      idempotencyKey: crypto.randomUUID(),
    })),
  );
}

/**
 * Sends one lot of an import, and does what the service does not do by itself: blocks whom the row blocks, and adds
 * members who are there already to the groups of their row.
 * @throws GatehouseError when it could not be sent; sent again it doubles nothing
 */
export async function sendLot(
  gatehouse: Gatehouse,
  { lots, requestId }: Import,
  index: number,
  existing: ExistingMembers,
  signal: AbortSignal,
): Promise<Result[]> {
  const { people, accessGroupIds, idempotencyKey } = lots[index]!;
  const { data } = await gatehouse.members.bulkCreate(
    { members: people.map(toBulkMember), accessGroupIds: [...accessGroupIds] },
    { idempotencyKey, requestId, signal },
  );
  for (const [place, item] of data.entries()) {
    if (item.status !== 'created') continue;
    const member = await blockIfSo(gatehouse, people[place]!, item.member, { requestId, signal });
    existing.add(people[place]!.email, member);
  }
  const taken = people.filter((_, place) => data[place]!.status === 'conflict');
  const members = await existing.find(taken.map(({ email }) => email));
  const same = taken.filter(({ email, ...row }) => {
    const member = members.get(addressKey(email));
    return member && differencesOf({ email, ...row }, member).length === 0;
  });
  const memberIds = same.map(({ email }) => members.get(addressKey(email))!.id);
  const joined = await joinGroups(gatehouse, memberIds, lots[index]!, { requestId, signal });
  return people.map((person, place) => {
    const member = members.get(addressKey(person.email));
    return toResult(person, data[place]!, member, member !== undefined && joined.has(member.id));
  });
}

function toBulkMember({ email, displayName, paid }: Person) {
  return { email, ...(displayName !== null && { displayName }), ...(paid !== undefined && { paid }) };
}

interface Options {
  requestId: string;
  signal: AbortSignal;
}

async function blockIfSo(gatehouse: Gatehouse, person: Person, member: Member, options: Options) {
  if (person.status !== 'blocked') return member;
  return gatehouse.members.update(member.id, { status: 'blocked' }, options);
}

/** Adds members to the groups of a lot. Gives those who were not in all of them. */
async function joinGroups(
  gatehouse: Gatehouse,
  memberIds: readonly string[],
  { accessGroupIds, idempotencyKey }: Lot,
  options: Options,
): Promise<ReadonlySet<string>> {
  const joined = new Set<string>();
  if (memberIds.length === 0) return joined;
  for (const groupId of accessGroupIds) {
    const { data } = await gatehouse.members.bulkAction(
      [...new Set(memberIds)],
      { type: 'add_to_group', groupId },
      { ...options, idempotencyKey: `${idempotencyKey} ${groupId}` },
    );
    for (const { memberId, status } of data) if (status === 'done') joined.add(memberId);
  }
  return joined;
}

function toResult(
  person: Person,
  item: BulkResultItem,
  member: Member | undefined,
  hasJoined: boolean,
): Result {
  if (item.status === 'created') return { person, status: 'created', reason: null };
  if (item.status === 'error') return { person, status: 'error', reason: item.error };
  // Deleted between the two requests.
  if (!member) return { person, status: 'error', reason: item.error };
  const fields = differencesOf(person, member);
  if (fields.length === 0) return { person, status: hasJoined ? 'joined' : 'unchanged', reason: null };
  return { person, status: 'error', reason: { ...item.error, values: { fields: fields.join(' ') } } };
}
