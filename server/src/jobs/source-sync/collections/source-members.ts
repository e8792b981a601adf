import { lookUpMembersByEmail } from '../../../domain/members/member-lookup.ts';
import { findMembersOfGroup, type MemberOfGroup } from '../../../domain/memberships/memberships.ts';
import type { Person } from '../../../domain/sources/people/collection-people.ts';
import {
  findListedEmails,
  findPeopleElsewhere,
  findStoredPeople,
  type PersonElsewhere,
} from '../../../domain/sources/people/source-people.ts';
import type { Queries } from '../../../storage/database.ts';
import { inPages } from '../../../storage/sql/batches.ts';

/** A member as far as a source can change it. */
export interface GroupMember {
  readonly displayName: string | null;
  readonly paid: boolean | null;
  /** The values of the groups that the member is in. */
  readonly values: ReadonlySet<string>;
}

/**
 * What Gatehouse has stored about the people of a source. The members of the groups of values, and everybody who is
 * listed, are as of their first use: all collections share them, so that a run reads them once. What a run adds meanwhile
 * may be missing.
 */
export class SourceMembers {
  readonly sourceId: string;
  readonly #db: Queries;
  readonly #siteId: string;
  readonly #groups = new Map<string, Promise<readonly MemberOfGroup[]>>();
  #listed: Promise<ReadonlySet<string>> | undefined;

  constructor(db: Queries, siteId: string, sourceId: string) {
    this.#db = db;
    this.#siteId = siteId;
    this.sourceId = sourceId;
  }

  ofGroup(groupId: string): Promise<readonly MemberOfGroup[]> {
    const known = this.#groups.get(groupId) ?? this.ofOwnGroup(groupId);
    this.#groups.set(groupId, known);
    return known;
  }

  /** Those of the group of a collection, which are needed only once. */
  async ofOwnGroup(groupId: string): Promise<readonly MemberOfGroup[]> {
    const members: MemberOfGroup[] = [];
    const select = (after: MemberOfGroup | undefined, limit: number) =>
      findMembersOfGroup({ db: this.#db, siteId: this.#siteId }, groupId, after?.id, limit);
    for await (const page of inPages(select)) members.push(...page);
    return members;
  }

  /** The addresses of everybody in a collection of the source, as of the last synchronization. */
  listed(): Promise<ReadonlySet<string>> {
    this.#listed ??= findListedEmails({ db: this.#db, siteId: this.#siteId }, this.sourceId);
    return this.#listed;
  }

  /** Everybody in a collection as of its last synchronization, by email address. */
  storedIn(collection: string): Promise<ReadonlyMap<string, Person>> {
    return findStoredPeople({ db: this.#db, siteId: this.#siteId }, { sourceId: this.sourceId, collection });
  }

  /** Some people in other collections than one, by email address. */
  elsewhere(
    collection: string,
    emails: readonly string[],
  ): Promise<ReadonlyMap<string, readonly PersonElsewhere[]>> {
    return findPeopleElsewhere(
      { db: this.#db, siteId: this.#siteId },
      { sourceId: this.sourceId, collection },
      emails,
    );
  }

  /** The members with some addresses who are in none of the groups. */
  async withAddress(emails: readonly string[]): Promise<ReadonlyMap<string, GroupMember>> {
    const members = await lookUpMembersByEmail({ db: this.#db, siteId: this.#siteId }, emails);
    return new Map(
      members.map(({ email, displayName, paid }) => [email, { displayName, paid, values: noValues }]),
    );
  }
}

const noValues: ReadonlySet<string> = new Set();
