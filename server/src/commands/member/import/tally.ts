import type { ImportStatus } from '@gatehouse/member-lists';

/** The number of rows for each result. */
export type Tally = Record<ImportStatus, number>;

export function emptyTally(): Tally {
  return {
    created: 0,
    unchanged: 0,
    groupsChanged: 0,
    updated: 0,
    merged: 0,
    leftOut: 0,
    conflict: 0,
    invalid: 0,
  };
}

export function rowsOf(tally: Tally): number {
  return Object.values(tally).reduce((sum, count) => sum + count, 0);
}
