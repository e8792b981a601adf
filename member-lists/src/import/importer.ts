import {
  type BulkAction,
  type BulkMemberUpdate,
  type BulkResultItem,
  type Gatehouse,
  GatehouseError,
} from '@gatehouse/client';
import { maxAccessGroupIds } from '@gatehouse/contract/limits';
import { toBulkMember } from '../reading/listed-values.ts';
import type { MemberDraft } from '../reading/member-draft.ts';
import { type KnownMember, lookUpMembers } from './look-up.ts';
import {
  changesOf,
  type GroupsOfList,
  membershipsOf,
  type Outcome,
  outcomeForExisting,
  outcomeOfUnused,
} from './outcome.ts';
import { isUsed } from './repeated-rows.ts';

const deletedDuringImport: Outcome = {
  status: 'conflict',
  reason: {
    code: 'email_taken',
    message: 'The member with this email address was deleted during the import. Import the row again.',
  },
};

export interface ImporterOptions {
  readonly groups: GroupsOfList;
  /** Whether names of members who exist, and whether they are paying, follow the list. */
  readonly updates?: boolean;
  /** Identifies this import in idempotency keys, so that a batch that is sent twice takes effect once. */
  readonly run: string;
  /** The request id of all requests, by which their events are grouped. */
  readonly requestId?: string;
  readonly now: () => Date;
}

/** Sends the batches of a list to the service. The rows of one person must be united. */
export class Importer {
  readonly #gatehouse: Gatehouse;
  readonly #options: ImporterOptions;

  constructor(gatehouse: Gatehouse, options: ImporterOptions) {
    this.#gatehouse = gatehouse;
    this.#options = options;
  }

  /**
   * Creates the members of a batch, updates existing members if that was chosen, and adds all to the groups of their
   * rows. Returns the outcome of each row.
   * @param number of the batch, from 1
   * @throws GatehouseError, the reason of the signal. The batch can safely be sent again.
   */
  async send(drafts: readonly MemberDraft[], number: number, signal?: AbortSignal): Promise<Outcome[]> {
    const usable = drafts.filter(isUsed);
    const batch = new BatchImport(this.#gatehouse, this.#options, usable, signal);
    const outcomes = usable.length === 0 ? [] : await batch.send(number);
    const each = outcomes[Symbol.iterator]();
    return drafts.map((draft) => outcomeOfUnused(draft) ?? each.next().value!);
  }
}

/** What a row of the batch has led to. */
interface RowResult {
  /** The member that was created or exists; undefined if there is none. */
  readonly memberId?: string;
  readonly outcome: Outcome;
}

/** The import of one batch. */
class BatchImport {
  readonly #gatehouse: Gatehouse;
  readonly #options: ImporterOptions;
  readonly #drafts: readonly MemberDraft[];
  readonly #memberships: readonly ReadonlyMap<string, string | null>[];
  readonly #request: { requestId?: string; signal?: AbortSignal };

  constructor(
    gatehouse: Gatehouse,
    options: ImporterOptions,
    drafts: readonly MemberDraft[],
    signal: AbortSignal | undefined,
  ) {
    const { groups, now, requestId } = options;
    this.#gatehouse = gatehouse;
    this.#options = options;
    this.#drafts = drafts;
    this.#memberships = drafts.map((draft) => membershipsOf(draft, groups, now()));
    this.#request = { ...(requestId && { requestId }), ...(signal && { signal }) };
  }

  async send(number: number): Promise<Outcome[]> {
    const common = this.#commonGroups();
    const { data } = await this.#gatehouse.members.bulkCreate(
      {
        members: this.#drafts.map((draft) => toBulkMember(draft.address!, draft)),
        ...(common.length > 0 && { accessGroupIds: common }),
      },
      { ...this.#request, idempotencyKey: `${this.#options.run} ${number}` },
    );
    const existing = await this.#lookUpExisting(data);
    const results = data.map((item, index) => this.#resultOf(item, index, existing));
    await this.#act(this.#blockedAmong(results), { type: 'block' });
    const failed = new Map([
      ...(await this.#update(results)),
      ...(await this.#changeGroups(results, common)),
    ]);
    return results.map(({ memberId, outcome }) =>
      changesOf(outcome).length > 0 ? (failed.get(memberId!) ?? outcome) : outcome,
    );
  }

  /** Groups that every row names without an end: members are added to these when they are created. */
  #commonGroups(): string[] {
    const [first = new Map<string, string | null>()] = this.#memberships;
    const isCommon = (id: string) => this.#memberships.every((memberships) => memberships.get(id) === null);
    return [...first.keys()].filter(isCommon).slice(0, maxAccessGroupIds);
  }

  /** The members that existed before, by address. */
  async #lookUpExisting(data: readonly BulkResultItem[]): Promise<Map<string, KnownMember>> {
    const addresses = this.#drafts
      .filter((_, index) => data[index]!.status === 'conflict')
      .map(({ address }) => address!);
    const { signal } = this.#request;
    return lookUpMembers(this.#gatehouse, addresses, signal ? { signal } : {});
  }

  #resultOf(item: BulkResultItem, index: number, existing: ReadonlyMap<string, KnownMember>): RowResult {
    if (item.status === 'created') return { memberId: item.member.id, outcome: { status: 'created' } };
    if (item.status === 'error') return { outcome: { status: 'invalid', reason: item.error } };
    const draft = this.#drafts[index]!;
    const known = existing.get(draft.address!);
    // Deleted between the two requests.
    if (!known) return { outcome: deletedDuringImport };
    const { updates = false } = this.#options;
    return {
      memberId: known.id,
      outcome: outcomeForExisting(draft, this.#memberships[index]!, known.state, updates),
    };
  }

  /** The created members that the list says are blocked. */
  #blockedAmong(results: readonly RowResult[]): string[] {
    return results.flatMap(({ memberId, outcome }, index) =>
      outcome.status === 'created' && this.#drafts[index]!.status === 'blocked' ? [memberId!] : [],
    );
  }

  /** Updates names and who has paid. Returns the outcome of those that failed, by id. */
  async #update(results: readonly RowResult[]): Promise<Map<string, Outcome>> {
    const members = results.flatMap(({ memberId, outcome }): BulkMemberUpdate[] => {
      const changes = changesOf(outcome).filter(({ field }) => field !== 'group');
      const fields = Object.fromEntries(changes.map(({ field, to }) => [field, to]));
      return changes.length === 0 ? [] : [{ id: memberId!, ...fields }];
    });
    if (members.length === 0) return new Map();
    const { data } = await this.#gatehouse.members.bulkUpdate(members, this.#request);
    return new Map(
      data.flatMap((item, index): [string, Outcome][] =>
        item.status === 'error' ? [[members[index]!.id, outcomeOfError(item.error)]] : [],
      ),
    );
  }

  /**
   * Creates and changes memberships, with one request for equal changes. Returns the outcome of members that have been
   * deleted in the meantime, by id.
   */
  async #changeGroups(
    results: readonly RowResult[],
    common: readonly string[],
  ): Promise<Map<string, Outcome>> {
    const changes = results.flatMap(({ memberId, outcome }, index) => {
      const ends =
        outcome.status === 'created'
          ? [...this.#memberships[index]!].filter(([groupId]) => !common.includes(groupId))
          : changesOf(outcome).flatMap((change): [string, string | null][] =>
              change.field === 'group' ? [[change.groupId, change.to]] : [],
            );
      return ends.map(([groupId, expiresAt]) => ({ memberId: memberId!, groupId, expiresAt }));
    });
    const alike = Map.groupBy(changes, ({ groupId, expiresAt }) => `${groupId} ${expiresAt}`);
    const deletedIds: string[] = [];
    for (const some of alike.values()) {
      const { groupId, expiresAt } = some[0]!;
      const action = { type: 'add_to_group', groupId, ...(expiresAt !== null && { expiresAt }) } as const;
      const memberIds = some.map(({ memberId }) => memberId);
      deletedIds.push(...(await this.#act(memberIds, action)));
    }
    return new Map(deletedIds.map((id) => [id, deletedDuringImport]));
  }

  /** Applies a bulk action and returns the ids of members that have been deleted in the meantime. */
  async #act(memberIds: readonly string[], action: BulkAction): Promise<string[]> {
    if (memberIds.length === 0) return [];
    try {
      const { data } = await this.#gatehouse.members.bulkApply(memberIds, action, this.#request);
      return data.flatMap(({ memberId, status }) => (status === 'error' ? [memberId] : []));
    } catch (error) {
      // The end has passed in the meantime, so there is no membership to create.
      if (isEndInThePast(error)) return [];
      throw error;
    }
  }
}

function outcomeOfError(error: { readonly code: string; readonly message: string }): Outcome {
  return error.code === 'member_not_found' ? deletedDuringImport : { status: 'invalid', reason: error };
}

function isEndInThePast(error: unknown): boolean {
  return error instanceof GatehouseError && error.details.some(({ path }) => path === '/action/expiresAt');
}
