import type { Gatehouse } from '@gatehouse/client';
import { type KnownMember, nameMarkOf } from './known-member.ts';
import { MemberIndex } from './member-index.ts';

const largestPage = 100;
/** So many members are asked for one by one before it is worth while to read the whole list. */
const fewLookups = 100;
/** About two million members, in some 120 MB. */
const mostPages = 20_000;

/**
 * Finds the members that the site has. A few are asked for one by one; when there are more, the list of all members is
 * read once into a compact index, unless that would take more requests than there are rows left.
 */
export class KnownMembers {
  readonly #gatehouse: Gatehouse;
  readonly #groupIds: readonly string[];
  readonly #rowsLeft: () => number;
  readonly #signal: AbortSignal;
  #lookups = 0;
  #index: Promise<MemberIndex | undefined> | undefined;

  /**
   * @param groupIds the groups that matter
   * @param signal that the import is to stop soon: then no long reading is begun
   */
  constructor(
    gatehouse: Gatehouse,
    groupIds: readonly string[],
    rowsLeft: () => number,
    signal: AbortSignal,
  ) {
    this.#gatehouse = gatehouse;
    this.#groupIds = groupIds;
    this.#rowsLeft = rowsLeft;
    this.#signal = signal;
  }

  /**
   * @param email in its normal form
   * @param certain the site has said that there is such a member, so what the index lacks is asked for
   */
  async find(email: string, certain: boolean): Promise<KnownMember | undefined> {
    if (this.#index === undefined && this.#lookups >= fewLookups) this.#index = this.#load(this.#rowsLeft());
    const index = await this.#index;
    const indexed = index?.find(email);
    if (indexed !== undefined || (index !== undefined && !certain)) return indexed;
    this.#lookups += 1;
    return this.#ask(email);
  }

  async #ask(email: string): Promise<KnownMember | undefined> {
    const { data } = await this.#gatehouse.members.list({ email, limit: 1 }).page();
    const [member] = data;
    if (!member) return undefined;
    const groups = this.#groupIds.length === 0 ? [] : await this.#groupsOf(member.id);
    const { id, paid, status } = member;
    return {
      id,
      nameMark: nameMarkOf(member.displayName),
      paid,
      status,
      isIn: (groupId) => groups.includes(groupId),
    };
  }

  async #groupsOf(memberId: string): Promise<string[]> {
    const { accessGroups } = await this.#gatehouse.members.get(memberId);
    return accessGroups.map(({ id }) => id);
  }

  /** Undefined when there are too many members, or when the import is to stop. */
  async #load(rowsLeft: number): Promise<MemberIndex | undefined> {
    const most = Math.min(rowsLeft, mostPages);
    const index = new MemberIndex();
    let pages = 0;
    for await (const { data } of this.#gatehouse.members.list({ limit: largestPage }).pages()) {
      pages += 1;
      if (pages > most || this.#signal.aborted) return undefined;
      for (const member of data) index.add(member);
    }
    const { members } = this.#gatehouse.accessGroups;
    for (const groupId of this.#groupIds) {
      for await (const { data } of members.list(groupId, { limit: largestPage }).pages()) {
        if (this.#signal.aborted) return undefined;
        for (const { email } of data) index.addToGroup(email, groupId);
      }
    }
    return index;
  }
}
