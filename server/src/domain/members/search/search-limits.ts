import type { Dialect } from '../../../storage/database.ts';

/** The limits of a search, in members. With them a request takes at most about 50 ms on a site of a million. */
export interface SearchLimits {
  /** The maximum number of matches that are fetched and sorted at once. */
  readonly maxSorted: number;
  /**
   * The same maximum after the first scan has not found enough matches. PostgreSQL reads the index of a text only if at
   * most this number of members is expected to have the text.
   */
  readonly maxSortedLate: number;
  /** How many members the first step of a scan in sort order examines. Each further step examines twice as many. */
  readonly firstStep: number;
  /** How many members the first scan examines. */
  readonly firstScan: number;
  /** How many members all scans of a request examine. */
  readonly maxScan: number;
  /** PostgreSQL only: the size of the sample that estimates how many members have a text. */
  readonly sample: number;
}

export const searchLimits: Readonly<Record<Dialect, SearchLimits>> = {
  sqlite: {
    maxSorted: 1_000,
    maxSortedLate: 4_000,
    firstStep: 200,
    firstScan: 2_000,
    maxScan: 6_000,
    sample: 0,
  },
  postgres: {
    maxSorted: 2_000,
    maxSortedLate: 10_000,
    firstStep: 500,
    firstScan: 500,
    maxScan: 8_000,
    sample: 500,
  },
};
