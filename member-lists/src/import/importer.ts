import { type BulkAction, type BulkResultItem, type Gatehouse, GatehouseError } from '@gatehouse/client';
import { maxAccessGroupIds } from '@gatehouse/contract/limits';
import type { MemberDraft } from '../reading/member-draft.ts';
import { toBulkMember } from './batches.ts';
import { lookUpMembers } from './look-up.ts';
import {
  applyToExisting,
  type GroupsOfList,
  type MemberState,
  membershipsOf,
  type Outcome,
  outcomeOfUnused,
  stateOfNew,
} from './outcome.ts';
import { isUsed } from './repeated-rows.ts';

const deletedDuringImport: Outcome = {
  status: 'conflict',
  reason: {
    code: 'email_taken',
    message: 'The member with this address was deleted during the import. Import the row again.',
  },
};

export interface ImporterOptions {
  readonly groups: GroupsOfList;
  /** Identifies this import in idempotency keys, so that a batch that is sent twice takes effect once. */
  readonly run: string;
  /** The request id of all requests, by which their events are grouped. */
  readonly requestId?: string;
  readonly now: () => Date;
}

/** Sends the batches of a list to the service. */
export class Importer {
  readonly #gatehouse: Gatehouse;
  readonly #options: ImporterOptions;

  constructor(gatehouse: Gatehouse, options: ImporterOptions) {
    this.#gatehouse = gatehouse;
    this.#options = options;
  }

  /**
   * Creates the members of a batch and adds existing members to the groups of their rows. Returns the outcome of each
   * row.
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

/** A member that a row of the batch created or matched. */
interface MatchedMember {
  readonly id: string;
  readonly state: MemberState;
  /** The memberships to create or change, by group id. */
  readonly changes: Map<string, string | null>;
}

/** The import of one batch. */
class BatchImport {
  readonly #gatehouse: Gatehouse;
  readonly #options: ImporterOptions;
  readonly #drafts: readonly MemberDraft[];
  readonly #memberships: readonly ReadonlyMap<string, string | null>[];
  readonly #request: { requestId?: string; signal?: AbortSignal };
  /** By address. */
  readonly #matched = new Map<string, MatchedMember>();

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
      { members: this.#drafts.map(toBulkMember), ...(common.length > 0 && { accessGroupIds: common }) },
      { ...this.#request, idempotencyKey: `${this.#options.run} ${number}` },
    );
    const blocked = this.#recordCreated(data, common);
    await this.#lookUpOthers(data);
    const outcomes = data.map((item, index) => this.#outcomeOf(item, index));
    await this.#act(blocked, { type: 'block' });
    return this.#changeGroups(outcomes);
  }

  /** Groups that every row names without an end: members are added to these when they are created. */
  #commonGroups(): string[] {
    const [first = new Map<string, string | null>()] = this.#memberships;
    const isCommon = (id: string) => this.#memberships.every((memberships) => memberships.get(id) === null);
    return [...first.keys()].filter(isCommon).slice(0, maxAccessGroupIds);
  }

  /** Records the created members and returns the ids of those to block. */
  #recordCreated(data: readonly BulkResultItem[], common: readonly string[]): string[] {
    const blocked: string[] = [];
    for (const [index, item] of data.entries()) {
      if (item.status !== 'created') continue;
      const { id } = item.member;
      const memberships = this.#memberships[index]!;
      const changes = new Map([...memberships].filter(([groupId]) => !common.includes(groupId)));
      const state = stateOfNew(this.#drafts[index]!, memberships);
      this.#matched.set(this.#drafts[index]!.address!, { id, state, changes });
      if (state.status === 'blocked') blocked.push(id);
    }
    return blocked;
  }

  /** Looks up the members that already existed, except those that this batch created. */
  async #lookUpOthers(data: readonly BulkResultItem[]): Promise<void> {
    const addresses = this.#drafts.flatMap(({ address }, index) =>
      data[index]!.status === 'conflict' && !this.#matched.has(address!) ? [address!] : [],
    );
    const { signal } = this.#request;
    const found = await lookUpMembers(this.#gatehouse, addresses, signal ? { signal } : {});
    for (const [address, known] of found) this.#matched.set(address, { ...known, changes: new Map() });
  }

  #outcomeOf(item: BulkResultItem, index: number): Outcome {
    if (item.status === 'created') return { status: 'created' };
    if (item.status === 'error') return { status: 'invalid', reason: item.error };
    const draft = this.#drafts[index]!;
    const matched = this.#matched.get(draft.address!);
    // Deleted between the two requests.
    if (!matched) return deletedDuringImport;
    const before = new Map(matched.state.groups);
    const outcome = applyToExisting(draft, this.#memberships[index]!, matched.state);
    for (const [id, end] of matched.state.groups) {
      if (!before.has(id) || before.get(id) !== end) matched.changes.set(id, end);
    }
    return outcome;
  }

  /** Creates and changes memberships, with one request for equal changes. */
  async #changeGroups(outcomes: readonly Outcome[]): Promise<Outcome[]> {
    const changes = [...this.#matched.values()].flatMap(({ id, changes: ends }) =>
      [...ends].map(([groupId, expiresAt]) => ({ memberId: id, groupId, expiresAt })),
    );
    const alike = Map.groupBy(changes, ({ groupId, expiresAt }) => `${groupId} ${expiresAt}`);
    const deletedIds = new Set<string>();
    for (const some of alike.values()) {
      const { groupId, expiresAt } = some[0]!;
      const action = { type: 'add_to_group', groupId, ...(expiresAt !== null && { expiresAt }) } as const;
      for (const id of await this.#act(
        some.map(({ memberId }) => memberId),
        action,
      ))
        deletedIds.add(id);
    }
    return outcomes.map((outcome, index) => {
      const matched = this.#matched.get(this.#drafts[index]!.address!);
      const isDeleted = outcome.status === 'groupsChanged' && deletedIds.has(matched!.id);
      return isDeleted ? deletedDuringImport : outcome;
    });
  }

  /** Applies a bulk action and returns the ids of members that have been deleted in the meantime. */
  async #act(memberIds: readonly string[], action: BulkAction): Promise<string[]> {
    if (memberIds.length === 0) return [];
    try {
      const { data } = await this.#gatehouse.members.bulkAction(memberIds, action, this.#request);
      return data.flatMap(({ memberId, status }) => (status === 'error' ? [memberId] : []));
    } catch (error) {
      // The end has passed in the meantime, so there is no membership to create.
      if (isEndInThePast(error)) return [];
      throw error;
    }
  }
}

function isEndInThePast(error: unknown): boolean {
  return error instanceof GatehouseError && error.details.some(({ path }) => path === '/action/expiresAt');
}
