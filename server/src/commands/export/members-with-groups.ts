import type { Gatehouse, GroupMember, ListMembers, Member } from '@gatehouse/client';

const largestPage = 100;

export interface ExportedMember {
  readonly member: Member;
  /** The names of the member's groups, in alphabetical order. */
  readonly groups: readonly string[];
}

/**
 * Members that match, newest first, each with its groups. The lists of members and of every group's members have the
 * same order, so all of them are walked side by side: one page of each is in memory, however many members there are,
 * and nobody is asked for one by one.
 */
export async function* membersWithGroups(
  gatehouse: Gatehouse,
  filter: ListMembers,
): AsyncGenerator<ExportedMember, void, undefined> {
  const walks: GroupWalk[] = [];
  for await (const { id, name, memberCount } of gatehouse.accessGroups.list({ limit: largestPage })) {
    if (memberCount > 0) walks.push(new GroupWalk(gatehouse, id, name));
  }
  walks.sort((a, b) => (a.name < b.name ? -1 : 1));
  const query: ListMembers = { ...filter, sort: 'createdAt', order: 'desc', limit: largestPage };
  for await (const member of gatehouse.members.list(query)) {
    const groups: string[] = [];
    for (const walk of walks) if (await walk.meets(member.id)) groups.push(walk.name);
    yield { member, groups };
  }
}

/** The members of a group in the order of their ids, greatest first, read as far as it is asked for. */
class GroupWalk {
  readonly name: string;
  readonly #members: AsyncIterator<GroupMember>;
  #next: string | undefined;
  #started = false;

  constructor(gatehouse: Gatehouse, groupId: string, name: string) {
    this.name = name;
    this.#members = gatehouse.accessGroups.members
      .list(groupId, { limit: largestPage })
      [Symbol.asyncIterator]();
  }

  /** Whether the member is in the group. Ids are asked for in descending order. */
  async meets(memberId: string): Promise<boolean> {
    if (!this.#started) await this.#step();
    while (this.#next !== undefined && this.#next > memberId) await this.#step();
    return this.#next === memberId;
  }

  async #step(): Promise<void> {
    this.#started = true;
    const step = await this.#members.next();
    this.#next = step.done ? undefined : step.value.id;
  }
}
