import type { Gatehouse } from '@gatehouse/client';
import type { MemberDraft } from '../reading/member-draft.ts';
import { lookUpMembers } from './look-up.ts';
import {
  applyToExisting,
  type GroupsOfList,
  type MemberState,
  membershipsOf,
  type Outcome,
  stateOfNew,
} from './outcome.ts';

/** The predicted outcome of a row. */
export interface PredictedOutcome {
  readonly outcome: Outcome;
  /** Whether an earlier row has the same address: the first one counts, and this one is compared with it. */
  readonly isDuplicate: boolean;
}

/**
 * Predicts the outcome of rows in the order of the list, without changing anything. It remembers the members of earlier
 * rows, because later rows may have the same address.
 */
export class DryRun {
  readonly #groups: GroupsOfList;
  readonly #now: Date;
  readonly #states: Map<string, MemberState>;
  readonly #seen = new Set<string>();

  /** @param states known members of the site, by address */
  constructor(groups: GroupsOfList, now: Date, states: ReadonlyMap<string, MemberState> = new Map()) {
    this.#groups = groups;
    this.#now = now;
    this.#states = new Map([...states].map(([address, state]) => [address, copyOf(state)]));
  }

  /** Like `predict`, after looking up which members exist. @throws GatehouseError */
  async lookUpAndPredict(gatehouse: Gatehouse, drafts: readonly MemberDraft[]): Promise<PredictedOutcome[]> {
    const addresses = drafts.flatMap(({ address, problem }) =>
      problem || address === null || this.#states.has(address) ? [] : [address],
    );
    const found = await lookUpMembers(gatehouse, addresses);
    for (const [address, { state }] of found) this.#states.set(address, state);
    return this.predict(drafts);
  }

  predict(drafts: readonly MemberDraft[]): PredictedOutcome[] {
    return drafts.map((draft) => {
      if (draft.problem) return { outcome: { status: 'invalid', reason: draft.problem }, isDuplicate: false };
      const isDuplicate = this.#seen.has(draft.address!);
      this.#seen.add(draft.address!);
      return { outcome: this.#outcomeOf(draft), isDuplicate };
    });
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
