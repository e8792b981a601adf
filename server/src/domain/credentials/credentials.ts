import { idsOf } from '../../base/ids.ts';
import { type Page, type PageQuery, pageOf } from '../../base/page.ts';
import type { SiteView } from '../../storage/site-view.ts';
import type { ExpiredRow } from '../../storage/sql/expiring-rows.ts';
import { addTombstones, findTombstone } from '../cursors/cursor-tombstones.ts';
import type { Change } from '../events/change.ts';
import type { NewEvent } from '../events/event.ts';
import { type CredentialKey, CredentialStore, type CredentialTable } from './credential-store.ts';

export type { CredentialKey, CredentialTable } from './credential-store.ts';

/** The event for ended credentials of a member. */
type EndEvent<Reason> = (memberId: string, ids: readonly string[], reason: Reason) => NewEvent;

/** A kind of credential of which a member can have several: how they are listed, and how they end. */
export class Credentials<
  Credential extends { readonly id: string },
  Reason,
> extends CredentialStore<Credential> {
  readonly #name: string;
  readonly #endEvent: EndEvent<Reason>;

  /** @param name what they are, in the names of their lists */
  constructor(table: CredentialTable, name: string, endEvent: EndEvent<Reason>) {
    super(table);
    this.#name = name;
    this.#endEvent = endEvent;
  }

  /** The name of a member's list for cursors. */
  listOf(memberId: string): string {
    return `${this.#name} of ${memberId}`;
  }

  /** Lists the valid ones of a member, newest first. @throws {ApiError} `invalid_cursor` */
  async list(view: SiteView, memberId: string, { after, limit }: PageQuery): Promise<Page<Credential>> {
    if (after !== undefined && !(await this.has(view, memberId, after))) {
      await findTombstone(view, this.listOf(memberId), after);
    }
    return pageOf(await this.selectOf(view, memberId, after, limit + 1), limit);
  }

  /** Ends one. Returns false when the member has no such one, or it has expired. */
  async end(change: Change, credential: CredentialKey, reason: Reason): Promise<boolean> {
    if (!(await this.delete(change, credential))) return false;
    await this.#recordEnds(change, [credential], reason);
    return true;
  }

  /** Ends every one of some members, or all but one. Returns their number. */
  async endOf(
    change: Change,
    memberIds: readonly string[],
    reason: Reason,
    exceptId: string | null = null,
  ): Promise<number> {
    const ended = await this.deleteOf(change, memberIds, exceptId);
    await this.#recordEnds(change, ended, reason);
    return ended.length;
  }

  /** Deletes expired ones, without events, as they end by themselves. */
  async purge(change: Change, rows: readonly ExpiredRow[]): Promise<void> {
    await this.leaveLists(change, await this.deleteExpired(change, rows));
  }

  /** Keeps the positions of deleted ones in the lists of their members, so that cursors on them stay valid. */
  async leaveLists(change: Change, deleted: readonly CredentialKey[]): Promise<void> {
    await addTombstones(
      change,
      deleted.map(({ id, memberId }) => ({ list: this.listOf(memberId), id })),
    );
  }

  async #recordEnds(change: Change, ended: readonly CredentialKey[], reason: Reason): Promise<void> {
    await this.leaveLists(change, ended);
    for (const [memberId, ofMember] of Map.groupBy(ended, (each) => each.memberId)) {
      change.record(this.#endEvent(memberId, idsOf(ofMember), reason));
    }
  }
}
