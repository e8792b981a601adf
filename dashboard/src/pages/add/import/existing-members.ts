import type { Gatehouse, Member } from '@gatehouse/client';
import { inLots } from '../../../parts/lots.ts';
import { addressKey, type Person } from '../people.ts';

const largestPage = 100;
/** So many requests are under way together. */
const atOnce = 8;
/** So many members are asked for one by one before the list of all is read, if that takes fewer requests. */
const fewLookups = 100;

/** The members that an import meets: those who were there before, and those whom it has added itself. */
export class ExistingMembers {
  readonly #gatehouse: Gatehouse;
  /** By address, as `addressKey` gives it. */
  readonly #members = new Map<string, Member>();
  /** The rows that are still to come may meet members too. */
  readonly #rows: number;
  #lookups = 0;
  #isWhole = false;

  constructor(gatehouse: Gatehouse, rows: number) {
    this.#gatehouse = gatehouse;
    this.#rows = rows;
  }

  add(email: string, member: Member): void {
    this.#members.set(addressKey(email), member);
  }

  /** Gives the members with some addresses, by `addressKey`. @throws GatehouseError */
  async find(emails: readonly string[]): Promise<ReadonlyMap<string, Member>> {
    const unknown = emails.filter((email) => !this.#members.has(addressKey(email)));
    if (!this.#isWhole && this.#lookups + unknown.length > fewLookups) await this.#readAll();
    for (const some of inLots([...new Set(unknown)], atOnce)) {
      await Promise.all(some.map((email) => this.#lookUp(email)));
    }
    return this.#members;
  }

  async #lookUp(email: string): Promise<void> {
    if (this.#members.has(addressKey(email))) return;
    this.#lookups += 1;
    const { data } = await this.#gatehouse.members.list({ email: email.trim(), limit: 1 }).page();
    if (data[0]) this.add(email, data[0]);
  }

  /** Reads every member, unless the site has so many more of them than there are rows. */
  async #readAll(): Promise<void> {
    const { members } = await this.#gatehouse.site.overview();
    if (members.total / largestPage > this.#rows) return;
    for await (const member of this.#gatehouse.members.list({ limit: largestPage })) {
      if (!this.#members.has(member.email)) this.#members.set(member.email, member);
    }
    this.#isWhole = true;
  }
}

/** The fields in which a row says something else than the member has. What is empty says nothing. */
export function differencesOf({ displayName, paid, status }: Person, member: Member): DifferentField[] {
  return [
    ...(displayName !== null && displayName.trim() !== member.displayName ? (['name'] as const) : []),
    ...(paid !== undefined && paid !== member.paid ? (['paid'] as const) : []),
    ...(status !== undefined && status !== member.status ? (['status'] as const) : []),
  ];
}

export type DifferentField = 'name' | 'paid' | 'status';
