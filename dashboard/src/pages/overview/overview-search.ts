import { defaultOverviewDays, overviewDays } from '@gatehouse/contract/limits';

export type OverviewDays = (typeof overviewDays)[number];

/** The search parameters of the overview: how many days it covers. */
export interface OverviewSearch {
  days?: OverviewDays | undefined;
}

/** Parses the search parameters. Invalid ones, and the default, are left out. */
export function readOverviewSearch({ days }: Record<string, unknown>): OverviewSearch {
  const known = overviewDays.find((each) => each === days && each !== defaultOverviewDays);
  return known === undefined ? {} : { days: known };
}
