import type { Gatehouse } from '@gatehouse/client';
import type { MemberDraft } from '../reading/member-draft.ts';
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

/**
 * Predicts the outcome of rows in the order of the list, without changing anything. It remembers the members of earlier
 * rows, because later rows may have the same address.
 */
export class DryRun {
  readonly #groups: GroupsOfList;
  readonly #now: Date;
  readonly #states: Map<string, MemberState>;

  /** @param states known members of the site, by address */
  constructor(groups: GroupsOfList, now: Date, states: ReadonlyMap<string, MemberState> = new Map()) {
    this.#groups = groups;
    this.#now = now;
    this.#states = new Map([...states].map(([address, state]) => [address, copyOf(state)]));
  }

  /** Like `predict`, after looking up which members exist. @throws GatehouseError */
  async lookUpAndPredict(gatehouse: Gatehouse, drafts: readonly MemberDraft[]): Promise<Outcome[]> {
    const addresses = drafts
      .filter(isUsed)
      .map(({ address }) => address!)
      .filter((address) => !this.#states.has(address));
    const found = await lookUpMembers(gatehouse, addresses);
    for (const [address, { state }] of found) this.#states.set(address, state);
    return this.predict(drafts);
  }

  predict(drafts: readonly MemberDraft[]): Outcome[] {
    return drafts.map((draft) => outcomeOfUnused(draft) ?? this.#outcomeOf(draft));
  }

  #outcomeOf(draft: MemberDraft): Outcome {
    const memberships = membershipsOf(draft, this.#groups, this.#now);
    const state = this.#states.get(draft.address!);
    if (state) return applyToExisting(draft, memberships, state);
    this.#states.set(draft.address!, stateOfNew(draft, memberships));
    return { status: 'created' };
  }
}

function copyOf(state: MemberState): MemberState {
  return { ...state, groups: new Map(state.groups) };
}
