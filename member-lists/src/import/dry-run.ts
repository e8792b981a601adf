import type { Gatehouse } from '@gatehouse/client';
import type { MemberDraft } from '../reading/member-draft.ts';
import { lookUpMembers } from './look-up.ts';
import {
  type GroupsOfList,
  type MemberState,
  membershipsOf,
  type Outcome,
  outcomeForExisting,
  outcomeOfUnused,
} from './outcome.ts';
import { isUsed } from './repeated-rows.ts';

export interface DryRunOptions {
  readonly groups: GroupsOfList;
  readonly now: Date;
  /** Whether names of members who exist, and whether they are paying, follow the list. */
  readonly updates?: boolean;
}

/** Predicts the outcome of rows without changing anything. The rows of one person must be merged. */
export class DryRun {
  readonly #options: DryRunOptions;

  constructor(options: DryRunOptions) {
    this.#options = options;
  }

  /** Looks up which members exist, and predicts. @throws GatehouseError */
  async lookUpAndPredict(gatehouse: Gatehouse, drafts: readonly MemberDraft[]): Promise<Outcome[]> {
    const addresses = drafts.filter(isUsed).map(({ address }) => address!);
    const found = await lookUpMembers(gatehouse, addresses);
    return this.predict(drafts, new Map([...found].map(([address, { state }]) => [address, state])));
  }

  /** @param states the members of the site who exist, by address */
  predict(drafts: readonly MemberDraft[], states: ReadonlyMap<string, MemberState>): Outcome[] {
    const { groups, now, updates = false } = this.#options;
    return drafts.map((draft) => {
      const unused = outcomeOfUnused(draft);
      if (unused) return unused;
      const state = states.get(draft.address!);
      if (!state) return { status: 'created' };
      return outcomeForExisting(draft, membershipsOf(draft, groups, now), state, updates);
    });
  }
}
