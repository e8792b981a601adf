import type { JoinRequest } from '@gatehouse/client';

/** The search parameters of the page: which requests it shows. */
export interface JoinRequestsSearch {
  status?: JoinRequestStatus | undefined;
}

export const joinRequestStatuses = [
  'pending',
  'approved',
  'declined',
  'expired',
] as const satisfies readonly JoinRequest['status'][];
export type JoinRequestStatus = (typeof joinRequestStatuses)[number];

/** Parses the search parameters. Invalid ones are left out. */
export function readJoinRequestsSearch({ status }: Record<string, unknown>): JoinRequestsSearch {
  const known = joinRequestStatuses.find((each) => each === status);
  return known && known !== 'pending' ? { status: known } : {};
}
