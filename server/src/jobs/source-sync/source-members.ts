import { findMembersOfGroup, type MemberOfGroup } from '../../domain/memberships/memberships.ts';
import { findListedEmails } from '../../domain/sources/people/source-people.ts';
import type { Queries } from '../../storage/database.ts';
import { inPages } from '../../storage/sql/row-pages.ts';

/**
 * The members of the groups of values, and everybody who is listed, as of the first use. All collections of a source
 * share them, so that a run reads them once. What a run adds meanwhile may be missing.
 */
export class SourceMembers {
  readonly #db: Queries;
  readonly #siteId: string;
  readonly #sourceId: string;
  readonly #groups = new Map<string, Promise<readonly MemberOfGroup[]>>();
  #listed: Promise<ReadonlySet<string>> | undefined;

  constructor(db: Queries, siteId: string, sourceId: string) {
    this.#db = db;
    this.#siteId = siteId;
    this.#sourceId = sourceId;
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
      findMembersOfGroup(this.#db, this.#siteId, groupId, after?.id, limit);
    for await (const page of inPages(select)) members.push(...page);
    return members;
  }

  /** The addresses of everybody in a collection of the source, as of the last synchronization. */
  listed(): Promise<ReadonlySet<string>> {
    this.#listed ??= findListedEmails(this.#db, this.#siteId, this.#sourceId);
    return this.#listed;
  }
}
