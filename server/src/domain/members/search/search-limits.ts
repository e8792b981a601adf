import type { Dialect } from '../../../storage/database.ts';

/** The limits of a search, in members. With them a request takes at most about 50 ms on a site of a million. */
export interface SearchLimits {
  /** So many matches are fetched and sorted at once. */
  readonly few: number;
  /**
   * So many are fetched and sorted when there are not enough among the first members of the order. On PostgreSQL, so many
   * are expected to have a text when its index is read.
   */
  readonly many: number;
  /** So many members are examined one after the other in the first step, and twice as many in each further one. */
  readonly firstStep: number;
  /** So many are examined at first, and in all. */
  readonly firstWalk: number;
  readonly walk: number;
  /** PostgreSQL only: by so many members of a site the number of all members with a text is estimated. */
  readonly sample: number;
}

export const searchLimits: Readonly<Record<Dialect, SearchLimits>> = {
  sqlite: { few: 1_000, many: 4_000, firstStep: 200, firstWalk: 2_000, walk: 6_000, sample: 0 },
  postgres: { few: 2_000, many: 10_000, firstStep: 500, firstWalk: 500, walk: 8_000, sample: 500 },
};
